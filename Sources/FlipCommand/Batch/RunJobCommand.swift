import ArgumentParser
import FlipBase
import FlipBatch
import FlipFiles
import FlipGeometry
import FlipRender
import Foundation

/// Makes the output of one job of a job directory, or of several.
struct RunJobCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Make one output of a job directory, or several.",
        discussion: """
            An output that is there already is left alone. It ends with 0 when the output is there, with 65 when trying \
            again can't help, with 73 when the output can't be put in its place, with 75 when trying again may help, and with \
            70 when the job has been tried --attempts times. It may run any number of times, also at the same time; a second \
            attempt waits for a living first one.
            """)

    @Argument(
        help: .option("A job directory, or one of the plans in it.", "directory"),
        completion: .file(extensions: ["json"]))
    var directory: String
    @Argument(help: .option("Numbers of jobs from 0, ranges or hashes, with commas between them.", "n|n-m|hash"))
    var jobs: String
    @Option(help: .progress, completion: .words("plain|json"))
    var progress: String?
    @Option(
        help: .option(
            "End with 70 when the job has failed so many times, interruptions aside.", values: "1...1000",
            default: "no limit", "n"))
    var attempts: Int?
    @Option(
        help: .option(
            "Wait so long for inputs that a network file system may show late.", values: "0...3600", default: "0",
            "seconds"))
    var patience: Double?
    @OptionGroup var roots: RootOptions
    /// Failures before this time, in nanoseconds since 1970, are forgotten.
    @Option(help: .private) var since: Int?
    @Flag(help: .private) var estimate = false
    /// Whether to end when standard input is closed, and so together with the program at its other end.
    @Flag(help: .private) var tied = false

    func run() throws {
        let interruption = Interruption { Interruption.end(JobExit.again.rawValue) }
        try withExtendedLifetime(interruption) { try runJobs() }
    }

    private func runJobs() throws {
        if let attempts, !(1...1000).contains(attempts) {
            throw OptionError("invalid attempts '\(attempts)' (expected 1...1000)")
        }
        let patience = patience ?? 0
        guard (0...3600).contains(patience) else {
            throw OptionError("invalid patience '\(patience)' (expected 0...3600)")
        }
        let directory = JobDirectory(at: absolutePath(directory))
        let plan = try directory.readPlan(jobs, roots: roots.map())
        if tied { Interruption.followStandardInput() }
        if plan.jobs.count > 1 { throw ExitCode(try runEach(plan.jobs.map(\.index), directory).rawValue) }
        let job = plan.jobs[0]
        let run = JobRun(job, of: plan, in: directory)
        if estimate { return try run.writeEstimate() }
        if let attempts, let failure = directory.exhaustion(of: job, after: attempts, since: since ?? 0) {
            Message.error(failure, code: JobExit.exhausted.rawValue, job: job.index)
            throw ExitCode(JobExit.exhausted.rawValue)
        }
        throw ExitCode(run.run(progress: progress, patience: patience).rawValue)
    }

    /// Runs each job in a process of its own, so that a crash of one doesn't end the others.
    private func runEach(_ indices: [Int], _ directory: JobDirectory) throws -> JobExit {
        let pool = JobPool(program: JobPlan.Program.path, slots: 1, budget: .max)
        let cancellation = pool.cancellation
        let interruption = Interruption { cancellation.cancel() }
        let tasks = indices.map { index in
            JobPool.Task(
                id: index,
                arguments: ["jobs", "run", directory.planPath, "\(index)", "--tied"] + roots.arguments
                    + (patience.map { ["--patience", "\($0)"] } ?? []) + (since.map { ["--since", "\($0)"] } ?? [])
                    + (attempts.map { ["--attempts", "\($0)"] } ?? [])
                    + (progress.map { ["--progress", $0] } ?? []),
                memory: 0)
        }
        var ends: [Int: JobExit] = [:]
        try withExtendedLifetime(interruption) {
            try pool.run(tasks) { id, event in
                switch event {
                case .line(let line): Message.write(line)
                case .ended(let status): ends[id] = JobExit(rawValue: status) ?? JobExit(status: status)
                case .started, .postponed, .tooLarge, .tooLong: break
                }
                return .next
            }
        }
        // A single job that may still succeed is reason enough to run the command again.
        if ends.count < indices.count || ends.values.contains(.again) { return .again }
        if ends.values.contains(.unplaced) { return .unplaced }
        if ends.values.contains(.exhausted) { return .exhausted }
        return ends.values.contains(.refused) ? .refused : .done
    }
}
