import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// The number of threads changes nothing in a frame.
@Suite struct ThreadTests {
    private static let formats = [
        PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2),
        PictureFormat(components: .yuv, depth: 10, chromaStepX: 2, chromaStepY: 1, chromaLocation: .center),
        PictureFormat(components: .gbr, depth: 16, isFullRange: true),
        PictureFormat(components: .gray, depth: 12),
    ]

    @Test(arguments: Styles.all.map(\.name)) func drawTheSameBytes(style: String) throws {
        for (format, size) in zip(Self.formats, [(131, 77), (64, 129), (255, 33), (1, 40)]) {
            let from = Pattern.noise.picture(format, width: size.0, height: size.1, seed: 1)
            let to = Pattern.noise.picture(format, width: size.0, height: size.1, seed: 2)
            for orientation in Orientation.allCases {
                for direction in Direction.allCases {
                    let look = try StyledLook.named(style) {
                        $0.orientation = orientation
                        $0.direction = direction
                        $0.viewpoint = Viewpoint(x: 0.3, y: 0.6)
                    }
                    for progress in [0.07, 0.49, 0.81] {
                        let one = try drawn(look, progress: progress, from: from, to: to)
                        for threads in [2, 3, 5] {
                            let many = try drawn(look, progress: progress, from: from, to: to, threads: threads)
                            #expect(one == many, "\(look) \(format) \(size) p=\(progress), \(threads) threads")
                        }
                    }
                }
            }
        }
    }
}
