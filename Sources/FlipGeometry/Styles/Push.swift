/// The push (EFFECTS 11): the next picture follows this one across the frame.
///
///     fliptransition a.mp4 b.mp4 out.mp4 --style push --orientation vertical
package struct Push: TransitionStyle {
    package let name = "push"
    package let summary = "the next picture pushes this one out"
    package let origin = "slide projectors, and the push of presentation programs"
    // Nothing has depth or shade, so no other option applies.
    package let options: [LookOption] = [.direction, .orientation, .easing, .shutter]
    package let shadows: [Shadow] = [.none]

    package var defaults: Look {
        var look = Look()
        look.shadow = .none
        look.easing = .easeInOut
        look.perspective = 0
        look.pullBack = 1
        return look
    }

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        set.sheets.append(Sheet(.outgoing, cut: 0...length, position: Line(constant: -progress * length, slope: 1)))
        set.sheets.append(
            Sheet(.incoming, cut: 0...length, position: Line(constant: (1 - progress) * length, slope: 1)))
        set.pageLength = length
    }
}
