import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// The reference renderer, tested against results computed by hand.
@Suite struct ReferenceTests {
    private static let gray = PictureFormat(components: .gray, depth: 16, isFullRange: true)
    private static let yuv444 = PictureFormat(components: .yuv)
    private static let white: UInt16 = 65535

    /// The defaults of `style`, modified by `change`.
    private func look(_ style: String, _ change: (inout Look) -> Void = { _ in }) throws -> Look {
        var look = try Styles.named(style).defaults
        change(&look)
        return look
    }

    /// A frame of white turning into black in 16 bits, in which a sample is the share of picture A.
    private func whiteToBlack(
        _ style: String, _ look: Look, _ progress: Double, width: Int = 200, height: Int = 100
    ) -> TestPicture {
        let a = TestPicture(format: Self.gray, width: width, height: height, filledWith: [Self.white])
        let b = TestPicture(format: Self.gray, width: width, height: height)
        return Reference.render(style: style, look: look, progress: progress, from: a, to: b)
    }

    /// The sample at (x, y) as a fraction of white.
    private func level(_ picture: TestPicture, _ x: Int, _ y: Int) -> Double {
        Double(picture[plane: 0, x: x, y: y]) / Double(Self.white)
    }

    @Test(arguments: Styles.all.map(\.name)) func startsAtAAndEndsAtB(style: String) throws {
        for format in PictureFormat.testFormats {
            let a = Pattern.noise.picture(format, width: 13, height: 9, seed: 1)
            let b = Pattern.noise.picture(format, width: 13, height: 9, seed: 2)
            for direction in Direction.allCases {
                for orientation in Orientation.allCases {
                    let look = try look(style) {
                        $0.direction = direction
                        $0.orientation = orientation
                        $0.viewpoint = Viewpoint(x: 0.2, y: 1.2)
                    }
                    #expect(Reference.render(style: style, look: look, progress: 0, from: a, to: b) == a)
                    #expect(Reference.render(style: style, look: look, progress: 1, from: a, to: b) == b)
                }
            }
        }
    }

    /// Flat pages on the pixel grid are exact by themselves, not only because of the rule for p = 0 and p = 1.
    @Test(arguments: Styles.all.map(\.name)) func isBitExactWherePagesLieFlat(style: String) throws {
        for format in PictureFormat.testFormats {
            let a = Pattern.noise.picture(format, width: 14, height: 10, seed: 1)
            let b = Pattern.noise.picture(format, width: 14, height: 10, seed: 2)
            let look = try look(style) {
                $0.shadow = .none
                $0.reverse = true
            }
            let almostA = Reference.render(style: style, look: look, progress: 1e-9, from: a, to: b)
            let almostB = Reference.render(style: style, look: look, progress: 1 - 1e-9, from: a, to: b)
            #expect(almostA == a, "\(format): \(PictureDifference(almostA, a))")
            #expect(almostB == b, "\(format): \(PictureDifference(almostB, b))")
        }
    }

    @Test func flipIsHalfAndHalfAtTheMiddle() throws {
        for orientation in Orientation.allCases {
            for direction in Direction.allCases {
                let look = try look("flip") {
                    $0.orientation = orientation
                    $0.direction = direction
                }
                let a = Pattern.noise.picture(Self.yuv444, width: 12, height: 8, seed: 1)
                let b = Pattern.noise.picture(Self.yuv444, width: 12, height: 8, seed: 2)
                let middle = Reference.render(style: "flip", look: look, progress: 0.5, from: a, to: b)
                let expected = TestPicture(format: Self.yuv444, width: 12, height: 8) { plane, x, y in
                    let isFacing = orientation == .horizontal ? x < 6 : y < 4
                    return ((isFacing == (direction == .forward)) ? a : b)[plane: plane, x: x, y: y]
                }
                #expect(middle == expected, "\(orientation) \(direction)")
            }
        }
    }

