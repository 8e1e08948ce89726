import FlipBase

/// Converts the time stamps of decoded frames to exact times since the first frame that is shown.
package struct FrameClock {
    private let start: Rational
    private let timeBase: Rational
    /// The constant frame rate, to whose grid time stamps are rounded; nil takes every time stamp as it is.
    private let constantRate: Rational?
    /// Seconds from a frame to the next one if that has no time stamp.
    private let nominalStep: Rational
    /// The previous frame's index at the constant rate, the first one's being 0; nil if there is none to count from.
    private var lastIndex: Int?
    private var lastTime: Rational?

    /// - Parameter isPositioned: whether reading starts inside the clip, so that the first time stamp counts as it is.
    package init(video: VideoInfo, timeBase: Rational, isPositioned: Bool = false) {
        start = video.start
        self.timeBase = timeBase
        constantRate = video.isVariableFrameRate ? nil : video.frameRate
        nominalStep = video.frameRate.inverse
        lastIndex = isPositioned ? nil : -1
    }

    /// The time, in seconds since the first frame, of the next frame in presentation order.
    /// - Parameter ticks: its time stamp; nil if the decoder knows none, which means one step after the previous frame.
    package mutating func time(ofTicks ticks: Int?) -> Rational {
        let stamped = ticks.map { timeBase.scaled(count: $0) - start }
        guard let rate = constantRate else {
            let time = stamped ?? lastTime.map { $0 + nominalStep } ?? .zero
            lastTime = time
            return time
        }
        let stampedIndex = stamped.map { ($0 * rate).rounded() }
        let next = lastIndex.map { $0.plus(1) } ?? stampedIndex ?? 0
        let index = stampedIndex ?? next
        // Decoders guess time stamps that the file lacks and may be off by one frame; a real gap is longer.
        let believed = index.minus(next).magnitude <= 1 ? next : max(index, next)
        lastIndex = believed
        return Rational(believed) / rate
    }
}
