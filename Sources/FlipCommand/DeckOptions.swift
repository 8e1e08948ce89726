import ArgumentParser
import FlipBase
import FlipDeck
import FlipGeometry
import FlipMedia
import FlipRender

/// The options of decks beyond those of clips, such as times, narration and sounds.
struct DeckOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long each slide stays; by default what the deck says, or 4 s.", valueName: "time"))
    var hold: String?
    @Option(
        help: ArgumentHelp("A file with one time per slide and line: 4, 90f, @1:30.", valueName: "file"),
        completion: .file())
    var timings: String?
    @Option(
        help: ArgumentHelp("Speech: a folder with 01.wav, 02.m4a ..., or one file.", valueName: "dir|file"),
        completion: .file())
    var narration: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Time from the end of a slide's speech to the next slide (0).", valueName: "time"))
    var pause: String?
    @Flag(help: "Leave out silence before and after each slide's speech.")
    var trimSilence = false
    @Option(
        help: ArgumentHelp(
            "Draw the transitions given here, or the deck's own where they are known.", valueName: "given|from-deck"),
        completion: .list(["given", "from-deck"])
    )
    var transitions = "given"
    @Option(help: ArgumentHelp("A sound to play whenever a slide turns.", valueName: "file"), completion: .file())
    var sound: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Gain of that sound, -60...20 dB (0).", valueName: "dB"))
    var soundGain: String?
    @Option(
        help: ArgumentHelp("Background music, lowered while somebody speaks.", valueName: "file"), completion: .file())
    var music: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Gain of the music, -60...20 dB (-12).", valueName: "dB"))
    var musicGain: String?
    @Flag(help: "Write no chapters (by default each slide starts one).")
    var noChapters = false

    /// The first option that was given, as the user typed it.
    var firstGiven: String? {
        let given: [(String, Bool)] = [
            ("--hold", hold != nil), ("--timings", timings != nil), ("--narration", narration != nil),
            ("--pause", pause != nil), ("--trim-silence", trimSilence), ("--transitions", transitions != "given"),
            ("--sound", sound != nil), ("--sound-gain", soundGain != nil), ("--music", music != nil),
            ("--music-gain", musicGain != nil), ("--no-chapters", noChapters),
        ]
        return given.first(where: \.1)?.0
    }

    /// Whether `text` is a time of zero in any unit: `0`, `0.0`, `0s`, `0f`.
    private static func isZero(_ text: String) -> Bool {
        let digits =
            text.hasSuffix("ms")
            ? text.dropLast(2) : text.hasSuffix("s") || text.hasSuffix("f") ? text.dropLast() : text[...]
        return digits.first == "0" && digits.allSatisfy { "0.".contains($0) } && digits.count(where: { $0 == "." }) < 2
    }

    /// Applies these options to `spec`.
    func apply(to spec: inout DeckSpec) throws(OptionError) {
        spec.hold = try hold.map { text throws(OptionError) in try TransitionDuration(parsing: text, of: "hold") }
        spec.timings = timings
        spec.narration = narration
        if let pause, !Self.isZero(pause) { spec.pause = try TransitionDuration(parsing: pause, of: "pause") }
        spec.trimsSilence = trimSilence
        guard ["given", "from-deck"].contains(transitions) else {
            throw OptionError("invalid transitions '\(transitions)' (expected given|from-deck)")
        }
        spec.usesOwnTransitions = transitions == "from-deck"
        spec.sound = sound
        spec.music = music
        if let soundGain { spec.soundGain = try OutputValue.number("sound-gain", soundGain, in: -60...20) }
        if let musicGain { spec.musicGain = try OutputValue.number("music-gain", musicGain, in: -60...20) }
        for (option, isAlone) in [
            ("--sound-gain", soundGain != nil && sound == nil), ("--music-gain", musicGain != nil && music == nil),
            ("--pause", pause != nil && narration == nil), ("--trim-silence", trimSilence && narration == nil),
        ] where isAlone {
            throw OptionError(
                "\(option) has no effect by itself (give --\(option.contains("gain") ? String(option.dropFirst(2).dropLast(5)) : "narration"))"
            )
        }
    }
}

/// Turns slides into a video.
struct DeckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deck", abstract: "Turn slides into a video.",
        usage: "fliptransition deck <deck.pdf|pptx|odp|folder|picture|film>... <output> [options]",
        discussion: """
            Documents need poppler's programs, and LibreOffice where they aren't PDF. deck.pdf#page=2-5 are some pages of one, \
            photo.jpg#t=4 is a picture that stays for 4 s.

            Besides these, deck takes all options of join (fliptransition join --help): --duration, --transition, --style, \
            --size, --fps, --fit, --background, --holds, --crf, -y ...
            """)

    // The options of join are hidden, because join's help lists them and they would double the length of this one.
    @OptionGroup(visibility: .hidden) var options: CompositionOptions
    @OptionGroup(title: "Slides") var deck: DeckOptions
    @OptionGroup(title: "Running") var running: RunOptions

    func run() throws {
        try RenderRun(running).run { try deck.composition(options) }
    }
}

extension DeckOptions {
    /// The composition of a deck, from these options and those that it shares with join.
    func composition(_ options: CompositionOptions) throws -> Composition {
        try options.limits.apply()
        guard let path = options.files.last, options.files.count >= 2 else {
            throw MediaError(.usage, "slides and an output are needed (fliptransition deck slides.pdf out.mp4)")
        }
        var spec = DeckSpec(
            inputs: Array(options.files.dropLast()), transitions: try options.timing.transitions(options.look),
            output: try options.output.settings(path: path))
        spec.root = options.reading.root
        spec.reading = try options.reading.settings()
        spec.isStrict = options.strict
        if options.reading.stillDuration != nil {
            throw OptionError("--still-duration is for clips (give --hold for slides)")
        }
        try apply(to: &spec)
        spec.output.marksClips =
            spec.output.marksClips || (!noChapters && Container.forPath(path)?.holdsChapters ?? true)
        var composition = try Deck(spec).composition
        composition.sources +=
            InputList.files(behind: spec.inputs) + [timings, narration, sound, music].compactMap(\.self)
        return composition
    }
}
