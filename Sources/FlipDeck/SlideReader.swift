import FlipBase
import FlipFiles
import FlipGeometry

/// Reads a PowerPoint slide (ECMA-376 19.3): whether it is hidden, its title, its transition, and whether it is
/// animated.
final class SlideReader: XMLVisitor {
    private(set) var facts = SlideFacts()
    /// Whether the slide has a recorded narration.
    private(set) var isNarrated = false
    /// The relationship ID of the transition's sound (ECMA-376 19.5.68); nil for none.
    private(set) var sound: String?
    /// The text of the title placeholder; nil if there is none.
    var title: String? { words.isEmpty ? nil : words }

    /// The fonts that text names (ECMA-376 21.1.2.3.7); those that begin with a plus sign are the theme's.
    private(set) var fonts: Set<String> = []

    /// The languages of the slide's text.
    private(set) var languages = TextLanguages()

    private var words = ""
    /// Whether a title was found, so that later ones are ignored.
    private var hasTitle = false
    /// The depth of the shape being read; nil outside of shapes.
    private var shape: Int?
    /// Whether that shape is the title.
    private var isTitle = false
    private var readsText = false
    /// The depth of the first transition's element, and its seconds. Of mc:AlternateContent this is the newer form,
    /// which precedes the one for older programs.
    private var transition: (depth: Int, duration: Rational?)?
    private var isInTransition = false

    /// The maximum number of characters of a title.
    private static let longestTitle = 200
    /// The children of a transition's element that don't name its kind.
    private static let ignoredElements: Set<String> = ["sndAc", "extLst"]

    func begin(_ element: XMLElement) {
        languages.begin(element)
        switch element.name {
        case _ where element.depth == 1: facts.isHidden = ["0", "false"].contains(element["show"])
        case "sp": shape = element.depth
        case "ph" where shape != nil && !hasTitle: isTitle = ["title", "ctrTitle"].contains(element["type"])
        case "t": readsText = isTitle
        case "br" where isTitle: add(" ")
        case "transition" where transition == nil: begin(transition: element)
        case "audio" where element["isNarration"].map({ ["1", "true"].contains($0) }) ?? false: isNarrated = true
        case "snd" where isInTransition: sound = element.attribute("embed", in: "/relationships")
        case "cTn": note(animation: element)
        case "latin":
            if let name = element["typeface"], !name.isEmpty, !name.hasPrefix("+"), fonts.count < 100 {
                fonts.insert(name)
            }
        case "hlinkClick", "hlinkMouseOver": note(link: element)
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
        // ECMA-376 19.7.33 gives no durations for these speeds; these are PowerPoint's.
        var duration = ["slow": Rational(3, 4), "med": Rational(1, 2), "fast": Rational(1, 4)][element["spd"] ?? "fast"]
        let own = element.attribute("dur", in: "/powerpoint/2010/main")
        if let time = own.flatMap(Int.init), (1...60_000).contains(time) { duration = Rational(time, 1000) }
        transition = (element.depth, duration)
        isInTransition = true
    }

    private func set(kind: XMLElement) {
        if Self.ignoredElements.contains(kind.name) { return }
        // What runs along an axis says so in `orient` (a split) or `dir`; both are horz by default, for horizontal lines
        // that move up and down (ECMA-376 19.7.35).
        let attribute = kind.name == "split" ? "orient" : Self.axial.contains(kind.name) ? "dir" : nil
        let axis = attribute.map { kind[$0] == "vert" ? Orientation.horizontal : .vertical }
        facts.transition = NamedTransition(
            name: Self.name(of: kind), duration: transition?.duration,
            direction: axis == nil ? SlideDirection(powerPoint: kind["dir"], inverted: kind["invX"] == "1") : nil,
            axis: axis)
    }

    /// The transitions whose `dir` is an axis.
    private static let axial: Set<String> = ["blinds", "checker", "comb", "randomBar", "doors", "window"]

    /// The name in the table of transitions. What PowerPoint shows as transitions of their own are attributes of one
    /// element: a fade or a cut through black, a split or a zoom inward (ECMA-376 19.5), and the four kinds of prism. What
    /// covers or uncovers toward a corner has a name of its own, because it has no counterpart.
    private static func name(of kind: XMLElement) -> String {
        let isSet = { (name: String) in ["1", "true"].contains(kind[name]) }
        let isToCorner = ["lu", "ru", "ld", "rd"].contains(kind["dir"])
        switch kind.name {
        case "fade" where isSet("thruBlk"): return "fadeThroughBlack"
        case "cut" where isSet("thruBlk"): return "cutThroughBlack"
        case "split" where kind["dir"] == "in": return "splitIn"
        case "zoom" where kind["dir"] == "in": return "zoomIn"
        case "cover" where isToCorner: return "coverCorner"
        case "pull" where isToCorner: return "pullCorner"
        case "prism" where isSet("isContent"): return isSet("isInverted") ? "orbit" : "rotate"
        case "prism" where isSet("isInverted"): return "box"
        default: return kind["prst"] ?? kind.name
        }
    }

    /// Notes whether the element animates the slide. Elements that play films or sounds have another `presetClass`.
    private func note(animation element: XMLElement) {
        if ["entr", "exit", "emph", "path"].contains(element["presetClass"]) { facts.isAnimated = true }
    }

    /// Notes whether something can be clicked (ECMA-376 21.1.2.3.5). A picture of a film or sound has an action that plays it.
    private func note(link element: XMLElement) {
        let action = element["action"] ?? ""
        if action.hasPrefix("ppaction://media") || action == "ppaction://noaction" { return }
        let target = element.attribute("id", in: "/relationships") ?? ""
        if !target.isEmpty || !action.isEmpty { facts.hasLinks = true }
    }

    func text(_ text: String) {
        languages.text(text)
        if readsText { add(text) }
    }

    /// Appends to the title, without leading or repeated spaces, up to `longestTitle`.
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
        languages.end(name)
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
    /// The direction for `dir`: "l" and none mean to the left, which `invX` reverses. Of a diagonal, such as "ru", it is
    /// the part to the side.
    /// Nil for "in" and "out".
    fileprivate init?(powerPoint text: String?, inverted: Bool) {
        switch text {
        case "in", "out": return nil
        case "r", "ru", "rd": self = .right
        case "u": self = .up
        case "d": self = .down
        default: self = inverted ? .right : .left
        }
    }
}
