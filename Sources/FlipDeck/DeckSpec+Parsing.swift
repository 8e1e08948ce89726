import FlipBase
import FlipGeometry
import FlipRender

/// The options of a deck that have one value, by the names that command lines and projects have for them. Manifests of batches and
/// calls of agents become command lines.
package enum DeckOption: String, CaseIterable, Sendable {
    case hold, book, timings, narration, pause
    case slideMedia = "slide-media"
    case builds, hidden, unreadable
    case slideTransitions = "slide-transitions"
    case music
    case musicGain = "music-gain"
    case captionsFrom = "captions-from"

    /// Whether the value is the path of a file or folder.
    package var isPath: Bool { self == .timings || self == .narration || self == .music }
}

extension DeckSpec {
    /// The gains of music, in dB.
    package static let musicGains = -60.0...20.0

    /// Sets `option` to the value that `text` has for it.
    package mutating func set(_ option: DeckOption, to text: String) throws(OptionError) {
        let name = option.rawValue
        switch option {
        case .hold:
            holdsForNotes = text == "notes"
            hold = holdsForNotes ? nil : try TransitionDuration(parsingHold: text)
        case .book: book = try BookLayout.Form(parsing: text)
        case .timings: timings = text
        case .narration: narration = text
        case .pause: pause = try TransitionDuration.orNone(parsing: text, of: name)
        case .slideMedia: slideMedia = try OutputValue.word(name, text)
        case .builds: builds = try BuildChoice(parsing: text)
        case .hidden: showsHidden = try OutputValue.choice(name, text, of: ["skip", "show"]) == "show"
        case .unreadable: skipsUnreadable = try OutputValue.choice(name, text, of: ["stop", "skip"]) == "skip"
        case .slideTransitions:
            usesOwnTransitions = try OutputValue.choice(name, text, of: ["given", "from-deck"]) == "from-deck"
        case .music: music = text
        case .musicGain: musicGain = try OutputValue.number(name, text, in: Self.musicGains)
        case .captionsFrom: captionsFromNotes = try OutputValue.choice(name, text, of: ["notes"]) == "notes"
        }
    }

    /// Sets those of the options in `given` that are a deck's, by their names.
    package mutating func set(_ given: [(name: String, value: String)]) throws(OptionError) {
        for (name, value) in given {
            if let option = DeckOption(rawValue: name) { try set(option, to: value) }
        }
    }
}

extension BuildChoice {
    /// The value as options have it.
    package var text: String {
        switch self {
        case .off: "off"
        case .steps: "steps"
        case .each(let time): time.optionText
        }
    }

    fileprivate init(parsing text: String) throws(OptionError) {
        switch text {
        case "off": self = .off
        case "steps": self = .steps
        default:
            guard let time = try? TransitionDuration(parsingHold: text) else {
                throw OptionError("invalid builds '\(text)' (expected off, steps or a time, as in 2.5s)")
            }
            self = .each(time)
        }
    }
}

extension SlideMediaChoice {
    /// The values, as help and messages write them.
    package static var words: String { allCases.map(\.rawValue).joined(separator: "|") }
}
