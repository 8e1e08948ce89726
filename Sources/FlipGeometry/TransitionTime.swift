/// When the frames of a transition are shown.
package enum TransitionTime {
    /// The time of frame `index`, counted from 0, of `count` frames, as a part of the transition, before easing. The first
    /// frame shows the first step and the last one the last step: the clips themselves are seen before and after.
    package static func ofFrame(_ index: Int, in count: Int) -> Double { Double(index + 1) / Double(count + 1) }

    /// The time from one of `count` frames to the next.
    package static func spacing(of count: Int) -> Double { 1 / Double(count + 1) }

    /// The times during which a frame is exposed that is shown at `time`, limited to the transition; nil if the frame shows
    /// a moment.
    ///
    /// - Parameters:
    ///   - spacing: the time from one frame to the next.
    ///   - shutter: the shutter's angle in degrees, 0...360.
    package static func exposure(at time: Double, spacing: Double, shutter: Double) -> ClosedRange<Double>? {
        if shutter <= 0 { return nil }
        let half = shutter / 720 * spacing
        return max(time - half, 0)...max(min(time + half, 1), 0)
    }
}
