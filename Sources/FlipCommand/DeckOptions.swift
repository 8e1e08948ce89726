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
    @Option(
        help: .option("Times of the slides, one a line: 4, 90f or @1:30.", "file"), completion: .file())
    var timings: String?
    @Option(
        help: .detail("Write the slides' times as a file for --timings; -y replaces an older one.", "file"),
        completion: .file())
    var writeTimings: String?
    @Option(
        help: .detail("Write the deck as a project for render, slide by slide; -y replaces an older one.", "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var writeProject: String?
    @Option(help: .option("Speech: a folder with 01.wav, 02.m4a ..., or one file.", "dir|file"), completion: .file())
    var narration: String?
    @Option(
        help: .option(
            "Which recorded narration, films and sounds of the documents play.", values: SlideMediaChoice.words,
            default: "all", "kind"), completion: .words(SlideMediaChoice.words))
    var slideMedia: String?
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
    @Option(parsing: .unconditional, help: .option("Gain of the music.", values: "-60...20 dB", default: "-12", "dB"))
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
    @OptionGroup var notes: NotesOptions

    /// The first option that was given, as the user typed it.
    var firstGiven: String? {
        let given: [(String, Bool)] = [
            ("--hold", hold != nil), ("--timings", timings != nil), ("--write-timings", writeTimings != nil),
            ("--write-project", writeProject != nil), ("--narration", narration != nil),
            ("--slide-media", slideMedia.map { $0 != "all" } ?? false),
            ("--hidden", hidden.map { $0 != "skip" } ?? false),
            ("--unreadable", unreadable.map { $0 != "stop" } ?? false),
            ("--pause", pause != nil), ("--trim-silence", trimSilence),
            ("--slide-transitions", slideTransitions.map { $0 != "given" } ?? false),
            ("--music", music != nil),
            ("--music-gain", musicGain != nil), ("--slide-numbers", slideNumbers != nil),
            ("--no-chapters", noChapters),
            ("--password-file", passwordFile != nil), ("--password", password != nil),
        ]
        return given.first(where: \.1)?.0 ?? notes.firstGiven
    }

    /// Applies the options that were given to `spec`.
    func apply(to spec: inout DeckSpec) throws(OptionError) {
        if let hold { try spec.setHold(hold) }
        spec.timings = timings ?? spec.timings
        spec.narration = narration ?? spec.narration
        if let slideMedia { spec.slideMedia = try SlideMediaChoice(parsing: slideMedia) }
        if let hidden { spec.showsHidden = try DeckSpec.showsHidden(hidden) }
        if let unreadable { spec.skipsUnreadable = try DeckSpec.skipsUnreadable(unreadable) }
        if let pause { spec.pause = try TransitionDuration.orNone(parsing: pause, of: "pause") }
        if trimSilence { spec.trimsSilence = true }
        if let slideTransitions { spec.usesOwnTransitions = try DeckSpec.usesOwnTransitions(slideTransitions) }
        try notes.apply(to: &spec)
        if let slideNumbers { spec.output.overlays.append(try OverlaySpec(parsingNumbers: slideNumbers)) }
        spec.music = music ?? spec.music
        if let musicGain { spec.musicGain = try OutputValue.number("music-gain", musicGain, in: DeckSpec.musicGains) }
        if password != nil, passwordFile != nil {
            throw OptionError("--password and --password-file exclude each other (give one of them)")
        }
        if musicGain != nil, spec.music == nil {
            throw OptionError("--music-gain has no effect by itself (give --music)")
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

            Besides these, deck takes the options of join: --duration, --transition, --style, --size, --crf, -y ...
            """)

    @OptionGroup(visibility: .detail) var options: CompositionOptions
    @OptionGroup(title: "Slides") var deck: DeckOptions
    @OptionGroup(title: "Output") var chapters: ChapterOptions
    @OptionGroup(title: "Running") var running: RunOptions

    func run() throws {
        var folder: NotesFolder?
        try RenderRun(running, chapters).run {
            let made = try deck.deck(options)
            folder = try deck.notesFolder(of: made, running, chapters)
            return made.composition
        }
        try folder?.write()
    }
}

extension DeckOptions {
    /// The options of join that have no meaning for slides and are refused, by their long names.
    static let refused: Set<String> = ["still-duration"]

    /// The composition of a deck, for a run that writes nothing but what it says.
    func composition(_ options: CompositionOptions) throws -> Composition {
        try notes.checkWritesNothing()
        return try deck(options).composition
    }

    /// The deck from these options and those that it shares with join.
    func deck(_ options: CompositionOptions) throws -> Deck {
        try options.limits.apply()
        guard let path = options.files.last, options.files.count >= 2 else {
            throw MediaError(.usage, "slides and an output are needed (fliptransition deck slides.pdf out.mp4)")
        }
        return try deck(
            Array(options.files.dropLast()), options.timing.transitions(options.look), options.reading,
            output: options.output.settings(path: path), cutBelow: options.timing.leastTime(), isStrict: options.strict)
    }

    /// The deck of `inputs`, as the user names them.
    func deck(
        _ inputs: [String], _ transitions: [TransitionSpec], _ reading: InputOptions, output: OutputSettings,
        cutBelow: TransitionDuration?, isStrict: Bool
    ) throws -> Deck {
        if reading.stillDuration != nil {
            throw OptionError("--still-duration is for clips (give --hold for slides)")
        }
        var spec = DeckSpec(inputs: inputs, transitions: transitions, output: output)
        spec.root = reading.opening.root
        spec.reading = try reading.settings()
        spec.cutBelow = cutBelow
        spec.isStrict = isStrict
        spec.output.marksClips = output.marksClips || (Container.forPath(output.path)?.holdsChapters ?? true)
        spec.sources = InputList.files(behind: inputs) + notes.files(beside: inputs)
        return try deck(&spec)
    }

    /// The folder for notes, checked before anything is rendered; nil if none was asked for.
    func notesFolder(of deck: Deck, _ running: RunOptions, _ chapters: ChapterOptions) throws -> NotesFolder? {
        let others = [running.report, chapters.chaptersOut, writeTimings, writeProject].compactMap(\.self)
        return try notes.folder(of: deck, outputs: others)
    }

    /// The deck that `spec` asks for, with the options that were given over it.
    func deck(_ spec: inout DeckSpec) throws -> Deck {
        try apply(to: &spec)
        if noChapters { spec.output.marksClips = false }
        if let password { spec.password = try Password(password) }
        if let passwordFile {
            if let root = spec.root, try !RootFolder(root).contains(passwordFile) {
                throw MediaError(.badInput, "'\(passwordFile)' is outside \(root) (--root)")
            }
            spec.password = try Password(file: passwordFile)
        }
        spec.sources += [spec.timings, spec.narration, spec.music, passwordFile].compactMap(\.self)
        let documents = Set(spec.officeDocuments).sorted()
        if !documents.isEmpty, isatty(STDERR_FILENO) == 1, !Message.isJSON {
            Message.note("reading \(documents.joined(separator: ", ")) with LibreOffice, which may take a while")
        }
        var deck = try Deck(spec)
        if let writeTimings {
            deck.composition.sideTexts.append(
                SideText(path: writeTimings, name: "cue sheet", text: deck.cueSheet.text))
        }
        if let writeProject {
            let text = ProjectText(deck, spec, try GivenWords.current().projectOptions, passwordFile: passwordFile)
            deck.composition.sideTexts.append(
                SideText(path: writeProject, name: "project", text: text.text(at: writeProject)))
        }
        return deck
    }
}
