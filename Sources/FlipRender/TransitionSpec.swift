import FlipGeometry

/// What was asked of one join: a hard cut, or a style with its look and timing.
package struct TransitionSpec: Sendable {
    /// nil is a hard cut.
    package var look: StyledLook?
    package var duration: TransitionDuration
    package var overlap: Overlap

    /// Whether the clips run during a transition.
    package enum Overlap: String, CaseIterable, Sendable, Codable {
        /// Both clips run; the output is shorter by the transition's length.
        case play
        /// The last frame of the one and the first of the other are held; nothing of either clip is spent.
        case freeze
    }

    package init(look: StyledLook?, duration: TransitionDuration = .standard, overlap: Overlap = .play) {
        self.look = look
        self.duration = duration
        self.overlap = overlap
    }

    /// Reads a spec written the way ffmpeg writes filters: `fold=mode=cubic:duration=1:easing=cubic-out`, or `cut`.
    /// A `look` stands for its options, whatever its place in the spec; the others override it. `duration` and `overlap` serve where the spec has none.
    /// - Parameter styles: those that have a name.
    package init(
        parsing text: String, styles: [any TransitionStyle] = Styles.all, duration: TransitionDuration = .standard,
        overlap: Overlap = .play
    ) throws(OptionError) {
        let name = text.prefix { $0 != "=" }
        let rest = text.dropFirst(name.count + 1)
        self.duration = duration
        self.overlap = overlap
        if name == "cut" {
            guard rest.isEmpty else { throw OptionError("transition cut takes no options, not '\(rest)'") }
            look = nil
            return
        }
        let style = try Styles.named(String(name), in: styles)
        var bundle: String?
        var options: [(option: LookOption, value: String)] = []
        for entry in rest.split(separator: ":") {
            let key = entry.prefix { $0 != "=" }
            let value = String(entry.dropFirst(key.count + 1))
            switch key {
            case "duration": self.duration = try TransitionDuration(parsing: value)
            case "overlap": self.overlap = try Overlap(parsing: value)
            case "look": bundle = value
            default:
                guard let option = LookOption(rawValue: String(key)) else {
                    throw OptionError(
                        "unknown option '\(key)' in transition '\(text)' (style \(name) has duration, overlap, look, "
                            + "\(style.options.map(\.rawValue).joined(separator: ", ")))")
                }
                options.append((option, value))
            }
        }
        look = try StyledLook(style: style, look: bundle, options: options)
    }
}

extension TransitionSpec.Overlap {
    package init(parsing text: String) throws(OptionError) {
        guard let overlap = Self(rawValue: text) else {
            throw OptionError("invalid overlap '\(text)' (expected play|freeze)")
        }
        self = overlap
    }
}
