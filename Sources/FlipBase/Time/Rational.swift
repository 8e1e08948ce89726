/// An exact fraction in lowest terms, with a denominator above 0: a frame rate, a time in seconds, an aspect ratio.
///
/// No operation traps: a result that doesn't fit in 64 bits is approximated by one that does, perhaps not in lowest
/// terms.
package struct Rational: Sendable, Hashable {
    package let numerator: Int
    /// Always above 0.
    package let denominator: Int

    /// Creates `numerator / denominator`; a denominator of 0 gives 0, since files use it for "unknown".
    package init(_ numerator: Int, _ denominator: Int = 1) {
        self.init(reducing: Int128(numerator), Int128(denominator))
    }

    private init(reducing numerator: Int128, _ denominator: Int128) {
        guard denominator != 0 else {
            (self.numerator, self.denominator) = (0, 1)
            return
        }
        let divisor = Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        var above = numerator.magnitude / divisor
        var below = denominator.magnitude / divisor
        while above > UInt128(Int.max) || below > UInt128(Int.max) {
            if below == 1 { above = UInt128(Int.max) }
            if below > 1 { (above, below) = (above / 2, below / 2) }
        }
        let isNegative = (numerator < 0) != (denominator < 0)
        self.numerator = isNegative ? -Int(above) : Int(above)
        self.denominator = Int(below)
    }

    /// The greatest common divisor of two numbers that are not negative; 1 if both are 0.
    package static func greatestCommonDivisor<Number: FixedWidthInteger>(_ first: Number, _ second: Number) -> Number {
        var (large, small) = (first, second)
        while small != 0 { (large, small) = (small, large % small) }
        return max(large, 1)
    }

    package static let zero = Rational(0)

    package var doubleValue: Double { Double(numerator) / Double(denominator) }

    /// The reciprocal; 0 stays 0.
    package var inverse: Rational { Rational(denominator, numerator) }

    /// Rounds to the nearest integer, halves away from zero.
    package func rounded() -> Int {
        let doubled = 2 * Int128(numerator.magnitude) + Int128(denominator)
        let nearest = Int(clamping: doubled / (2 * Int128(denominator)))
        return numerator < 0 ? -nearest : nearest
    }

    /// The value rounded down to a whole number.
    package var roundedDown: Int {
        let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// The value rounded up to a whole number.
    package var roundedUp: Int {
        let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        return rest > 0 ? quotient + 1 : quotient
    }

    package static func + (left: Rational, right: Rational) -> Rational {
        Rational(
            reducing: Int128(left.numerator) * Int128(right.denominator)
                &+ Int128(right.numerator) * Int128(left.denominator),
            Int128(left.denominator) * Int128(right.denominator))
    }

    package static func - (left: Rational, right: Rational) -> Rational {
        left + Rational(0 &- right.numerator, right.denominator)
    }

    package static func * (left: Rational, right: Rational) -> Rational {
        Rational(
            reducing: Int128(left.numerator) * Int128(right.numerator),
            Int128(left.denominator) * Int128(right.denominator))
    }

    /// Division by 0 gives 0.
    package static func / (left: Rational, right: Rational) -> Rational {
        Rational(
            reducing: Int128(left.numerator) * Int128(right.denominator),
            Int128(left.denominator) * Int128(right.numerator))
    }

    /// The duration of `ticks` ticks in seconds, this number being the time base.
    package func scaled(count ticks: Int) -> Rational { self * Rational(ticks) }

    package var magnitude: Rational { numerator < 0 ? Rational(0 &- numerator, denominator) : self }
}

extension Rational: Comparable {
    package static func < (left: Rational, right: Rational) -> Bool {
        Int128(left.numerator) * Int128(right.denominator) < Int128(right.numerator) * Int128(left.denominator)
    }
}

extension Rational: CustomStringConvertible {
    /// The number as text, such as "25" or "30000/1001".
    package var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }

    /// Parses "25", "30000/1001" or "12.5"; the decimals of NTSC rates ("29.97", "23.976", "59.94") mean the exact
    /// /1001 rate. Returns nil for other text.
    package init?(parsing text: String) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = halves.first, halves.count <= 2, let above = Rational(decimal: first) else { return nil }
        if halves.count == 2 {
            guard let below = Rational(decimal: halves[1]), below.numerator != 0 else { return nil }
            self = above / below
        } else {
            self = Self.exactRate(nearDecimal: above) ?? above
        }
    }

    /// Parses digits with an optional sign and at most one decimal point. Programs print numbers such as 0.30000000000000004, so what
    /// follows the ninth decimal is rounded. Returns nil for other text, and for more than 18 digits up to there.
    package init?(decimal text: some StringProtocol) {
        let sign = text.prefix { $0 == "-" || $0 == "+" }
        let parts = text.dropFirst(sign.count).split(separator: ".", omittingEmptySubsequences: false).map {
            Array($0.utf8)
        }
        guard sign.count <= 1, (1...2).contains(parts.count), parts.joined().allSatisfy({ (48...57).contains($0) })
        else {
            return nil
        }
        let all = parts.count == 2 ? parts[1][...] : []
        let (fraction, rest) = (all.prefix(9), all.dropFirst(9))
        let digits = parts[0] + fraction
        guard (1...18).contains(digits.count) else { return nil }
        let number = digits.reduce(0) { 10 * $0 + Int($1 - 48) } + (rest.first.map { $0 >= 53 } == true ? 1 : 0)
        self.init(sign == "-" ? -number : number, fraction.reduce(1) { power, _ in power * 10 })
    }

    /// The /1001 rate that `decimal` is rounded from, as 29.97 and 23.976 are; nil if there is none.
    private static func exactRate(nearDecimal decimal: Rational) -> Rational? {
        guard decimal.denominator > 2, decimal.numerator > 0 else { return nil }
        return [24, 30, 48, 60, 120].map { Rational($0 * 1000, 1001) }
            .first { abs($0.doubleValue - decimal.doubleValue) < 0.005 }
    }
}

extension Rational: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Rational(parsing: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not a rational number")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}
