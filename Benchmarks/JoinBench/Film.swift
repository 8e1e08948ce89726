import BenchSupport
import Foundation

/// Clips of one kind, to be joined with 18 frames of overlap: moving natural pictures with grain, and audio.
struct Film {
    var width: Int
    var height: Int
    /// The duration of each clip, in seconds.
    var seconds: Int
    /// The number of clips.
    var count: Int

    static let frameRate = 30
    /// The frames of each transition: 0.6 s.
    static let overlap = 18

    var framesOfClip: Int { seconds * Film.frameRate }
    /// The number of frames of the output.
    var frames: Int { count * framesOfClip - (count - 1) * Film.overlap }
    var name: String { "\(count) x \(seconds) s \(width)x\(height)" }

    /// The paths of the clips in `folder`, which are made if they are missing.
    func clips(in folder: String, media: String) throws -> [String] {
        let sources = try ["bunny", "flower"].map { try source($0, in: folder, media: media) }
        return try (0..<count).map { index in
            // Each clip has its own name, because a program that is given the same file twice may read it only once.
            let path = "\(folder)/\(width)x\(height)-\(seconds)s-\(index).mp4"
            if !FileManager.default.fileExists(atPath: path) {
                try FileManager.default.linkItem(atPath: sources[index % 2], toPath: path)
            }
            return path
        }
    }

    private func source(_ name: String, in folder: String, media: String) throws -> String {
        let path = "\(folder)/\(name)-\(width)x\(height)-\(seconds)s.mp4"
        if FileManager.default.fileExists(atPath: path) { return path }
        Output.note("making \(path)")
        let unfinished = path + ".part"
        if seconds > 60 {
            try repeatMinute(of: name, in: folder, media: media, to: unfinished)
        } else {
            try Program.run(
                ["ffmpeg", "-v", "error", "-y", "-stream_loop", "-1", "-i", "\(media)/\(name).mp4", "-t", "\(seconds)"]
                    + ["-vf", picture, "-af", Film.unbroken] + Encoding.veryfast
                    + ["-g", "60", "-keyint_min", "60", "-sc_threshold", "0", "-ar", "48000", "-ac", "2", "-f", "mp4"]
                    + [unfinished])
        }
        try FileManager.default.moveItem(atPath: unfinished, toPath: path)
        return path
    }

    /// Makes a long clip by repeating one of a minute: copying packets is faster than encoding.
    private func repeatMinute(of name: String, in folder: String, media: String, to path: String) throws {
        let minute = try Film(width: width, height: height, seconds: 60, count: 2).source(
            name, in: folder, media: media)
        let (pictures, list) = (path + ".pictures.mp4", path + ".txt")
        defer { for file in [pictures, list] { try? FileManager.default.removeItem(atPath: file) } }
        // The audio is slightly longer than the video, which would put gaps between the repeated frames.
        try Program.run(["ffmpeg", "-v", "error", "-y", "-i", minute, "-an", "-c", "copy", "-f", "mp4", pictures])
        let lines = String(repeating: "file '\(pictures)'\n", count: (seconds + 59) / 60)
        try lines.write(toFile: list, atomically: true, encoding: .utf8)
        try Program.run(
            [
                "ffmpeg", "-v", "error", "-y", "-f", "concat", "-safe", "0", "-i", list, "-stream_loop", "-1", "-i",
                minute,
            ]
                + ["-map", "0:v", "-map", "1:a", "-t", "\(seconds)", "-c:v", "copy", "-c:a", "aac", "-b:a", "192k"]
                + ["-af", Film.unbroken, "-f", "mp4", path])
    }

    /// The filter that closes the gaps which a loop leaves in the audio.
    private static let unbroken = "aresample=async=1"

    /// The filters that move a crop window over the clip, which is scaled to a third larger than the frame, and add
    /// grain.
    private var picture: String {
        "fps=\(Film.frameRate),scale=\(width * 4 / 3):\(height * 4 / 3):flags=bicubic,"
            + "crop=\(width):\(height):x='(iw-ow)/2*(1+sin(t*0.7))':y='(ih-oh)/2*(1+cos(t*0.5))',"
            + "noise=alls=4:allf=t,format=yuv420p,"
            + "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"
    }
}

/// The encoder settings that all tools get.
enum Encoding {
    static let veryfast = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-c:a", "aac", "-b:a", "192k"]
}
