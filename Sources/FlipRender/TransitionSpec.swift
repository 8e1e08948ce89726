import FlipBase
import FlipGeometry
import Foundation

/// What the user asked for at one join: a hard cut, or a style with its look and timing.
package struct TransitionSpec: Sendable {
    /// The style with its look; nil for a hard cut.
    package var look: StyledLook?
    package var duration: TransitionDuration
    /// Nil for the default of the join: `handles` between the parts of a cut list, and `play` elsewhere.
    package var overlap: Overlap?
    /// The sound of the page that lands; nil for none. A hard cut has none.
    package var sound: TransitionSound?
    /// The recorded movement that takes the place of the easing; nil for none. A hard cut has none.
    package private(set) var gesture: TransitionGesture?
    /// Whether `duration` was asked for; otherwise it is a gesture's own.
    package private(set) var hasDuration = true

    /// Whether the clips keep running during a transition, and what they show then.
    package enum Overlap: String, CaseIterable, Sendable, Codable {
        /// Both clips run; the output is shorter by the transition's length.
        case play
        /// The outgoing clip's last frame and the incoming clip's first are held; no frames of either are used up.
        case freeze
        /// Both clips run, and show what lies outside their parts as far as their files have it: the outgoing clip what
        /// comes after its part, the incoming one what comes before. The output is shorter by what they lack of that.
        case handles

        /// Whether the clips are held.
        package var isFrozen: Bool {
            switch self {
            case .play, .handles: false
            case .freeze: true
            }
        }
    }

    /// - Parameter duration: nil for the gesture's, or else 0.6 s.
    package init(look: StyledLook?, duration: TransitionDuration? = nil, overlap: Overlap? = nil) {
        self.look = look
        self.duration = duration ?? .standard
        hasDuration = duration != nil
        self.overlap = overlap
    }

    /// The transition where nobody asks for one.
    package static func standard() throws(OptionError) -> TransitionSpec {
        TransitionSpec(look: try StyledLook(style: Styles.all[0]))
    }

    /// The files that the transition reads: its sound and its gesture.
    package var files: [String] { [sound?.path, gesture?.path].compactMap(\.self) }

    /// The progress at `time`, both 0...1, of a transition other than a cut.
    package func progress(at time: Double) -> Double { gesture?.progress(at: time) ?? look?.look.easing(time) ?? time }

    /// The first time, 0...1, at which the progress is `progress` or passes it.
    package func time(of progress: Double) -> Double {
        let steps = 1024
        for step in 0..<steps {
            var (early, late) = (Double(step) / Double(steps), Double(step + 1) / Double(steps))
            let isAbove = self.progress(at: early) > progress
            if (self.progress(at: late) > progress) == isAbove { continue }
            for _ in 0..<40 {
                let middle = (early + late) / 2
                if (self.progress(at: middle) > progress) == isAbove { early = middle } else { late = middle }
            }
            return early
        }
        return 1
    }

    /// Makes the transition follow the movement recorded in the file at `path`, and takes as long if no duration was
    /// asked for. A cut stays as it is.
    package mutating func follow(gesture path: String) throws(OptionError) {
        gesture = TransitionGesture(path: path)
        try readGesture()
    }

    /// Reads the gesture that the spec names, if it names one.
    package mutating func readGesture() throws(OptionError) {
        guard let look, var gesture else {
            gesture = nil
            return
        }
        try gesture.read(for: look)
        self.gesture = gesture
        if !hasDuration, let time = gesture.milliseconds {
            duration = .seconds(Rational(max(1, Int(time.rounded())), 1000))
        }
    }

    /// Parses a spec in the syntax of ffmpeg's filters: `fold=mode=cubic:duration=1:easing=cubic-out`, or `cut`.
    /// A `look` stands for a set of options; options in the spec override it, whether they come before or after it.
    /// `duration`, `overlap` and `sound` are the defaults for a spec that has none.
    /// - Parameters:
    ///   - styles: the styles that the spec may name.
    ///   - gesture: the path of the gesture for a spec that has none; nil for none.
    ///   - folder: what a sound's and a gesture's relative path is relative to; see `TransitionSound.parsing`.
    ///   - readsGesture: whether a gesture is read at once; otherwise `readGesture` has to be called.
    package init(
        parsing text: String, styles: [any TransitionStyle] = Styles.all, duration: TransitionDuration? = nil,
        overlap: Overlap? = nil, sound: TransitionSound? = nil, gesture: String? = nil, folder: String = "",
        readsGesture: Bool = true
    ) throws(OptionError) {
        let name = text.prefix { $0 != "=" }
        let rest = text.dropFirst(name.count + 1)
        self.duration = duration ?? .standard
        hasDuration = duration != nil
        self.overlap = overlap
        if name == "cut" {
            guard rest.isEmpty else { throw OptionError("transition cut takes no options, not '\(rest)'") }
            look = nil
            return
        }
        self.sound = sound
        self.gesture = gesture.map { TransitionGesture(path: $0) }
        if let colon = name.firstIndex(of: ":"), styles.contains(where: { $0.name == name[..<colon] }) {
            throw OptionError(
                "transition '\(text)' has a colon after the style's name (write "
                    + "\(name[..<colon])=\(text[text.index(after: colon)...]))")
        }
        let choice = try StyleChoice(String(name), in: styles)
        let style = choice.style
        var bundle: String?
        var gain: Double?
        var options = choice.options
        for entry in OutputValue.entries(of: String(rest)) where !entry.isEmpty {
            let key = entry.prefix { $0 != "=" }
            let value = String(entry.dropFirst(key.count + 1))
            switch key {
            case "duration":
                self.duration = try TransitionDuration(parsing: value)
                hasDuration = true
            case "gesture":
                self.gesture =
                    value == "none" ? nil : TransitionGesture(path: (value.hasPrefix("/") ? "" : folder) + value)
            case "overlap": self.overlap = try OutputValue.word("overlap", value)
            case "look": bundle = value
            case "sound":
                self.sound = try TransitionSound.parsing(value, in: folder)
                self.sound?.gain = sound?.gain ?? 0
            case "sound-gain": gain = try OutputValue.number("sound-gain", value, in: TransitionSound.gains)
            default:
                guard let option = LookOption(rawValue: String(key)) else {
                    let keys = Self.keys + style.options.map(\.rawValue)
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
        if self.gesture != nil, options.contains(where: { $0.option == .easing }) {
            throw OptionError("transition '\(text)' has both an easing and a gesture, which takes its place")
        }
        look = try StyledLook(style: style, look: bundle, options: options)
        look?.otherName = choice.otherName
        if readsGesture { try readGesture() }
    }

    /// The options of a spec besides those of its style.
    private static let keys = ["duration", "overlap", "look", "sound", "sound-gain", "gesture"]

    /// What a spec that ends with the look `look` has to add for the gesture, whose path is made absolute; empty for
    /// none.
    package func gestureText(after look: String) -> String {
        guard let gesture else { return "" }
        let path = URL(fileURLWithPath: gesture.path).path
        return Self.separator(after: look) + "gesture=" + Self.escaped(path)
    }

    /// What a spec that ends with `spec` has to add for the sound, whose path is made absolute; empty for none, and for
    /// one that is stored in a document.
    package func soundText(after spec: String) -> String {
        guard var sound else { return "" }
        if let path = sound.path { sound.source = .file(URL(fileURLWithPath: path).path) }
        guard let text = sound.text else { return "" }
        return Self.separator(after: spec) + "sound=" + Self.escaped(text)
            + (sound.gain == 0 ? "" : ":sound-gain=\(sound.gain)")
    }

    /// The whole spec, as `init(parsing:)` reads it.
    package var text: String {
        guard let look else { return "cut" }
        var text = look.description
        let time = duration.optionText
        text += Self.separator(after: text) + "duration=\(time)"
        if let overlap { text += ":overlap=\(overlap.rawValue)" }
        text += gestureText(after: text)
        return text + soundText(after: text)
    }

    private static func separator(after spec: String) -> String { spec.contains("=") ? ":" : "=" }

    private static func escaped(_ value: String) -> String { value.replacingOccurrences(of: ":", with: "\\:") }
}
