/// The dissolve of film and of edit decision lists: a cross-fade of the pictures' encoded values.
package struct Dissolve: TransitionStyle {
    package let name = "dissolve"
    package let summary = "one picture fades into the other"
    package let origin = "the SMPTE dissolve of edit decision lists"
    // Nothing moves and nothing has depth, so no other option applies.
    package let options: [LookOption] = [.easing, .shutter]
    package let shadows: [Shadow] = [.none]

    package var defaults: Look {
        var look = Look()
        look.shadow = .none
        return look
    }

    package init() {}

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        set.pageLength = length / 2
        set.fade = Fade(from: .outgoing, to: .incoming, part: progress)
    }
}
