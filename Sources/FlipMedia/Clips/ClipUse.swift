import FlipBase

/// Which part of a clip is used.
package struct ClipUse: Sendable, Hashable {
    /// In seconds from the first frame; a still's may be longer than its own duration.
    package var span: TimeSpan
    /// Exactly which frames a timeline shows when; nil without a timeline.
    package var timing: ClipTiming?
    /// Which pictures are shown when if they keep their own times; nil if they follow each other at the output's rate.
    package var kept: KeptTimes?

    package init(span: TimeSpan, timing: ClipTiming? = nil) { (self.span, self.timing) = (span, timing) }

    /// All of a video.
    package init(all video: VideoInfo) { self.init(span: TimeSpan(duration: video.duration)) }

    /// The time that the first output frame shows, in seconds from the clip's first frame. It may lie outside the clip.
    package var firstShown: Rational { timing?.start ?? span.start }

    /// Whether the clip plays at its original speed.
    package var runsAtSpeed: Bool { timing.map { $0.speed == Rational(1) } ?? true }

    /// Frames `frames` of this part, counted at `rate` per second. They may lie before its first frame and after its last
    /// one.
    func frames(_ frames: Range<Int>, at rate: Rational, of video: VideoInfo) -> ClipUse {
        if let kept = kept?.frames(frames) {
            var use = ClipUse(span: kept.span)
            use.kept = kept.kept
            return use
        }
        guard let timing = timing?.showing(frames, at: rate) else {
            return ClipUse(
                span: TimeSpan(
                    start: span.start + Rational(frames.lowerBound) / rate, duration: Rational(frames.count) / rate))
        }
        return ClipUse(span: timing.used(of: video), timing: timing)
    }
}
