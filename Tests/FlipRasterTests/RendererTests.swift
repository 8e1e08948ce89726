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

/// How close the rasterizer comes to the reference. One level is a step of 8 bits, whatever the depth.
enum Closeness {
    /// The largest error of a sample, in levels: on edges between two contents that lie aslant, where the reference's 256 rays are off
    /// by a few, and both by what `SlicePlan.longestSlide` allows.
    static let worst = 12.0
    /// The mean error in levels: nearly all of it the reference's rounding in frames of few samples.
    static func bias(samples: Int) -> Double { samples < 2000 ? 0.4 : 0.06 }

    /// Expects `difference`, of the rasterizer's picture from the reference's, to be that of pictures without hard edges.
    static func expect(_ difference: PictureDifference, depth: Int, _ comment: String, judgesBias: Bool = true) {
        let level = Double(1 << (depth - 8))
        #expect(Double(difference.worst) <= 1 + worst * level, "\(comment): \(difference)")
        if !judgesBias { return }
        #expect(
            abs(difference.bias) <= 0.1 + bias(samples: difference.samples) * level, "\(comment): \(difference)")
    }
}

@Suite struct RendererTests {
    /// One hard-edged sample a pixel would give a median of 38 dB.
    @Test(arguments: Styles.all.map(\.name))
    func agreesWithTheReferenceOnRandomCases(style: String) throws {
        var values: [Double] = []
        for example in RandomCase.cases(
            style: try Styles.named(style), count: Places.runsSlowTests ? 150 : 100, seed: 1)
        {
            let difference = PictureDifference(try rendered(example), example.reference())
            values.append(difference.psnr)
            #expect(difference.psnr >= 40, "\(example): \(difference)")
            guard [.smooth, .natural].contains(example.pattern) else { continue }
            // A background whose components lie halfway between two levels may be rounded either way, all over.
            Closeness.expect(
                difference, depth: example.format.depth, "\(example)", judgesBias: example.background == .black)
        }
        #expect(values.sorted()[values.count / 2] >= 53)
    }

    /// On pictures without edges nine samples of ten are right to a twentieth of a level, and the mean to a fiftieth, at any depth: a
    /// path of 16 bits that keeps 12 of them does not pass.
    @Test(arguments: Styles.all.map(\.name), [8, 10, 12, 16])
    func deepFormatsKeepTheirDepth(style: String, depth: Int) throws {
        let level = Double(1 << (depth - 8))
        let format = PictureFormat(components: .gray, depth: depth, isFullRange: depth > 10)
        for orientation in Orientation.allCases {
            for progress in [0.31, 0.72] {
                var example = RandomCase(style: try Styles.named(style), seed: 77)
                example.look = try StyledLook.named(style) { $0.orientation = orientation }.look
                (example.format, example.background, example.progress) = (format, .black, progress)
                (example.width, example.height, example.pattern) = (72, 64, .smooth)
                let difference = PictureDifference(try rendered(example), example.reference(samplesPerAxis: 24))
                let usual = difference.quantile(0.9)
                #expect(Double(usual) <= 1 + 0.05 * level, "\(example): \(usual), \(difference)")
                #expect(abs(difference.bias) <= 0.02 * level, "\(example): \(difference)")
                Closeness.expect(difference, depth: depth, "\(example)")
            }
        }
    }

    /// EFFECTS 1: motion along y is motion along x with x and y exchanged. The two are drawn by different code.
    @Test(arguments: Styles.all.map(\.name)) func verticalIsHorizontalTransposed(style: String) throws {
        for var example in RandomCase.cases(style: try Styles.named(style), count: 80, seed: 600) {
            example.format.chromaLocation = .topLeft
            let (from, to) = example.pictures
            let look = try StyledLook(style: Styles.named(style), look: example.look)
            var turned = example.look
            turned.orientation = example.look.orientation == .horizontal ? .vertical : .horizontal
            turned.viewpoint = Viewpoint(x: example.look.viewpoint.y, y: example.look.viewpoint.x)
            let transposed = try drawn(
                StyledLook(style: Styles.named(style), look: turned), progress: example.progress, from: from.transposed,
                to: to.transposed, background: example.background)
            let direct = try drawn(
                look, progress: example.progress, from: from, to: to, background: example.background)
            let difference = PictureDifference(direct, transposed.transposed)
            let level = Double(1 << (example.format.depth - 8))
            // Where an edge lies in a sample's footprint, half a step of the places makes a few levels.
            let isSoft = [.smooth, .natural].contains(example.pattern)
            #expect(Double(difference.worst) <= 1 + (isSoft ? 1 : 6) * level, "\(example): \(difference)")
            #expect(difference.psnr >= 58, "\(example): \(difference)")
            #expect(abs(difference.bias) <= 0.05 * level, "\(example): \(difference)")
        }
    }
}