    /// The spine at 4 cuts the footprint of left-sited chroma [3.5, 5.5], so a quarter of it shows A.
    @Test func chromaFootprintsFollowTheSiting() throws {
        let cases: [(PictureFormat.ChromaLocation, shareOfA: Double)] = [
            (.left, 0.25), (.topLeft, 0.25), (.bottomLeft, 0.25), (.center, 0), (.top, 0), (.bottom, 0),
        ]
        for (location, share) in cases {
            let format = PictureFormat(
                components: .yuv, depth: 16, chromaStepX: 2, chromaStepY: 2, chromaLocation: location)
            let a = TestPicture(format: format, width: 8, height: 4, filledWith: [0, 40000, 40000])
            let b = TestPicture(format: format, width: 8, height: 4, filledWith: [0, 0, 0])
            let frame = Reference.render(style: "flip", look: try look("flip"), progress: 0.5, from: a, to: b)
            for plane in 1...2 {
                for y in 0...1 {
                    #expect(
                        (0..<4).map { Double(frame[plane: plane, x: $0, y: y]) } == [40000, 40000, 40000 * share, 0])
                }
            }
        }
        // Vertically, the spine is at row 4 of 8, and a footprint of top-sited chroma covers rows 3.5...5.5.
        let rows: [(PictureFormat.ChromaLocation, shareOfA: [Double])] = [
            (.left, [1, 1, 0, 0]), (.topLeft, [1, 1, 0.25, 0]), (.top, [1, 1, 0.25, 0]), (.bottom, [1, 0.75, 0, 0]),
        ]
        for (location, shares) in rows {
            let format = PictureFormat(
                components: .yuv, depth: 16, chromaStepX: 2, chromaStepY: 2, chromaLocation: location)
            let a = TestPicture(format: format, width: 4, height: 8, filledWith: [0, 40000, 40000])
            let b = TestPicture(format: format, width: 4, height: 8, filledWith: [0, 0, 0])
            let look = try look("flip") { $0.orientation = .vertical }
            let frame = Reference.render(style: "flip", look: look, progress: 0.5, from: a, to: b)
            #expect((0..<4).map { Double(frame[plane: 1, x: 0, y: $0]) } == shares.map { $0 * 40000 }, "\(location)")
        }
    }

    /// At th = 45 degrees the free edge is at 100 + 100 cos 45 without perspective, and 100 sin 45 high; L = 100.
    @Test func flipFreeEdgeIsWhereTheCameraSeesIt() throws {
        let plain = whiteToBlack(
            "flip",
            try look("flip") {
                $0.perspective = 0; $0.shadow = .none
            }, 0.25)
        // Without perspective, the edge is seen at 170.7107.
        #expect(level(plain, 169, 50) == 1 && level(plain, 171, 50) == 0)
        #expect(abs(level(plain, 170, 50) - 0.7107) < 0.003)
        let toward = whiteToBlack("flip", try look("flip") { $0.shadow = .none }, 0.25)
        // With perspective, it is seen at 100 + 70.7107 / (1 - 70.7107 * 3 / 1400) = 183.3392.
        #expect(abs(level(toward, 183, 50) - 0.3392) < 0.003 && level(toward, 184, 50) == 0)
        #expect((0..<100).allSatisfy { level(toward, 182, $0) == 1 })
        let away = whiteToBlack(
            "flip",
            try look("flip") {
                $0.shadow = .none; $0.reverse = true
            }, 0.25)
        // Away from the viewer, it is seen at 100 + 70.7107 / (1 + 70.7107 * 3 / 1400) = 161.4045, and its corner at 50
        // - 50 / 1.151523 = 6.5792.
        #expect(abs(level(away, 161, 50) - 0.4045) < 0.003 && level(away, 162, 50) == 0)
        #expect(level(away, 160, 5) == 0 && level(away, 160, 8) == 1)
    }

    @Test func flipCutsTheFrameAtTheSpine() throws {
        let look = try look("flip") {
            $0.perspective = 0; $0.shadow = .none; $0.spine = 0.3
        }
        let stage1 = whiteToBlack("flip", look, 0.25)
        // The edge is seen at 60 + 140 cos 45 = 158.995.
        #expect(level(stage1, 157, 9) == 1 && abs(level(stage1, 158, 9) - 0.995) < 0.003 && level(stage1, 159, 9) == 0)
        let stage2 = whiteToBlack("flip", look, 0.75)
        // The edge is seen at 60 - 60 cos 45 = 17.574.
        #expect(level(stage2, 16, 9) == 1 && abs(level(stage2, 17, 9) - 0.574) < 0.003 && level(stage2, 18, 9) == 0)
    }

    /// At q = 1/2, th = 45 degrees and without perspective, the page's point at distance d is seen at 100 + d cos 45.
    @Test func flipShadesArePerTheFormulas() throws {
        let cosine = 0.7071068
        let sample = { (shadow: Shadow, progress: Double, x: Int) throws -> Double in
            let look = try self.look("flip") {
                $0.perspective = 0; $0.shadow = shadow
            }
            let white = TestPicture(format: Self.gray, width: 200, height: 10, filledWith: [Self.white])
            return 1
                - self.level(
                    Reference.render(style: "flip", look: look, progress: progress, from: white, to: white), x, 5)
        }
        let at = { (x: Int) in (Double(x) + 0.5 - 100) / cosine }
        let expected: [(Shadow, Double, x: Int, a: Double)] = [
            (.crease, 0.25, 50, 0), (.crease, 0.25, 190, cosine / 3),
            (.crease, 0.25, 101, (0.5 + 5 * at(101) / 50) * 0.05),
            (.crease, 0.25, 120, (1 - at(120) / 50) / 0.9 * 0.05),
            (.crease, 0.25, 150, 0), (.crease, 0.75, 10, cosine / 3), (.crease, 0.75, 150, 0),
            (.crease, 0.75, 79, (1 - at(120) / 50) / 0.9 * 0.05), (.edge, 0.25, 150, 0.5 * at(150) / 100 * 0.5),
            (.edge, 0.25, 190, 0), (.edge, 0.75, 49, 0.5 * at(150) / 100 * 0.5), (.solid, 0.25, 150, 0.05),
            (.solid, 0.25, 190, 0.25), (.solid, 0.75, 10, 0.25), (.solid, 0.75, 60, 0.05),
            (.cast, 0.25, 190, 0.5 * cosine * (1 - (90.5 - 70.71068) / 100)),
            (.cast, 0.25, 120, (1 - at(120) / 50) / 0.9 * 0.05),
            (.cast, 0.75, 9, 0.5 * cosine * (1 - (90.5 - 70.71068) / 100)), (.none, 0.25, 190, 0),
        ]
        for (shadow, progress, x, a) in expected {
            #expect(try abs(sample(shadow, progress, x) - a) < 2e-4, "\(shadow) at \(x), p = \(progress)")
        }
        let strong = try look("flip") {
            $0.shadow = .solid; $0.shadowStrength = 3; $0.perspective = 0
        }
        #expect(abs(level(whiteToBlackPage(strong, 0.1), 10, 5) - 1) < 1e-4)
    }

    /// A frame between two white pictures, which only shades darken.
    private func whiteToBlackPage(_ look: Look, _ progress: Double) -> TestPicture {
        let white = TestPicture(format: Self.gray, width: 200, height: 10, filledWith: [Self.white])
        return Reference.render(style: "flip", look: look, progress: progress, from: white, to: white)
    }
}
