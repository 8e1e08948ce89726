import ArgumentParser
import FlipBatch
import FlipGeometry
import Foundation

/// Says what is there of a job directory's outputs.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say what a job directory has and what is missing.",
        discussion: "Ends with 0 when every output is there, with 75 otherwise.")

    @Argument(help: "The job directory.") var directory: String
    @Flag(help: "As JSON, all jobs.") var json = false

    private struct Row: Encodable {
        let index: Int
        /// done; running; failed; lost (began, and its process is gone); waiting.
        let state: String
        let output: String
        let source: String
        /// At this job with these inputs and options.
        let attempts: Int
        let exit: Int32?
        let message: String?
    }

    func run() throws {
        let directory = JobDirectory(URL(fileURLWithPath: directory).standardized.path)
        let plan = try directory.readPlan()
        let lines = Dictionary(grouping: directory.attemptLines(), by: \.hash)
        let rows = plan.jobs.map { job in row(job, lines[job.hash] ?? [], directory) }
        if json {
            try JSONOutput.print(rows)
        } else {
            for row in rows where row.state != "done" {
                print("job \(row.index) \(row.state): \(row.output)" + (row.message.map { " (\($0))" } ?? ""))
            }
            let counts = Dictionary(grouping: rows, by: \.state).mapValues(\.count)
            let words = ["done", "running", "failed", "lost", "waiting"]
            print(words.compactMap { word in counts[word].map { "\($0) \(word)" } }.joined(separator: ", "))
        }
        if rows.contains(where: { $0.state != "done" }) { throw ExitCode(JobExit.again.rawValue) }
    }

    private func row(_ job: Job, _ attempts: [AttemptLine], _ directory: JobDirectory) -> Row {
        let last = attempts.last
        let state: String
        if directory.isDone(job) {
            state = "done"
        } else {
            switch last?.state {
            // Of another machine's nobody here can know.
            case .running where last.map { $0.host != Attempt.host || directory.isAlive($0.part) } == true:
                state = "running"
            case .running: state = "lost"
            case .failed: state = "failed"
            case .done, nil: state = "waiting"
            }
        }
        return Row(
            index: job.index, state: state, output: job.output, source: job.source, attempts: attempts.count,
            exit: state == "failed" ? last?.exit : nil, message: state == "failed" ? last?.message : nil)
    }
}

/// Removes what nobody needs of a job directory.
struct GcCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Remove what killed attempts and older plans left in a job directory.")

    @Argument(help: "The job directory.") var directory: String
    @Option(help: ArgumentHelp("Only what nobody has touched for so many hours.", valueName: "hours"))
    var older = 24.0
    @Flag(help: "Only say what would go.") var dryRun = false

    func run() throws {
        guard (0...1e6).contains(older) else { throw OptionError("invalid older '\(older)' (expected 0...1000000)") }
        let directory = JobDirectory(URL(fileURLWithPath: directory).standardized.path)
        let found = directory.collect(try directory.readPlan(), olderThan: older * 3600, removing: !dryRun)
        for (path, bytes) in found { print("\(dryRun ? "would remove" : "removed") \(path) (\(bytes) bytes)") }
    }
}
