import ArgumentParser
import FlipBase
import FlipBatch
import FlipFiles
import FlipGeometry
import FlipMedia
import FlipRender
import Foundation

/// The subcommands that can be jobs.
enum JobCommands {
    static let all: [any VideoCommand.Type] = [JoinCommand.self, DeckCommand.self]

    /// The commands by all their names, and their options, for reading manifests.
    static func schemas() throws -> [CommandSchema] {
        try all.flatMap { type in
            let all = try CommandDescription.of(type).options
            return type.names.map { name in
                CommandSchema(name: name, options: options(all.filter { !isForOthers($0, name) }))
            }
        }
    }

    /// The parsed command of `arguments`, a job's command line including the output.
    static func parse(_ arguments: [String]) throws -> any VideoCommand {
        guard let command = try FlipTransitionCommand.parseAsRoot(arguments) as? any VideoCommand else {
            throw MediaError(.usage, "'\(arguments.first ?? "")' makes no output")
        }
        return command
    }

    /// A command line for a job, from that of a user: options as `--name=value`, without those that are not the job's
    /// own, then `--` and the inputs. The last word of the user's, the output, is left out.
    static func arguments(of words: [String], as type: any VideoCommand.Type) throws -> [String] {
        let given = try GivenWords(words, as: type)
        let options = given.options.filter { !CommandSchema.reserved.contains($0.name) || $0.name == "root" }
        let inputs = given.options.contains { $0.name == "output" } ? given.files[...] : given.files.dropLast()
        return [type._commandName]
            + options.map { option in
                "--\(option.name)" + (option.value.map { "=\($0)" } ?? "")
            } + ["--"] + inputs
    }

    /// Whether jobs called `name` don't have the option: a manifest's defaults for slides aren't meant for clips, nor those
    /// about looks for projects, which set them themselves.
    private static func isForOthers(_ option: CommandDescription.Argument, _ name: String) -> Bool {
        switch (name, option.sectionTitle) {
        case ("join", "Slides"), ("render", "Look"), ("render", "Timing"): true
        default: false
        }
    }

    private static func options(_ arguments: [CommandDescription.Argument]) -> [String: CommandSchema.Option] {
        var options: [String: CommandSchema.Option] = [:]
        for argument in arguments {
            // What else has paths in its value is found by `references`.
            let isPath =
                argument.completionKind?.isPath == true && !["spec", "sound", "folder"].contains(argument.valueName)
            let option = CommandSchema.Option(
                isFlag: argument.kind == "flag", isRepeating: argument.isRepeating, isPath: isPath,
                isSecret: argument.valueName == "secret")
            for name in argument.names ?? [] where name.kind == "long" { options[name.name] = option }
        }
        return options
    }
}

extension ParsableCommand {
    /// All names of the command.
    static var names: [String] { [_commandName] + configuration.aliases }
}

extension JobPlan.Program {
    /// The running program, without its build.
    static var current: JobPlan.Program {
        let configuration = FlipTransitionCommand.configuration
        return JobPlan.Program(
            name: configuration.commandName ?? "", version: ProductVersion.text, processor: LibraryVersions.processor)
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
