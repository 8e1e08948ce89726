import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// The styles other than the flip, as the reference renderer draws them, tested against closed-form results.
@Suite struct ReferenceStylesTests {
    private static let gray = PictureFormat(components: .gray, depth: 16, isFullRange: true)
    private static let peak = 65535.0

    private func look(_ style: String, _ change: (inout Look) -> Void = { _ in }) throws -> Look {
        var look = try Styles.named(style).defaults
        look.perspective = 0
        change(&look)
        return look
    }

    /// A frame of gray `from` turning into gray `to` over `background`, in 16 bits; its samples are fractions of the
    /// peak.
    private func frame(
        _ style: String, _ look: Look, _ progress: Double, from: Double = 1, to: Double = 0, width: Int = 100,
        height: Int = 80, background: Color = .black
    ) -> (Int, Int) -> Double {
        let fill = { (level: Double) in
            TestPicture(
                format: Self.gray, width: width, height: height, filledWith: [UInt16((level * Self.peak).rounded())])
        }
        let picture = Reference.render(
            style: style, look: look, background: background, progress: progress, from: fill(from), to: fill(to))
        return { x, y in Double(picture[plane: 0, x: x, y: y]) / Self.peak }
    }

    /// At p = 1/3 the angle is 30 degrees, and the hinges are at 40 -+ 40 cos 30 = 5.359 and 74.641.
    @Test func foldHingesMoveTogether() throws {
        for mode in [Mode.normal, .cubic] {
            let at = frame(
                "fold",
                try look("fold") {
                    $0.shadow = .none; $0.mode = mode
                }, 1.0 / 3)
            #expect(at(50, 4) == 0 && at(50, 6) == 1 && at(50, 73) == 1 && at(50, 75) == 0)
            #expect(abs(at(50, 5) - 0.641) < 0.003 && abs(at(50, 74) - 0.641) < 0.003)
        }
    }

    /// The camera's height is z0 = 40 * 14/3, and the crease is at z = -40 sin 30 = -20, so its half width is 50 / (1 +
    /// 20/186.667) = 45.161.
    @Test func foldCreaseRecedes() throws {
        let look = try look("fold") {
            $0.shadow = .none; $0.perspective = 14.0 / 3
        }
        let at = frame("fold", look, 1.0 / 3, background: try Color(parsing: "#808080"))
        #expect(at(6, 39) == 1 && at(3, 39) < 0.51 && at(3, 39) > 0.49)
        #expect(at(93, 40) == 1 && at(96, 40) < 0.51)
    }

    @Test func foldShadesArePerTheFormulas() throws {
        let c = cos(Double.pi / 6)
        let o = 0.25 * (1 - c)
        let white = { (shadow: Shadow, mode: Mode, y: Int) throws -> Double in
            let look = try self.look("fold") {
                $0.shadow = shadow; $0.mode = mode
            }
            return 1 - self.frame("fold", look, 1.0 / 3, from: 1, to: 1)(50, y)
        }
        let upper = { (y: Int) in (Double(y) + 0.5 - (40 - 40 * c)) / c / 40 }
        #expect(try abs(white(.gradient, .normal, 20) - o * (1 - upper(20))) < 1e-4)
        #expect(try abs(white(.gradient, .normal, 59) - o * (1 - 0.75 * (1 - upper(20)))) < 1e-4)
        #expect(try abs(white(.gradient, .cubic, 59) - o * upper(20)) < 1e-4)
        #expect(try abs(white(.solid, .normal, 20) - o) < 1e-4)
        #expect(try abs(white(.solid, .normal, 59) - 0.9 * o) < 1e-4)
        #expect(try white(.gradient, .normal, 2) == 0 && white(.none, .normal, 20) == 0)
        // In cubic mode, the middle of the row of a sleeve lies (5.359 - 2.5) / sin 30 above the hinge.
        let d = (40 - 40 * c - 2.5) / 0.5
        #expect(try abs(white(.gradient, .cubic, 2) - 0.125 * d / 40) < 1e-4)
        #expect(try abs(white(.gradient, .cubic, 77) - 0.125 * (1 - d / 40)) < 1e-4)
    }

