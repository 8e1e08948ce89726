import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Every sample layout at every depth and range, with every chroma siting that files have.
@Suite struct FormatTests {
    private static let depths = [8, 9, 10, 12, 14, 16]

    private static var formats: [PictureFormat] {
        let steps = [(2, 2), (2, 1), (1, 1), (4, 1), (1, 2)]
        let sitings: [PictureFormat.ChromaLocation] = [.left, .center, .topLeft]
        return depths.flatMap { depth in
            [false, true].flatMap { isFullRange in
                let yuv = steps.flatMap { step in
                    (step == (1, 1) ? [.left] : sitings).map {
                        PictureFormat(
                            components: .yuv, depth: depth, chromaStepX: step.0, chromaStepY: step.1,
                            chromaLocation: $0, isFullRange: isFullRange)
                    }
                }
                let gray = PictureFormat(components: .gray, depth: depth, isFullRange: isFullRange)
                let gbr = PictureFormat(components: .gbr, depth: depth, isFullRange: isFullRange)
                return yuv + [gray, gbr]
            }
        }
    }

    @Test(arguments: Places.some(Styles.all.map(\.name), every: 16)) func agreesWithTheReference(style: String) throws {
        let style = try Styles.named(style)
        for (index, format) in Self.formats.enumerated() {
            var example = RandomCase(style: style, seed: 9000 + UInt64(index))
            example.format = format
            (example.width, example.height) = (37 + index % 5, 23 + index % 3)
            let difference = try agreement(example)
            #expect(difference.psnr >= 40, "\(example): \(difference)")
        }
    }
}
