/// Turns the timestamps of decoded frames into exact times since the first frame shown.
struct FrameClock {
    private let start: Rational
    private let timeBase: Rational
    /// The rate of video with even steps; nil lets every timestamp count.
    private let constantRate: Rational?
    private let usualStep: Rational
    /// Frames since the first of the frame before, at the constant rate.
    private var lastIndex: Int?
    private var lastTime: Rational?

    /// - Parameter isPositioned: whether the frames begin somewhere in the clip, where the first one's time is believed.
    init(video: VideoInfo, timeBase: Rational, isPositioned: Bool = false) {
        start = video.start
        self.timeBase = timeBase
        constantRate = video.isVariableFrameRate ? nil : video.frameRate
        usualStep = video.frameRate.inverse
        lastIndex = isPositioned ? nil : -1
    }

    /// Seconds since the first frame, for the next frame in order of display.
    /// - Parameter ticks: its timestamp; nil when the decoder knows none, which means one step after the last.
    mutating func time(ofTicks ticks: Int?) -> Rational {
        let stamped = ticks.map { timeBase.scaled(count: $0) - start }
        guard let rate = constantRate else {
            let time = stamped ?? lastTime.map { $0 + usualStep } ?? .zero
            lastTime = time
            return time
        }
        let stampedIndex = stamped.map { ($0 * rate).rounded() }
        let next = lastIndex.map { $0.plus(1) } ?? stampedIndex ?? 0
        let index = stampedIndex ?? next
        // Decoders guess timestamps that the file lacks, and may be one frame off; a true gap is longer.
        let believed = index.minus(next).magnitude <= 1 ? next : max(index, next)
        lastIndex = believed
        return Rational(believed) / rate
    }
}
