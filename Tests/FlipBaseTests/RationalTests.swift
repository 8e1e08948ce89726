import FlipBase

import Foundation
import Testing

@Suite struct RationalTests {
    @Test(arguments: [
        ("25", Rational(25)), ("30000/1001", Rational(30000, 1001)), ("29.97", Rational(30000, 1001)),
        ("23.976", Rational(24000, 1001)), ("59.94", Rational(60000, 1001)), ("12.5", Rational(25, 2)),
        ("-0.5", Rational(-1, 2)), (".25", Rational(1, 4)), ("+3.", Rational(3)),
        // As programs print 0.1 + 0.2 and the like.
        ("0.30000000000000004", Rational(3, 10)), ("0.999999999999999", Rational(1)),
        ("-2.1234567885", Rational(-2_123_456_789, 1_000_000_000)),
    ])
    func parses(text: String, value: Rational) { #expect(Rational(parsing: text) == value) }

    @Test(arguments: [
        "", "x", "1/0", "1/2/3", ".", "1.2.3", "1e3", "--1", "1-2", "25 ", "0.1234567890x", "99999999999999999999",
    ])
    func refuses(text: String) { #expect(Rational(parsing: text) == nil) }

    @Test func isReducedAndOrdered() {
        #expect(Rational(6, -4).description == "-3/2")
        #expect(Rational(1, 3) + Rational(1, 6) == Rational(1, 2))
        #expect(Rational(30000, 1001) < Rational(30))
        #expect(Rational(1, 2) / .zero == .zero)
    }

    @Test(arguments: [(Rational(1, 2), 1), (Rational(-1, 2), -1), (Rational(7, 5), 1), (Rational(-8, 5), -2)])
    func roundsHalfAwayFromZero(value: Rational, whole: Int) { #expect(value.rounded() == whole) }

    @Test func survivesNumbersTooLargeForIt() {
        let large = Rational(Int.max, 3)
        #expect((large * large).doubleValue > 1e18)
        #expect((large + large).rounded() > 0)
        #expect(Rational(Int.min).magnitude.numerator == Int.max)
    }

    @Test func isAStringInJSON() throws {
        let json = try JSONEncoder().encode([Rational(30000, 1001)])
        #expect(try JSONDecoder().decode([Rational].self, from: json) == [Rational(30000, 1001)])
    }
}
