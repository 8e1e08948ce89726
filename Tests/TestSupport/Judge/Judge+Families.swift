import Foundation

extension Judge {
    /// The frames of an H.264 video in an MP4 file as OpenH264 decodes them, in I420. OpenH264 shares no code with
    /// libavcodec; it does not support B-frames.
    package static func openH264Frames(_ path: String, size: (width: Int, height: Int)) throws -> [Data] {
        let folder = try TemporaryFolder()
        try Tool.succeed(
            "gst-launch-1.0", "-q filesrc location=\(path) ! qtdemux ! h264parse ! openh264dec !",
            "video/x-raw,format=I420 ! filesink location=\(folder / "frames.yuv")")
        return try frames(folder / "frames.yuv", size)
    }

    /// The frames of an HEVC video as libde265 decodes them, in I420.
    package static func libde265Frames(_ path: String, size: (width: Int, height: Int)) throws -> [Data] {
        let folder = try TemporaryFolder()
        try Tool.ffmpeg("-i \(path) -map 0:v:0 -c copy -f hevc \(folder / "stream.hevc")")
        try Tool.succeed("libde265-dec265", ["-q", "-t", "1", "-o", folder / "frames.yuv", folder / "stream.hevc"])
        return try frames(folder / "frames.yuv", size)
    }

    /// The frames of a video as libavcodec decodes them, in I420.
    package static func libavFrames(_ path: String, size: (width: Int, height: Int)) throws -> [Data] {
        let folder = try TemporaryFolder()
        try Tool.ffmpeg(
            "-i \(path) -map 0:v:0 -fps_mode passthrough -pix_fmt yuv420p -f rawvideo \(folder / "frames.yuv")")
        return try frames(folder / "frames.yuv", size)
    }

    private static func frames(_ path: String, _ size: (width: Int, height: Int)) throws -> [Data] {
        let data = try Data(contentsOf: path)
        let step = size.width * size.height * 3 / 2
        guard data.count % step == 0 else { throw ToolError("\(data.count) bytes are no frames of \(step)") }
        return stride(from: 0, to: data.count, by: step).map { data.subdata(in: $0..<$0 + step) }
    }
}
