/// How much of the shadow color covers a sheet, as a piecewise linear function of the texture coordinate along the
/// motion axis: at most four knots, constant beyond the outer ones, multiplied by a strength and clamped to 0...1.
public struct Shade: Sendable, Equatable {
    /// The texture coordinates of the knots in luma pixels, ascending.
    private var at: SIMD4<Double>
    private var values: SIMD4<Double>
    private var strength: Double

    /// The weight `a` of the shadow color, 0...1, at the texture coordinate `s`, in luma pixels.
    public typealias Knot = (s: Double, a: Double)

    /// A shade through four knots in ascending or descending order of s.
    public init(_ first: Knot, _ second: Knot, _ third: Knot, _ fourth: Knot, strength: Double = 1) {
        at = SIMD4(first.s, second.s, third.s, fourth.s)
        values = SIMD4(first.a, second.a, third.a, fourth.a)
        if first.s > fourth.s {
            at = SIMD4(fourth.s, third.s, second.s, first.s)
            values = SIMD4(fourth.a, third.a, second.a, first.a)
        }
        self.strength = strength
    }

    /// A shade through three knots in ascending or descending order of s.
    public init(_ first: Knot, _ second: Knot, _ third: Knot, strength: Double = 1) {
        self.init(first, second, third, third, strength: strength)
    }

    /// A shade through two knots in either order.
    public init(_ first: Knot, _ second: Knot, strength: Double = 1) {
        self.init(first, second, second, second, strength: strength)
    }

    /// The same shade everywhere.
    public static func uniform(_ a: Double, strength: Double = 1) -> Shade { Shade((0, a), (0, a), strength: strength) }

    /// The uniform shade `a`, times the strength that `look` asks for; none unless its shadow is `solid`.
    static func solid(_ a: Double, _ look: Look) -> Shade {
        look.shadow == .solid ? .uniform(a, strength: look.shadowStrength) : .none
    }

    /// No shade.
    public static let none = uniform(0)

    /// The shade mirrored within 0...length: its value at s is this shade's value at length - s.
    func mirrored(length: Double) -> Shade {
        Shade(
            (length - at[0], values[0]), (length - at[1], values[1]), (length - at[2], values[2]),
            (length - at[3], values[3]), strength: strength)
    }

    /// Whether all of its numbers are finite.
    var isFinite: Bool { strength.isFinite && (0..<4).allSatisfy { at[$0].isFinite && values[$0].isFinite } }

    /// The shade, 0...1, if it is the same everywhere; otherwise nil.
    public var uniformValue: Double? {
        values == SIMD4(repeating: values[0]) ? min(max(values[0] * strength, 0), 1) : nil
    }

    /// The shade at texture coordinate `s`, 0...1.
    public func callAsFunction(_ s: Double) -> Double {
        var a = values[0]
        if s >= at[3] {
            a = values[3]
        } else if s > at[0] {
            let index = s < at[1] ? 0 : s < at[2] ? 1 : 2
            let fraction = (s - at[index]) / (at[index + 1] - at[index])
            a = values[index] + (values[index + 1] - values[index]) * fraction
        }
        return min(max(a * strength, 0), 1)
    }
}
