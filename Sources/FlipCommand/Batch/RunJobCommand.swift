import ArgumentParser
import FlipBase
import FlipBatch
import FlipGeometry
import FlipRender
import Foundation

/// Makes the output of one job of a job directory, or of several.
struct RunJobCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run-job", abstract: "Make one output of a job directory, or several.",
        discussion: """
            An output that is there already is left alone. run-job ends with 0 when the output is there, with 65 when trying \
            again is no use, with 75 when it may help, and with 70 when the job has been tried --attempts times. It may run \
            any number of times, also at the same time.
            """)

    @Argument(
        help: .option("A job directory, or one of the plans in it.", "directory"),
        completion: .file(extensions: ["json"]))
    var directory: String
    @Argument(help: .option("A job's number from 0, or a range of them.", "n|n-m")) var jobs: String
    @Option(help: .progress, completion: .words("plain|json"))
    var progress: String?
    @Option(
        help: .option(
            "End with 70 when the job has failed so many times, interruptions aside.", values: "1...1000",
            default: "no limit", "n"))
    var attempts: Int?
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
        let directory = JobDirectory(at: URL(fileURLWithPath: directory).standardized.path)
        let plan = try directory.readPlan()
        let range = try range(of: plan)
        if tied { Self.endWithStandardInput() }
        if range.count > 1 { throw ExitCode(try runEach(range, directory).rawValue) }
        let job = plan.jobs[range.lowerBound]
        let run = JobRun(job, of: plan, in: directory)
        if estimate { return try run.writeEstimate() }
        if let attempts, let failure = directory.exhaustion(of: job, after: attempts) {
            Message.error(failure, code: JobExit.exhausted.rawValue, job: job.index)
            throw ExitCode(JobExit.exhausted.rawValue)
        }
        throw ExitCode(run.run(progress: progress).rawValue)
    }

    private func range(of plan: JobPlan) throws -> ClosedRange<Int> {
        let parts = jobs.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard (1...2).contains(parts.count), numbers.count == parts.count, let first = numbers.first,
            let last = numbers.last, first <= last, plan.jobs.indices.contains(last)
        else {
            throw MediaError(
                .usage, "invalid job '\(jobs)' (expected a number or a range n-m in 0...\(plan.jobs.count - 1))")
        }
        return first...last
    }

    /// Runs each job in a process of its own, so that a crash of one doesn't end the others.
    private func runEach(_ range: ClosedRange<Int>, _ directory: JobDirectory) throws -> JobExit {
        let pool = JobPool(program: JobPlan.Program.path, slots: 1, budget: .max)
        let cancellation = pool.cancellation
        let interruption = Interruption { cancellation.cancel() }
        let tasks = range.map { index in
            JobPool.Task(
                id: index,
                arguments: ["run-job", directory.planPath, "\(index)", "--tied"]
                    + (attempts.map { ["--attempts", "\($0)"] } ?? [])
                    + (progress.map { ["--progress", $0] } ?? []),
                memory: 0)
        }
        var ends: [Int: JobExit] = [:]
        try withExtendedLifetime(interruption) {
            try pool.run(tasks) { id, event in
                switch event {
                case .line(let line): Message.write(line)
                case .ended(let status): ends[id] = JobExit(status: status)
                case .started, .postponed, .tooLarge: break
                }
                return .next
            }
        }
        // A single job that may still succeed is reason enough to run the command again.
        if ends.count < range.count || ends.values.contains(.again) { return .again }
        if ends.values.contains(.exhausted) { return .exhausted }
        return ends.values.contains(.refused) ? .refused : .done
    }

    private static func endWithStandardInput() {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            kill(getpid(), SIGTERM)
        }
    }
}
