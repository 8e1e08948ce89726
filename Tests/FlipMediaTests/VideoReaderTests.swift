import FlipBase
import FlipMedia
import TestSupport
import Testing

@Suite(.enabled(if: Places.media != nil, Comment(rawValue: Places.mediaIsMissing))) struct VideoReaderTests {
    /// All frames in the conform's format, and the conversions that it lists.
    private func read(_ name: String, _ change: (inout VideoConform) -> Void = { _ in }) throws -> (
        frames: [Data], conversions: [String]
    ) {
        let info = try MediaProbe.probe(path: Places.medium(name))
        let video = try #require(info.video)
        var conform = VideoConform(like: video)
        change(&conform)
        let reader = try VideoReader(try info.whole, conform: conform, threads: 2)
        var frames: [Data] = []
        while let frame = try reader.next() { frames.append(frame.bytes(conform.pixelFormat)) }
        #expect(frames.count == conform.frameCount(of: ClipUse(all: video)))
        return (frames, conform.conversions(from: try info.whole))
    }

    @Test(arguments: [
        ("prores-422hq-10bit-320x240.mov", 25),
        ("vp9-odd-size-161x121.webm", 30),
        ("h264-high10-420-10bit-200x200.mp4", 30), ("h264-rgb-gbrp-2x2.mp4", 3),
    ])
    func passesFramesUntouched(name: String, count: Int) throws {
        let (frames, conversions) = try read(name)
        let format = try #require(try MediaProbe.probe(path: Places.medium(name)).video).pixelFormat
        #expect(conversions.isEmpty)
        #expect(frames.count == count)
        try expect(frames, equal: Judge.frames(Places.medium(name), filter: "null", format: format.name))
    }

    /// Expects the same bytes. They are compared outside of the expectation, which would otherwise search for the
    /// smallest difference for minutes.
    private func expect(_ frames: [Data], equal expected: Data, sourceLocation: SourceLocation = #_sourceLocation) {
        let isSame = frames.reduce(Data(), +) == expected
        #expect(isSame, "\(frames.count) frames", sourceLocation: sourceLocation)
    }

    /// The conversions give the same frames as ffmpeg's own filters.
    @Test func convertsLikeTheFiltersItNames() throws {
        let flower = "h264-aac-960x540-29-97fps-flower.mp4"
        let slower = try read(flower) { ($0.width, $0.height, $0.frameRate) = (320, 180, Rational(25)) }
        #expect(slower.conversions == ["scaled 960x540 -> 320x180", "29.97 -> 25 fps"])
        let filter = "fps=25,scale=320:180:\(Judge.exactScaling)"
        try expect(slower.frames, equal: Judge.frames(Places.medium(flower), filter: filter, format: "yuv420p"))

        let mirrored = "h264-aac-rotate-and-mirror.mp4"
        let turned = try read(mirrored)
        #expect(turned.conversions == ["mirrored", "rotated by 270"])
        // ffmpeg applies the display matrix by default.
        try expect(turned.frames, equal: Judge.frames(Places.medium(mirrored), filter: "null", format: "yuv420p"))

        let interlaced = "mpeg2-interlaced-tff-1440x1080-sar4-3.mov"
        let progressive = try read(interlaced) { ($0.width, $0.height) = (480, 270) }
        #expect(progressive.conversions == ["deinterlaced", "scaled 1440x1080 -> 480x270"])
        let bwdif = "bwdif=mode=send_frame:deint=interlaced,scale=480:270:\(Judge.exactScaling)"
        // Since FFmpeg 7.1, the ffmpeg program crops QuickTime files to their clean aperture, so it gets the packets in
        // another container.
        let packets = NSTemporaryDirectory() + "/flip-interlaced-\(UUID().uuidString).nut"
        defer { try? FileManager.default.removeItem(atPath: packets) }
        try Tool.ffmpeg("-i \(Places.medium(interlaced)) -map 0:v -c copy \(packets)")
        try expect(progressive.frames, equal: Judge.frames(packets, filter: bwdif, format: "yuv420p"))
    }

    @Test func holdsFramesOfUnevenVideo() throws {
        let slides = try read("gif-animated-60x105-2s-per-frame.gif") {
            $0.pixelFormat = PixelFormat(name: "gbrp")!
            $0.frameRate = Rational(2)
        }
        #expect(slides.frames.count == 16)
        #expect(Set(slides.frames).count <= 4)
        #expect(slides.conversions == ["composited over the background", "bgra -> gbrp", "variable -> 2 fps"])
    }

    @Test func padsWithTheBackground() throws {
        let info = try MediaProbe.probe(path: Places.medium("vp9-odd-size-161x121.webm"))
        let video = try #require(info.video)
        var conform = VideoConform(like: video)
        (conform.width, conform.height, conform.background) = (401, 121, (1, 1, 1))
        let frame = try #require(try VideoReader(try info.whole, conform: conform, threads: 1).next())
        let (luma, stride) = frame.plane(0)
        let row = (luma + 60 * stride).assumingMemoryBound(to: UInt8.self)
        // White in limited range, up to an even offset; the picture is not scaled.
        #expect((0..<120).allSatisfy { row[$0] == 235 } && (281..<401).allSatisfy { row[$0] == 235 })
        #expect(conform.conversions(from: try info.whole) == ["padded to 401x121"])
    }

    @Test func followsAPictureThatChangesSize() throws {
        let (frames, _) = try read("vp8-alpha-midstream-resize-59-94fps.webm")
        let filter = "scale=400:300:\(Judge.exactScaling)"
        let expected = try Tool.run(
            "ffmpeg", "-v error -c:v libvpx -i \(Places.medium("vp8-alpha-midstream-resize-59-94fps.webm"))",
            "-fps_mode passthrough -noautoscale -vf \(filter) -f rawvideo -")
        expect(frames, equal: expected.output)
        #expect(frames.count == 119)
    }

    @Test func countsDamage() throws {
        let info = try MediaProbe.probe(path: Places.medium("bad-h264-corrupt-bitstream-720p.mp4"))
        let reader = try VideoReader(try info.whole, conform: VideoConform(like: try #require(info.video)), threads: 2)
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count == 50)
        #expect(reader.decodeErrors > 0)
    }
}

extension MediaInfo {
    /// The whole file as a clip.
    fileprivate var whole: InputClip {
        get throws { InputClip(.file(self), ClipUse(all: try #require(video))) }
    }
}
