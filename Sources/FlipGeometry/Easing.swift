/// Maps time to progress: CSS Easing Level 2, Penner's curves, and the two-stage curves of page flips (EFFECTS 2).
public enum Easing: Sendable, Equatable {
    case linear
    /// A cubic Bézier from (0, 0) to (1, 1); `x1` and `x2` lie in 0...1.
    case cubicBezier(x1: Double, y1: Double, x2: Double, y2: Double)
    /// `count` equal steps, at least 1, or 2 for `StepJump.none`; smaller counts are raised to that.
    case steps(count: Int, jump: StepJump)
    /// Linear interpolation between stops in order of input; an empty list is the same as `linear`.
    case stops([Stop])
    case penner(PennerCurve, PennerSide)
    /// Two curves in succession, each covering half the time and half the progress.
    indirect case halves(Easing, Easing)

    /// Where a `steps()` easing jumps (CSS Easing 2, section 2.3).
    public enum StepJump: String, CaseIterable, Sendable {
        case start = "jump-start"
        case end = "jump-end"
        case none = "jump-none"
        case both = "jump-both"
    }

    /// One point of a CSS `linear()` easing.
    public struct Stop: Sendable, Equatable {
        /// The time; 0 is the start of the transition and 1 its end.
        public var input: Double
        /// The progress; values outside 0...1 are an overshoot.
        public var output: Double

        /// A stop with the progress `output` at the time `input`.
        public init(input: Double, output: Double) { (self.input, self.output) = (input, output) }
    }

    /// CSS `ease`.
    public static let ease = cubicBezier(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)
    /// CSS `ease-in`: slow at the start.
    public static let easeIn = cubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1)
    /// CSS `ease-out`: slow at the end.
    public static let easeOut = cubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1)
    /// CSS `ease-in-out`: slow at both ends.
    public static let easeInOut = cubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

    /// All named easings; help and parsing read this table.
    public static let named: [(name: String, easing: Easing)] =
        [
            ("linear", linear), ("ease", ease), ("ease-in", easeIn), ("ease-out", easeOut), ("ease-in-out", easeInOut),
            ("step-start", steps(count: 1, jump: .start)), ("step-end", steps(count: 1, jump: .end)),
            ("page-turn", halves(easeIn, easeOut)), ("page-turn-in", halves(easeIn, linear)),
            ("page-turn-out", halves(linear, easeOut)),
        ]
        + PennerCurve.allCases.flatMap { curve in
            PennerSide.allCases.map { ("\(curve.rawValue)-\($0.rawValue)", penner(curve, $0)) }
        }

    /// The easing's name, or its CSS function if it has none. `halves` without a name become `first then second`, which
    /// can't be parsed.
    public var name: String {
        if let row = Easing.named.first(where: { $0.easing == self }) { return row.name }
        switch self {
        case .cubicBezier(let x1, let y1, let x2, let y2): return "cubic-bezier(\(x1),\(y1),\(x2),\(y2))"
        case .steps(let count, let jump): return "steps(\(count),\(jump.rawValue))"
        case .stops(let stops):
            return "linear(" + stops.map { "\($0.output) \($0.input * 100)%" }.joined(separator: ",") + ")"
        case .halves(let first, let second): return "\(first.name) then \(second.name)"
        case .linear, .penner: preconditionFailure("every plain easing has a name")
        }
    }

    /// The progress at time `t`, both 0...1. Overshoot is clamped; if the result is NaN, the progress is `t`.
    public func callAsFunction(_ t: Double) -> Double {
        let time = t > 0 ? min(t, 1) : 0
        let progress = unclamped(time)
        return progress.isNaN ? time : min(max(progress, 0), 1)
    }

    private func unclamped(_ t: Double) -> Double {
        switch self {
        case .linear: t
        case .cubicBezier(let x1, let y1, let x2, let y2): CubicBezier(x1: x1, y1: y1, x2: x2, y2: y2).y(atX: t)
        case .steps(let count, let jump): Easing.step(t, count: count, jump: jump)
        case .stops(let stops): Easing.interpolate(t, stops)
        case .penner(let curve, let side): side.apply(curve, t)
        case .halves(let first, let second):
            t < 0.5 ? first.unclamped(2 * t) / 2 : 0.5 + second.unclamped(2 * t - 1) / 2
        }
    }

    /// The CSS function `steps()`, as in CSS Easing 2, section 2.3.3.
    private static func step(_ t: Double, count: Int, jump: StepJump) -> Double {
        let count = max(count, jump == .none ? 2 : 1)
        var current = (t * Double(count)).rounded(.down)
        if jump == .start || jump == .both { current += 1 }
        let jumps = Double(count) + (jump == .none ? -1 : jump == .both ? 1 : 0)
        return min(current, jumps) / jumps
    }

    /// The CSS function `linear()`, as in CSS Easing 2, section 2.2.3, for `t` within 0...1.
    private static func interpolate(_ t: Double, _ stops: [Stop]) -> Double {
        guard stops.count > 1 else { return stops.first?.output ?? t }
        let after = stops.dropFirst().firstIndex { $0.input > t } ?? stops.count - 1
        let (low, high) = (stops[after - 1], stops[after])
        // Two stops with the same input are a jump: the first one applies before it, the second one after it.
        if low.input == high.input { return t < low.input ? low.output : high.output }
        return low.output + (t - low.input) / (high.input - low.input) * (high.output - low.output)
    }
}

/// A cubic Bézier curve from (0, 0) to (1, 1) whose x never decreases.
private struct CubicBezier {
    let x1, y1, x2, y2: Double

    private static func value(_ u: Double, _ a: Double, _ b: Double) -> Double {
        let v = 1 - u
        return 3 * v * v * u * a + 3 * v * u * u * b + u * u * u
    }

    /// The curve's y where its x is `x`, found by bisection to 1e-15 of the curve's parameter.
    func y(atX x: Double) -> Double {
        if x <= 0 { return 0 }
        if x >= 1 { return 1 }
        var low = 0.0
        var high = 1.0
        while high - low > 1e-15 {
            let middle = (low + high) / 2
            if middle == low || middle == high { break }
            if CubicBezier.value(middle, x1, x2) < x { low = middle } else { high = middle }
        }
        return CubicBezier.value((low + high) / 2, y1, y2)
    }
}
