/// When the frames of a transition are shown.
package enum TransitionTime {
    /// The time of frame `index`, counted from 0, of `count` frames, as a part of the transition, before easing. The first
    /// frame shows the first step and the last one the last step: the clips themselves are seen before and after.
    package static func ofFrame(_ index: Int, in count: Int) -> Double { Double(index + 1) / Double(count + 1) }

    /// The times during which a frame is exposed that is shown at `time` of a transition of `count` frames, limited to the
    /// transition; nil if the frame shows a moment.
    ///
    /// - Parameter shutter: the shutter's angle in degrees, 0...360.
    package static func exposure(at time: Double, in count: Int, shutter: Double) -> ClosedRange<Double>? {
        if shutter <= 0 { return nil }
        let half = shutter / 720 / Double(count + 1)
        return max(time - half, 0)...max(min(time + half, 1), 0)
    }
}
