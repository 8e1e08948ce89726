import FlipBase

/// An input that is still coming in, as far as the description of its clip needs it.
package protocol LiveSource: AnyObject, Sendable {
    /// `video` with the length that the clip turned out to have. To be called after the last frame was read.
    func measured(_ video: VideoInfo) -> VideoInfo
}

/// How far the frames of a live clip reach, in ticks of its video stream.
package struct LiveLength: Sendable {
    /// Frames before this time are not shown.
    private let first: Int
    /// The number of frames so far.
    package private(set) var count = 0
    private var last: (time: Int, duration: Int?)?

    /// - Parameter first: the time of the first frame that is shown; nil if all are.
    package init(from first: Int? = nil) { self.first = first ?? .min }

    /// Adds a frame. `duration` is nil where it is unknown.
    package mutating func add(_ time: Int, duration: Int?) {
        guard time >= first else { return }
        count += 1
        if last.map({ $0.time < time }) ?? true { last = (time, duration) }
    }

    /// `video` with this length.
    /// - Parameter timeBase: the seconds of a tick.
    package func measured(_ video: VideoInfo, timeBase: Rational) -> VideoInfo {
        var video = video
        let reached = last.map { max(timeBase.scaled(count: $0.time) - video.start, .zero) } ?? .zero
        video.unevenTimes = nil
        if video.isVariableFrameRate {
            let step = last?.duration.map { timeBase.scaled(count: $0) } ?? video.frameRate.inverse
            video.frameCount = max(1, count)
            video.duration = reached + step
        } else {
            video.frameCount = (reached * video.frameRate).rounded().plus(1)
            video.duration = Rational(video.frameCount) / video.frameRate
        }
        return video
    }
}
