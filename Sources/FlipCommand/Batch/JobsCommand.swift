import ArgumentParser

/// What engines of clusters call, and those who look after a job directory.
struct JobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "Run, watch and tidy up the jobs of a batch or a cluster.",
        subcommands: [RunJobCommand.self, AssembleCommand.self, StatusCommand.self, GcCommand.self])
}
