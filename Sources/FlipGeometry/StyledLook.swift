/// A style together with a look whose options have been checked against it.
package struct StyledLook: Sendable, CustomStringConvertible {
    package let style: any TransitionStyle
    package internal(set) var look: Look
    /// The background that the look is made for, which shows where none is asked for; nil if any will do.
    package var background: Color?
    /// The name of the named look that it comes from; nil for none.
    package var named: String?
    /// What another program calls the style, if it was asked for by that name.
    package var otherName: String?

    /// The defaults of `style` with `options` set in order.
    ///
    /// Throws if a value is outside its option's range, if an option does not apply to the style, or if two options
    /// exclude each other.
    package init(style: any TransitionStyle, options: [(option: LookOption, value: String)] = []) throws(OptionError) {
        var look = style.defaults
        // The mode decides about the other options' defaults.
        if let mode = options.last(where: { $0.option == .mode }).flatMap({ Mode(rawValue: $0.value) }) {
            look = style.defaults(in: mode)
        }
        for (option, value) in options {
            try option.set(&look, to: value)
            guard style.options.contains(option) else {
                let owners = Styles.all.filter { $0.options.contains(option) }.map(\.name)
                throw OptionError(
                    "\(option.rawValue) means nothing for style \(style.name) (it belongs to "
                        + "\(owners.joined(separator: ", ")))")
            }
        }
        if !options.contains(where: { $0.option == .shadow }) { look.shadeAsBent() }
        try self.init(style: style, look: look)
    }

    /// Combines `style` with a complete look; throws if the two don't fit.
    package init(style: any TransitionStyle, look: Look) throws(OptionError) {
        guard style.shadows.contains(look.shadow) else {
            throw OptionError(
                "style \(style.name) has no shadow '\(look.shadow.rawValue)' (expected "
                    + "\(style.shadows.map(\.rawValue).joined(separator: "|")))")
        }
        if !style.modes.isEmpty && !style.modes.contains(look.mode) {
            throw OptionError(
                "style \(style.name) has no mode '\(look.mode.rawValue)' (expected "
                    + "\(style.modes.map(\.rawValue).joined(separator: "|")))")
        }
        if look.bend > 0 && look.shadow != .paper && look.shadow != .none {
            throw OptionError("a page that bends has shadow paper or none, not \(look.shadow.rawValue)")
        }
        if look.reverse && (look.bend > 0 || look.shadow == .paper) {
            throw OptionError(
                "a page that \(look.bend > 0 ? "bends" : "has shadow paper") can't go away from the viewer (leave out reverse)"
            )
        }
        if look.mode == .cubic && look.creases > 1 {
            throw OptionError("mode cubic needs creases 1, not \(look.creases)")
        }
        if style.options.contains(.pullBack) && !style.pullBackRange.contains(look.pullBack) {
            throw OptionError(
                "pull-back of style \(style.name) must be \(style.pullBackRange.text), not \(look.pullBack)")
        }
        if look.perspective > 0 && look.perspective < style.leastPerspective {
            throw OptionError(
                "perspective of style \(style.name) must be 0 or at least \(style.leastPerspective), not "
                    + "\(look.perspective): the camera has to stay above the pages")
        }
        (self.style, self.look) = (style, look)
    }

    /// The least height of the camera, in page lengths, if there is perspective.
    static let leastHeight = 0.1

    /// The least height of the camera, in page lengths, over pages that rise to one page length, as a curl does whose
    /// radius is half of it.
    static let leastHeightOverPage = 1.2

    /// What shows behind the pages: the background that was asked for, or else the look's own, or else `fallback`.
    package func background(given: Color?, orElse fallback: Color) -> Color { given ?? background ?? fallback }

    /// The style and each option that differs from its default, as a transition spec.
    package var description: String {
        if style is BookTurn { return asked.description }
        let defaults = style.defaults(in: look.mode)
        let changed = style.options.filter {
            $0.value(in: look) != $0.value(in: $0 == .mode ? style.defaults : defaults)
        }
        if changed.isEmpty { return style.name }
        return style.name + "=" + changed.map { "\($0.rawValue)=\($0.value(in: look))" }.joined(separator: ":")
    }

    /// Throws if the look has a value outside its option's range, as the defaults of a custom style may have.
    package func checkDefaults() throws(OptionError) {
        var copy = look
        for option in LookOption.allCases where option != .easing {
            do throws(OptionError) {
                try option.set(&copy, to: option.value(in: look))
            } catch {
                throw OptionError("style \(style.name) can't be used: \(error.description)")
            }
        }
    }
}
