import FlipBase
import FlipMedia
import FlipSplice
import TestSupport
import Testing

/// A file is refused if its packets are not those that were handed to the muxer.
@Suite(.serialized) struct PacketCheckTests {
    let folder = TemporaryFolder.make()

    /// 60 frames with audio and without B-frames, so that packets come in presentation order.
    private func original() throws -> String {
        try Tool.ffmpeg(
            "-f lavfi -i testsrc2=s=64x48:r=25:d=2.4 -f lavfi -i anoisesrc=r=48000:d=2.4:seed=3 -c:v libx264 -bf 0",
            "-g 20 -sc_threshold 0 -pix_fmt yuv420p -c:a aac \(folder / "whole.mp4")")
        return folder / "whole.mp4"
    }

    /// The record of the frames and packets that were handed to the muxer of an unchanged `path`.
    private func handed(_ path: String) throws -> SplicedVideo {
        SplicedVideo(
            frames: 60, starts: [0, 20, 40].map { .init(frame: $0, decoding: $0) }, keys: [0, 20, 40],
            sound: try WrittenAudio(of: path))
    }

    /// The reason for which `path` is refused; nil if it is not.
    private func refusal(_ path: String, _ video: SplicedVideo) throws -> String? {
        do {
            try video.checkPackets(of: path, at: FrameTimes(rate: Rational(25)), around: [10..<30, 50..<60])
            let encoding = VideoEncoding(
                codec: "libx264", pixelFormat: PixelFormat(name: "yuv420p")!, width: 64, height: 48,
                frameRate: Rational(25), color: ColorDescription(), threads: 1)
            _ = try video.clip(of: path, as: encoding)
            return nil
        } catch let failure as SpliceFailure {
            return failure.reason
        }
    }

    /// A copy of `path` that ffmpeg makes with `options`, which change it.
    private func changed(_ path: String, _ name: String, _ options: [String]) throws -> String {
        let out = URL(fileURLWithPath: path).deletingLastPathComponent().path + "/" + name
        try Tool.ffmpeg("-i \(path) -map 0 -c copy \(options) \(out)")
        return out
    }

    @Test(arguments: ["mp4", "mov", "mkv", "ts"]) func whatWasHandedOverIsTaken(container: String) throws {
        let path = try original()
        let video = try handed(path)
        #expect(try refusal(changed(path, "same." + container, []), video) == nil)
    }

    @Test(arguments: ["mkv", "ts"]) func aShiftedFrameIsRefused(container: String) throws {
        let path = try original()
        let late = "setts=pts=PTS+0.4*DURATION*eq(N\\,15):dts=DTS"
        let out = try changed(path, "late." + container, ["-bsf:v", late])
        #expect(try refusal(out, handed(path))?.contains("wrong time stamp") == true)
    }

    @Test(arguments: ["mp4", "mkv", "ts"]) func aMissingPacketOfSoundIsRefused(container: String) throws {
        let path = try original()
        // Frame 15 is shown at 0.6 s, at which audio packet 28 is heard.
        let out = try changed(path, "gap." + container, ["-bsf:a", "noise=drop=eq(n\\,29)"])
        #expect(try refusal(out, handed(path))?.contains("audio") == true)
    }

    @Test(arguments: ["mp4", "mkv", "ts"]) func otherSoundIsRefused(container: String) throws {
        let path = try original()
        let other = folder / "quiet.mp4"
        try Tool.ffmpeg("-i \(path) -c:v copy -af volume=0.9 -c:a aac \(other)")
        let out = try changed(other, "other." + container, [])
        #expect(try refusal(out, handed(path))?.contains("audio") == true)
    }

    @Test func otherKeyframesAreRefused() throws {
        let path = try original()
        let video = try handed(path)
        for keys in [[0, 40], [0, 20, 30, 40]] {
            let other = SplicedVideo(frames: 60, starts: [.init(frame: 0, decoding: 0)], keys: Set(keys), sound: nil)
            #expect(try refusal(path, other)?.contains("called a keyframe") == true)
        }
        #expect(try refusal(path, video) == nil)
    }
}
