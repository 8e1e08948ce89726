import ArgumentParser
import FlipGeometry
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

    static func main() {
        Descriptors.open()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            Failure.exit(error)
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
