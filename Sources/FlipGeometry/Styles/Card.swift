/// The card flip (EFFECTS 5), after Rosetta Stone's *Interactive card flip*: the whole frame is a card that turns over.
package struct Card: TransitionStyle {
    package let name = "card"
    package let summary = "the frame is a card that turns over"
    package let origin = "Rosetta Stone, Interactive card flip"
    package let options: [LookOption] = [
        .direction, .orientation, .easing, .shutter, .perspective, .viewpoint, .shadow, .shadowStrength, .shadowColor,
        .cornerRadius, .pullBack,
    ]
    package let shadows: [Shadow] = [.solid, .none]

    package let pullsBackItself = true

    package var defaults: Look {
        var look = Look()
        look.shadow = .solid
        look.easing = .easeInOut
        look.perspective = 3.15
        return look
    }

    package init() {}

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        let turn = Turn(degrees: 180 * progress)
        let scale = 1 - (1 - look.pullBack) * (1 - abs(2 * progress - 1))
        let showsFront = progress < 0.5
        // The back shows the incoming picture upright, so its texture runs in the direction opposite to the card's.
        let side = showsFront ? 1.0 : -1.0
        let darkness = 0.8 * min(1, showsFront ? 2 * progress : 2 * (1 - progress))
        let middle = length / 2
        let card = Sheet(
            showsFront ? .outgoing : .incoming, cut: 0...length,
            position: Line(through: middle, at: middle, slope: side * scale * turn.cosine),
            height: Line(through: 0, at: middle, slope: side * scale * turn.sine), acrossScale: scale,
            shade: .solid(darkness, look), cornerRadius: (look.cornerRadius, look.cornerRadius))
        set.sheets.append(card)
        set.pageLength = middle
    }
}
