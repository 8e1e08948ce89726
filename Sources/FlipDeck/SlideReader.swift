import FlipMedia

/// Reads a PowerPoint slide (ECMA-376 19.3): whether it is hidden, its title, its transition, and what moves on it.
final class SlideReader: XMLVisitor {
    private(set) var facts = SlideFacts()
    /// Whether a sound on it is its recorded narration.
    private(set) var isNarrated = false
    /// The text of the title's placeholder; nil where there is none.
    var title: String? { words.isEmpty ? nil : words }

    private var words = ""
    /// Whether some title was found, so that no other one is looked for.
    private var hasTitle = false
    /// Depth of the shape that is read, and whether it is the title's.
    private var shape: Int?
    private var isTitle = false
    private var readsText = false
    /// The first transition: mc:AlternateContent has the newer form first, and then one for older programs.
    private var transition: (depth: Int, duration: Rational?)?
    private var isInTransition = false

    /// Characters of a title that are kept.
    private static let longestTitle = 200
    /// Within a transition, but not the kind of it.
    private static let notKinds: Set<String> = ["sndAc", "extLst"]

    func begin(_ element: XMLElement) {
        switch element.name {
        case _ where element.depth == 1: facts.isHidden = ["0", "false"].contains(element["show"])
        case "sp": shape = element.depth
        case "ph" where shape != nil && !hasTitle: isTitle = ["title", "ctrTitle"].contains(element["type"])
        case "t": readsText = isTitle
        case "br" where isTitle: add(" ")
        case "transition" where transition == nil: begin(transition: element)
        case "audio" where element["isNarration"].map({ ["1", "true"].contains($0) }) ?? false: isNarrated = true
        case "cTn": note(animation: element)
        default: break
        }
        if isInTransition, facts.transition == nil, element.depth == (transition?.depth ?? 0) + 1 {
            set(kind: element)
        }
    }

    private func begin(transition element: XMLElement) {
        if let time = element["advTm"].flatMap(Int.init), (1...86_400_000).contains(time) {
            facts.seconds = Rational(time, 1000)
        }
        // ECMA-376 19.7.33 has no seconds for them; these are PowerPoint's.
        var duration = ["slow": Rational(3, 4), "med": Rational(1, 2), "fast": Rational(1, 4)][element["spd"] ?? "fast"]
        let own = element.attribute("dur", in: "/powerpoint/2010/main")
        if let time = own.flatMap(Int.init), (1...60_000).contains(time) { duration = Rational(time, 1000) }
        transition = (element.depth, duration)
        isInTransition = true
    }

    private func set(kind: XMLElement) {
        if Self.notKinds.contains(kind.name) { return }
        facts.transition = NamedTransition(
            name: kind["prst"] ?? kind.name, duration: transition?.duration,
            direction: SlideDirection(powerPoint: kind["dir"], inverted: kind["invX"] == "1"))
    }

    /// What plays a film or a sound has another class.
    private func note(animation element: XMLElement) {
        if ["entr", "exit", "emph", "path"].contains(element["presetClass"]) { facts.isAnimated = true }
    }

    func text(_ text: String) {
        if readsText { add(text) }
    }

    /// Without spaces at the start, nor two together, nor more than is kept.
    private func add(_ text: String) {
        guard words.count < Self.longestTitle else { return }
        for character in text.prefix(10 * Self.longestTitle) where words.count < Self.longestTitle {
            if !character.isWhitespace {
                words.append(character)
            } else if !words.isEmpty, words.last != " " {
                words.append(" ")
            }
        }
    }

    func end(_ name: String, depth: Int) {
        if name == "t" { readsText = false }
        if name == "p", isTitle { add(" ") }
        if transition?.depth == depth { isInTransition = false }
        guard shape == depth else { return }
        shape = nil
        if isTitle, words.contains(where: { $0 != " " }) {
            hasTitle = true
            while words.last == " " { words.removeLast() }
        }
        isTitle = false
    }
}

extension SlideDirection {
    /// "l" is to the left, as is what says nothing; `invX` turns it round.
    fileprivate init(powerPoint text: String?, inverted: Bool) {
        switch text {
        case "r": self = .right
        case "u": self = .up
        case "d": self = .down
        default: self = inverted ? .right : .left
        }
    }
}
