import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Curls whose contact line is perpendicular to the motion, which are drawn in columns or rows.
@Suite struct StraightCurlTests {
    /// Random cases whose sheet leaves the screen straight.
    private static func cases(_ seeds: Range<UInt64>) -> [RandomCase] {
        seeds.map {
            var example = RandomCase(style: Styles.curl, seed: $0)
            example.look.angle = 0
            return example
        }
    }

    @Test(arguments: Places.some(Array(0..<2), every: 2))
    func agreesWithTheReferenceOnRandomCases(half: UInt64) throws {
        var values: [Double] = []
        for example in Self.cases((9000 + 50 * half)..<(9000 + 50 * half + (Places.runsSlowTests ? 50 : 15))) {
            let picture = try rendered(example)
            var difference = PictureDifference(picture, example.reference())
            // The reference's own noise: on letters, 256 rays per sample are off by more than what is judged here.
            if difference.psnr < 45 { difference = PictureDifference(picture, example.reference(samplesPerAxis: 40)) }
            values.append(difference.psnr)
            #expect(difference.psnr >= 42, "\(example): \(difference)")
            guard example.pattern == .smooth else { continue }
            let most = 1 + 3 * Double(1 << (example.format.depth - 8))
            if Double(difference.worst) > most {
                difference = PictureDifference(picture, example.reference(samplesPerAxis: 40))
            }
            #expect(Double(difference.worst) <= most, "\(example): \(difference)")
        }
        #expect(values.sorted()[values.count / 2] >= 50)
    }

    /// Motion along y, which is drawn in rows, gives the transposed frame of the transposed pictures, whose motion along x
    /// is drawn in columns.
    @Test func rowsAreTheTransposedColumns() throws {
        for var example in Self.cases(9200..<9260) {
            example.format = PictureFormat(components: .gbr, isFullRange: true)
            let (from, to) = example.pictures
            var other = example.look
            other.orientation = example.look.orientation == .horizontal ? .vertical : .horizontal
            other.viewpoint = Viewpoint(x: example.look.viewpoint.y, y: example.look.viewpoint.x)
            let frame = try drawn(
                StyledLook(style: Styles.curl, look: example.look), progress: example.progress, from: from, to: to,
                background: example.background)
            let turned = try drawn(
                StyledLook(style: Styles.curl, look: other), progress: example.progress, from: from.transposed,
                to: to.transposed, background: example.background)
            #expect(PictureDifference(frame, turned.transposed).worst <= 1, "\(example)")
        }
    }
}
