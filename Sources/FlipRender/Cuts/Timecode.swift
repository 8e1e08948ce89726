import FlipBase

/// An SMPTE time code (SMPTE ST 12-1): hours, minutes, seconds and frames.
package struct Timecode: Sendable, Hashable {
    var hours: Int
    var minutes: Int
    var seconds: Int
    var frames: Int
    /// Whether the first two numbers of each minute but every tenth are skipped, so that the code keeps up with the
    /// clock.
    var isDropFrame: Bool

    /// Parses `hh:mm:ss:ff`. A semicolon before the frames, or everywhere, means drop frame.
    init?(parsing text: some StringProtocol, isDropFrame: Bool = false) {
        let fields = text.split(omittingEmptySubsequences: false) { ":;.".contains($0) }
        let numbers = fields.compactMap { field in
            (1...3).contains(field.utf8.count) && field.utf8.allSatisfy { (48...57).contains($0) } ? Int(field) : nil
        }
        guard fields.count == 4, numbers.count == 4, numbers[0] < 100, numbers[1] < 60, numbers[2] < 60 else {
            return nil
        }
        (hours, minutes, seconds, frames) = (numbers[0], numbers[1], numbers[2], numbers[3])
        self.isDropFrame = isDropFrame || text.contains(";")
    }

    /// The number of the frame with this code, counted from 00:00:00:00; nil if no frame has it.
    /// - Parameter rate: frames per second.
    func number(at rate: Rational) -> Int? {
        let nominal = rate.rounded()
        guard frames < nominal else { return nil }
        let minute = hours * 60 + minutes
        let number = (minute * 60 + seconds) * nominal + frames
        // Only rates such as 30000/1001 have drop frame.
        guard isDropFrame, rate.denominator > 1, nominal % 30 == 0 else { return number }
        let dropped = nominal / 15
        if seconds == 0, frames < dropped, !minutes.isMultiple(of: 10) { return nil }
        return number - dropped * (minute - minute / 10)
    }
}

extension Timecode: Comparable {
    package static func < (left: Timecode, right: Timecode) -> Bool {
        (left.hours, left.minutes, left.seconds, left.frames) < (
            right.hours, right.minutes, right.seconds, right.frames
        )
    }
}

extension Timecode: CustomStringConvertible {
    package var description: String {
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(hours)):\(two(minutes)):\(two(seconds))\(isDropFrame ? ";" : ":")\(two(frames))"
    }
}
