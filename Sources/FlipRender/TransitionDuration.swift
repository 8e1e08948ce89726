import FlipBase
import FlipGeometry

/// How long a transition lasts or a still is shown, as the user gave it.
package enum TransitionDuration: Sendable, Hashable, CustomStringConvertible {
    case seconds(Rational)
    case frames(Int)

    /// The default duration, 0.6 s.
    package static let standard = TransitionDuration.seconds(Rational(3, 5))

    /// Parses seconds (`0.6`, `0.6s`), milliseconds (`600ms`) or output frames (`18f`). The duration must be greater
    /// than 0, and at most a day or 10,000,000 frames.
    package init(parsing text: String, of option: String = "duration") throws(OptionError) {
        let invalid = OptionError(
            "invalid \(option) '\(text)' (expected seconds such as 0.6, milliseconds such as 600ms or frames such as 18f, "
                + "greater than 0)")
        if text.hasSuffix("f"), let frames = Int(text.dropLast()) {
            guard (1...10_000_000).contains(frames) else { throw invalid }
            self = .frames(frames)
            return
        }
        let milliseconds = text.hasSuffix("ms")
        let digits = milliseconds ? text.dropLast(2) : text.hasSuffix("s") ? text.dropLast() : text[...]
        guard let value = TransitionDuration.decimal(String(digits)) else { throw invalid }
        let seconds = milliseconds ? value / Rational(1000) : value
        guard seconds > .zero, seconds <= Rational(86400) else { throw invalid }
        self = .seconds(seconds)
    }

    /// Parses a duration, or 0 in any unit for none.
    package static func orNone(parsing text: String, of option: String) throws(OptionError) -> TransitionDuration? {
        let unit = ["ms", "s", "f"].first(where: text.hasSuffix) ?? ""
        if TransitionDuration.decimal(String(text.dropLast(unit.count))) == .zero { return nil }
        do {
            return try TransitionDuration(parsing: text, of: option)
        } catch {
            throw OptionError(
                "invalid \(option) '\(text)' (expected seconds such as 1.5, milliseconds such as 500ms or frames such as "
                    + "18f, or 0 for none)")
        }
    }

    /// Parses how long a slide or a picture stays: a duration, or minutes and seconds such as `1:30`.
    package init(parsingHold text: String) throws(OptionError) {
        if let duration = try? TransitionDuration(parsing: text) {
            self = duration
        } else if text.contains(":"), let time = Rational(playTime: text), time > .zero, time <= Rational(86400) {
            self = .seconds(time)
        } else {
            throw OptionError(
                "invalid hold '\(text)' (expected 4, 500ms, 90f or 1:30, greater than 0 and at most a day)")
        }
    }

    /// Parses a decimal number without a sign; nil if it is none.
    static func decimal(_ text: String) -> Rational? {
        text.first.map { "+-".contains($0) } == false ? Rational(decimal: text) : nil
    }

    /// The duration in output frames, at least 1.
    package func frames(at rate: Rational) -> Int {
        switch self {
        case .frames(let count): count
        case .seconds(let seconds): max((seconds * rate).rounded(), 1)
        }
    }

    /// The duration in seconds.
    package func seconds(at rate: Rational) -> Rational {
        switch self {
        case .frames(let count): Rational(count) / rate
        case .seconds(let seconds): seconds
        }
    }

    /// The duration as options write it, such as `0.6` or `18f`.
    package var optionText: String {
        switch self {
        case .frames(let count): "\(count)f"
        case .seconds(let seconds): seconds.nanosecondText
        }
    }

    package var description: String {
        switch self {
        case .frames(let count): "\(count) frames"
        case .seconds(let seconds): "\(seconds.doubleValue) s"
        }
    }
}
