import FlipBase
import FlipDeck
import FlipFiles
import FlipGeometry
import FlipRender

/// A project with slides, as a deck.
package struct ProjectDeck: Sendable {
    package var spec: DeckSpec
    /// Where the project asks for notes to be spoken; nil if it doesn't. The program is for the command line to name.
    private var spokenNotes: TextLocation?

    /// The keys of projects that are only for slides: the options of the subcommand `deck` with the same names.
    package static let keys =
        DeckOption.allCases.filter { $0 != .unreadable }.map(\.rawValue) + [
            "trim-silence", "speak", "password-file", "translations",
        ]

    init() {
        spec = DeckSpec(inputs: [DeckInput](), transitions: [], output: OutputSettings(path: ""))
        spec.hasStillClips = true
    }

    /// What the keys for slides in `map` ask for; nil if there are none.
    static func settings(_ map: YAMLMap, _ files: ReferencedFiles) throws(MediaError) -> ProjectDeck? {
        guard map.entries.contains(where: { keys.contains($0.key) }) else { return nil }
        var deck = ProjectDeck()
        for entry in map.entries where keys.contains(entry.key) { try deck.set(entry.key, entry.value, files) }
        if let value = map["music-gain"], map["music"] == nil {
            throw value.error("music-gain has no effect without music")
        }
        return deck
    }

    /// Throws if notes are to be spoken and `spec`, this one with the command line's options, has no program for it.
    package func checkSpeech(_ spec: DeckSpec) throws(MediaError) {
        guard let spokenNotes, spec.speech == nil else { return }
        throw spokenNotes.error("the slides' notes are to be spoken, but no program was named (give --speak)")
    }

    private mutating func set(_ key: String, _ value: YAMLValue, _ files: ReferencedFiles) throws(MediaError) {
        switch key {
        case "trim-silence": spec.trimsSilence = try value.flag()
        case "speak":
            guard try value.text() == "notes" else {
                throw value.error(
                    "a project can't name programs (write 'speak: notes', and give --speak with the program)")
            }
            spokenNotes = value.location
        case "translations":
            guard case .map(let entries) = value.content else {
                throw value.error("expected a map of languages and folders, such as {de: notes-de}")
            }
            spec.translations = try entries.map { entry throws(MediaError) in
                let folder = try files.path(of: entry.value.text(), at: entry.value.location)
                return try entry.value.reading { _ throws(OptionError) in
                    try TranslationSpec(tag: entry.key, folder: folder)
                }
            }
        case "password-file": spec.password = try Password(file: files.path(of: value.text(), at: value.location))
        default:
            guard let option = DeckOption(rawValue: key) else { throw value.error("'\(key)' is not supported") }
            let path = option.isPath ? try files.path(of: value.text(), at: value.location) : nil
            var changed = spec
            try value.reading { text throws(OptionError) in try changed.set(option, to: path ?? text) }
            spec = changed
        }
    }
}
