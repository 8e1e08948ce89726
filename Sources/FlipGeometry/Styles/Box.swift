/// The box (EFFECTS 10): the cube seen from inside.
///
///     fliptransition a.mp4 b.mp4 out.mp4 --style box
package struct Box: TransitionStyle {
    package let name = "box"
    package let summary = "the pictures are two walls of a room that turns around the viewer"
    package let origin = "the box of presentation programs, a cube seen from inside"
    package let options = Cube().options
    package let shadows: [Shadow] = [.solid, .none]
    // The wall that leaves comes as near as one page length.
    package let leastPerspective = StyledLook.leastHeightOverPage

    package var defaults: Look {
        var look = Cube().defaults
        look.pullBack = 1
        return look
    }

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        Cube.place(on: &set, toward: -1, shade: 0.4, progress, look, length)
        set.maxSlide = SceneSet.fineMaxSlide
    }
}
