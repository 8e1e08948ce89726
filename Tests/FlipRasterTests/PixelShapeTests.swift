import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Pixels that aren't square: lengths are those of the picture as it is shown.
@Suite struct PixelShapeTests {
    private static let aspects: [Double] = [64.0 / 45, 4.0 / 3, 16.0 / 11, 16.0 / 15, 8.0 / 9, 32.0 / 11, 0.5, 4, 0.25]

    @Test(arguments: Places.some(Styles.all.map(\.name), every: 8)) func agreesWithTheReference(style: String) throws {
        let style = try Styles.named(style)
        for (index, aspect) in (Self.aspects + Self.aspects).enumerated() {
            // 4:2:0, 4:2:2 and 4:4:4.
            let chroma = [(2, 2), (2, 1), (1, 1)][index % 3]
            var example = RandomCase(style: style, seed: 61_000 + UInt64(index))
            example.format = PictureFormat(
                components: .yuv, depth: index % 4 == 0 ? 10 : 8, chromaStepX: chroma.0, chromaStepY: chroma.1,
                chromaLocation: index % 2 == 0 ? .left : .center)
            example.format.pixelAspect = aspect
            (example.width, example.height) = (53 + index, 31 + index % 5)
            let difference = try agreement(example)
            #expect(difference.psnr >= 40, "pixels of \(aspect), \(example): \(difference)")
        }
    }

    /// A picture of pixels that are twice as wide as high is drawn as the same picture of square pixels in which each of them
    /// is repeated: what two neighbors of that frame show in the mean is what the wide pixel shows.
    @Test func wideSamplesAreMeansOfSquareOnes() throws {
        for style in Styles.all {
            for seed in 0..<12 {
                var example = RandomCase(style: style, seed: 62_000 + UInt64(seed))
                example.format = PictureFormat(components: .gray, depth: 10, isFullRange: true)
                (example.width, example.height) = (64, 48)
                if example.pattern == .noise { example.pattern = .slide }
                let (from, to) = example.pictures
                var wide = example.format
                wide.pixelAspect = 2
                let look = try StyledLook(style: style, look: example.look)
                let draw = { (format: PictureFormat, from: TestPicture, to: TestPicture) in
                    try drawn(
                        look, progress: example.progress, from: from, to: to, background: example.background,
                        format: format)
                }
                let narrow = try draw(wide, from, to)
                let square = try draw(example.format, repeated(from), repeated(to))
                let means = TestPicture(format: wide, width: 64, height: 48) { plane, x, y in
                    (square[plane: plane, x: 2 * x, y: y] + square[plane: plane, x: 2 * x + 1, y: y] + 1) / 2
                }
                let difference = PictureDifference(narrow, means)
                #expect(difference.psnr >= 45, "\(example): \(difference)")
            }
        }
    }

    private func repeated(_ picture: TestPicture) -> TestPicture {
        TestPicture(format: picture.format, width: 2 * picture.width, height: picture.height) { plane, x, y in
            picture[plane: plane, x: x / 2, y: y]
        }
    }
}
