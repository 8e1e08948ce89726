import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Random cases, and the same whose contact line is perpendicular to the motion (`angle` 0), which are drawn in columns or rows.
@Suite struct CurlTests {
    /// All cases agree with the reference, which finds its rays' hits on the sheet by halving intervals. Frames of noise
    /// and of letters judge the averages, smooth ones every edge and shadow. The reference takes long, so that all of
    /// them are compared only where slow tests run.
    @Test(arguments: Places.some(Array(0..<8), every: 8), [nil, 0])
    func agreesWithTheReferenceOnRandomCases(share: Int, angle: Double?) throws {
        var values: [Double] = []
        let count = Places.runsSlowTests ? 50 : 10
        for var example in RandomCase.cases(style: Styles.curl, count: count, seed: 15 + 100 * UInt64(share)) {
            if let angle { example.look.angle = angle }
            let picture = try rendered(example)
            var difference = PictureDifference(picture, example.reference())
            // The reference's own noise: on letters, 256 rays per sample are off by more than what is judged here.
            if difference.psnr < 45 { difference = PictureDifference(picture, example.reference(samplesPerAxis: 40)) }
            values.append(difference.psnr)
            #expect(difference.psnr >= 42, "\(example): \(difference)")
            guard example.pattern == .smooth else { continue }
            let level = Double(1 << (example.format.depth - 8))
            if Double(difference.worst) > 1 + 3 * level {
                difference = PictureDifference(picture, example.reference(samplesPerAxis: 40))
            }
            #expect(Double(difference.worst) <= 1 + 3 * level, "\(example): \(difference)")
        }
        #expect(values.sorted()[values.count / 2] >= 50)
    }

    /// The mean error over many smooth frames is within a tenth of a code of 8 bits.
    @Test(.enabled(if: Places.isTurn(2, of: 4), Comment(rawValue: Places.anotherTurn))) func isUnbiased() throws {
        var (sum, count) = (0.0, 0)
        for seed in 0..<60 {
            var example = RandomCase(style: Styles.curl, seed: 7000 + UInt64(seed))
            example.pattern = .smooth
            example.format = PictureFormat(components: .gray)
            example.background = .black
            let difference = PictureDifference(try rendered(example), example.reference())
            if difference.samples < 2000 { continue }
            #expect(abs(difference.bias) <= 0.1, "\(example): \(difference)")
            (sum, count) = (sum + difference.bias, count + 1)
        }
        #expect(count > 20)
        #expect(abs(sum / Double(count)) <= 0.02)
    }

    /// Motion along y gives the transposed frame of the transposed pictures.
    @Test(arguments: [nil, 0] as [Double?]) func isTheSameTransposed(angle: Double?) throws {
        for seed in 0..<40 {
            var example = RandomCase(style: Styles.curl, seed: 8000 + UInt64(seed))
            if let angle { example.look.angle = angle }
            example.format = PictureFormat(components: .gbr, isFullRange: true)
            #expect(try transposition(example).worst <= 1, "\(example)")
        }
    }

    /// A slow curl of a still picture doesn't flicker: no step from one frame to the next is much larger than those
    /// around it.
    @Test(arguments: [Mode.peel, .book], [0.0, 20]) func movesSmoothly(mode: Mode, angle: Double) throws {
        let format = PictureFormat(components: .gray)
        let (from, to) = (
            Pattern.natural.picture(format, width: 160, height: 90, seed: 3),
            Pattern.natural.picture(format, width: 160, height: 90, seed: 4)
        )
        let look = try StyledLook(
            style: Styles.curl, options: [(.mode, mode.rawValue), (.angle, String(angle)), (.easing, "linear")])
        let renderer = TransitionRenderer(format: format, width: 160, height: 90, background: .black, threads: 2)
        var last = from
        var steps: [Double] = []
        for index in 1...300 {
            let frame = try renderer.drawn(look, progress: Double(index) / 301, from: from, to: to)
            let difference = zip(frame.planes[0], last.planes[0]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            steps.append(Double(difference))
            last = frame
        }
        for index in steps.indices {
            let near = steps[max(index - 10, 0)...min(index + 10, steps.count - 1)].sorted()
            #expect(steps[index] <= 3 * near[near.count / 2], "frame \(index): \(steps[index])")
        }
    }
}
