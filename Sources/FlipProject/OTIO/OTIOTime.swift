import FlipBase
import FlipFiles

/// Times of OpenTimelineIO: a value at a rate, both floating-point numbers.
extension JSONText {
    /// The seconds that a `RationalTime` stands for.
    func otioSeconds() throws(MediaError) -> Rational {
        let rate = try otioRate()
        guard let value = self["value"]?.number, value.magnitude < 1e12 else {
            throw error("the time's value has to be a number")
        }
        return Rational(approximating: value) / rate
    }

    /// The rate of a `RationalTime`, in ticks per second. The decimals of NTSC rates become exact fractions.
    func otioRate() throws(MediaError) -> Rational {
        guard let rate = self["rate"]?.number, (0.001...1e6).contains(rate) else {
            throw error("the time's rate has to be 0.001...1000000")
        }
        return Rational(frameRate: rate)
    }

    /// A `TimeRange`, whose duration has to be from 0 s to a day.
    func otioRange() throws(MediaError) -> OTIORange {
        guard let start = self["start_time"], let duration = self["duration"] else {
            throw error("a TimeRange has to have a start_time and a duration")
        }
        let range = OTIORange(start: try start.otioSeconds(), duration: try duration.otioSeconds())
        guard range.duration >= .zero else { throw duration.error("the duration is negative") }
        guard range.duration <= OTIORange.longest, range.start.magnitude <= Rational(30 * 86400) else {
            throw duration.error("a duration of more than a day isn't supported")
        }
        return range
    }
}

/// A span of time, in seconds.
struct OTIORange: Sendable, Equatable {
    var start: Rational
    /// The duration, 0 or more.
    var duration: Rational
    var end: Rational { start + duration }

    /// The longest duration in seconds, a day. Longer ones are mistakes or attacks.
    static let longest = Rational(86400)
}

extension Rational {
    /// The frame rate that `decimal` approximates: a whole number, a whole number over 1.001, or the simplest fraction
    /// near it.
    init(frameRate decimal: Double) {
        let nearest = decimal.rounded()
        if abs(decimal - nearest) < 1e-6 * max(nearest, 1), nearest >= 1 {
            self.init(Int(nearest))
            return
        }
        let slowed = (decimal * 1.001).rounded()
        if slowed >= 1, abs(slowed / 1.001 - decimal) < 0.0006 * max(slowed / 30, 1) {
            self.init(Int(slowed) * 1000, 1001)
            return
        }
        self.init(approximating: decimal)
    }

    /// The simplest fraction within a millionth of `value`, which is finite and below 1e15.
    init(approximating value: Double) {
        let tolerance = 1e-6 * min(max(value.magnitude, 1e-3), 1)
        var rest = value.magnitude
        var (above, below) = ((1.0, 0.0), (0.0, 1.0))
        for _ in 0..<24 {
            let whole = rest.rounded(.down)
            above = (whole * above.0 + above.1, above.0)
            below = (whole * below.0 + below.1, below.0)
            if abs(above.0 / below.0 - value.magnitude) <= tolerance || rest - whole < 1e-12 || below.0 > 1e7 { break }
            rest = 1 / (rest - whole)
        }
        self.init(Int(value < 0 ? -above.0 : above.0), Int(below.0))
    }
}
