/// Turns the timestamps of decoded frames into exact times since the first frame shown.
struct FrameClock {
    private let start: Rational
    private let timeBase: Rational
    /// The rate of video with even steps; nil lets every timestamp count.
    private let constantRate: Rational?
    private let usualStep: Rational
    /// Frames since the first of the frame before, at the constant rate.
    private var lastIndex = -1
    private var lastTime: Rational?

    init(video: VideoInfo, timeBase: Rational) {
        start = video.start
        self.timeBase = timeBase
        constantRate = video.isVariableFrameRate ? nil : video.frameRate
        usualStep = video.frameRate.inverse
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
        let next = lastIndex + 1
        let index = stamped.map { ($0 * rate).rounded() } ?? next
        // Decoders guess timestamps that the file lacks, and may be one frame off; a true gap is longer.
        lastIndex = abs(index &- next) <= 1 ? next : max(index, next)
        return Rational(lastIndex) / rate
    }
}
