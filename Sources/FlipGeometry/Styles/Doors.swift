/// The doors (EFFECTS 10): the picture's halves open, and the next one comes out of the depth between them.
///
///     fliptransition a.mp4 b.mp4 out.mp4 --style doors
package struct Doors: TransitionStyle {
    package let name = "doors"
    package let summary = "the picture's halves open like doors, and the next comes forward between them"
    package let origin = "the doors of presentation programs"
    // The motion is its own mirror image; its direction is the one in which a hand moves it.
    package let options = Cube().options
    package let shadows: [Shadow] = [.solid, .none]

    package var defaults: Look { Swing().defaults }

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        let turn = Turn(degrees: 90 * progress)
        let half = length / 2
        set.sheets.append(
            Sheet(
                .incoming, cut: 0...length, height: Line(constant: -0.5 * length * (1 - progress), slope: 0),
                shade: .solid(0.4 * (1 - progress), look)))
        set.sheets.append(door(0...half, hinge: 0, side: 1, turn, look))
        set.sheets.append(door(half...length, hinge: length, side: -1, turn, look))
        set.pageLength = half
        set.maxSlide = SceneSet.fineMaxSlide
    }

    /// The half of the outgoing picture with its hinge at `hinge`; `side` is 1 if the rest of it follows along the axis.
    private func door(_ cut: ClosedRange<Double>, hinge: Double, side: Double, _ turn: Turn, _ look: Look) -> Sheet {
        Sheet(
            .outgoing, cut: cut, position: Line(through: hinge, at: hinge, slope: turn.cosine),
            height: Line(through: 0, at: hinge, slope: side * turn.sine), shade: .solid(0.3 * turn.sine, look), rank: 1)
    }
}
