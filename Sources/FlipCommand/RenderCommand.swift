import ArgumentParser
import FlipBase
import FlipFiles
import FlipGeometry
import FlipProject
import FlipRender

/// Renders what a project or a timeline describes.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Render a project (.yaml) or an edited timeline (.otio).",
        usage: "fliptransition render <project.yaml|timeline.otio> <output> [options]",
        discussion: """
            Options override the project's settings. \(Documents.path("PROJECTS.md")) and OTIO.md beside it describe \
            these files.
            """)

    @OptionGroup var options: DescriptionOptions
    @OptionGroup(title: "Engine", visibility: .detail) var engine: EngineOptions
    @OptionGroup(title: "Output") var chapters: ChapterOptions
    @OptionGroup(title: "Running") var running: RunOptions

    func run() throws {
        if engine.engine != nil {
            if chapters.chaptersOut != nil { throw OptionError("--chapters-out can't be combined with --engine") }
            return try TimelineRun(self).run()
        }
        if let option = engine.firstGiven { throw OptionError("\(option) needs --engine local or slurm") }
        try RenderRun(running, chapters).run { try options.composition() }
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

    /// The composition that the file describes. Also sets the limits that apply when inputs are opened.
    func composition() throws -> Composition {
        try limits.apply()
        return try Description.composition(
            source, copy: sourceCopy, reading: reading,
            output: { base in try output.settings(path: path, over: base) }, isStrict: strict)
    }
}

/// Projects and timelines: files that describe what to render.
enum Description {
    /// Whether `path` has the extension of a project or a timeline.
    static func isDescription(_ path: String) -> Bool {
        [".otio", ".yaml", ".yml"].contains { path.lowercased().hasSuffix($0) }
    }

    /// The composition that the file at `path` describes.
    /// - Parameters:
    ///   - copy: the path of a copy of the file, which is read in its place; nil for the file itself.
    ///   - output: makes the settings from the options, over those of a project; called with nil for a
    ///   timeline.
    static func composition(
        _ path: String, copy: String? = nil, reading: InputOptions, output: (OutputSettings?) throws -> OutputSettings,
        isStrict: Bool
    ) throws -> Composition {
        let root = try reading.opening.root.map { path in try RootFolder(path) }
        guard isDescription(path) else {
            throw MediaError(.usage, "\(path): a project ends in .yaml and a timeline in .otio")
        }
        var composition: Composition
        if path.lowercased().hasSuffix(".otio") {
            let timeline = try OTIOTimeline(
                path: path, copy: copy, root: root, reading: try reading.settings(), settings: try output(nil))
            composition = timeline.composition
            try timeline.files.check(output: composition.output.path)
            composition.notes = timeline.notes
        } else {
            let project = try Project(path: path, copy: copy, root: root)
            composition = project.composition
            composition.reading = try reading.settings(over: composition.reading)
            composition.output = try output(composition.output)
            try project.files.check(output: composition.output.path)
        }
        composition.isStrict = isStrict
        return composition
    }
}
