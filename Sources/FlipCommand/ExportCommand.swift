import ArgumentParser
import FlipBase
import FlipDeck
import FlipFiles
import FlipGeometry
import FlipProject
import FlipRender
import Foundation

/// Writes what would be rendered as a file that can be edited and rendered, here or by another program.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a video as a project, a timeline, timings or an ffmpeg command.",
        usage: "fliptransition export <input>... <file.yaml|.otio|.kdenlive|.mlt|.txt> [options]",
        discussion: """
            .kdenlive is a project of Kdenlive, .mlt one of Shotcut, .txt a deck's timings. --as ffmpeg prints a command for \
            ffmpeg with the plugin of scripts/install-plugins. -o names the video that is described.
            """)

    /// What can be written, or printed.
    enum Form: String, CaseIterable {
        case project, otio, kdenlive, mlt, timings, ffmpeg, graph

        /// What a file with the extension `ending` is; nil for an extension that is not known.
        init?(ending: String) {
            switch ending.lowercased() {
            case "yaml", "yml": self = .project
            case "otio": self = .otio
            case "kdenlive": self = .kdenlive
            case "mlt": self = .mlt
            case "txt": self = .timings
            default: return nil
            }
        }

        /// Whether it is printed, and the last file is the video.
        var isPrinted: Bool { self == .ffmpeg || self == .graph }
    }

    @OptionGroup var options: PlannedOptions
    @Option(
        name: .customLong("as"),
        help: .option(
            "What is written.",
            values: Form.allCases.map(\.rawValue).joined(separator: "|"), default: "by the file's name", "form"),
        completion: .list(Form.allCases.map(\.rawValue)))
    var asked: String?
    @OptionGroup var messages: MessageOptions

    func run() throws {
        try messages.apply()
        let form = try form(of: options.make.files.last ?? "")
        if form.isPrinted { return print(try command(form)) }
        var planned = options
        guard let path = planned.make.files.popLast(), !planned.make.files.isEmpty else {
            throw MediaError(
                .usage, "an input and the file to write are needed (fliptransition export in1.mp4 in2.mp4 film.otio)")
        }
        // The settings of a video follow from its name.
        let stem = path == "-" ? "out" : URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        let video = planned.make.outputPath
        planned.make.outputPath = video ?? stem + ".mp4"
        let overwrites = try planned.make.output.frames.overwriting.overwrites
        let source = try planned.source()
        var made = try planned.made(source)
        if form == .project, source.describesItself {
            throw MediaError(
                .usage, "'\(source.words[0])' is a project or timeline itself, and not written as another one")
        }
        let file = try SideOutput(
            path, name: "file to write", overwrites: overwrites, inputs: made.composition.files,
            outputs: [video].compactMap(\.self))
        // The video isn't written, so an existing one isn't replaced.
        made.composition.output.overwrites = true
        try file.write(try contents(form, made, path))
    }

    private func form(of path: String) throws -> Form {
        if let asked {
            guard let form = Form(rawValue: asked) else {
                let names = Form.allCases.map(\.rawValue)
                throw OptionError(
                    "invalid as '\(asked)'\(Suggestion.question(for: asked, among: names)) "
                        + "(expected \(names.joined(separator: "|")))")
            }
            return form
        }
        guard let form = Form(ending: URL(fileURLWithPath: path).pathExtension) else {
            throw MediaError(
                .usage,
                "'\(path)' doesn't say what to write (name it .yaml, .otio, .kdenlive, .mlt or .txt, or give --as)")
        }
        return form
    }

    private func contents(_ form: Form, _ made: Made, _ path: String) throws -> [UInt8] {
        if form == .project || form == .timings { made.composition.notes.forEach(Message.warning) }
        switch form {
        case .project:
            let given = try GivenWords(as: Self.self).projectOptions
            guard let (deck, spec) = made.slides else {
                return Array(try ProjectText(made.composition, given).text(at: path).utf8)
            }
            let text = ProjectText(deck, spec, given, passwordFile: options.make.deck.passwordFile)
            return Array(text.text(at: path).utf8)
        case .timings:
            guard let (deck, _) = made.slides else {
                throw MediaError(.usage, "only slides have timings (give it slides)")
            }
            return Array(deck.cueSheet.text.utf8)
        case .otio:
            let plan = try plan(made)
            let export = OTIOExport(plan)
            if let loss = export.loss { Message.warning(loss) }
            return Array(try export.encoded())
        case .kdenlive, .mlt:
            let plan = try plan(made)
            let place = path == "-" ? nil : path
            let pictures = try MLTPictures(made.composition, plan, besides: place)
            let export = MLTExport(
                plan, for: form == .mlt ? .shotcut : .kdenlive, path: place, pictures: pictures.paths)
            if let loss = export.loss { Message.warning(loss) }
            let bytes = try export.encoded()
            try pictures.write(overwrites: try options.make.output.frames.overwriting.overwrites)
            return bytes
        case .ffmpeg, .graph: preconditionFailure("commands are printed")
        }
    }

    /// The plan of what a timeline can name.
    private func plan(_ made: Made) throws -> RenderPlan {
        guard made.slides?.spec.book == nil else {
            throw MediaError(.usage, "a timeline can't name the spreads of a book (write a project, .yaml, instead)")
        }
        let plan = try Planner.plan(made.composition)
        plan.warnings.forEach(Message.warning)
        return plan
    }

    /// The command or the graph of an unmodified ffmpeg, which encodes everything in one pass.
    private func command(_ form: Form) throws -> String {
        let source = try options.source()
        var composition = try options.made(source).composition
        let overwrites = composition.output.overwrites
        composition.output.overwrites = true
        composition.output.render = .full
        composition.output.segments = .off
        var plan = try Planner.plan(composition)
        plan.overwrites = overwrites
        let command = try FFmpegCommand(plan)
        (plan.warnings + command.warnings).forEach(Message.warning)
        return form == .graph ? command.graph.text : command.text
    }
}
