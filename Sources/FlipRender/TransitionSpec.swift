import FlipBase
import FlipGeometry

/// What the user asked for at one join: a hard cut, or a style with its look and timing.
package struct TransitionSpec: Sendable {
    /// The style with its look; nil for a hard cut.
    package var look: StyledLook?
    package var duration: TransitionDuration
    package var overlap: Overlap

    /// Whether the clips keep running during a transition.
    package enum Overlap: String, CaseIterable, Sendable, Codable {
        /// Both clips run; the output is shorter by the transition's length.
        case play
        /// The outgoing clip's last frame and the incoming clip's first are held; no frames of either are used up.
        case freeze
    }

    package init(look: StyledLook?, duration: TransitionDuration = .standard, overlap: Overlap = .play) {
        self.look = look
        self.duration = duration
        self.overlap = overlap
    }

    /// Parses a spec in the syntax of ffmpeg's filters: `fold=mode=cubic:duration=1:easing=cubic-out`, or `cut`.
    /// A `look` stands for a set of options; options in the spec override it, whether they come before or after it.
    /// `duration` and `overlap` are the defaults for a spec that has none.
    /// - Parameter styles: the styles that the spec may name.
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
                    let keys = ["duration", "overlap", "look"] + style.options.map(\.rawValue)
                    throw OptionError(
                        "unknown option '\(key)' in transition '\(text)'\(Suggestion.question(for: key, among: keys)) "
                            + "(style \(name) has \(keys.joined(separator: ", ")))")
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
