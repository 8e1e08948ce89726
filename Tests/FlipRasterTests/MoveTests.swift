import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// The styles in which pictures move or an edge does, without depth (EFFECTS 11).
@Suite struct MoveTests {
    private static let styles = [Styles.push, Styles.slide, Styles.wipe]

    private static func cases(_ style: String) throws -> [RandomCase] {
        let place = UInt64(try #require(styles.firstIndex { $0.name == style }))
        return RandomCase.cases(style: styles[Int(place)], count: 150, seed: 41_000 + 200 * place)
    }

    @Test(arguments: styles.map(\.name)) func agreesWithTheReferenceOnRandomCases(style: String) throws {
        var values: [Double] = []
        for example in Places.some(try Self.cases(style), every: 6) {
            let picture = try rendered(example)
            var difference = PictureDifference(picture, example.reference())
            if difference.psnr < 52 { difference = PictureDifference(picture, example.reference(samplesPerAxis: 50)) }
            values.append(difference.psnr)
            #expect(difference.psnr >= 42, "\(example): \(difference)")
            guard [.smooth, .natural].contains(example.pattern) else { continue }
            Closeness.expect(difference, depth: example.format.depth, "\(example)")
        }
        Closeness.expectMedian(values, atLeast: 52)
    }

    /// The random cases above are of every kind that the styles have.
    @Test func theRandomCasesCoverTheOptions() throws {
        let cases = try Self.styles.flatMap { try Self.cases($0.name) }
        for orientation in Orientation.allCases { #expect(cases.count { $0.look.orientation == orientation } > 90) }
        for direction in Direction.allCases { #expect(cases.count { $0.look.direction == direction } > 90) }
        for mode in [Mode.cover, .uncover] { #expect(cases.count { $0.style == "slide" && $0.look.mode == mode } > 30) }
        let wipes = cases.filter { $0.style == "wipe" }
        #expect(wipes.contains { $0.look.softness == 0 } && wipes.contains { $0.look.softness == 1 })
        #expect(Set(wipes.map(\.look.softness)).count > 50)
        #expect(cases.count { $0.width < 21 && $0.height < 21 } > 30 && cases.contains { $0.width % 2 == 1 })
    }

    /// The frames begin with A and end with B, to the bit; at up to ten bits, so do those next to them.
    @Test(arguments: styles.map(\.name)) func beginsAndEndsWithThePictures(style: String) throws {
        for example in try Self.cases(style) {
            let look = try StyledLook(style: Styles.named(style), look: example.look)
            let (from, to) = example.pictures
            for (progress, picture) in [(0.0, from), (1e-9, from), (1 - 1e-9, to), (1, to)] {
                if progress != 0 && progress != 1 && example.format.depth > 10 { continue }
                let frame = try drawn(look, progress: progress, from: from, to: to, background: example.background)
                #expect(frame == picture, "\(example) at \(progress): \(PictureDifference(frame, picture))")
            }
        }
    }

    /// The vertical motion is the horizontal one transposed. Columns and rows of pictures that move are averaged in
    /// different ways, which round differently.
    @Test(arguments: styles.map(\.name)) func verticalIsHorizontalTransposed(style: String) throws {
        for var example in try Self.cases(style).prefix(60) {
            example.format = PictureFormat(components: .yuv, depth: example.format.depth)
            let difference = try transposition(example)
            #expect(difference.worst <= (style == "wipe" ? 0 : 1), "\(example): \(difference)")
        }
    }

    /// Moved by whole samples, the pictures are the given ones, cut: x = X - pL for A and X + (1 - p) L for B, and what
    /// lies still is itself.
    @Test func wholeSamplesAreCopied() throws {
        let format = PictureFormat(components: .gbr, depth: 10, isFullRange: true)
        let (width, height) = (40, 9)
        let from = Pattern.noise.picture(format, width: width, height: height, seed: 1)
        let to = Pattern.noise.picture(format, width: width, height: height, seed: 2)
        for moved in 1..<width {
            let frame = { (style: String, mode: Mode) in
                let look = try StyledLook.named(style) { if style == "slide" { $0.mode = mode } }
                return try drawn(look, progress: Double(moved) / Double(width), from: from, to: to)
            }
            let (push, cover) = (try frame("push", .normal), try frame("slide", .cover))
            let uncover = try frame("slide", .uncover)
            let edge = width - moved
            for plane in 0..<3 {
                for y in 0..<height {
                    for x in 0..<width {
                        let a = from[plane: plane, x: min(x + moved, width - 1), y: y]
                        let b = to[plane: plane, x: max(x - edge, 0), y: y]
                        #expect(push[plane: plane, x: x, y: y] == (x < edge ? a : b))
                        #expect(cover[plane: plane, x: x, y: y] == (x < edge ? from[plane: plane, x: x, y: y] : b))
                        #expect(uncover[plane: plane, x: x, y: y] == (x < edge ? a : to[plane: plane, x: x, y: y]))
                    }
                }
            }
        }
    }
}

/// The wipe's edge.
@Suite struct WipeTests {
    private static let gray = PictureFormat(components: .gray, depth: 16, isFullRange: true)

    /// White turns into black over a frame of 100 samples; the result is how much is left of white.
    private func left(softness: Double, _ progress: Double, _ direction: Direction = .forward) throws -> [Double] {
        let from = TestPicture(format: Self.gray, width: 100, height: 3, filledWith: [65535])
        let to = TestPicture(format: Self.gray, width: 100, height: 3, filledWith: [0])
        let look = try StyledLook.named("wipe") { ($0.softness, $0.direction) = (softness, direction) }
        let frame = try drawn(look, progress: progress, from: from, to: to)
        return (0..<100).map { Double(frame[plane: 0, x: $0, y: 1]) / 65535 }
    }

    /// A sharp edge at 100 (1 - p): the sample that it crosses has a part of both pictures.
    @Test func aSharpEdgeCrossesOneSample() throws {
        for progress in [0.1, 0.333, 0.5, 0.754, 0.999] {
            let edge = 100 * (1 - progress)
            for (x, white) in try left(softness: 0, progress).enumerated() {
                #expect(abs(white - min(max(edge - Double(x), 0), 1)) < 2e-5, "p=\(progress), \(x)")
            }
        }
    }

    /// The ramp begins outside of the frame and leaves it: at p it extends from L - p (L + w), and falls evenly over w.
    @Test func aSoftEdgeFallsEvenly() throws {
        for direction in Direction.allCases {
            for (softness, progress) in [(0.2, 0.5), (0.1, 0.03), (1, 0.5), (1, 0.9), (0.35, 0.97)] {
                let (width, start) = (100 * softness, 100 - progress * 100 * (1 + softness))
                let samples = try left(softness: softness, progress, direction)
                for (x, white) in (direction == .forward ? samples : samples.reversed()).enumerated() {
                    // Inside the ramp, the mean is the value in the sample's middle.
                    let middle = 1 - (Double(x) + 0.5 - start) / width
                    if middle < 0.5 / width || middle > 1 - 0.5 / width {
                        #expect(abs(white - min(max(middle, 0), 1)) <= 0.13 / width)
                    } else {
                        #expect(abs(white - middle) < 2e-5, "\(direction) softness \(softness) p=\(progress): \(x)")
                    }
                }
            }
        }
    }

    /// Outside of the ramp, the pictures stay as they are, even where they are transparent.
    @Test(arguments: Orientation.allCases) func whatTheEdgeHasNotReachedIsCopied(orientation: Orientation) throws {
        for format in [
            PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2, hasAlpha: true),
            PictureFormat(components: .gbr, depth: 10, isFullRange: true, hasAlpha: true),
            PictureFormat(components: .gray, depth: 12),
        ] {
            let from = Pattern.noise.picture(format, width: 64, height: 64, seed: 1)
            let to = Pattern.noise.picture(format, width: 64, height: 64, seed: 2)
            let look = try StyledLook.named("wipe") { ($0.softness, $0.orientation) = (0.25, orientation) }
            for threads in [1, 3] {
                let frame = try drawn(look, progress: 0.5, from: from, to: to, threads: threads)
                // The ramp extends from 24 to 40.
                for plane in frame.planes.indices {
                    let size = frame.planeSize(plane)
                    for y in 0..<size.height {
                        for x in 0..<size.width {
                            let place = (orientation == .horizontal ? x : y) * 64 / size.width
                            let sample = frame[plane: plane, x: x, y: y]
                            if place < 22 { #expect(sample == from[plane: plane, x: x, y: y]) }
                            if place >= 42 { #expect(sample == to[plane: plane, x: x, y: y]) }
                        }
                    }
                }
            }
        }
    }
}
