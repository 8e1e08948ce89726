/// The wipe (EFFECTS 11): an edge moves across the frame, with this picture in front of it and the next one behind it.
///
///     fliptransition a.mp4 b.mp4 out.mp4 --style wipe --softness 0.3
package struct Wipe: TransitionStyle {
    package let name = "wipe"
    package let summary = "an edge, soft or sharp, moves across the frame and uncovers the next picture"
    package let origin = "the wipe of film and video editing"
    package let options = Push().options + [.softness]
    package let shadows: [Shadow] = [.none]

    package var defaults: Look { Push().defaults }

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        let width = look.softness * length
        let edge = length - progress * (length + width)
        set.pageLength = length
        set.fade = Fade(from: .outgoing, to: .incoming, ramp: Fade.Ramp(edge...(edge + width)))
    }
}
