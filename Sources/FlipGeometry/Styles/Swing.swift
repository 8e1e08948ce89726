/// The swing (EFFECTS 10): the picture is a door that opens on the next one.
///
///     fliptransition a.mp4 b.mp4 out.mp4 --style swing --orientation vertical
package struct Swing: TransitionStyle {
    package let name = "swing"
    package let summary = "the picture opens like a door, with the next one behind it"
    package let origin = "the swinging doors of presentation and editing programs"
    package let options = Cube().options
    package let shadows: [Shadow] = [.solid, .none]

    package var defaults: Look {
        var look = Look()
        look.pullBack = 1
        look.shadow = .solid
        look.easing = .easeInOut
        return look
    }

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        let turn = Turn(degrees: 90 * progress)
        set.sheets.append(.flat(.incoming, cut: 0...length, shade: .solid(0.5 * turn.cosine, look)))
        set.sheets.append(
            Sheet(
                .outgoing, cut: 0...length, position: Line(constant: 0, slope: turn.cosine),
                height: Line(constant: 0, slope: turn.sine), shade: .solid(0.3 * turn.sine, look), rank: 1))
        set.pageLength = length
    }
}
