import FlipFrame
import FlipRaster
import TestSupport
import Testing

/// Frames drawn through the public interface.
@Suite struct FrameRendererTests {
    /// A picture's planes in memory of its own, which ends where the samples do.
    private final class Memory {
        let planes: [GuardedSamples<UInt8>]
        private let format: FrameFormat

        /// The samples of `planar`, for a format that is planar, too.
        init(_ planar: TestPicture, _ format: FrameFormat) {
            self.format = format
            planes = planar.planes.map { samples in
                GuardedSamples(
                    samples.flatMap { format.bytesPerSample == 1 ? [UInt8($0)] : [UInt8($0 & 255), UInt8($0 >> 8)] })
            }
        }

        var picture: FramePicture {
            FramePicture(zip(planes, format.planes).map { FramePicture.Plane($0.start, stride: $1.rowBytes) })
        }

        var bytes: [[UInt8]] { planes.map(\.numbers) }
        var isIntact: Bool { planes.allSatisfy(\.isIntact) }

        func picture(_ format: PictureFormat, width: Int, height: Int) -> TestPicture {
            var picture = TestPicture(format: format, width: width, height: height)
            for (index, plane) in planes.enumerated() {
                let bytes = plane.numbers
                picture.planes[index] =
                    format.depth == 8
                    ? bytes.map { UInt16($0) }
                    : stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
            }
            return picture
        }
    }

    private static let formats = [
        ("yuv420p", PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2)),
        ("yuv444p10", PictureFormat(components: .yuv, depth: 10)),
        ("gbrp", PictureFormat(components: .gbr, isFullRange: true)),
        ("gray16", PictureFormat(components: .gray, depth: 16)),
    ]

    /// With one thread and with several, frames have the same bytes, and those are near the reference's.
    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4)) func drawsTheReferencesFrames(style: String) throws
    {
        for (name, planes) in Places.some(Self.formats, every: 3) {
            for var example in RandomCase.cases(style: try Styles.named(style), count: 4, seed: 6000) {
                example.format = planes
                example.pattern = .natural
                let suffix = planes.depth > 8 ? "le" : ""
                let format = try FrameFormat(name + suffix, width: example.width, height: example.height)
                let (from, to) = example.pictures
                let (a, b) = (Memory(from, format), Memory(to, format))
                let transition = FrameTransition(try StyledLook(style: try Styles.named(style), look: example.look))
                let frames = try [1, 3].map { threads in
                    let result = Memory(
                        TestPicture(format: planes, width: example.width, height: example.height), format)
                    let renderer = try FrameRenderer(format, background: example.background, threads: threads)
                    try renderer.draw(
                        transition, progress: example.progress, from: a.picture, to: b.picture, into: result.picture)
                    #expect(result.isIntact && a.isIntact && b.isIntact)
                    return result
                }
                #expect(frames[0].bytes == frames[1].bytes, "\(example)")
                let drawn = frames[0].picture(planes, width: example.width, height: example.height)
                #expect(PictureDifference(drawn, example.reference()).psnr >= 40, "\(example)")
            }
        }
    }

    @Test func theEndsAreThePicturesThemselves() throws {
        let format = try FrameFormat("bgr0", width: 5, height: 3)
        var random = SplitMix64(seed: 1)
        let pictures = (0..<2).map { _ in (0..<60).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
        for (progress, expected) in zip([0.0, 1], pictures) {
            var result = [UInt8](repeating: 0, count: 60)
            try draw(try FrameTransition(), progress, format, pictures[0], pictures[1], &result)
            #expect(result == expected)
        }
    }

    private func draw(
        _ transition: FrameTransition, _ progress: Double, _ format: FrameFormat, _ from: [UInt8], _ to: [UInt8],
        _ into: inout [UInt8]
    ) throws {
        let renderer = try FrameRenderer(format)
        try from.withUnsafeBytes { from in
            try to.withUnsafeBytes { to in
                try into.withUnsafeMutableBytes { into in
                    try renderer.draw(
                        transition, progress: progress, from: FramePicture(reading: from, format),
                        to: FramePicture(reading: to, format), into: FramePicture(into, format))
                }
            }
        }
    }

    /// The background is transparent in formats with alpha, unless another one is asked for.
    @Test func theBackgroundIsTransparentOrBlack() throws {
        // In the middle of its turn, a card leaves the frame's corners free.
        let card = try FrameTransition(Styles.card, .shadow(.none))
        for (name, corner) in [("rgba", [0, 0, 0, 0]), ("rgb0", [0, 0, 0, 255]), ("rgb24", [0, 0, 0])]
            as [(String, [UInt8])]
        {
            let format = try FrameFormat(name, width: 32, height: 24)
            let white = [UInt8](repeating: 255, count: format.planes[0].rowBytes * 24)
            var result = white
            try draw(card, 0.5, format, white, white, &result)
            #expect(Array(result.prefix(corner.count)) == corner, "\(name)")
        }
    }
}
