import ArgumentParser
import FlipGeometry
import FlipMedia
import Foundation

/// The program: subcommands, of which `join` is the default.
@main
struct FlipTransitionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fliptransition",
        abstract: "Join video clips with page flips, folds and card flips.",
        usage: "fliptransition <input>... <output> [options]\nfliptransition <subcommand> --help",
        version: ProductVersion.text,
        subcommands: [
            JoinCommand.self, DeckCommand.self, RenderCommand.self, StillCommand.self, SheetCommand.self,
            PlanCommand.self, FilterGraphCommand.self, ProbeCommand.self, StylesCommand.self, BatchCommand.self,
            RunJobCommand.self,
            StatusCommand.self, GcCommand.self,
        ],
        defaultSubcommand: JoinCommand.self)

    /// A file whose name begins with a dash would be taken for options: `-dash.jpg` has the h of help in it.
    private static func checkNames(_ words: ArraySlice<String>) throws(OptionError) {
        for word in words.prefix(while: { $0 != "--" }) {
            guard word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 2, word.contains("."), Double(word) == nil,
                FileManager.default.fileExists(atPath: word)
            else { continue }
            throw OptionError("'\(word)' begins with a dash, so it would be taken for options (write ./\(word))")
        }
    }

    static func main() {
        Descriptors.open()
        Interruption.prepare()
        if Message.isJSON { MediaLog.redirect { Message.note($0) } }
        do {
            try checkNames(CommandLine.arguments.dropFirst())
            var command = try parseAsRoot()
            try command.run()
        } catch {
            if exitCode(for: error) == .success, let mistake = helpByMistake { Failure.exit(mistake) }
            // Whatever an interruption has broken, it is the reason.
            Failure.exit(Interruption.hasHappened && !(error is ExitCode) ? CancellationError() : error)
        }
    }

    /// What is wrong where the parser believes that help was asked for, having read the name of a file letter by letter: nil
    /// where it was.
    private static var helpByMistake: MediaError? {
        let arguments = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
        if arguments.contains(where: { ["-h", "--help", "help", "--version"].contains($0) || $0.hasPrefix("--gen") }) {
            return nil
        }
        let isMistaken = { (word: String) in
            word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 2 && word.contains("h")
        }
        return arguments.first(where: isMistaken).map { name in
            MediaError(.usage, "unknown option '\(name)' (give ./\(name) for a file of that name)")
        }
    }
}

/// Standard input, output and error where the caller closed them.
private enum Descriptors {
    /// Keeps their numbers from going to files, into which messages would then be written. Using them still fails.
    static func open() {
        for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(number, F_GETFD) == -1 {
            // The lowest number that is free, which is this one.
            _ = Foundation.open("/dev/null", mode)
        }
    }
}
