import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// The rasterizer's picture of a random case.
func rendered(_ example: RandomCase, threads: Int = 1) throws -> TestPicture {
    let style = try Styles.named(example.style)
    let look = try StyledLook(style: style, look: example.look)
    let (from, to) = example.pictures
    var result = TestPicture(format: example.format, width: example.width, height: example.height)
    let renderer = TransitionRenderer(
        format: example.format, width: example.width, height: example.height, background: example.background,
        threads: threads)
    try from.withView { from in
        try to.withView { to in
            try result.withMutableView { target in
                renderer.render(look, progress: example.progress, from: from, to: to, into: target)
            }
        }
    }
    return result
}

/// How far the rasterizer's picture of a case is from the reference's.
///
/// Where 256 rays a sample leave it in doubt, as in a few dozen samples of noise, ten times as many judge.
func agreement(_ example: RandomCase) throws -> PictureDifference {
    let picture = try rendered(example)
    let difference = PictureDifference(picture, example.reference())
    return difference.psnr >= 40 ? difference : PictureDifference(picture, example.reference(samplesPerAxis: 50))
}

@Suite struct RendererTests {
    /// One hard-edged sample a pixel would give a median of 38 dB.
    @Test(arguments: Styles.all.map(\.name))
    func agreesWithTheReferenceOnRandomCases(style: String) throws {
        var values: [Double] = []
        for example in RandomCase.cases(style: try Styles.named(style), count: 150, seed: 1) {
            let difference = PictureDifference(try rendered(example), example.reference())
            values.append(difference.psnr)
            #expect(difference.psnr >= 40, "\(example): \(difference)")
        }
        values.sort()
        #expect(values[values.count / 2] >= 48)
        print(style, values.prefix(5).map { ($0 * 10).rounded() / 10 }, values[values.count / 2])
    }
}
