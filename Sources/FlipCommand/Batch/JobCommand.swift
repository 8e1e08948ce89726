import ArgumentParser
import FlipBase
import FlipBatch
import FlipDeck
import FlipFiles
import FlipMedia
import FlipProject
import FlipRender
import Foundation

/// A subcommand that makes one output and can therefore be a job. Its last argument is the output.
protocol JobCommand: ParsableCommand {
    /// The composition that the arguments ask for. May read the inputs.
    func composition() throws -> Composition
    /// Throws if the value of an option is invalid. Commands whose `composition` is expensive have a cheaper check.
    func check() throws
    /// The files to which the options and `inputs` refer: those of this command, or of another of the same
    /// `JobRequest.kind`, for which the command isn't parsed again.
    func references(of inputs: [String]) throws -> [String]
}

extension JobCommand {
    func check() throws { _ = try composition() }
}

extension JoinCommand: JobCommand {
    func composition() throws -> Composition { try options.composition() }
    func references(of inputs: [String]) throws -> [String] { try options.furtherFiles() }
}

extension DeckCommand: JobCommand {
    func composition() throws -> Composition { try deck.composition(options) }

    /// Documents are neither converted nor read.
    func check() throws {
        try options.limits.apply()
        var spec = DeckSpec(
            inputs: options.files.dropLast(), transitions: try options.timing.transitions(options.look),
            output: try options.output.settings(path: options.files.last ?? ""))
        _ = try options.reading.settings()
        try deck.apply(to: &spec)
    }

    func references(of inputs: [String]) throws -> [String] {
        try options.furtherFiles() + deck.notes.files(beside: inputs)
    }
}

extension RenderCommand: JobCommand {
    func composition() throws -> Composition {
        try deck.notes.checkWritesNothing()
        return try options.described(deck).composition
    }

    /// Documents are neither converted nor read.
    func check() throws {
        guard let slides = try slides() else {
            _ = try composition()
            return
        }
        try options.limits.apply()
        var spec = slides.spec
        _ = try options.reading.settings(over: spec.reading)
        spec.output = try options.output.settings(path: options.path, over: spec.output)
        try deck.apply(to: &spec)
        try slides.checkSpeech(spec)
    }

    func references(of inputs: [String]) throws -> [String] { try slides()?.spec.sources ?? composition().files }

    /// The slides of a project, which have not been read yet; nil for anything else.
    private func slides() throws -> ProjectDeck? {
        let root = try options.reading.opening.root.map { path in try RootFolder(path) }
        guard Description.isProject(options.source),
            case .slides(let slides) = try Project(path: options.source, root: root).content
        else { return nil }
        return slides
    }
}

/// The subcommands that can be jobs.
enum JobCommands {
    static let all: [any JobCommand.Type] = [JoinCommand.self, DeckCommand.self, RenderCommand.self]

    /// The commands and their options, for reading manifests.
    static func schemas() throws -> [CommandSchema] { try all.map { try schema($0) } }

    /// The parsed command of `arguments`, a job's command line including the output.
    static func parse(_ arguments: [String]) throws -> any JobCommand {
        guard let command = try FlipTransitionCommand.parseAsRoot(arguments) as? any JobCommand else {
            throw MediaError(.usage, "'\(arguments.first ?? "")' makes no output")
        }
        return command
    }

    /// A command line for a job, from that of a user: options as `--name=value`, without those that are not the job's
    /// own, then `--` and the inputs. The last word of the user's, the output, is left out.
    static func arguments(of words: [String], as type: any JobCommand.Type) throws -> [String] {
        let given = try GivenWords(words, as: type)
        let options = given.options.filter { !CommandSchema.reserved.contains($0.name) || $0.name == "root" }
        return [try schema(type).name]
            + options.map { option in
                "--\(option.name)" + (option.value.map { "=\($0)" } ?? "")
            } + ["--"] + given.files.dropLast()
    }

    private static func schema(_ type: any JobCommand.Type) throws -> CommandSchema {
        var options: [String: CommandSchema.Option] = [:]
        for argument in try CommandDescription.of(type).arguments ?? [] where argument.kind != "positional" {
            // What else has paths in its value is found by `references`.
            let isPath =
                argument.completionKind?.isPath == true && !["spec", "sound", "folder"].contains(argument.valueName)
            let option = CommandSchema.Option(
                isFlag: argument.kind == "flag", isRepeating: argument.isRepeating, isPath: isPath,
                isSecret: argument.valueName == "secret")
            for name in argument.names ?? [] where name.kind == "long" { options[name.name] = option }
        }
        return CommandSchema(name: type.configuration.commandName ?? "", options: options)
    }
}

extension JobPlan.Program {
    /// The running program, without its build.
    static var current: JobPlan.Program {
        let configuration = FlipTransitionCommand.configuration
        return JobPlan.Program(
            name: configuration.commandName ?? "", version: configuration.version, processor: LibraryVersions.processor)
    }

    /// The running program with its build.
    static func currentBuild() throws(MediaError) -> JobPlan.Program {
        guard let hash = SHA256.hash(file: path) else {
            throw MediaError(.internalFault, "the program can't read itself at '\(path)'")
        }
        var program = current
        program.build = String(hash.prefix(16))
        return program
    }

    /// The path of the running executable, with which it starts itself again.
    static var path: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }
}
