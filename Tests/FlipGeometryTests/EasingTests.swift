import FlipGeometry
import Foundation
import Testing

/// Easings, compared with CSS Easing Level 2 and the formulas published on easings.net.
@Suite struct EasingTests {
    private func easing(_ text: String) throws -> Easing { try Easing(parsing: text) }

    @Test(arguments: Easing.named.map(\.name)) func runsFromZeroToOneWithinBounds(name: String) throws {
        let easing = try easing(name)
        #expect(easing(0) == (name == "step-start" ? 1 : 0))
        #expect(easing(1) == 1)
        for step in 0...1000 { #expect((0...1).contains(easing(Double(step) / 1000))) }
        #expect(easing.name == name)
    }

    /// Bezier easings pass through the points of their curve, which are computed from the parameter u without solving
    /// for it.
    @Test func cubicBeziersPassThroughTheirPoints() throws {
        let curves: [(String, [Double])] = [
            ("ease", [0.25, 0.1, 0.25, 1]), ("ease-in", [0.42, 0, 1, 1]), ("ease-out", [0, 0, 0.58, 1]),
            ("ease-in-out", [0.42, 0, 0.58, 1]), ("cubic-bezier(0.4, 0, 0.2, 1)", [0.4, 0, 0.2, 1]),
            ("cubic-bezier(0,1,1,0)", [0, 1, 1, 0]), ("cubic-bezier(1,0.2,0,0.8)", [1, 0.2, 0, 0.8]),
        ]
        for (text, c) in curves {
            let easing = try easing(text)
            for step in 1..<200 {
                let u = Double(step) / 200
                let along = { (a: Double, b: Double) in
                    3 * (1 - u) * (1 - u) * u * a + 3 * (1 - u) * u * u * b + u * u * u
                }
                // Where the curve is nearly vertical, the last bit of x moves y.
                #expect(abs(easing(along(c[0], c[2])) - along(c[1], c[3])) < 1e-5, "\(text) at u = \(u)")
            }
        }
        let middle = try easing("ease-in-out")(0.5)
        #expect(abs(middle - 0.5) < 1e-12)
        // The values of `ease` at 1/4, 1/2 and 3/4, as in browsers' own tests.
        let ease = try easing("ease")
        for (t, p) in [(0.25, 0.40851), (0.5, 0.80240), (0.75, 0.96046)] { #expect(abs(ease(t) - p) < 1e-4) }
    }

    @Test func overshootIsClamped() throws {
        let high = try easing("cubic-bezier(0.3, 2, 0.6, 1.5)")
        #expect(high(0.6) == 1)
        let low = try easing("cubic-bezier(0.3, -1, 0.6, 0.5)")
        #expect(low(0.2) == 0)
        #expect(try easing("back-in")(0.2) == 0 && easing("back-out")(0.8) == 1)
    }

    /// Step easings jump at the positions that CSS Easing 2, 2.3 defines.
    @Test func stepsJumpWhereTheySay() throws {
        let third = 1.0 / 3
        let cases: [(String, [(Double, Double)])] = [
            ("steps(3, jump-start)", [(0, third), (0.3, third), (0.34, 2 * third), (0.67, 1), (1, 1)]),
            ("steps(3, start)", [(0, third), (0.34, 2 * third)]),
            ("steps(3, jump-end)", [(0, 0), (0.3, 0), (0.34, third), (0.67, 2 * third), (0.99, 2 * third), (1, 1)]),
            ("steps(3)", [(0.34, third), (1, 1)]), ("steps(3,end)", [(0.34, third)]),
            ("steps(3, jump-none)", [(0, 0), (0.3, 0), (0.34, 0.5), (0.67, 1), (1, 1)]),
            ("steps(3, jump-both)", [(0, 0.25), (0.3, 0.25), (0.34, 0.5), (0.67, 0.75), (0.99, 0.75), (1, 1)]),
            ("step-start", [(0, 1), (0.5, 1)]), ("step-end", [(0, 0), (0.999, 0), (1, 1)]),
        ]
        for (text, points) in cases {
            for (t, p) in points { #expect(try abs(easing(text)(t) - p) < 1e-12, "\(text) at \(t)") }
        }
    }

    /// Linear easings follow their points, including spread inputs, flat parts, jumps and extrapolation (CSS Easing 2,
    /// 2.2).
    @Test func linearFunctionsFollowTheirPoints() throws {
        let cases: [(String, [(Double, Double)])] = [
            ("linear(0, 1)", [(0, 0), (0.3, 0.3), (1, 1)]),
            ("linear(0, 0.25, 1)", [(0.25, 0.125), (0.5, 0.25), (0.75, 0.625)]),
            ("linear(0, 0.25 75%, 1)", [(0.375, 0.125), (0.75, 0.25), (0.875, 0.625)]),
            ("linear(0, 0.5 25% 75%, 1)", [(0.125, 0.25), (0.25, 0.5), (0.6, 0.5), (0.875, 0.75)]),
            ("linear(0, 0.3, 0.9, 1 90%, 1)", [(0.3, 0.3), (0.6, 0.9), (0.75, 0.95), (0.95, 1)]),
            ("linear(0, 0 50%, 1 50%, 1)", [(0.49, 0), (0.5, 1), (0.7, 1)]),
            // An input that is smaller than an earlier one is raised to it.
            ("linear(0, 0.6 60%, 0.2 30%, 1)", [(0.3, 0.3), (0.6, 0.2), (0.8, 0.6)]),
            // The outer segments are extrapolated.
            ("linear(0.4 20%, 0.6 60%, 1 80%)", [(0.1, 0.35), (0.2, 0.4), (0.9, 1)]),
            ("linear(0 50%, 1)", [(0.25, 0), (0.75, 0.5)]),
            ("linear(0.2 50%, 0.8 50%, 1)", [(0.25, 0.2), (0.5, 0.8), (0.75, 0.9)]),
            ("linear(0, 0.2 50%, 0.8 50%)", [(0.25, 0.1), (0.5, 0.8), (0.75, 0.8)]),
            ("linear(0.5)", [(0, 0.5), (1, 0.5)]), ("linear(25% 0.5, 1)", [(0.25, 0.5)]),
        ]
        for (text, points) in cases {
            for (t, p) in points { #expect(try abs(easing(text)(t) - p) < 1e-12, "\(text) at \(t)") }
        }
    }

    @Test(arguments: PennerTable.rows.map(\.name)) func pennerCurvesAreAsPublished(name: String) throws {
        let formula = try #require(PennerTable.rows.first { $0.name == name }).formula
        let easing = try easing(name)
        for step in 0...400 {
            let t = Double(step) / 400
            #expect(abs(easing(t) - min(max(formula(t), 0), 1)) < 1e-9, "\(name) at \(t)")
        }
    }

    @Test func everyPennerCurveIsChecked() {
        let names = PennerCurve.allCases.flatMap { curve in PennerSide.allCases.map { "\(curve)-\($0.rawValue)" } }
        #expect(Set(PennerTable.rows.map(\.name)) == Set(names))
        #expect(Set(names).isSubset(of: Set(Easing.named.map(\.name))))
    }

    /// A page turn eases in over the first half and out over the second, without a pause in the middle (EFFECTS 2).
    @Test func pageTurnEasesItsTwoHalves() throws {
        let (turn, turnIn, turnOut) = try (easing("page-turn"), easing("page-turn-in"), easing("page-turn-out"))
        let (easeIn, easeOut) = try (easing("ease-in"), easing("ease-out"))
        for step in 0...100 {
            let t = Double(step) / 100
            let first = t < 0.5
            #expect(abs(turn(t) - (first ? easeIn(2 * t) / 2 : 0.5 + easeOut(2 * t - 1) / 2)) < 1e-12)
            #expect(abs(turnIn(t) - (first ? easeIn(2 * t) / 2 : t)) < 1e-12)
            #expect(abs(turnOut(t) - (first ? t : 0.5 + easeOut(2 * t - 1) / 2)) < 1e-12)
        }
        #expect(turn(0.5) == 0.5)
        #expect((turn(0.501) - turn(0.499)) / 0.002 > 1.5)
    }

    @Test(arguments: [
        "", "ease-out-in", "cubic-bezier(1.1,0,0,1)", "cubic-bezier(0,0,1)", "cubic-bezier(0,0,-0.1,1)",
        "cubic-bezier(0,nan,1,1)", "cubic-bezier(0,0,1,1", "steps(0)", "steps(1, jump-none)", "steps(2.5)",
        "steps(2, sideways)", "steps()", "steps(2, end, 3)", "linear()", "linear(0, , 1)", "linear(0 0% 1% 2%, 1)",
        "linear(0 1, 1)", "linear(50%, 1)", "linear(0, inf)", "linear(0, 0x1p3)", "bezier(0,0,1,1)", "page-turn(1)",
    ])
    func refusesWhatIsNoEasing(text: String) { #expect(throws: OptionError.self) { try Easing(parsing: text) } }

    @Test func readsNamesAndFunctionsInAnyCase() throws {
        #expect(try easing(" Page-Turn ") == easing("page-turn"))
        #expect(try easing("CUBIC-BEZIER( .42 , 0 , 1 , 1 )") == .easeIn)
    }

    /// Easings constructed with numbers that the text syntax refuses still give progress in 0...1.
    @Test func anyNumbersGiveProgress() {
        #expect(Easing.stops([])(0.3) == 0.3)
        #expect(Easing.stops([.init(input: 0.4, output: 0.7)])(0.1) == 0.7)
        for count in [0, -5, Int.min] {
            for jump in Easing.StepJump.allCases {
                let fewest = Easing.steps(count: jump == .none ? 2 : 1, jump: jump)
                for t in [0, 0.2, 0.5, 0.99, 1] { #expect(Easing.steps(count: count, jump: jump)(t) == fewest(t)) }
            }
        }
        #expect(Easing.steps(count: .max, jump: .both)(0.5) >= 0.49)
        let numbers = [Double.nan, .infinity, -.infinity, 1e308, 0]
        for a in numbers {
            for b in numbers {
                let easings: [Easing] = [
                    .cubicBezier(x1: a, y1: b, x2: b, y2: a), .stops([.init(input: a, output: b)]),
                    .stops([.init(input: a, output: b), .init(input: b, output: a)]),
                    .halves(.stops([.init(input: 0, output: a)]), .cubicBezier(x1: 0, y1: b, x2: 1, y2: b)),
                ]
                for easing in easings {
                    for t in [-1, 0, 0.3, 1, 2, .nan, .infinity] {
                        #expect((0...1).contains(easing(t)), "\(easing)(\(t))")
                    }
                }
            }
        }
    }
}
