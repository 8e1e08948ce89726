/// Exactly which of a clip's pictures are shown when, in a timeline that says both.
package struct ClipTiming: Sendable, Hashable {
    /// Seconds from the clip's first frame that the first output frame shows. Outside the clip its frame at that edge is held.
    package var start: Rational
    /// Seconds of the clip that pass in one of the output, 0 or more; 0 shows one frame on and on.
    package var speed: Rational
    /// Output frames, 1 or more.
    package var frames: Int
    /// What of the clip may be shown, in seconds from its first frame; nil is all of it.
    package var available: TimeSpan?

    package init(start: Rational, speed: Rational = Rational(1), frames: Int, available: TimeSpan? = nil) {
        self.start = start
        self.speed = speed
        self.frames = frames
        self.available = available
    }

    /// The output frame, counted from 0, from which on the picture of time `time` is shown, if no later one is; `.min` for
    /// what stands in for all before it, `.max` for what is never shown.
    /// - Parameter rate: output frames a second.
    func slot(ofPictureAt time: Rational, rate: Rational) -> Int {
        if let available {
            if time >= available.end { return .max }
            if time <= available.start { return .min }
        }
        if time <= start { return .min }
        if speed <= .zero { return .max }
        return ((time - start) * rate / speed).roundedUp
    }

    /// The time in the clip that output frame `frame` asks for.
    fileprivate func time(ofFrame frame: Int, rate: Rational) -> Rational {
        start + Rational(frame) / rate * speed
    }
}

/// A clip that is used as a timeline says.
package struct TimedClip: Sendable {
    package let info: MediaInfo
    /// Output frames for which the clip has no picture, before its first and after its last.
    package let held: (head: Int, tail: Int)
}

extension MediaInfo {
    /// The same file used as `timing` says. Stills have a picture for every time.
    /// - Parameter rate: output frames a second.
    /// - Throws: `badInput` where the clip has no frame at any of the times.
    package func using(_ timing: ClipTiming, rate: Rational) throws(MediaError) -> TimedClip {
        guard var video else { return TimedClip(info: self, held: (0, 0)) }
        var copy = self
        guard !video.isStill else {
            video.used = TimeSpan(duration: Rational(timing.frames) / rate)
            copy.video = video
            return TimedClip(info: copy, held: (0, 0))
        }
        let first = max(timing.available?.start ?? .zero, .zero)
        let end = min(timing.available?.end ?? video.duration, video.duration)
        let last = timing.time(ofFrame: timing.frames - 1, rate: rate)
        guard first < end, timing.start < end, last >= first else {
            throw MediaError(
                .badInput,
                "'\(name)' has no frame from \(timing.start.decimalText) to \(last.decimalText) s, where the timeline asks for "
                    + "some: it has \(first.decimalText) to \(end.decimalText) s")
        }
        var timing = timing
        timing.available = TimeSpan(start: first, duration: end - first)
        let held = timing.held(first: first, end: end, rate: rate)
        video.used = timing.used(of: video)
        let stop = min(timing.time(ofFrame: timing.frames, rate: rate), end)
        if stop > video.used.start { video.used.duration = stop - video.used.start }
        video.timing = timing
        copy.video = video
        return TimedClip(info: copy, held: held)
    }
}

extension ClipTiming {
    /// What of `video` the first output frame needs: from there on it is decoded.
    func used(of video: VideoInfo) -> TimeSpan {
        let first = available?.start ?? .zero
        let step = video.frameRate.inverse
        let last = max((available?.end ?? video.duration) - step, first)
        return TimeSpan(start: min(max(start, first), last), duration: step)
    }

    /// Output frames before `first` and from `end` on.
    fileprivate func held(first: Rational, end: Rational, rate: Rational) -> (head: Int, tail: Int) {
        guard speed > .zero else { return start < first ? (frames, 0) : (0, 0) }
        let frame = { (time: Rational) in min(max(((time - start) * rate / speed).roundedUp, 0), frames) }
        return (frame(first), frames - frame(end))
    }
}

extension VideoInfo {
    /// Seconds from the first frame that the first output frame shows; may lie outside the clip.
    package var firstShown: Rational { timing?.start ?? used.start }

    /// Whether it runs as fast as it was taken.
    package var runsAtSpeed: Bool { timing.map { $0.speed == Rational(1) } ?? true }
}

extension Rational {
    /// To the next whole number above, or itself.
    var roundedUp: Int {
        let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        return rest > 0 ? quotient + 1 : quotient
    }
}
