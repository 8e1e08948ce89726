import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// The frame that the rasterizer draws for a random case.
func rendered(_ example: RandomCase, threads: Int = 1) throws -> TestPicture {
    let style = try Styles.named(example.style)
    let look = try StyledLook(style: style, look: example.look)
    let (from, to) = example.pictures
    return try drawn(
        look, progress: example.progress, from: from, to: to, background: example.background, threads: threads)
}

/// The difference between a case's frame and, transposed, the frame of the transposed pictures with the motion along the other axis.
func transposition(_ example: RandomCase) throws -> PictureDifference {
    let (from, to) = example.pictures
    var turned = example.look
    turned.orientation = example.look.orientation == .horizontal ? .vertical : .horizontal
    turned.viewpoint = Viewpoint(x: example.look.viewpoint.y, y: example.look.viewpoint.x)
    let look = try StyledLook(style: Styles.named(example.style), look: turned)
    let frame = try drawn(
        look, progress: example.progress, from: from.transposed, to: to.transposed, background: example.background)
    return PictureDifference(try rendered(example), frame.transposed)
}

/// The difference between the rasterizer's frame of a case and the reference's.
///
/// If 256 rays per sample leave the result in doubt, as for a few dozen samples of noise, about ten times as many are
/// used. No part of a cube lies flat, so that of most of its frames the reference's own error is what is seen.
func agreement(_ example: RandomCase) throws -> PictureDifference {
    let picture = try rendered(example)
    let difference = PictureDifference(picture, example.reference())
    return difference.psnr >= (example.style == "cube" ? 53 : 40)
        ? difference : PictureDifference(picture, example.reference(samplesPerAxis: 50))
}

/// How close the rasterizer must come to the reference. One level is a step of 8 bits, at any depth.
enum Closeness {
    /// The largest error of a sample, in levels. It occurs on slanted edges between different contents, where the
    /// reference's 256 rays have an error of a few levels, and the rasterizer has the one that `SceneSet.maxSlide`
    /// allows.
    static let worst = 12.0
    /// The largest mean error, in levels. In frames of few samples, it is almost entirely the reference's rounding.
    static func bias(samples: Int) -> Double { samples < 2000 ? 0.4 : 0.06 }

    /// Expects that `difference` between the rasterizer's frame and the reference's is within the bounds for pictures
    /// without hard edges.
    static func expect(_ difference: PictureDifference, depth: Int, _ comment: String, judgesBias: Bool = true) {
        let level = Double(1 << (depth - 8))
        #expect(Double(difference.worst) <= 1 + worst * level, "\(comment): \(difference)")
        if !judgesBias { return }
        #expect(abs(difference.bias) <= 0.1 + bias(samples: difference.samples) * level, "\(comment): \(difference)")
    }

    /// Expects that the median of ratios of signal to noise is at least `least` dB over all cases. They differ by 5 dB or
    /// so, so that the median of a share of them, 20 or so, has an error of 1 dB and may be 3 dB less.
    static func expectMedian(_ values: [Double], atLeast least: Double) {
        let sorted = values.sorted()
        #expect(sorted[sorted.count / 2] >= (Places.runsSlowTests ? least : least - 3), "\(sorted)")
    }
}

@Suite struct RendererTests {
    /// Every case agrees with the reference. For comparison: a single hard-edged sample per pixel would give a median
    /// of 38 dB.
    @Test(arguments: Places.some(Styles.all.map(\.name), every: 12))
    func agreesWithTheReferenceOnRandomCases(style: String) throws {
        var values: [Double] = []
        for example in Places.some(RandomCase.cases(style: try Styles.named(style), count: 150, seed: 1), every: 7) {
            let difference = try agreement(example)
            values.append(difference.psnr)
            #expect(difference.psnr >= 40, "\(example): \(difference)")
            guard [.smooth, .natural].contains(example.pattern) else { continue }
            // If a component of a color lies halfway between two levels, it may be rounded either way in all of the
            // frame.
            // CurlTests judge the bias of curls, in frames of enough samples.
            let isExact = example.background == .black && example.look.through == .black && style != "curl"
            Closeness.expect(difference, depth: example.format.depth, "\(example)", judgesBias: isExact)
        }
        Closeness.expectMedian(values, atLeast: 53)
    }

    /// On pictures without edges, nine samples of ten are right to a twentieth of a level and the mean to a fiftieth,
    /// at any depth: a 16-bit path that keeps only 12 bits does not pass.
    @Test(arguments: Places.some(Styles.all.map(\.name), every: 8), [8, 10, 12, 16])
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
                // A bent sheet is averaged at positions that are rounded to a sixteenth of a sample.
                #expect(
                    Double(usual) <= 1 + (style == "curl" ? 0.2 : 0.05) * level, "\(example): \(usual), \(difference)")
                #expect(abs(difference.bias) <= 0.02 * level, "\(example): \(difference)")
                Closeness.expect(difference, depth: depth, "\(example)")
            }
        }
    }

    /// EFFECTS 1: motion along y is motion along x with x and y exchanged. Different code draws the two.
    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4))
    func verticalIsHorizontalTransposed(style: String) throws {
        for var example in RandomCase.cases(style: try Styles.named(style), count: 80, seed: 600) {
            example.format.chromaLocation = .topLeft
            let difference = try transposition(example)
            let level = Double(1 << (example.format.depth - 8))
            // If an edge lies in a sample's footprint, half a step of its fixed-point position changes the sample by a
            // few levels.
            let isSoft = [.smooth, .natural].contains(example.pattern)
            // The rays of a bent sheet's edges form a lattice that isn't its own transpose.
            let isCurl = style == "curl"
            #expect(
                Double(difference.worst) <= 1 + (isSoft ? isCurl ? 3 : 1 : isCurl ? 12 : 6) * level,
                "\(example): \(difference)")
            #expect(difference.psnr >= (isCurl ? 50 : 58), "\(example): \(difference)")
            #expect(abs(difference.bias) <= 0.05 * level, "\(example): \(difference)")
        }
    }
}