    /// Without perspective and shade, an accordion is one uniform squeeze for any number of creases.
    @Test func creasesDoNotShowWithoutPerspectiveAndShade() throws {
        let format = PictureFormat(components: .yuv)
        let a = Pattern.slide.picture(format, width: 40, height: 64, seed: 3)
        let b = Pattern.slide.picture(format, width: 40, height: 64, seed: 4)
        let render = { (creases: Int) throws -> TestPicture in
            let look = try self.look("fold") {
                $0.shadow = .none; $0.creases = creases
            }
            return Reference.render(style: "fold", look: look, progress: 0.4, from: a, to: b)
        }
        let one = try render(1)
        for creases in 2...16 { #expect(try PictureDifference(render(creases), one).worst <= 1) }
    }

    /// With two creases, the hinge in the middle stays on the screen, and the creases beside it recede.
    @Test func accordionHingesStayOnTheScreen() throws {
        let look = try look("fold") {
            $0.shadow = .none; $0.creases = 2; $0.perspective = 2
        }
        let at = frame("fold", look, 2.0 / 3, background: .black)
        // th = 60 and h = 20: the hinges are at 20, 40 and 60, and the creases at 30 and 50 with z = -17.32, seen at 40
        // -+ 10 / 1.2165 and 50 -+ 50 / 1.2165.
        #expect(at(2, 39) == 1 && at(2, 40) == 1 && at(0, 39) > 0.3)
        #expect(at(7, 31) == 0 && at(10, 31) == 1 && at(7, 48) == 0 && at(10, 48) == 1)
        #expect(at(50, 19) == 0 && at(50, 21) == 1 && at(50, 58) == 1 && at(50, 60) == 0)
    }

    @Test func unfoldIsTheFoldBackwards() throws {
        let format = PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2)
        let a = Pattern.natural.picture(format, width: 40, height: 30, seed: 3)
        let b = Pattern.natural.picture(format, width: 40, height: 30, seed: 4)
        for mode in [Mode.normal, .cubic] {
            var look = try look("unfold") { $0.mode = mode }
            look.perspective = 3
            let unfold = Reference.render(style: "unfold", look: look, progress: 0.25, from: a, to: b)
            let fold = Reference.render(style: "fold", look: look, progress: 0.75, from: b, to: a)
            #expect(unfold == fold)
        }
    }

    /// At p = 1/4 the angle is 45 degrees and k = 0.925, so the half width is 50 * 0.925 cos 45 = 32.704 and the half
    /// height is 37.
    @Test func cardTurnsAboutItsMiddle() throws {
        let at = frame("card", try look("card"), 0.25, background: try Color(parsing: "white"))
        #expect(at(16, 40) == 1 && abs(at(18, 40) - 0.6) < 1e-4 && abs(at(81, 40) - 0.6) < 1e-4 && at(83, 40) == 1)
        #expect(at(50, 2) == 1 && abs(at(50, 3) - 0.6) < 1e-4 && abs(at(50, 76) - 0.6) < 1e-4 && at(50, 77) == 1)
        #expect(abs(at(17, 40) - (1 - 0.704 * 0.4)) < 2e-3)
        let later = frame("card", try look("card"), 0.75, background: try Color(parsing: "white"))
        #expect(abs(later(18, 40)) < 1e-4 && later(16, 40) == 1)
        // Forward, the right edge comes toward the viewer, so it looks taller.
        let near = frame("card", try look("card") { $0.perspective = 3.15 }, 0.25, from: 0.5, to: 0, background: .black)
        #expect(near(82, 1) > 0 && near(20, 1) == 0)
        let front = frame("card", try look("card") { $0.shadow = .none }, 0.25, from: 0.5)
        #expect(abs(front(50, 40) - 0.5) < 1e-4)
    }

    @Test func cardIsOnEdgeInTheMiddle() throws {
        for perspective in [0, 3.15] {
            let look = try look("card") { $0.perspective = perspective }
            let at = frame("card", look, 0.5, from: 0, to: 0, background: try Color(parsing: "white"))
            #expect((0..<100).allSatisfy { x in (0..<80).allSatisfy { y in at(x, y) == 1 } })
        }
    }

