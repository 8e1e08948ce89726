import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// The styles of panels that turn about an axis parallel to an edge (EFFECTS 10).
@Suite struct PanelTests {
    private static let styles = [Styles.cube, Styles.box, Styles.swing, Styles.doors, Styles.blinds]

    /// Sixty cases of a style; a quarter of them without a camera.
    private static func cases(_ style: String) throws -> [RandomCase] {
        let place = UInt64(try #require(styles.firstIndex { $0.name == style }))
        return RandomCase.cases(style: styles[Int(place)], count: 60, seed: 31_000 + 100 * place).enumerated().map {
            index, example in
            var example = example
            if index % 4 == 3 { example.look.perspective = 0 }
            return example
        }
    }

    /// All cases agree with the reference, which draws up to 6400 rays per sample. A fifth of them is compared unless
    /// slow tests run.
    @Test(arguments: styles.map(\.name)) func agreesWithTheReferenceOnRandomCases(style: String) throws {
        var values: [Double] = []
        let count = Places.runsSlowTests ? 60 : 12
        for example in try Self.cases(style).prefix(count) {
            let picture = try rendered(example)
            var difference = PictureDifference(picture, example.reference())
            // The reference's own error: compared with 14,400 rays per sample, 256 have 44 dB on noise, 1600 have 53 dB,
            // and 6400 have 57 dB.
            for rays in [40, 80] where difference.psnr < (rays == 40 ? 50 : 44) {
                difference = PictureDifference(picture, example.reference(samplesPerAxis: rays))
            }
            values.append(difference.psnr)
            #expect(difference.psnr >= 42, "\(example): \(difference)")
            guard [.smooth, .natural].contains(example.pattern) else { continue }
            Closeness.expect(
                difference, depth: example.format.depth, "\(example)", judgesBias: example.background == .black)
        }
        #expect(values.sorted()[values.count / 2] >= 52, "\(values.sorted())")
    }

    /// The random cases above are of every kind that the styles have.
    @Test func theRandomCasesCoverTheOptions() throws {
        let cases = try Self.styles.flatMap { try Self.cases($0.name) }
        #expect(cases.count == 300)
        for orientation in Orientation.allCases { #expect(cases.count { $0.look.orientation == orientation } > 60) }
        for direction in Direction.allCases { #expect(cases.count { $0.look.direction == direction } > 60) }
        #expect(cases.count { $0.look.perspective == 0 } >= 75 && cases.count { $0.look.perspective > 0 } > 200)
        #expect(cases.count { $0.style != "cube" && $0.look.pullBack < 1 } > 20)
        #expect(cases.count { $0.format.depth == 8 } > 60 && cases.count { $0.format.depth == 10 } > 20)
        #expect(cases.count { $0.width < 21 && $0.height < 21 } > 20 && cases.contains { $0.width % 2 == 1 })
        let blinds = cases.filter { $0.style == "blinds" }
        #expect(blinds.contains { $0.look.strips == 2 } && blinds.contains { $0.look.strips == 64 })
        #expect(blinds.contains { $0.look.stagger == 0 } && blinds.contains { $0.look.stagger == 4 })
    }

    /// EFFECTS 10: one edge belongs to both faces, so that no background shows between them at any moment. Seen from a
    /// camera that steps back or not, the middle of the frame across the motion is covered wherever a face is.
    @Test(arguments: ["cube", "box"]) func facesMeetAtTheirEdge(style: String) throws {
        let format = PictureFormat(components: .gray, depth: 16, isFullRange: true)
        let (width, height) = (67, 24)
        let from = TestPicture(format: format, width: width, height: height, filledWith: [65535])
        var random = SplitMix64(seed: 77)
        for moment in 0..<4000 {
            let look = try StyledLook.named(style) {
                $0.shadow = .none
                $0.direction = random.oneIn(2) ? .forward : .backward
                $0.perspective = random.oneIn(4) ? 0 : random.number(in: 1.3...8)
                $0.viewpoint.x = random.number(in: 0.3...0.7)
                $0.pullBack = random.number(in: 0.5...1)
            }
            let progress = (Double(moment) + 0.5) / 4000
            let frame = try drawn(look, progress: progress, from: from, to: from, background: .black)
            // Along the middle row, white begins once and ends once.
            let row = (0..<width).map { frame[plane: 0, x: $0, y: height / 2] }
            let first = try #require(row.firstIndex { $0 > 0 })
            let last = try #require(row.lastIndex { $0 > 0 })
            let inside = row[first...last].dropFirst().dropLast()
            #expect(inside.allSatisfy { $0 >= 65534 }, "\(look) p=\(progress): \(row)")
        }
    }

    /// Slats that lie flat and adjoin show no background between them, and those that turn don't darken their
    /// neighbors.
    @Test func waitingSlatsAreThePictureItself() throws {
        let format = PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2)
        let from = Pattern.noise.picture(format, width: 130, height: 34, seed: 1)
        let to = Pattern.noise.picture(format, width: 130, height: 34, seed: 2)
        for strips in 2...64 {
            let look = try StyledLook.named("blinds") { ($0.strips, $0.stagger) = (strips, 4) }
            // The last slat turns within the first fifth of the time, the first one within the last fifth.
            for (progress, picture, side) in [(0.1, from, 0..<60), (0.9, to, 70..<130)] {
                let frame = try drawn(look, progress: progress, from: from, to: to, background: .white)
                for y in 0..<34 {
                    for x in side where frame[plane: 0, x: x, y: y] != picture[plane: 0, x: x, y: y] {
                        Issue.record("\(strips) strips, p=\(progress): (\(x), \(y))")
                        return
                    }
                }
            }
        }
    }

    /// Sixty-four slats in a frame of a few samples: many in a sample, and still the mean of what is seen.
    @Test(arguments: Orientation.allCases) func manySlatsFitATinyFrame(orientation: Orientation) throws {
        for depth in [8, 10] {
            for (width, height) in [(2, 2), (3, 5), (7, 4), (16, 9), (33, 31)] {
                for progress in [0.01, 0.26, 0.5, 0.61, 0.97] {
                    var example = RandomCase(style: Styles.blinds, seed: 5)
                    example.look = try StyledLook.named("blinds") {
                        ($0.strips, $0.orientation) = (64, orientation)
                    }.look
                    example.format = PictureFormat(components: .yuv, depth: depth, chromaStepX: 2, chromaStepY: 2)
                    (example.width, example.height, example.progress) = (width, height, progress)
                    (example.background, example.pattern) = (.black, .noise)
                    let difference = PictureDifference(try rendered(example), example.reference(samplesPerAxis: 40))
                    let level = Double(1 << (depth - 8))
                    #expect(Double(difference.worst) <= 1 + 2 * level, "\(example): \(difference)")
                }
            }
        }
    }

    /// The frames begin with A and end with B, to the bit. At up to ten bits so do those next to them, where no shade
    /// hides the pages and the camera isn't beside them.
    @Test(arguments: styles.map(\.name)) func beginsAndEndsWithThePictures(style: String) throws {
        for example in Places.some(RandomCase.cases(style: try Styles.named(style), count: 60, seed: 32_000), every: 4)
        {
            let look = try StyledLook(style: Styles.named(style), look: example.look)
            let (from, to) = example.pictures
            for (progress, picture) in [(0.0, from), (1e-9, from), (1 - 1e-9, to), (1, to)] {
                let isEnd = progress == 0 || progress == 1
                let isPlain = example.look.shadow == .none && example.look.viewpoint == Viewpoint(x: 0.5, y: 0.5)
                if !isEnd && (!isPlain || example.format.depth > 10) { continue }
                let frame = try drawn(look, progress: progress, from: from, to: to, background: example.background)
                #expect(frame == picture, "\(example) at \(progress): \(PictureDifference(frame, picture))")
            }
        }
    }
}
