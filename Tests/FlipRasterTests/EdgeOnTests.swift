import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// When a page stands upright or nearly so, no rounding of an angle may smear it over the frame.
@Suite struct EdgeOnTests {
    /// Values of progress at and around the middle and both ends, where pages stand upright or lie flat.
    private static let moments: [Double] = [0.0, 0.5, 1].flatMap { middle in
        [-1e-3, -1e-6, -1e-9, -1e-12, -1e-15, 0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3].map { middle + $0 }
    }.filter { (0...1).contains($0) }

    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4)) func agreesWithTheReferenceAroundUprightPages(
        style: String
    ) throws {
        let style = try Styles.named(style)
        for progress in Places.some(Self.moments + [Double(0.5).nextDown, Double(0.5).nextUp], every: 3) {
            for orientation in Orientation.allCases {
                for (perspective, viewpoint) in [
                    (style.defaults.perspective, Viewpoint(x: 0.5, y: 0.5)), (0, Viewpoint(x: 0.5, y: 0.5)),
                    (2, Viewpoint(x: 0.3, y: 0.8)),
                ] {
                    // The two pages coincide, so either one could show.
                    if style.name == "spine-fold" && viewpoint.x != 0.5 && abs(progress - 0.5) < 1e-9 { continue }
                    var example = RandomCase(style: style, seed: 7)
                    example.look = style.defaults
                    example.look.orientation = orientation
                    example.look.perspective = perspective
                    example.look.viewpoint = viewpoint
                    example.progress = progress
                    example.background = Color(red: 1, green: 1, blue: 1)
                    example.format = PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2)
                    (example.width, example.height, example.pattern) = (48, 32, .natural)
                    let difference = PictureDifference(try rendered(example), example.reference())
                    #expect(difference.psnr >= 40, "\(example): \(difference)")
                }
            }
        }
    }
}
