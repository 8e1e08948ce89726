/// When the frames of a transition are shown.
package enum TransitionTime {
    /// The time of frame `index`, counted from 0, of `count` frames, as a part of the transition, before easing. The first
    /// frame shows the first step and the last one the last step: the clips themselves are seen before and after.
    package static func ofFrame(_ index: Int, in count: Int) -> Double { Double(index + 1) / Double(count + 1) }
}