    /// At p = 1/4 the angle is 45 degrees and k = 0.95^6.
    @Test func spineFoldShrinksTowardTheMiddle() throws {
        let k = pow(0.95, 6.0)
        let halfWidth = 50 * k * cos(Double.pi / 4)
        let at = frame("spine-fold", try look("spine-fold") { $0.shadow = .none }, 0.25)
        let left = Int(50 - halfWidth)
        #expect(at(left - 1, 40) == 0 && at(left + 1, 40) == 1)
        #expect(abs(at(left, 40) - (Double(left + 1) - 50 + halfWidth)) < 3e-3)
        let top = Int(40 - 40 * k)
        #expect(
            at(50, top - 1) == 0 && at(50, top + 1) == 1 && abs(at(50, top) - (Double(top + 1) - 40 + 40 * k)) < 3e-3)
    }

    @Test func bookShadowIsASoftBox() throws {
        let white = try Color(parsing: "white")
        let at = frame("spine-fold", try look("spine-fold"), 0.25, from: 1, to: 1, background: white)
        let k = pow(0.95, 6.0)
        let half = 50 * k * cos(Double.pi / 4)
        let deviation = 0.02 * 80
        let a = { (x: Double) -> Double in
            let unit: Double = deviation * 2.0.squareRoot()
            let left: Double = erf((x - 50 + half) / unit)
            let right: Double = erf((x - 50 - half) / unit)
            return 0.5 * (left - right) / 2
        }
        for x in 0..<Int(50 - half) {
            // The mean over the pixel, computed by Simpson's rule.
            let low = a(Double(x))
            let middle = a(Double(x) + 0.5)
            let high = a(Double(x) + 1)
            let mean = (low + 4 * middle + high) / 6
            #expect(abs(1 - at(x, 40) - mean) < 1e-3, "column \(x)")
        }
        // The page is darkest at the spine and clear at its outer edge.
        let sine = 0.7071068
        #expect(abs(1 - at(50, 40) - 0.25 * sine * (1 - 0.5 / (k * sine) / 50)) < 1e-3)
    }

    /// Four rounded corners remove an area of (4 - pi) r^2.
    @Test func cornersAreRounded() throws {
        for (style, radius) in [("card", 12.0), ("spine-fold", 12), ("spine-fold", 40), ("card", 8192)] {
            let look = try look(style) {
                $0.shadow = .none; $0.cornerRadius = radius
            }
            let at = frame(style, look, 1e-7, background: .black)
            let area = (0..<100).reduce(0.0) { sum, x in (0..<80).reduce(sum) { $0 + at(x, $1) } }
            let r = min(radius, 40)
            #expect(abs(8000 - area - (4 - Double.pi) * r * r) < 0.01 * (4 - Double.pi) * r * r, "\(style) \(radius)")
            #expect(at(0, 0) == 0 && at(99, 79) == 0 && at(50, 40) == 1)
        }
    }

    /// Colors are encoded by ITU-R BT.601, BT.709 and BT.2020. The values for limited range and 8 bits are those of
    /// published color bar tables.
    @Test func colorsAreEncodedByTheMatrix() throws {
        let cases: [(String, PictureFormat.Matrix, [UInt16])] = [
            ("red", .bt709, [63, 102, 240]), ("lime", .bt709, [173, 42, 26]), ("blue", .bt709, [32, 240, 118]),
            ("red", .bt601, [81, 90, 240]), ("lime", .bt601, [145, 54, 34]), ("blue", .bt601, [41, 240, 110]),
            ("red", .bt2020, [74, 97, 240]), ("white", .bt709, [235, 128, 128]), ("black", .bt709, [16, 128, 128]),
        ]
        for (name, matrix, expected) in cases {
            let a = TestPicture(format: PictureFormat(components: .yuv, matrix: matrix), width: 8, height: 8)
            let frame = Reference.render(
                style: "card", look: try look("card"), background: try Color(parsing: name), progress: 0.5, from: a,
                to: a)
            #expect(frame.planes.map { $0[0] } == expected, "\(name) \(matrix)")
        }
        let formats: [(PictureFormat, [UInt16])] = [
            (PictureFormat(components: .yuv, isFullRange: true), [54, 99, 255]),
            (PictureFormat(components: .yuv, depth: 10), [250, 409, 960]),
            (PictureFormat(components: .gbr, depth: 10, isFullRange: true), [0, 0, 1023]),
            (PictureFormat(components: .gray), [63]),
        ]
        for (format, expected) in formats {
            let a = TestPicture(format: format, width: 8, height: 8)
            let frame = Reference.render(
                style: "card", look: try look("card"), background: try Color(parsing: "red"), progress: 0.5, from: a,
                to: a)
            #expect(frame.planes.map { $0[0] } == expected, "\(format)")
        }
    }
}
