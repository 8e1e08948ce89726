import FlipBase
import FlipMedia
import FlipSplice
import Testing

@Suite struct CodedVideoTests {
    /// MPEG-4 part 2 can't be copied with any output codec, so naming the output's would send users on a wrong track.
    @Test(arguments: [
        ("theora", "is theora, which is never copied"), ("hevc", "is hevc, not h264"),
        ("vp9", "is vp9, not h264"),
    ]) func aRefusalNamesTheCause(codec: String, reason: String) throws {
        let h264 = try #require(CopyCodecs.all.first { $0.name == "h264" })
        let video = VideoInfo(
            streamIndex: 0, codec: codec, profile: nil, width: 64, height: 36, sampleAspectRatio: Rational(1),
            transform: .identity, displayWidth: 64, displayHeight: 36,
            pixelFormat: try #require(PixelFormat(name: "yuv420p")), color: ColorDescription(), hdr: nil,
            frameRate: Rational(25), isVariableFrameRate: false, isInterlaced: false, frameCount: 1, start: .zero,
            duration: Rational(1), isStill: false, seekPoints: [])
        let info = MediaInfo(
            path: "a.ts", format: "mpegts", byteCount: 0, video: video, audioTracks: [], audioTrackCount: 0, title: nil,
            chapters: [], ignoredStreams: [])
        guard case .failure(let refusal) = CodedVideo.video(of: info, as: h264) else {
            Issue.record("it would be copied")
            return
        }
        #expect(refusal.reason == reason)
    }
}
