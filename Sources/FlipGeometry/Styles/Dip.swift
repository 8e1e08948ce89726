/// The dip of film: one picture fades to a color, and the other one fades from it (EFFECTS 7).
package struct Dip: TransitionStyle {
    package let name = "dip"
    package let summary = "one picture fades to a color, the other one from it"
    package let origin = "the fade through black of film and video editing"
    // Nothing moves and nothing has depth, so no other option applies.
    package let options: [LookOption] = [.easing, .shutter, .through]
    package let shadows: [Shadow] = [.none]

    package var defaults: Look {
        var look = Look()
        look.shadow = .none
        return look
    }

    package init() {}

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        set.pageLength = length / 2
        set.fade =
            progress < 0.5
            ? Fade(from: .outgoing, to: .color(look.through), part: 2 * progress)
            : Fade(from: .color(look.through), to: .incoming, part: 2 * progress - 1)
    }
}
