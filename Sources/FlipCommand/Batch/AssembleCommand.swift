import ArgumentParser
import FlipBase
import FlipBatch
import FlipFiles
import Foundation

/// Joins the parts of a long output.
struct AssembleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assemble", abstract: "Join the segments and the audio of a job directory.",
        discussion: """
            Nothing is encoded again. It ends with 75 while parts are missing, and otherwise as jobs run does, which also takes \
            the number of this job.
            """)

    @Argument(
        help: .option("A job directory, or one of the plans in it.", "directory"),
        completion: .file(extensions: ["json"]))
    var directory: String
    @Option(help: .option("Wait so long for parts that are missing.", values: "0...3600", default: "90", "seconds"))
    var patience: Double?
    @OptionGroup var roots: RootOptions

    func run() throws {
        let place = JobDirectory(at: absolutePath(directory))
        guard let job = try place.readPlan().jobs.last(where: { $0.kind == .assemble }) else {
            throw MediaError(.badInput, "there is nothing to assemble in '\(directory)': its jobs make whole outputs")
        }
        let words =
            ["jobs", "run", place.planPath, "\(job.index)", "--patience", "\(patience ?? 90)"] + roots.arguments
        var command = try FlipTransitionCommand.parseAsRoot(words)
        try command.run()
    }
}
