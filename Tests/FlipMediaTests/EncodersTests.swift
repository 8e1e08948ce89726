import FlipBase
import FlipMedia
import Testing

/// Settings that no encoder takes are refused before anything is opened for writing.
@Suite struct EncodersTests {
    private func refusal(_ codec: String, _ change: (inout VideoEncoding) -> Void) throws -> MediaError? {
        var encoding = VideoEncoding(
            codec: codec, pixelFormat: try #require(PixelFormat(name: "yuv420p")), width: 64, height: 36,
            frameRate: Rational(25), color: ColorDescription(), threads: 1)
        change(&encoding)
        let container = try #require(Container.named("matroska"))
        do throws(MediaError) {
            try Encoders.check(encoding, in: container)
            return nil
        } catch {
            return error
        }
    }

    /// The limits of docs/OUTPUT.md.
    @Test(arguments: [("libx264", 51), ("libx265", 51), ("libvpx-vp9", 63)])
    func qualitiesHaveLimits(codec: String, top: Int) throws {
        for crf in [0, 18.5, Double(top)] { #expect(try refusal(codec) { $0.crf = crf } == nil, "\(crf)") }
        let error = try #require(try refusal(codec) { $0.crf = Double(top) + 1 })
        #expect(error.kind == .usage && error.message == "invalid crf \(top + 1) (\(codec) takes 0...\(top))")
    }

    /// x264 and x265 use only the quality, while libvpx keeps to both.
    @Test func aBitRateBesideAQualityIsNotIgnored() throws {
        for codec in ["libx264", "libx265"] {
            let error = try #require(try refusal(codec) { ($0.crf, $0.bitrate) = (20, 100_000) })
            #expect(error.kind == .usage && error.message.contains("give --crf or --bitrate"))
        }
        #expect(try refusal("libvpx-vp9") { ($0.crf, $0.bitrate) = (20, 100_000) } == nil)
    }

    /// Encoders take channels in libav's order only, in which those behind the listener come before those beside.
    @Test func layoutsInAnotherOrderAreOrdered() {
        for codec in ["aac", "flac", "pcm_s16le"] {
            #expect(Encoders.layout(for: codec, wanted: "FL+FR+FC+LFE+SL+SR+BL+BR") == "7.1")
            #expect(Encoders.layout(for: codec, wanted: "FC+FL+FR") == "3.0")
        }
        // A channel that is there twice, and channels that have no places.
        for layout in ["FL+FL", "ambisonic 1"] { #expect(Encoders.layout(for: "pcm_s16le", wanted: layout) == layout) }
    }

    @Test func usableFormatsAreListedOnce() throws {
        let error = try #require(try refusal("libx264") { $0.pixelFormat = PixelFormat(name: "yuv420p12le")! })
        let list = try #require(error.message.split(separator: "it takes ").last).split(separator: ", ").map(
            String.init)
        #expect(list.contains("yuv420p") && Set(list).count == list.count, "\(list)")
        #expect(list.allSatisfy { PixelFormat(name: $0)?.isPlanarNative ?? false }, "\(list)")
    }

    /// An encoder of another family needs another machine, so it is no misspelling.
    @Test(.enabled(if: Encoders.codec(of: "h264_amf") == nil, "this FFmpeg has AMD's encoders"))
    func encodersOfOtherHardwareAreNotSuggested() throws {
        let error = try #require(try refusal("h264_amf") { _ in })
        #expect(error.kind == .missingCodec && !error.message.contains("did you mean"), "\(error.message)")
        #expect(error.message.contains("--video-codec libx264"))
    }

    /// Two passes would leave the encoder's statistics in the working folder.
    @Test(arguments: [("flags", "+pass1"), ("x264-params", "pass=2:stats=a.log"), ("stats", "a.log")])
    func severalPassesAreRefused(key: String, value: String) throws {
        let error = try #require(try refusal("libx264") { ($0.options, $0.bitrate) = ([(key, value)], 300_000) })
        #expect(error.kind == .usage && error.message.contains("there is one pass only"), "\(error.message)")
        #expect(try refusal("libx264") { $0.options = [("flags", "+cgop"), ("x264-params", "aq-mode=2")] } == nil)
    }
}
