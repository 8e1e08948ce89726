import FlipBase

extension Rational {
    /// Parses a normal play time: seconds (`9`, `2.5`, `2.5s`), `mm:ss` or `h:mm:ss`. The seconds may have decimals.
    package init?(playTime text: String) {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 1, text.hasSuffix("s") { parts[0].removeLast() }
        guard (1...3).contains(parts.count) else { return nil }
        var sum = Rational.zero
        for (index, part) in parts.enumerated() {
            guard let value = TransitionDuration.decimal(part), index == 0 || value < Rational(60),
                index == parts.count - 1 || value.denominator == 1
            else { return nil }
            sum = sum * Rational(60) + value
        }
        self = sum
    }

    /// The time, which is not below 0, as `m:ss`, or `h:mm:ss` from an hour on, with so many decimals of a second.
    package func playTime(decimals: Int = 0) -> String {
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let (seconds, fraction) = (self * Rational(scale)).rounded().quotientAndRemainder(dividingBy: scale)
        let padded = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let digits = decimals == 0 ? "" : "." + String(scale + fraction).dropFirst()
        return (hours > 0 ? "\(hours):" + padded(minutes) : "\(minutes)") + ":" + padded(seconds % 60) + digits
    }
}
