import ArgumentParser
import FlipBase
import FlipDeck
import FlipFiles
import FlipGeometry
import FlipProject
import FlipRender

/// Renders what a project, a timeline or a document describes.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Render a project (.yaml), an edited timeline (.otio) or a document.",
        usage: "fliptransition render <project.yaml|timeline.otio|slides.pdf> <output> [options]",
        discussion: """
            Options, those of deck among them, override the project's settings. \(Documents.path("PROJECTS.md")) and \
            OTIO.md beside it describe these files.
            """)

    @OptionGroup var options: DescriptionOptions
    @OptionGroup(title: "Slides", visibility: .detail) var deck: DeckOptions
    @OptionGroup(title: "Engine", visibility: .detail) var engine: EngineOptions
    @OptionGroup(title: "Output") var chapters: ChapterOptions
    @OptionGroup(title: "Running") var running: RunOptions

    func run() throws {
        if engine.engine != nil { return try TimelineRun(self).run() }
        if let option = engine.firstGiven { throw OptionError("\(option) needs --engine local or slurm") }
        var folder: NotesFolder?
        try RenderRun(running, chapters).run {
            let described = try options.described(deck)
            if let slides = described.deck {
                folder = try deck.notesFolder(of: slides, running, chapters)
            }
            return described.composition
        }
        try folder?.write()
    }
}

/// A file that describes what to render, and the output.
struct DescriptionOptions: ParsableArguments {
    @Argument(
        help: .option("The project or timeline.", "file"),
        completion: .file(extensions: ["yaml", "yml", "otio"]))
    var source: String
    @Argument(help: .option("The video.", "output"), completion: .file())
    var path: String
    @OptionGroup(title: "Inputs") var reading: InputOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @Flag(help: .detail("Make warnings errors."))
    var strict = false
    /// A copy of the file, which is read in its place.
    @Option(help: .private) var sourceCopy: String?

    /// What the file describes. Also sets the limits that apply when inputs are opened.
    func described(_ deck: DeckOptions) throws -> Description {
        try limits.apply()
        return try Description(
            source, copy: sourceCopy, reading: reading, deck: deck,
            output: { base in try output.settings(path: path, over: base) }, isStrict: strict)
    }
}

/// What a project, a timeline or a document describes.
struct Description {
    private(set) var composition: Composition
    /// The deck that the composition was made from; nil for clips.
    private(set) var deck: Deck?

    /// Whether `path` has the extension of a project or a timeline.
    static func isDescription(_ path: String) -> Bool { isProject(path) || isTimeline(path) }

    static func isProject(_ path: String) -> Bool { [".yaml", ".yml"].contains { path.lowercased().hasSuffix($0) } }

    private static func isTimeline(_ path: String) -> Bool { path.lowercased().hasSuffix(".otio") }

    /// - Parameters:
    ///   - copy: the path of a copy of the file, which is read in its place; nil for the file itself.
    ///   - options: the options for slides, which override the project's; nil for none.
    ///   - output: makes the settings from the options, over those of a project; called with nil for a
    ///   timeline.
    init(
        _ path: String, copy: String? = nil, reading: InputOptions, deck options: DeckOptions? = nil,
        output: (OutputSettings?) throws -> OutputSettings, isStrict: Bool
    ) throws {
        let root = try reading.opening.root.map { path in try RootFolder(path) }
        if Self.isDescription(path) {
            composition =
                Self.isTimeline(path)
                ? try Self.timeline(path, copy, root, try reading.settings(), try output(nil))
                : try Self.project(path, copy, root, reading, options, output, isStrict, &deck)
            if deck == nil, let option = options?.firstGiven {
                throw OptionError("\(option) is for slides, and \(path) has none")
            }
        } else {
            guard let options, Deck.isDeck(path) else {
                throw MediaError(
                    .usage,
                    "\(path): a project ends in .yaml, a timeline in .otio, and a document in .pdf, .pptx or .odp")
            }
            let made = try options.deck(
                [path], [.standard()], reading, output: try output(nil), cutBelow: nil, isStrict: isStrict)
            (deck, composition) = (made, made.composition)
        }
        composition.isStrict = isStrict
    }

    private static func timeline(
        _ path: String, _ copy: String?, _ root: RootFolder?, _ reading: InputSettings, _ output: OutputSettings
    ) throws -> Composition {
        let timeline = try OTIOTimeline(path: path, copy: copy, root: root, reading: reading, settings: output)
        var composition = timeline.composition
        try timeline.files.check(output: output.path)
        composition.notes = timeline.notes
        return composition
    }

    /// - Parameter deck: is set if the project has slides.
    private static func project(
        _ path: String, _ copy: String?, _ root: RootFolder?, _ reading: InputOptions, _ options: DeckOptions?,
        _ output: (OutputSettings?) throws -> OutputSettings, _ isStrict: Bool, _ deck: inout Deck?
    ) throws -> Composition {
        let project = try Project(path: path, copy: copy, root: root)
        switch project.content {
        case .clips(var composition):
            composition.reading = try reading.settings(over: composition.reading)
            composition.output = try output(composition.output)
            try project.files.check(output: composition.output.path)
            return composition
        case .slides(let slides):
            if options?.writeProject != nil {
                throw OptionError("--write-project is for documents, and \(path) is a project")
            }
            var spec = slides.spec
            spec.root = root?.path
            spec.reading = try reading.settings(over: spec.reading)
            spec.output = try output(spec.output)
            spec.isStrict = isStrict
            try project.files.check(output: spec.output.path)
            if let options, options.notes.speak == nil { try slides.checkSpeech(spec) }
            let made = try options?.deck(&spec) ?? Deck(spec)
            deck = made
            return made.composition
        }
    }
}
