import ArgumentParser
import FlipDeck
import FlipGeometry
import FlipRender

/// Makes a video of whatever the inputs are.
struct JoinCommand: VideoCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Make a video of clips, slides, a project or a timeline.",
        usage: "fliptransition <input>... <output> [options]",
        discussion: "Slides need poppler's programs, and LibreOffice where they aren't PDF.",
        shouldDisplay: CompletionScript.needsAllCommands, aliases: ["render"])

    @OptionGroup var options: VideoOptions

    static let kind: Source.Kind? = nil
}

/// Makes a video of slides: pictures and films are slides, too.
struct DeckCommand: VideoCommand {
    static let configuration = CommandConfiguration(
        commandName: "deck", abstract: "Make a video of slides, where pictures and films are slides, too.",
        usage: "fliptransition deck <deck.pdf|pptx|odp|folder|picture|film>... <output> [options]",
        shouldDisplay: CompletionScript.needsAllCommands)

    @OptionGroup var options: VideoOptions

    static let kind: Source.Kind? = .slides
}

/// The options of a command that makes a video.
struct VideoOptions: ParsableArguments {
    @OptionGroup var make: MakeOptions
    @OptionGroup(title: "Engine", visibility: .detail) var engine: EngineOptions
    @OptionGroup(title: "Output") var chapters: ChapterOptions
    @OptionGroup(title: "Running") var running: RunOptions
}

/// A command that makes a video.
protocol VideoCommand: ParsableCommand {
    var options: VideoOptions { get }
    /// What the inputs are taken for; nil for what they are.
    static var kind: Source.Kind? { get }
}

extension VideoCommand {
    func run() throws {
        let (make, running) = (options.make, options.running)
        if options.engine.isGiven { return try TimelineRun(options, Self.self).run() }
        if let option = options.engine.firstGiven { throw OptionError("\(option) needs --engine local or slurm") }
        var files: [any DeckFile] = []
        do {
            try RenderRun(running, options.chapters).run {
                let source = try make.source(as: Self.kind)
                try make.limits.apply()
                var made = try source.made()
                if let (deck, _) = made.slides {
                    let others = [running.report, options.chapters.chaptersOut].compactMap(\.self)
                    files = try make.deck.notes.files(of: deck, outputs: others)
                }
                // A first clip from a pipe is passed on as it arrives.
                if source.kind == .clips { made.composition.reading.passesOn = true }
                return made.composition
            }
        } catch {
            throw make.explained(error)
        }
        for file in files { try file.write() }
    }

    /// What the arguments ask for. May read the inputs.
    func composition() throws -> Composition { try options.make.composition(as: Self.kind) }

    /// Throws if the value of an option is invalid. Documents are neither converted nor read.
    func check() throws {
        try options.make.limits.apply()
        try options.make.source(as: Self.kind).check()
    }

    /// The files to which the options and `inputs` refer: those of this command, or of another of the same
    /// `JobRequest.kind`, for which the command isn't parsed again.
    func references(of inputs: [String]) throws -> [String] {
        let make = options.make
        let source = try make.source(as: Self.kind)
        if source.describesItself { return try source.files() }
        return try make.furtherFiles() + (source.kind == .slides ? make.deck.notes.files(beside: inputs) : [])
    }
}
