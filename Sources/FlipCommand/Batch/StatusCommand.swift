import ArgumentParser
import FlipBatch
import FlipFiles
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
    @Flag(help: .option("Print only the numbers of the jobs that are not done, as 0-3,7.")) var missing = false
    @OptionGroup var roots: RootOptions

    private struct Row: Encodable {
        let index: Int
        let hash: String
        let kind: Job.Kind
        let state: JobState.Name
        let output: String
        let source: String
        /// The number of attempts at this job with these inputs and options.
        let attempts: Int
        /// The exit code of the last attempt if the state is failed; otherwise nil, as is `message`.
        let exit: Int32?
        let message: String?
    }

    func run() throws {
        if json, missing { throw OptionError("--json and --missing exclude each other (give one of them)") }
        let directory = JobDirectory(at: absolutePath(directory))
        let plan = try directory.readPlan(roots: roots.map())
        let states = directory.states(of: plan, plan.jobs.indices)
        let rows = plan.jobs.compactMap { job in states[job.index].map { row(job, $0) } }
        let open = rows.filter { $0.state != .done }
        if json {
            try JSONOutput.print(rows.map(Headed.init))
        } else if missing {
            if !open.isEmpty { print(JobSelection.text(open.map(\.index))) }
        } else {
            for row in open {
                let title = Message.printable(plan.jobs[row.index].title)
                print("job \(row.index) \(row.state): \(title)" + (row.message.map { " (\($0))" } ?? ""))
            }
            let counts = Dictionary(grouping: rows, by: \.state).mapValues(\.count)
            print(
                JobState.Name.allCases.compactMap { name in counts[name].map { "\($0) \(name)" } }.joined(
                    separator: ", "))
        }
        if !open.isEmpty { throw ExitCode(JobExit.again.rawValue) }
    }

    private func row(_ job: Job, _ state: JobState) -> Row {
        let hasFailed = state.name == .failed
        return Row(
            index: job.index, hash: job.hash, kind: job.kind, state: state.name, output: job.output, source: job.source,
            attempts: state.attempts, exit: hasFailed ? state.last?.exit : nil,
            message: hasFailed ? state.last?.message : nil)
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
        let directory = JobDirectory(absolutePath(directory))
        let found = directory.collect(try directory.readPlan(), olderThan: older * 3600, removing: !dryRun)
        for (path, bytes) in found {
            print("\(dryRun ? "would remove" : "removed") \(Message.printable(path)) (\(bytes) bytes)")
        }
    }
}
