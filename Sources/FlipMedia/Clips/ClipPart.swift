import FlipBase

/// The part of a clip that was asked for, in seconds from its first frame. For a still picture, the part says how long
/// it is shown.
package struct ClipPart: Sendable, Hashable {
    /// Nil for the clip's start.
    package var start: Rational?
    /// Nil for the clip's end.
    package var end: Rational?

    package init(start: Rational? = nil, end: Rational? = nil) {
        self.start = start
        self.end = end
    }

    /// The whole clip.
    package static let all = ClipPart()

    /// How many seconds of a still were asked for: `t=4` is 4 s, and `t=2,5` is 3 s. Nil where the part doesn't say.
    fileprivate var stillDuration: Rational? {
        guard let end else { return start }
        return end - (start ?? .zero)
    }
}

extension MediaInfo {
    /// The same file, of which only `part` is used.
    ///
    /// At a constant frame rate of at least 10 frames per second, both ends are rounded to the nearest frame. At other
    /// rates a frame may last long, and may be used in part. An end after the clip's is moved to the clip's.
    /// - Parameter stillDuration: how many seconds a still is shown when `part` doesn't say.
    /// - Throws: `badInput` where the clip has no frame in `part`.
    package func using(_ part: ClipPart, stillDuration: Rational) throws(MediaError) -> MediaInfo {
        guard let video else { return self }
        guard let used = video.isStill ? part.still(stillDuration) : part.span(of: video) else {
            throw MediaError(
                .badInput,
                "'\(name)' has no frame from \(part.start?.decimalText ?? "0") to \(part.end?.decimalText ?? "its end") s: "
                    + "it is \(video.duration.decimalText) s long")
        }
        var copy = self
        copy.video?.used = used
        return copy
    }
}

extension MediaInfo {
    /// The same file, of which only `frames` are used, counted from the start of what was used before. They are counted
    /// at `rate` in frames per second, or where that is nil at the clip's own rate, which must be constant then.
    package func using(frames: Range<Int>, at rate: Rational? = nil) -> MediaInfo {
        guard let video else { return self }
        let rate = rate ?? video.frameRate
        var copy = self
        if var timing = video.timing {
            timing.start = timing.start + Rational(frames.lowerBound) / rate * timing.speed
            timing.frames = frames.count
            copy.video?.timing = timing
            copy.video?.used = timing.used(of: video)
            return copy
        }
        copy.video?.used = TimeSpan(
            start: video.used.start + Rational(frames.lowerBound) / rate, duration: Rational(frames.count) / rate)
        return copy
    }
}

extension ClipPart {
    fileprivate func still(_ standard: Rational) -> TimeSpan? {
        let duration = stillDuration ?? standard
        return duration > .zero ? TimeSpan(duration: duration) : nil
    }

    fileprivate func span(of video: VideoInfo) -> TimeSpan? {
        let start = onFrame(start ?? .zero, of: video)
        let end = min(self.end.map { onFrame($0, of: video) } ?? video.duration, video.duration)
        return start < end ? TimeSpan(start: start, duration: end - start) : nil
    }

    /// The nearest time at which a frame begins, where the frame rate is constant and at least 10 per second; else
    /// `time`.
    private func onFrame(_ time: Rational, of video: VideoInfo) -> Rational {
        let hasGrid = !video.isVariableFrameRate && video.frameRate >= Rational(10)
        return hasGrid ? Rational((time * video.frameRate).rounded()) / video.frameRate : time
    }
}
