import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Flips whose page bends (EFFECTS 13).
@Suite struct LeafTests {
    private static let planar = PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2)

    private static func look(_ options: [(option: LookOption, value: String)]) throws -> StyledLook {
        try StyledLook(style: Styles.flip, options: options)
    }

    private static func pictures(
        _ pattern: Pattern, width: Int = 160, height: Int = 90, _ format: PictureFormat = planar
    ) -> (from: TestPicture, to: TestPicture) {
        (
            pattern.picture(format, width: width, height: height, seed: 31),
            pattern.picture(format, width: width, height: height, seed: 32)
        )
    }

    /// Frames agree with a page made of short chords, of which each ray finds the nearest, in every option.
    @Test(arguments: Places.some(Array(0..<8), every: 8)) func agreesWithTheReference(share: Int) throws {
        var values: [Double] = []
        for index in 0..<20 {
            var example = RandomCase(style: Styles.flip, seed: 9000 + UInt64(share * 20 + index))
            if example.look.bend == 0 { example.look.bend = Double(1 + index % 8) / 10 }
            example.look.reverse = false
            example.look.shadow = index % 4 == 0 ? .none : .paper
            var difference = try agreement(example)
            if difference.psnr < 44 {
                difference = PictureDifference(try rendered(example), example.reference(samplesPerAxis: 40))
            }
            values.append(difference.psnr)
            #expect(difference.psnr >= 42, "\(example): \(difference)")
        }
        let sorted = values.sorted()
        #expect(sorted[sorted.count / 2] >= 50, "\(sorted)")
    }

    /// A page that bends ever so little is the page that doesn't, where the camera sees it from the same side.
    @Test(arguments: Orientation.allCases, Direction.allCases)
    func bendingLessBecomesTheBoard(orientation: Orientation, direction: Direction) throws {
        let (from, to) = Self.pictures(.natural)
        let turned: [(option: LookOption, value: String)] = [
            (.orientation, orientation.rawValue), (.direction, direction.rawValue), (.shadow, "none"),
        ]
        for progress in [0.05, 0.2, 0.35, 0.48, 0.55, 0.7, 0.93] {
            let board = try drawn(Self.look(turned), progress: progress, from: from, to: to)
            let leaf = try drawn(Self.look(turned + [(.bend, "0.000001")]), progress: progress, from: from, to: to)
            for plane in board.planes.indices {
                let most = zip(board.planes[plane], leaf.planes[plane]).map { abs(Int($0) - Int($1)) }.max() ?? 0
                #expect(most <= 1, "p = \(progress), plane \(plane)")
            }
        }
    }

    /// No frame changes by more than three times the median of all, and the ends are the pictures. (Beyond 0.5, the page stands still
    /// while both of its ends lie flat.)
    @Test(arguments: ["0.1", "0.45", "0.5"]) func movesWithoutJumps(bend: String) throws {
        let (from, to) = Self.pictures(.natural)
        let renderer = TransitionRenderer(format: Self.planar, width: 160, height: 90, background: .black, threads: 1)
        let look = try Self.look([(.bend, bend)])
        var (before, changes) = (from, [Double]())
        for step in 1...300 {
            let frame = try renderer.drawn(look, progress: Double(step) / 300, from: from, to: to)
            var (sum, count) = (0, 0)
            for plane in frame.planes.indices {
                for (a, b) in zip(frame.planes[plane], before.planes[plane]) { sum += abs(Int(a) - Int(b)) }
                count += frame.planes[plane].count
            }
            changes.append(Double(sum) / Double(count))
            before = frame
        }
        #expect(before == to)
        let median = changes.sorted()[150]
        #expect(changes.max()! <= 3 * median + 0.02, "\(changes.max()!), median \(median)")
        for progress in [1e-9, 1 - 1e-9] {
            let end = try drawn(look, progress: progress, from: from, to: to)
            let difference = PictureDifference(end, progress < 0.5 ? from : to)
            #expect(difference.psnr > 60, "\(difference)")
        }
    }

    /// What doesn't fit a page that bends is refused in a sentence.
    @Test func optionsThatDoNotFitAreRefused() throws {
        for (options, word) in [
            ([(LookOption.bend, "0.3"), (.reverse, "true")], "reverse"),
            ([(LookOption.bend, "0.3"), (.shadow, "cast")], "cast"),
            ([(LookOption.shadow, "paper"), (.reverse, "true")], "reverse"),
        ] {
            let error = #expect(throws: OptionError.self) { try Self.look(options) }
            #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
        }
        let bent = try StyledLook(style: nil, look: "desk", options: [(.bend, "0.3")])
        #expect(bent.look.shadow == .paper && bent.look.pullBack == 0.78)
        #expect(try Self.look([(.bend, "0.3")]).description == "flip=bend=0.3:shadow=paper")
    }
}
