import FlipBase
import FlipMedia
import TestSupport
import Testing

/// Refusals of pictures that can't be decoded.
struct UndecodedVideoTests {
    /// A JPEG whose header states `width` x `height` pixels.
    private func picture(_ width: Int, _ height: Int, in folder: TemporaryFolder) throws -> String {
        try Tool.ffmpeg("-f lavfi -i color=gray:s=64x48 -frames:v 1 \(folder / "a.jpg")")
        var bytes = try Data(contentsOf: folder / "a.jpg")
        // The frame's header: FF C0, its length, the depth, and then the height and the width (ITU-T T.81, B.2.2).
        let place = try #require(bytes.range(of: Data([0xFF, 0xC0]))).lowerBound + 5
        bytes.replaceSubrange(
            place..<place + 4, with: [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) })
        try bytes.write(to: folder / "big.jpg")
        return folder / "big.jpg"
    }

    @Test func whatIsTooLargeForFFmpegIsSaid() throws {
        let folder = try TemporaryFolder()
        let path = try picture(20000, 14000, in: folder)
        let error = try #require(throws: MediaError.self) { try MediaProbe.probe(path: path) }
        #expect(error.kind == .badInput)
        #expect(error.message.contains("has pictures of 20000x14000 pixels, which is more than FFmpeg decodes (make"))
    }

    @Test func otherReasonsAreLibavsOwn() {
        let stream = "stream 1 (h264) of 'a.mp4'"
        #expect(
            MediaError.undecoded(stream, "no frame").message
                == "no picture could be decoded from stream 1 (h264) of 'a.mp4': no frame")
        #expect(
            MediaError.undecoded(stream, nil, hint: " (x)").message
                == "no picture could be decoded from stream 1 (h264) of 'a.mp4' (x)")
    }
}
