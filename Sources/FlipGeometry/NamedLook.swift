/// A named bundle: a style and the options in which it differs from the style's own defaults.
package struct NamedLook: Sendable {
    /// The name users type.
    package let name: String
    /// One line for help.
    package let summary: String
    package let style: any TransitionStyle
    /// Set in turn; the style has each of them.
    package let options: [(option: LookOption, value: String)]

    init(
        _ name: String, _ summary: String, _ style: any TransitionStyle,
        _ options: [(option: LookOption, value: String)] = []
    ) {
        self.name = name
        self.summary = summary
        self.style = style
        self.options = options
    }
}

/// The catalogue of bundles: one row each.
package enum Looks {
    package static let all: [NamedLook] = [
        NamedLook("mpflip", "the page flip as MPFlipTransition shows it", Flip()),
        NamedLook("mpfold", "the folding view as MPFoldTransition shows it", Fold()),
        NamedLook(
            "vctransitions", "the page flip of VCTransitionsLibrary: close to the camera, dark at the free edge",
            Flip(),
            [(.shadow, "edge"), (.perspective, "3.125"), (.easing, "ease-in-out")]),
        NamedLook("rosetta-card", "Rosetta Stone's interactive card flip", Card()),
        NamedLook(
            "paper", "a page on a desk: it throws its shadow ahead, and the camera looks from below the middle", Flip(),
            [(.shadow, "cast"), (.shadowStrength, "1.25"), (.perspective, "4"), (.viewpoint, "0.5,0.65")]),
    ]

    /// The bundle users call `name`.
    package static func named(_ name: String) throws(OptionError) -> NamedLook {
        if let look = all.first(where: { $0.name == name }) { return look }
        throw OptionError("unknown look '\(name)' (expected \(all.map(\.name).joined(separator: ", ")))")
    }
}

extension StyledLook {
    /// The look of the style called `style` and the bundle called `look`, with `options` set after the bundle's own.
    /// Where one name is missing the other decides; where both are, it is the first style of the catalogue.
    ///
    /// Throws for names that nothing has, for a bundle of another style, and for options as the plain initializer does.
    package init(
        style: String?, look: String?, options: [(option: LookOption, value: String)]
    ) throws(OptionError) {
        if let style {
            self = try StyledLook(style: try Styles.named(style), look: look, options: options)
            return
        }
        let bundle = try look.map { name throws(OptionError) in try Looks.named(name) }
        self = try StyledLook(style: bundle?.style ?? Styles.all[0], options: (bundle?.options ?? []) + options)
    }

    /// The look of `style`, be it in the catalogue or not, and its bundle called `look`, with `options` set after the bundle's own.
    ///
    /// Throws where there is no such bundle or it is one of another style, and for options as the plain initializer does.
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
        self = try StyledLook(style: style, options: bundle.options + options)
    }
}
