import FlipBase
import FlipGeometry

/// What the user asked for at one join: a hard cut, or a style with its look and timing.
package struct TransitionSpec: Sendable {
    /// The style with its look; nil for a hard cut.
    package var look: StyledLook?
    package var duration: TransitionDuration
    package var overlap: Overlap
    /// The sound of the page that lands; nil for none. A hard cut has none.
    package var sound: TransitionSound?

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
    /// `duration`, `overlap` and `sound` are the defaults for a spec that has none.
    /// - Parameters:
    ///   - styles: the styles that the spec may name.
    ///   - folder: what a sound's relative path is relative to; see `TransitionSound.parsing`.
    package init(
        parsing text: String, styles: [any TransitionStyle] = Styles.all, duration: TransitionDuration = .standard,
        overlap: Overlap = .play, sound: TransitionSound? = nil, folder: String = ""
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
        self.sound = sound
        let style = try Styles.named(String(name), in: styles)
        var bundle: String?
        var gain: Double?
        var options: [(option: LookOption, value: String)] = []
        for entry in OutputValue.entries(of: String(rest)) where !entry.isEmpty {
            let key = entry.prefix { $0 != "=" }
            let value = String(entry.dropFirst(key.count + 1))
            switch key {
            case "duration": self.duration = try TransitionDuration(parsing: value)
            case "overlap": self.overlap = try Overlap(parsing: value)
            case "look": bundle = value
            case "sound":
                self.sound = try TransitionSound.parsing(value, in: folder)
                self.sound?.gain = sound?.gain ?? 0
            case "sound-gain": gain = try OutputValue.number("sound-gain", value, in: TransitionSound.gains)
            default:
                guard let option = LookOption(rawValue: String(key)) else {
                    let keys = ["duration", "overlap", "look", "sound", "sound-gain"] + style.options.map(\.rawValue)
                    throw OptionError(
                        "unknown option '\(key)' in transition '\(text)'\(Suggestion.question(for: key, among: keys)) "
                            + "(style \(name) has \(keys.joined(separator: ", ")))")
                }
                options.append((option, value))
            }
        }
        if let gain {
            guard self.sound != nil else {
                throw OptionError("sound-gain has no effect in transition '\(text)' (give it a sound as well)")
            }
            self.sound?.gain = gain
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
