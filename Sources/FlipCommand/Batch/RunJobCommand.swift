import ArgumentParser
import FlipBatch
import FlipMedia
import FlipRender
import Foundation

/// Makes one job of a job directory, or several.
struct RunJobCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run-job", abstract: "Make one output of a job directory, or several.",
        discussion: """
            What is there already is left. Ends with 0 when the output is there, 65 when trying again is no use, 75 when it \
            may help, 70 when it has been tried often enough. May run any number of times, also at the same time.
            """)

    @Argument(help: "The job directory.") var directory: String
    @Argument(help: ArgumentHelp("A job's number from 0, or a range of them.", valueName: "n|n-m")) var jobs: String
    @Option(help: ArgumentHelp("plain or json lines on standard error.", valueName: "plain|json")) var progress: String?
    @Flag(help: .private) var estimate = false
    /// Ends with the program that has the other end of standard input.
    @Flag(help: .private) var tied = false

    func run() throws {
        let directory = JobDirectory(URL(fileURLWithPath: directory).standardized.path)
        let plan = try directory.readPlan()
        let range = try range(of: plan)
        if tied { Self.endWithStandardInput() }
        if range.count > 1 { throw ExitCode(try runEach(range, directory).rawValue) }
        let run = JobRun(plan.jobs[range.lowerBound], of: plan, in: directory)
        if estimate { return try run.writeEstimate() }
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

    /// Each in a process of its own, so that what ends one doesn't end the others.
    private func runEach(_ range: ClosedRange<Int>, _ directory: JobDirectory) throws -> JobExit {
        let pool = JobPool(program: JobPlan.Program.path, slots: 1, budget: .max)
        let cancellation = pool.cancellation
        let interruption = Interruption { cancellation.cancel() }
        let tasks = range.map { index in
            JobPool.Task(
                id: index,
                arguments: ["run-job", directory.path, "\(index)", "--tied"]
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
        // One that may succeed another time is reason enough for another time.
        if ends.count < range.count || ends.values.contains(.again) { return .again }
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
