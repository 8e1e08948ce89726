import FlipBase

/// How many of a clip's frames are dropped and repeated to make the output's frames.
package struct FrameChoice: Sendable, Hashable {
    /// The number of used frames that are not shown.
    package let dropped: Int
    /// The number of output frames that repeat the one before.
    package let repeated: Int
}

extension InputClip {
    /// How the used frames become `slots` frames of the output at `rate` frames per second; nil for a still, a gap, a
    /// clip whose frames a timeline places or keep their own times, and a live clip of variable frame rate.
    package func choice(slots: Int, rate: Rational) -> FrameChoice? {
        guard let video, !video.isStill, use.timing == nil, use.kept == nil else { return nil }
        // The frame times of a live clip are not kept.
        if video.isVariableFrameRate, video.unevenTimes == nil { return nil }
        guard let unevenTimes = video.unevenTimes else {
            let frames = (use.span.duration * video.frameRate).rounded()
            return FrameChoice(dropped: max(0, frames - slots), repeated: max(0, slots - frames))
        }
        // Slots are counted as in `VideoReader`.
        let step = video.timeBase * rate
        let first = use.span.start * rate
        var shown = 0
        var dropped = 0
        var last: Int?
        for time in unevenTimes {
            let slot = (step.scaled(count: time) - first).rounded()
            if slot >= slots { break }
            if slot >= 0, let last, last >= 0, slot == last { dropped += 1 }
            if slot >= 0, slot != last { shown += 1 }
            last = slot
        }
        return FrameChoice(dropped: dropped, repeated: max(0, slots - max(shown, 1)))
    }
}
