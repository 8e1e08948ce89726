import FlipBase

/// A named look: a style and the options that differ from the style's defaults.
package struct NamedLook: Sendable {
    /// The name users type.
    package let name: String
    /// One line for help.
    package let summary: String
    package let style: any TransitionStyle
    /// The options, set in this order; all of them apply to the style.
    package let options: [(option: LookOption, value: String)]
    /// The background that the look is made for; nil if any will do.
    package let background: Color?

    init(
        _ name: String, _ summary: String, _ style: any TransitionStyle,
        _ options: [(option: LookOption, value: String)] = [], background: Color? = nil
    ) {
        (self.name, self.summary, self.style, self.options) = (name, summary, style, options)
        self.background = background
    }
}

/// The catalog of named looks, one row each.
package enum Looks {
    package static let desk = Color(red: 32.0 / 255, green: 36.0 / 255, blue: 43.0 / 255)

    package static let all: [NamedLook] = [
        NamedLook("mpflip", "the page flip as MPFlipTransition shows it", Flip()),
        NamedLook("mpfold", "the folding view as MPFoldTransition shows it", Fold()),
        NamedLook(
            "vctransitions", "the page flip of VCTransitionsLibrary: close to the camera, dark at the free edge",
            Flip(), [(.shadow, "edge"), (.perspective, "3.125"), (.easing, "ease-in-out")]),
        NamedLook("rosetta-card", "Rosetta Stone's interactive card flip", Card()),
        NamedLook(
            "paper", "a page on a desk: it throws its shadow ahead, and the camera looks from below the middle", Flip(),
            [(.shadow, "cast"), (.shadowStrength, "1.25"), (.perspective, "4"), (.viewpoint, "0.5,0.65")]),
        NamedLook(
            "desk", "the page flip seen whole: the camera steps back, and the page turns above a dark desk", Flip(),
            [(.shadow, "cast"), (.shadowStrength, "1.25"), (.viewpoint, "0.5,0.6"), (.pullBack, "0.78")],
            background: Self.desk),
        NamedLook(
            "magazine", "a page that bends as it goes over its spine, above a dark desk", Flip(),
            [(.bend, "0.45"), (.shadow, "paper"), (.pullBack, "0.82")], background: Self.desk),
        NamedLook(
            "cinema", "a page that bends, as a film camera sees it: with motion blur, and a step back", Flip(),
            [(.shutter, "180"), (.bend, "0.35"), (.shadow, "paper"), (.pullBack, "0.85")]),
        NamedLook("curl", "a sheet of paper rolls off from its lower corner", Curl()),
        NamedLook("peel", "a sheet of paper rolls off straight", Curl(), [(.angle, "0")]),
        NamedLook("book", "a bound book's page turns, with the next picture on its back", Curl(), [(.mode, "book")]),
        NamedLook(
            "powerpoint-prism", "the cube as PowerPoint's prism turns it, above black", Cube(), background: .black),
        NamedLook(
            "keynote-cube", "the cube as Keynote turns it: seen from near, and farther back in the middle", Cube(),
            [(.perspective, "1.5"), (.shadowStrength, "0.7"), (.pullBack, "0.8")], background: .black),
        NamedLook(
            "swing-door", "a door that swings open close to the viewer", Swing(),
            [(.perspective, "2.5"), (.shadowStrength, "1.25")]),
        NamedLook(
            "venetian", "a venetian blind: slats across the frame, the upper ones first", Blinds(),
            [(.orientation, "vertical"), (.direction, "backward"), (.strips, "12"), (.stagger, "0.5")]),
        NamedLook(
            "whip", "a whip pan: the push, fast in the middle and blurred by its motion", Push(),
            [(.shutter, "270"), (.easing, "expo-in-out")]),
    ]

    /// The named look called `name`. Throws an error that lists all names if there is none.
    package static func named(_ name: String) throws(OptionError) -> NamedLook {
        if let look = all.first(where: { $0.name == name }) { return look }
        let names = all.map(\.name)
        throw OptionError(
            "unknown look '\(name)'\(Suggestion.question(for: name, among: names)) (expected "
                + "\(names.joined(separator: ", ")))")
    }
}

extension StyledLook {
    /// Combines the style called `style` with the named look called `look`, and sets `options` after the named look's
    /// own. Without `style` the named look decides, without `look` the style's defaults apply; without both it is the
    /// first style of the catalog.
    ///
    /// Throws for unknown names, for a named look of another style, and for options as `init(style:options:)` does.
    package init(style: String?, look: String?, options: [(option: LookOption, value: String)]) throws(OptionError) {
        if let style {
            let choice = try StyleChoice(style)
            self = try StyledLook(style: choice.style, look: look, options: choice.options + options)
            otherName = choice.otherName
            return
        }
        let bundle = try look.map { name throws(OptionError) in try Looks.named(name) }
        self = try StyledLook(style: bundle?.style ?? Styles.all[0], look: look, options: options)
    }

    /// Combines `style`, which need not be in the catalog, with its named look called `look`, and sets `options` after
    /// the named look's own.
    ///
    /// Throws if there is no such named look or it belongs to another style, and for options as `init(style:options:)`
    /// does.
    package init(
        style: any TransitionStyle, look: String?, options: [(option: LookOption, value: String)]
    ) throws(OptionError) {
        guard let look else {
            self = try StyledLook(style: style, options: options)
            return
        }
        let bundle = try Looks.named(look)
        guard bundle.style.name == style.name else {
            throw OptionError(
                "look \(bundle.name) is a \(bundle.style.name), not a \(style.name) (leave out the style or the look)")
        }
        // The shadows of boards don't fit a page that is asked to bend.
        let bends = options.contains { $0.option == .bend && Double($0.value) ?? 0 > 0 }
        let own = bundle.options.filter { $0.option != .shadow || !bends }
        self = try StyledLook(style: style, options: own + options)
        background = bundle.background
        named = bundle.name
    }
}
