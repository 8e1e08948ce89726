import ArgumentParser
import FlipBatch
import FlipGeometry
import Foundation

/// Reports the state of a job directory's outputs.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what a job directory has and what is missing.",
        discussion: "Ends with 0 when every output is there, with 75 otherwise.")

    @Argument(
        help: .option("A job directory, or one of the plans in it.", "directory"),
        completion: .file(extensions: ["json"]))
    var directory: String
    @Flag(help: .option("Print all jobs as JSON.")) var json = false

    private struct Row: Encodable {
        let index: Int
        /// One of done, running, failed, interrupted (ended when asked to), lost (its process is gone) and waiting.
        let state: String
        let output: String
        let source: String
        /// The number of attempts at this job with these inputs and options.
        let attempts: Int
        /// The exit code of the last attempt if the state is failed; otherwise nil, as is `message`.
        let exit: Int32?
        let message: String?
    }

    func run() throws {
        let directory = JobDirectory(at: URL(fileURLWithPath: directory).standardized.path)
        let plan = try directory.readPlan()
        let lines = Dictionary(grouping: directory.attemptLines(), by: \.hash)
        let rows = plan.jobs.map { job in row(job, lines[job.hash] ?? [], directory) }
        if json {
            try JSONOutput.print(rows.map(Headed.init))
        } else {
            for row in rows where row.state != "done" {
                print("job \(row.index) \(row.state): \(row.output)" + (row.message.map { " (\($0))" } ?? ""))
            }
            let counts = Dictionary(grouping: rows, by: \.state).mapValues(\.count)
            let words = ["done", "running", "failed", "interrupted", "lost", "waiting"]
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
            case .running: state = last.map { directory.isAlive($0.part) } == true ? "running" : "lost"
            case .failed where last?.wasInterrupted == true: state = "interrupted"
            case .failed: state = "failed"
            case .done, nil: state = "waiting"
            }
        }
        return Row(
            index: job.index, state: state, output: job.output, source: job.source, attempts: attempts.count,
            exit: state == "failed" ? last?.exit : nil, message: state == "failed" ? last?.message : nil)
    }
}

/// Removes the files that a job directory no longer needs.
struct GcCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Remove what killed attempts and older plans left in a job directory.",
        discussion: "What an attempt is writing that still runs is left alone, whatever its age.")

    @Argument(help: .option("The job directory.", "directory"), completion: .directory)
    var directory: String
    @Option(
        help: .option(
            "Remove only files that have not changed for this many hours.", values: "0...1000000", default: "24",
            "hours"))
    var older: Double?
    @Flag(help: .option("List what would be removed, and remove nothing.")) var dryRun = false

    func run() throws {
        let older = older ?? 24
        guard (0...1e6).contains(older) else { throw OptionError("invalid older '\(older)' (expected 0...1000000)") }
        let directory = JobDirectory(URL(fileURLWithPath: directory).standardized.path)
        let found = directory.collect(try directory.readPlan(), olderThan: older * 3600, removing: !dryRun)
        for (path, bytes) in found {
            print("\(dryRun ? "would remove" : "removed") \(Message.printable(path)) (\(bytes) bytes)")
        }
    }
}
