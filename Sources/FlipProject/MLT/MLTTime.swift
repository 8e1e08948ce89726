import FlipBase

/// Times as MLT writes them: a number of frames, a clock time (`00:00:01.040`) or a timecode (`00:00:01:01`).
enum MLTTime {
    /// The largest number of frames in a project, some weeks.
    static let limit = 1 << 27

    /// The number of frames; nil if `text` is no time.
    static func frames(_ text: String, rate: Rational) -> Int? {
        let text = text.filter { !$0.isWhitespace }
        guard text.contains(where: { ":;".contains($0) }) else {
            return Double(text).flatMap { $0.magnitude <= Double(Int32.max) ? Int($0) : nil }
        }
        let isClock = text.contains { ".,".contains($0) }
        let parts = text.split(omittingEmptySubsequences: false) { ":;".contains($0) }
        guard parts.count <= (isClock ? 3 : 4) else { return nil }
        if isClock {
            guard let last = parts.last.flatMap({ Double($0.replacing(",", with: ".")) }), (-1e6...1e6).contains(last),
                let minutes = whole(parts.dropLast(), of: [60, 3600])
            else { return nil }
            return checked(((Rational(approximating: last) + Rational(minutes)) * rate).rounded())
        }
        guard let frames = parts.last.flatMap({ Int($0) }), let seconds = whole(parts.dropLast(), of: [1, 60, 3600])
        else {
            return nil
        }
        return checked((Rational(seconds) * rate).rounded() + min(max(frames, 0), limit))
    }

    private static func checked(_ frames: Int) -> Int? { frames.magnitude <= limit ? frames : nil }

    /// The sum of `parts`, each times its weight, the last part with the first weight; nil if one is no number.
    private static func whole(_ parts: ArraySlice<Substring>, of weights: [Int]) -> Int? {
        var sum = 0
        for (part, weight) in zip(parts.reversed(), weights) {
            guard let number = Int(part), (0...100_000).contains(number) else { return nil }
            sum += number * weight
        }
        return sum
    }
}
