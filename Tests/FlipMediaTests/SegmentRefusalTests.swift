import FlipBase
import FlipMedia
import Testing

/// Which encoder settings rule out segments: those that aim for a bit rate over the whole output.
@Suite struct SegmentRefusalTests {
    private func refusal(_ options: [(String, String)]) throws -> String? {
        let encoding = VideoEncoding(
            codec: "libx264", pixelFormat: try #require(PixelFormat(name: "yuv420p")), width: 64, height: 36,
            frameRate: Rational(25), color: ColorDescription(), options: options, threads: 1)
        return Encoders.segmentRefusal(encoding, in: try #require(Container.named("mp4")))
    }

    @Test(arguments: [
        ("x264-params", "keyint=50:vbv-maxrate=900"), ("x264-params", "vbv_bufsize=900"), ("x264opts", "bitrate=900"),
        ("x264opts", "bframes=2,bitrate=900"), ("maxrate", "1M"),
    ]) func ratesAreForTheWholeOutput(key: String, value: String) throws {
        #expect(try refusal([("g", "12"), (key, value)])?.contains("whole output") == true)
    }

    @Test func otherOptionsAreNot() throws {
        #expect(try refusal([("x264-params", "keyint=50:bframes=3"), ("x264opts", "ref=2"), ("tune", "film")]) == nil)
    }
}
