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
    package static let keys = [
        "hold", "book", "timings", "narration", "pause", "trim-silence", "slide-media", "hidden", "slide-transitions",
        "music",
        "music-gain", "captions-from", "speak", "password-file",
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
        let path = { () throws(MediaError) -> String in try files.path(of: value.text(), at: value.location) }
        switch key {
        case "hold":
            spec = try value.reading { [spec] text throws(OptionError) in
                var spec = spec
                try spec.setHold(text)
                return spec
            }
        case "book": spec.book = try value.reading(BookLayout.Form.init(parsing:))
        case "timings": spec.timings = try path()
        case "narration": spec.narration = try path()
        case "pause":
            spec.pause = try value.reading { text throws(OptionError) in
                try TransitionDuration.orNone(parsing: text, of: "pause")
            }
        case "trim-silence": spec.trimsSilence = try value.flag()
        case "slide-media": spec.slideMedia = try value.reading(SlideMediaChoice.init(parsing:))
        case "hidden": spec.showsHidden = try value.reading(DeckSpec.showsHidden)
        case "slide-transitions":
            spec.usesOwnTransitions = try value.reading { text throws(OptionError) in
                try DeckSpec.usesOwnTransitions(text)
            }
        case "music": spec.music = try path()
        case "music-gain": spec.musicGain = try value.number(in: DeckSpec.musicGains)
        case "captions-from": spec.captionsFromNotes = try value.reading(DeckSpec.captionsFromNotes)
        case "speak":
            guard try value.text() == "notes" else {
                throw value.error(
                    "a project can't name programs (write 'speak: notes', and give --speak with the program)")
            }
            spokenNotes = value.location
        case "password-file": spec.password = try Password(file: path())
        default: throw value.error("'\(key)' is not supported")
        }
    }
}
