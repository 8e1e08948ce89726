/// The number of a frame since midnight, as hours, minutes, seconds and frames (SMPTE ST 12-1).
///
/// At rates such as 30000/1001, a timecode that counts 30 frames per second falls behind the clock. One that drops frames leaves
/// out the first two numbers of each minute, except every tenth (four at 60 per second); no picture is dropped.
package struct Timecode: Sendable, Hashable {
    /// The frames since midnight, less than those of a day.
    package let frames: Int
    /// The frames per second, of which the labels count the nearest whole number.
    package let rate: Rational
    package let dropsFrames: Bool

    /// The frames that the labels count per second.
    private var counted: Int { rate.rounded() }
    /// How many numbers are left out at once.
    private var step: Int { dropsFrames ? counted / 15 : 0 }
    /// The frames of ten minutes, and of a day.
    private var perTenMinutes: Int { counted * 600 - 9 * step }
    private var perDay: Int { perTenMinutes * 144 }

    /// - Parameter frames: the frames since some midnight.
    private init(frames: Int, rate: Rational, dropsFrames: Bool) {
        let first = Timecode(counted: 0, rate, dropsFrames)
        let rest = frames % first.perDay
        self.init(counted: rest < 0 ? rest + first.perDay : rest, rate, dropsFrames)
    }

    private init(counted frames: Int, _ rate: Rational, _ dropsFrames: Bool) {
        (self.frames, self.rate, self.dropsFrames) = (frames, rate, dropsFrames)
    }

    /// Reads "HH:MM:SS:FF", or "HH:MM:SS;FF" for a timecode that drops frames. Nil for anything else, for numbers that don't
    /// exist, and for a rate that no timecode has.
    /// - Parameter rate: the frames per second, at least 1 and at most 1000.
    package init?(_ text: String, rate: Rational) {
        let parts = text.split(omittingEmptySubsequences: false) { ":;.".contains($0) }
        guard parts.count == 4, parts.allSatisfy({ (1...3).contains($0.count) }), rate >= Rational(1),
            rate <= Rational(1000)
        else { return nil }
        let numbers = parts.compactMap { $0.allSatisfy(\.isASCII) ? Int($0) : nil }
        let marks = text.filter { ":;.".contains($0) }
        let first = Timecode(counted: 0, rate, marks.last != ":")
        let (dropsFrames, counted, step) = (first.dropsFrames, first.counted, first.step)
        guard numbers.count == 4, numbers[0] < 24, numbers[1] < 60, numbers[2] < 60, numbers[3] < counted,
            numbers.allSatisfy({ $0 >= 0 }), !dropsFrames || counted % 30 == 0
        else { return nil }
        let minutes = numbers[0] * 60 + numbers[1]
        guard numbers[1] % 10 == 0 || numbers[2] > 0 || numbers[3] >= step else { return nil }
        self.init(
            counted: (minutes * 60 + numbers[2]) * counted + numbers[3] - step * (minutes - minutes / 10), rate,
            dropsFrames)
    }

    /// The label, with two digits for each number, or three for a hundred frames per second and more.
    package var text: String {
        let (tens, rest) = frames.quotientAndRemainder(dividingBy: perTenMinutes)
        // The first minute of ten has all of its numbers.
        let perMinute = counted * 60 - step
        let dropped = 9 * step * tens + step * max(0, (rest - step) / perMinute)
        let number = frames + dropped
        let clock = [number / counted / 3600, number / counted / 60 % 60, number / counted % 60]
        return clock.map { $0.padded(to: 2) }.joined(separator: ":") + (dropsFrames ? ";" : ":")
            + (number % counted).padded(to: counted > 100 ? 3 : 2)
    }

    /// The time since midnight in seconds, at the rate at which the frames are shown.
    package var seconds: Rational { Rational(frames) / rate }

    /// The timecode of the frame that is shown `seconds` later.
    package func moved(by seconds: Rational) -> Timecode {
        Timecode(frames: frames + (seconds * rate).rounded(), rate: rate, dropsFrames: dropsFrames)
    }

    /// The timecode of the same second, at another rate.
    package func counted(at other: Rational) -> Timecode? {
        let whole = other.rounded()
        if whole == counted { return Timecode(frames: frames, rate: other, dropsFrames: dropsFrames) }
        let numbers = text.split { ":;".contains($0) }
        let number = (Int(numbers[3]) ?? 0) * whole / counted
        let drops = dropsFrames && whole % 30 == 0 && other.denominator != 1
        let label = { (number: Int) in numbers[..<3].joined(separator: ":") + (drops ? ";" : ":") + "\(number)" }
        // A number that is left out stands for the one after those.
        return Timecode(label(number), rate: other) ?? Timecode(label(whole / 15), rate: other)
    }
}
