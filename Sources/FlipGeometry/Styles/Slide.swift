/// The slide (EFFECTS 11): one picture moves over the other, which lies still.
///
///     fliptransition a.mp4 b.mp4 out.mp4 --style slide --mode uncover
package struct Slide: TransitionStyle {
    package let name = "slide"
    package let summary = "one picture slides over the other, which lies still"
    package let origin = "the cover and uncover of presentation programs"
    package let options = Push().options + [.mode]
    package let modes: [Mode] = [.cover, .uncover]
    package let shadows: [Shadow] = [.none]

    package var defaults: Look {
        var look = Push().defaults
        look.mode = .cover
        return look
    }

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        let covers = look.mode == .cover
        set.sheets.append(.flat(covers ? .outgoing : .incoming, cut: 0...length))
        set.sheets.append(
            Sheet(
                covers ? .incoming : .outgoing, cut: 0...length,
                position: Line(constant: (covers ? 1 - progress : -progress) * length, slope: 1), rank: 1))
        set.pageLength = length
    }
}
