import FlipBase

/// Which frames of a clip are shown when, as a timeline states it exactly.
package struct ClipTiming: Sendable, Hashable {
    /// The time in the clip that the first output frame shows, in seconds from the clip's first frame. Outside the
    /// clip, its first or last frame is held.
    package var start: Rational
    /// How many seconds of the clip pass in one second of output, 0 or more; 0 freezes one frame.
    package var speed: Rational
    /// The number of output frames, at least 1.
    package var frames: Int
    /// The span of the clip that may be shown, in seconds from its first frame; nil for all of it.
    package var available: TimeSpan?

    package init(start: Rational, speed: Rational = Rational(1), frames: Int, available: TimeSpan? = nil) {
        (self.start, self.speed, self.frames, self.available) = (start, speed, frames, available)
    }

    /// The same clip, of which output frames `frames` are shown, counted from its first one. They may lie outside of what
    /// is shown here, as those of a transition over the clip's end do.
    /// - Parameter rate: output frames per second.
    package func showing(_ frames: Range<Int>, at rate: Rational) -> ClipTiming {
        ClipTiming(
            start: start + Rational(frames.lowerBound) / rate * speed, speed: speed, frames: frames.count,
            available: available)
    }

    /// The output frame, counted from 0, from which on the clip's frame at `time` is shown, unless a later one replaces
    /// it. It is `.min` for a frame that is shown from the beginning, and `.max` for one that is never shown.
    /// - Parameter rate: output frames per second.
    package func slot(ofPictureAt time: Rational, rate: Rational) -> Int {
        if let available {
            if time >= available.end { return .max }
            if time <= available.start { return .min }
        }
        if time <= start { return .min }
        if speed <= .zero { return .max }
        return ((time - start) * rate / speed).roundedUp
    }

    /// The time in the clip, in seconds, that output frame `frame` shows.
    fileprivate func time(ofFrame frame: Int, rate: Rational) -> Rational { start + Rational(frame) / rate * speed }
}

/// What a timeline uses of a clip.
package struct TimedUse: Sendable {
    package let use: ClipUse
    /// The number of output frames for which the clip has no frame, before its first and after its last one.
    package let held: (head: Int, tail: Int)
}

extension MediaInfo {
    /// What is used of the file if a timeline shows it as `timing` says. A still has a frame for every time.
    /// - Parameter rate: output frames per second.
    /// - Throws: `badInput` where the clip has no frame at any of the times.
    package func use(as timing: ClipTiming, rate: Rational) throws(MediaError) -> TimedUse {
        guard let video, !video.isStill else { return TimedUse(use: timing.ofStill(rate: rate), held: (0, 0)) }
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
        var span = timing.used(of: video)
        let stop = min(timing.time(ofFrame: timing.frames, rate: rate), end)
        if stop > span.start { span.duration = stop - span.start }
        return TimedUse(use: ClipUse(span: span, timing: timing), held: held)
    }
}

extension ClipTiming {
    /// What is used of a still, or of a gap, which have a frame for every time.
    package func ofStill(rate: Rational) -> ClipUse { ClipUse(span: TimeSpan(duration: Rational(frames) / rate)) }

    /// The span of `video` that the first output frame shows, which is where decoding begins.
    func used(of video: VideoInfo) -> TimeSpan {
        let first = available?.start ?? .zero
        let step = video.frameRate.inverse
        let last = max((available?.end ?? video.duration) - step, first)
        return TimeSpan(start: min(max(start, first), last), duration: step)
    }

    /// The number of output frames before `first` and from `end` on.
    fileprivate func held(first: Rational, end: Rational, rate: Rational) -> (head: Int, tail: Int) {
        guard speed > .zero else { return start < first ? (frames, 0) : (0, 0) }
        let frame = { (time: Rational) in min(max(((time - start) * rate / speed).roundedUp, 0), frames) }
        return (frame(first), frames - frame(end))
    }
}
