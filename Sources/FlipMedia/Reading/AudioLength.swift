import FlipBase

/// How far the packets of an audio stream reach, found by reading all of them.
package struct AudioLength {
    private let timeBase: Rational
    /// The ticks that packets without a time stamp last, as long as none with one ends later.
    private var unstamped = 0
    /// The latest end of the packets from the first time stamp on, in ticks; nil before it.
    private var end: Int?

    /// - Parameter timeBase: the seconds of a tick.
    package init(timeBase: Rational) { self.timeBase = timeBase }

    /// Adds the next packet, with its PTS and duration in ticks; nil where unknown. A packet without a time stamp
    /// follows on the previous one.
    package mutating func add(_ time: Int?, duration: Int?) {
        let duration = duration ?? 0
        if let time {
            end = max(end ?? .min, time.plus(duration))
        } else {
            unstamped = unstamped.plus(duration)
            end = end?.plus(duration)
        }
    }

    /// The seconds from `origin`, in seconds of stream time, to the end of the audio; 0 if it ends before.
    package func seconds(from origin: Rational) -> Rational {
        let counted = timeBase.scaled(count: unstamped)
        return end.map { max(counted, timeBase.scaled(count: $0) - origin) } ?? counted
    }
}
