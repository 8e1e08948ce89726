import ArgumentParser

/// The program: subcommands, of which `join` is the default.
@main
struct FlipTransitionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fliptransition",
        abstract: "Join video clips with page flips, folds and card flips.",
        usage: "fliptransition <input>... <output> [options]\nfliptransition <subcommand> --help",
        version: "0.1.0",
        subcommands: [
            JoinCommand.self, StillCommand.self, SheetCommand.self, PlanCommand.self, ProbeCommand.self,
            StylesCommand.self,
        ],
        defaultSubcommand: JoinCommand.self)

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            Failure.exit(error)
        }
    }
}
