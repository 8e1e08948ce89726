import FlipBase

/// The part of a clip that was asked for, in seconds from its first frame. For a still picture, the part says how long
/// it is shown.
package struct ClipPart: Sendable, Hashable {
    /// Nil for the clip's start.
    package var start: Rational?
    /// Nil for the clip's end.
    package var end: Rational?

    package init(start: Rational? = nil, end: Rational? = nil) { (self.start, self.end) = (start, end) }

    /// The whole clip.
    package static let all = ClipPart()

    /// How many seconds of a still were asked for: `t=4` is 4 s, and `t=2,5` is 3 s. Nil where the part doesn't say.
    fileprivate var stillDuration: Rational? {
        guard let end else { return start }
        return end - (start ?? .zero)
    }
}

extension MediaInfo {
    /// What is used of the file if `part` was asked for.
    ///
    /// At a constant frame rate of at least 10 frames per second, both ends are rounded to the nearest frame. At other
    /// rates a frame may last long, and may be used in part. An end after the clip's is moved to the clip's.
    /// - Parameter stillDuration: how many seconds a still is shown when `part` doesn't say.
    /// - Throws: `badInput` where the clip has no video, or no frame in `part`.
    package func use(of part: ClipPart, stillDuration: Rational) throws(MediaError) -> ClipUse {
        guard let video else { throw MediaError(.badInput, "\(name) has no video stream") }
        guard let used = video.isStill ? part.still(stillDuration) : part.span(of: video) else {
            let start = part.start?.decimalText ?? "0"
            let place = part.end.map { "\(start) to \($0.decimalText) s" } ?? "\(start) s on"
            throw MediaError(
                .badInput, "'\(name)' has no frame from \(place): it is \(video.duration.decimalText) s long")
        }
        return ClipUse(span: used)
    }
}

extension ClipPart {
    /// How long a still is shown; nil if that is not above 0.
    package func still(_ standard: Rational) -> TimeSpan? {
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
