/// When frames that follow each other are shown: at a constant rate, or each at a time of its own.
package struct FrameTimes: Sendable, Hashable {
    /// Frames per second: the constant rate, or that of frames outside of those whose times are given.
    package let rate: Rational
    /// The times in seconds at which the frames begin, ascending from 0, and then that at which the last one ends; nil at a
    /// constant rate.
    private let given: [Rational]?
    /// A tick in seconds of which all times are multiples; a microsecond if only a shorter one would do.
    package let timeBase: Rational

    package init(rate: Rational) { (self.rate, given, timeBase) = (rate, nil, rate.inverse) }

    /// - Parameters:
    ///   - times: the seconds at which frames begin, ascending from 0, and then those at which the last one ends.
    ///   - rate: the frames per second outside of these.
    package init(_ times: [Rational], rate: Rational) {
        (self.rate, given) = (rate, times)
        var ticks = 1
        for time in times where ticks % time.denominator != 0 {
            let factor = time.denominator / Rational.greatestCommonDivisor(ticks, time.denominator)
            let (product, overflows) = ticks.multipliedReportingOverflow(by: factor)
            ticks = product
            if overflows || product > 1_000_000 {
                ticks = 1_000_000
                break
            }
        }
        timeBase = Rational(1, ticks)
    }

    /// Whether all frames have the same duration.
    package var isEven: Bool { given == nil }

    /// The time at which frame `frame` begins in ticks of `timeBase`, rounded.
    package func ticks(of frame: Int, in timeBase: Rational) -> Int { (self[frame] / timeBase).rounded() }

    /// The time in seconds at which frame `frame` begins, counted from 0; negative for negative frames.
    package subscript(frame: Int) -> Rational {
        guard let given, let end = given.last, frame >= 0 else { return Rational(frame) / rate }
        return frame < given.count ? given[frame] : end + Rational(frame - given.count + 1) / rate
    }

    /// The span in which `frames` are shown.
    package subscript(frames: Range<Int>) -> TimeSpan {
        let start = self[frames.lowerBound]
        return TimeSpan(start: start, duration: self[frames.upperBound] - start)
    }

    /// The frame that begins nearest to `time`, in seconds from 0 on.
    package func frame(nearest time: Rational) -> Int {
        guard let given else { return (time * rate).rounded() }
        let next = min(given.partitioningIndex { $0 >= time }, given.count - 1)
        return next > 0 && time - given[next - 1] < given[next] - time ? next - 1 : next
    }

    /// The audio sample at which frame `frame` begins, at `sampleRate` samples per second. It is rounded relative to the
    /// output's start, so rounding errors do not add up from clip to clip.
    package func sample(atFrame frame: Int, sampleRate: Int) -> Int { (self[frame] * Rational(sampleRate)).rounded() }
}
