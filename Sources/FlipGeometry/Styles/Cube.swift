/// The cube (EFFECTS 10): the two pictures are neighboring faces of a cube that turns about its own axis.
///
///     fliptransition a.mp4 b.mp4 out.mp4 --style cube --background '#20242b'
package struct Cube: TransitionStyle {
    package let name = "cube"
    package let summary = "the pictures are two sides of a cube that turns"
    package let origin = "the cube of presentation and editing programs"
    package let options: [LookOption] = [
        .direction, .orientation, .easing, .shutter, .perspective, .viewpoint, .shadow, .shadowStrength, .shadowColor,
        .pullBack,
    ]
    package let shadows: [Shadow] = [.solid, .none]

    package var defaults: Look {
        var look = Look()
        look.pullBack = 0.88
        look.shadow = .solid
        look.easing = .easeInOut
        look.perspective = 2
        return look
    }

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        Cube.place(on: &set, toward: 1, shade: 0.5, progress, look, length)
    }

    /// Places the two faces. `side` is 1 for a cube behind the screen that is seen from outside, -1 for one in front of
    /// the screen that is seen from inside; a face turned away by a right angle has the shade `darkness`.
    static func place(
        on set: inout SceneSet, toward side: Double, shade darkness: Double, _ progress: Double, _ look: Look,
        _ length: Double
    ) {
        let turn = Turn(degrees: 90 * progress)
        let half = length / 2
        // The middles of the faces lie on a circle about the cube's axis, which is `half` from the screen.
        set.sheets.append(
            Sheet(
                .outgoing, cut: 0...length,
                position: Line(through: half - half * turn.sine, at: half, slope: turn.cosine),
                height: Line(through: side * half * (turn.cosine - 1), at: half, slope: side * turn.sine),
                shade: .solid(darkness * (1 - turn.cosine), look)))
        set.sheets.append(
            Sheet(
                .incoming, cut: 0...length,
                position: Line(through: half + half * turn.cosine, at: half, slope: turn.sine),
                height: Line(through: side * half * (turn.sine - 1), at: half, slope: -side * turn.cosine),
                shade: .solid(darkness * (1 - turn.sine), look)))
        set.pageLength = length
    }
}
