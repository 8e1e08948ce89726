import ArgumentParser
import FlipBase
import FlipMedia
import FlipDeck
import FlipFiles
import FlipGeometry
import FlipProject
import FlipRender
import Foundation

/// The options of decks beyond those of clips, such as times, narration and sounds.
struct DeckOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .option(
            "How long each slide stays; notes: at least as long as its notes take to read.",
            values: "4, 500ms, 90f or notes", default: "as in the deck, or 4", "time"))
    var hold: String?
    @Option(help: .option("Times of the slides, one a line: 4, 90f or @1:30.", "file"), completion: .file())
    var timings: String?
    @Option(help: .option("Speech: a folder with 01.wav, 02.m4a ..., or one file.", "dir|file"), completion: .file())
    var narration: String?
    @Option(
        help: .option(
            "Which recorded narration, films and sounds of the documents play.", values: SlideMediaChoice.words,
            default: "all", "kind"), completion: .words(SlideMediaChoice.words))
    var slideMedia: String?
    @Option(
        help: .option(
            "Whether clicks that build a slide are steps of it, and how long each stays.", values: "off, steps or 2s",
            default: "steps", "off|time"), completion: .words("off|steps"))
    var builds: String?
    @OptionGroup var binding: BookOptions
    @Option(
        help: .option(
            "What becomes of slides that the document hides.", values: "skip|show", default: "skip", "skip|show"),
        completion: .words("skip|show"))
    var hidden: String?
    @Option(
        help: .detail(
            "What becomes of files in a folder that can't be shown.", values: "stop|skip", default: "stop", "stop|skip"),
        completion: .words("stop|skip"))
    var unreadable: String?
    @Option(
        parsing: .unconditional,
        help: .option("Time from the end of a slide's speech to the next slide.", default: "0", "time"))
    var pause: String?
    @Flag(help: .option("Leave out silence before and after each slide's speech."))
    var trimSilence = false
    @Option(
        help: .option(
            "Draw the transitions given here, or the deck's own where they are known.", values: "given|from-deck",
            default: "given", "source"), completion: .words("given|from-deck"))
    var slideTransitions: String?
    @Option(help: .option("Background music, lowered while somebody speaks.", "file"), completion: .file())
    var music: String?
    @Option(
        parsing: .unconditional,
        help: .option("Gain of the music.", values: DeckSpec.musicGains.text + " dB", default: "-12", "dB"))
    var musicGain: String?
    @Option(
        help: .detail(
            "Draw each slide's number on it.", values: "bottom-right, top:size=4% ...", default: "none", "place"),
        completion: .list(FramePlace.all.map(\.name)))
    var slideNumbers: String?
    @Flag(help: .option("Write no chapters; without it each slide starts one."))
    var noChapters = false
    @Option(help: .detail("A file whose first line is the password of the PDF.", "secret"), completion: .file())
    var passwordFile: String?
    @Option(
        parsing: .unconditional,
        help: .detail("That password itself, which other users of the machine can see.", "text"))
    var password: String?
    @Option(
        parsing: .unconditional,
        help: .detail(
            "Keep what is made for further runs, which then make only what has changed, and at most so much of it.",
            values: "4G, 500M ...", "bytes"))
    var cache: String?
    @OptionGroup var notes: NotesOptions

    /// Values that ask for nothing but what is done without them.
    private static let defaults = [
        "slide-media": "all", "builds": "steps", "hidden": "skip", "unreadable": "stop", "slide-transitions": "given",
    ]

    /// The first option that was given and asks for something, as the user typed it.
    var firstGiven: String? {
        let own = given.first { Self.defaults[$0.name] != $0.value }
        return own.map { "--" + $0.name } ?? binding.firstGiven ?? notes.firstGiven
    }

    /// The number of bytes that may be kept for further runs; nil to keep nothing.
    private var cacheLimit: Int? {
        get throws(OptionError) { try cache.map { text throws(OptionError) in try OutputValue.bytes("cache", text) } }
    }

    /// Applies the options that were given to `spec`.
    func apply(to spec: inout DeckSpec) throws(OptionError) {
        try spec.set(given)
        try binding.apply(to: &spec)
        if trimSilence { spec.trimsSilence = true }
        _ = try cacheLimit
        try notes.apply(to: &spec)
        if let slideNumbers { spec.output.overlays.append(try OverlaySpec(parsingNumbers: slideNumbers)) }
        if password != nil, passwordFile != nil {
            throw OptionError("--password and --password-file exclude each other (give one of them)")
        }
        if musicGain != nil, spec.music == nil {
            throw OptionError("--music-gain has no effect by itself (give --music)")
        }
    }
}

/// The option that binds a deck's pages into a book.
struct BookOptions: ParsableArguments {
    @Option(
        help: .option(
            "Bind the pages into a book: where its spine is.", values: BookLayout.Form.words, default: "no book", "form"
        ),
        completion: .words(BookLayout.Form.words))
    var book: String?

    func apply(to spec: inout DeckSpec) throws(OptionError) { try spec.set(given) }
}

extension DeckOptions {
    /// The deck that `spec` asks for, with the options that were given over it.
    func deck(_ spec: inout DeckSpec) throws -> Deck {
        try apply(to: &spec)
        if noChapters { spec.output.marksClips = false }
        if let limit = try cacheLimit {
            guard let folder = WorkCache.userFolder else {
                throw MediaError(.usage, "there is no folder in which to keep what is made (set HOME)")
            }
            spec.output.cache = try WorkCache(folder, limit: limit)
        }
        if let password { spec.password = try Password(password) }
        if let passwordFile {
            if let root = spec.root, let refusal = try RootFolder(root).refusal(of: passwordFile) {
                throw MediaError(.badInput, refusal)
            }
            spec.password = try Password(file: passwordFile)
        }
        spec.sources += [spec.timings, spec.narration, spec.music, passwordFile].compactMap(\.self)
        spec.sources += spec.translations.map(\.folder)
        let documents = Set(spec.officeDocuments).sorted()
        if !documents.isEmpty, isatty(STDERR_FILENO) == 1, !Message.isJSON {
            Message.note("reading \(documents.joined(separator: ", ")) with LibreOffice, which may take a while")
        }
        return try Deck(spec)
    }
}
