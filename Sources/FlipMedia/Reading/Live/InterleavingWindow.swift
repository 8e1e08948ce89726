import DequeModule
import FlipBase

/// Decides which audio of a live clip is late, from the order of the clip's packets alone, so that every run decides alike.
/// The window holds the video packets that were read last; audio that begins before the window is late.
package struct InterleavingWindow: Sendable {
    /// The longest time in seconds by which audio may lag behind the video in the stream: FFmpeg's default for
    /// `max_interleave_delta`.
    package static let maxSpan = Rational(10)
    /// The maximum size of the window in bytes. It bounds the memory that a stream with silent audio needs, even if the
    /// window is then shorter than `maxSpan`.
    package static let maxByteCount = 256 << 20
    /// The audio is silent up to a time once the window begins at least this many seconds after it. Audio that comes
    /// later is then certain to begin after a gap.
    private static let margin = Rational(1, 20)
    /// Both limits in words.
    static let text = "more than \(maxSpan) s or \(maxByteCount >> 20) MiB"

    /// The seconds of one tick of the video.
    private let timeBase: Rational
    /// The video packets in the window, in the order in which they were read.
    private var packets = Deque<(time: Int, byteCount: Int)>()
    private var byteCount = 0
    /// The latest time of a packet read so far, in ticks.
    private var front = Int.min
    /// The latest time of a packet that has left the window, in seconds; nil while none has.
    private var edge: Rational?

    /// - Parameter timeBase: the seconds of one tick of the video.
    package init(timeBase: Rational) { self.timeBase = timeBase }

    /// Adds the next video packet. `time` is its decoding time in ticks.
    package mutating func add(_ time: Int, byteCount: Int) {
        front = max(front, time)
        packets.append((time, byteCount))
        self.byteCount += byteCount
        while let first = packets.first, self.byteCount > Self.maxByteCount || span(from: first.time) > Self.maxSpan {
            packets.removeFirst()
            self.byteCount -= first.byteCount
            let time = timeBase.scaled(count: first.time)
            edge = max(edge ?? time, time)
        }
    }

    private func span(from time: Int) -> Rational { timeBase.scaled(count: front.minus(time)) }

    /// Whether an audio packet that is read now and begins at `time`, in seconds, is late.
    package func isLate(_ time: Rational) -> Bool { edge.map { time < $0 } ?? false }

    /// Whether every audio packet that is read from now on and isn't late begins after `time`, in seconds.
    package func isSettled(before time: Rational) -> Bool { edge.map { time + Self.margin <= $0 } ?? false }
}
