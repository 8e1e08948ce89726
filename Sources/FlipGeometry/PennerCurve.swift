import RealModule

/// Robert Penner's curves (*Programming Macromedia Flash MX*, chapter 7), by the shape of their `in` side.
public enum PennerCurve: String, CaseIterable, Sendable {
    case sine, quad, cubic, quart, quint, expo, circ, back, elastic, bounce

    /// The parameter with which `back` overshoots by 10 %.
    private static let overshoot = 1.70158

    /// The ease-in curve at `t` in 0...1.
    func easeIn(_ t: Double) -> Double {
        switch self {
        case .sine: 1 - .cos(t * .pi / 2)
        case .quad: t * t
        case .cubic: t * t * t
        case .quart: t * t * t * t
        case .quint: t * t * t * t * t
        case .expo: t <= 0 ? 0 : .exp2(10 * t - 10)
        case .circ: 1 - (1 - t * t).squareRoot()
        case .back: PennerCurve.back(t, PennerCurve.overshoot)
        case .elastic: PennerCurve.elastic(t, period: 0.3)
        case .bounce: 1 - PennerCurve.bounceOut(1 - t)
        }
    }

    /// The `in` half of the in-out curve at `t` in 0...1, where `back` overshoots more and `elastic` has a longer
    /// period.
    func easeInOfBoth(_ t: Double) -> Double {
        switch self {
        case .back: PennerCurve.back(t, PennerCurve.overshoot * 1.525)
        case .elastic: PennerCurve.elastic(t, period: 0.45)
        case .sine, .quad, .cubic, .quart, .quint, .expo, .circ, .bounce: easeIn(t)
        }
    }

    private static func back(_ t: Double, _ overshoot: Double) -> Double { t * t * ((overshoot + 1) * t - overshoot) }

    private static func elastic(_ t: Double, period: Double) -> Double {
        if t <= 0 || t >= 1 { return min(max(t, 0), 1) }
        return -Double.exp2(10 * (t - 1)) * .sin((t - 1 - period / 4) * 2 * .pi / period)
    }

    /// Four parabolas, each a quarter of the height of the one before.
    private static func bounceOut(_ t: Double) -> Double {
        let steepness = 7.5625
        let unit = 1 / 2.75
        let (center, floor): (Double, Double) =
            t < unit ? (0, 0) : t < 2 * unit ? (1.5, 0.75) : t < 2.5 * unit ? (2.25, 0.9375) : (2.625, 0.984375)
        let distance = t - center * unit
        return steepness * distance * distance + floor
    }
}

/// Which end of a Penner curve is eased.
public enum PennerSide: String, CaseIterable, Sendable {
    case `in` = "in"
    case out = "out"
    case inOut = "in-out"

    func apply(_ curve: PennerCurve, _ t: Double) -> Double {
        // Rounding makes the curves miss their ends by the last bit, but p = 1 has to be exactly B.
        if t <= 0 || t >= 1 { return t }
        return switch self {
        case .in: curve.easeIn(t)
        case .out: 1 - curve.easeIn(1 - t)
        case .inOut: t < 0.5 ? curve.easeInOfBoth(2 * t) / 2 : 1 - curve.easeInOfBoth(2 - 2 * t) / 2
        }
    }
}
