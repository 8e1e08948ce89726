import FlipBase
import FlipGeometry
import FlipRender

/// The values of a deck's options, as the command line and projects write them.
extension DeckSpec {
    /// The gains of music, in dB.
    package static let musicGains = -60.0...20.0

    /// Sets how long slides stay: a duration, or `notes`.
    package mutating func setHold(_ text: String) throws(OptionError) {
        holdsForNotes = text == "notes"
        hold = holdsForNotes ? nil : try TransitionDuration(parsingHold: text)
    }

    package static func showsHidden(_ text: String) throws(OptionError) -> Bool {
        try choice(text, of: "hidden", "skip", "show")
    }

    package static func skipsUnreadable(_ text: String) throws(OptionError) -> Bool {
        try choice(text, of: "unreadable", "stop", "skip")
    }

    package static func usesOwnTransitions(_ text: String) throws(OptionError) -> Bool {
        try choice(text, of: "slide-transitions", "given", "from-deck")
    }

    package static func captionsFromNotes(_ text: String) throws(OptionError) -> Bool {
        guard text == "notes" else { throw OptionError("invalid captions-from '\(text)' (expected notes)") }
        return true
    }

    /// Whether `text` is the second of two words.
    private static func choice(
        _ text: String, of option: String, _ first: String, _ second: String
    ) throws(OptionError) -> Bool {
        guard [first, second].contains(text) else {
            throw OptionError("invalid \(option) '\(text)' (expected \(first)|\(second))")
        }
        return text == second
    }
}

extension SlideMediaChoice {
    /// The values, as help and messages write them.
    package static var words: String { allCases.map(\.rawValue).joined(separator: "|") }

    package init(parsing text: String) throws(OptionError) {
        guard let choice = Self(rawValue: text) else {
            throw OptionError("invalid slide-media '\(text)' (expected \(Self.words))")
        }
        self = choice
    }
}
