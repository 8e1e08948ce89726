import FlipBase

/// Finds where audio first and last rises above silence, and the pauses between, in windows of one channel's samples.
package struct SilenceScan {
    /// The mean power, relative to full scale, up to which a window is silent: -45 dB, below speech and above the noise
    /// of most rooms.
    package static let threshold: Float = 3.162e-5
    /// The seconds that are kept before the first audible window and after the last, so that no word is cut off.
    package static let margin = Rational(1, 10)
    /// Samples per second; enough for speech.
    package static let sampleRate = 16000
    /// Samples per window: 10 ms.
    package static let window = 160

    /// The number of windows so far.
    private var count = 0
    /// The audible windows, by their indices.
    private var heard: (first: Int, last: Int)?
    /// The runs of silent windows between audible ones, by their indices.
    private var gaps: [Range<Int>] = []

    package init() {}

    /// The number of windows of audio that lasts `duration` seconds, at least 1.
    package static func windows(in duration: Rational) -> Int {
        max(1, (duration * Rational(sampleRate, window)).rounded())
    }

    /// Adds the next window.
    package mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        let sum = samples.reduce(Float(0)) { $0 + $1 * $1 }
        if sum / Float(Self.window) > Self.threshold {
            if let heard, heard.last + 1 < count { gaps.append(heard.last + 1..<count) }
            heard = (heard?.first ?? count, count)
        }
        count += 1
    }

    /// The span in which the audio is audible, with the margin, in seconds from its start; nil if all of it is silent.
    /// - Parameter duration: the audio's duration in seconds.
    package func span(within duration: Rational) -> TimeSpan? {
        guard let heard else { return nil }
        let start = max(.zero, Rational(heard.first * Self.window, Self.sampleRate) - Self.margin)
        let end = min(duration, Rational((heard.last + 1) * Self.window, Self.sampleRate) + Self.margin)
        return TimeSpan(start: start, duration: end - start)
    }

    /// The span from the first audible window to the last, without margins; nil if all of it is silent.
    package var audible: TimeSpan? { heard.map { Self.span($0.first..<$0.last + 1) } }

    /// The silences within that span which last `seconds` or longer, in order.
    package func pauses(atLeast seconds: Rational) -> [TimeSpan] {
        gaps.map(Self.span).filter { $0.duration >= seconds }
    }

    private static func span(_ windows: Range<Int>) -> TimeSpan {
        TimeSpan(
            start: Rational(windows.lowerBound * window, sampleRate),
            duration: Rational(windows.count * window, sampleRate))
    }
}
