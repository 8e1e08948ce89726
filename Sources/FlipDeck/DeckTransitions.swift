import FlipBase
import FlipGeometry
import FlipRender

/// The transition to each slide of a deck.
struct DeckTransitions {
    /// What is drawn, with the sounds that are heard. The first one is ignored.
    private(set) var specs: [TransitionSpec] = []
    /// The same without sounds of the document's, as the user could ask for it.
    private(set) var written: [TransitionSpec] = []
    /// Messages about transitions that aren't drawn as asked for.
    private(set) var losses: [String] = []

    init(to slides: [Slide], _ spec: DeckSpec) throws(MediaError) {
        let asked = spec.transitions + spec.inputs.compactMap(\.transition)
        guard !asked.contains(where: { $0.overlap == .handles }) else {
            throw MediaError(
                .usage, "decks have no overlap 'handles': slides stay for their time anyway (give play or freeze)")
        }
        let changes = slides.count - 1
        if spec.transitions.count > max(1, changes) {
            losses.append(
                "\(spec.transitions.count) transitions were given for \(changes) changes of slides, so the last "
                    + "\(spec.transitions.count - changes) are left out")
        }
        var unknown = TransitionList()
        var nearest = TransitionList()
        for (index, slide) in slides.enumerated() {
            let given = index > 0 ? spec.inputs[slides[index - 1].lastInput].transition : nil
            let asked = given ?? spec.transition(to: max(1, index))
            var drawn = asked
            if given == nil, case .page = slide.source {
                // A page is not turned for a further build of the slide before.
                let isBuild = spec.builds != .off && index > 0 && slide.builds(on: slides[index - 1])
                if spec.usesOwnTransitions ? slide.facts.transition == nil : isBuild {
                    drawn = TransitionSpec(look: nil)
                }
            }
            if spec.usesOwnTransitions, given == nil, let own = slide.facts.transition {
                if let known = TransitionNames.spec(own, duration: asked.duration, overlap: asked.overlap) {
                    drawn = known
                    drawn.sound = asked.sound
                }
                // The transition to the first slide is never drawn, so it isn't reported.
                let row = TransitionNames.document(own.name)
                if index > 0, row == nil { unknown.add(own.name, slide.number) }
                if index > 0, row?.isNearest == true, let style = drawn.look?.style.name {
                    nearest.add("\(own.name) as \(style)", slide.number)
                }
            }
            written.append(drawn)
            guard spec.usesOwnTransitions, let sound = slide.facts.sound, let file = sound.file else {
                specs.append(drawn)
                continue
            }
            if index == 0 || drawn.look == nil {
                losses.append(
                    "slide \(slide.number) has a transition with a sound (\(sound.name)), which is not heard because nothing is "
                        + "drawn")
            }
            drawn.sound = TransitionSound(.stored(file, name: sound.name))
            drawn.sound?.gain = asked.sound?.gain ?? 0
            specs.append(drawn)
        }
        if let text = unknown.text {
            losses.append(
                "these of the deck's transitions aren't known, and the look asked for is drawn instead: \(text)")
        }
        if let text = nearest.text {
            losses.append("these of the deck's transitions are drawn as the style that comes nearest: \(text)")
        }
    }
}

extension DeckTransitions {
    /// Makes each transition but cuts turn a leaf of a book.
    mutating func turn(_ book: DeckBook, _ spec: DeckSpec) throws(OptionError) {
        for slide in book.slides where slide.inputs.count > 1 && spec.inputs[slide.input].transition != nil {
            losses.append(
                "the transition after '\(spec.inputs[slide.input].name)' is left out, since the next page is beside it")
        }
        for index in specs.indices.dropFirst() {
            specs[index].look = try specs[index].look.map { look throws(OptionError) in
                try BookTurn(book.layout, after: index - 1, ground: book.ground).styled(look)
            }
        }
    }

    /// The transitions to all pictures but the first: to slides, each with exactly the frames that the timeline has left it,
    /// and cuts to further steps of them.
    func drawn(_ timeline: DeckTimeline, _ steps: DeckSteps) -> [TransitionSpec] {
        let cut = TransitionSpec(look: nil)
        return Array(
            specs.indices.flatMap { index in
                var change = specs[index]
                change.duration = .frames(timeline.changes[index])
                return [timeline.changes[index] > 0 ? change : cut]
                    + steps.pictures[index].dropFirst().map { _ in cut }
            }.dropFirst())
    }
}

/// Transitions in the order in which they were first seen, and the slides that they lead to.
private struct TransitionList {
    private var rows: [(name: String, slides: [Int])] = []

    mutating func add(_ name: String, _ slide: Int) {
        guard let place = rows.firstIndex(where: { $0.name == name }) else { return rows.append((name, [slide])) }
        rows[place].slides.append(slide)
    }

    /// The transitions as messages name them; nil if there are none.
    var text: String? {
        if rows.isEmpty { return nil }
        return rows.map { "\($0.name) (\(SlideNumbers.words($0.slides)))" }.joined(separator: ", ")
    }
}
