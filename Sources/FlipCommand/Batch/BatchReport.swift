import FlipBatch
import Foundation

/// The outcome of a batch, with an entry for each job.
struct BatchReport: Encodable {
    enum State: String, Encodable {
        /// The output was complete before this run.
        case present
        case done, failed
        /// The job neither succeeded nor failed, because the batch stopped early or only planned.
        case waiting
    }

    struct Job: Encodable {
        let index: Int
        let hash: String
        let output: String
        let source: String
        /// The path of the renderer's report relative to `jobDirectory`; the file may not exist yet.
        let report: String
        var state: State
        /// The number of attempts in this run.
        var attempts = 0
        /// The exit code of a failed job: 65 if trying again can't help, 70 after the last try; nil for other jobs.
        var exit: Int32?
        var message: String?
        var warnings: [String] = []
        /// What the job makes, for messages.
        let title: String

        private enum CodingKeys: CodingKey {
            case index, hash, output, source, report, state, attempts, exit, message, warnings
        }

        init(_ job: FlipBatch.Job, _ state: State) {
            index = job.index
            hash = job.hash
            output = job.output
            title = job.title
            source = job.source
            report = "reports/\(job.name).json"
            self.state = state
        }
    }

    let jobDirectory: String
    let present: Int
    let done: Int
    let failed: Int
    let waiting: Int
    let seconds: Double
    /// Whether the batch was asked to end.
    let wasInterrupted: Bool
    /// The batch's exit code: 130 after an interruption, else the highest code of the failed jobs, else 75 if
    /// jobs remain that were not tried without a reason, else 0. Always 0 if the batch only plans or submits.
    let exit: Int32
    let jobs: [Job]

    private enum CodingKeys: CodingKey {
        case jobDirectory, present, done, failed, waiting, seconds, exit, jobs
    }

    init(directory: String, jobs: [Job], start: ContinuousClock.Instant, wasInterrupted: Bool, plansOnly: Bool) {
        let count = { (state: State) in jobs.filter { $0.state == state }.count }
        jobDirectory = directory
        self.jobs = jobs
        present = count(.present)
        done = count(.done)
        failed = count(.failed)
        waiting = count(.waiting)
        seconds = (start.duration(to: .now) / .milliseconds(1)).rounded() / 1000
        self.wasInterrupted = wasInterrupted
        let rest = waiting > 0 ? JobExit.again.rawValue : 0
        exit = plansOnly ? 0 : wasInterrupted ? Interruption.exitCode : jobs.compactMap(\.exit).max() ?? rest
    }

    var sentence: String {
        let parts = [
            "\(done + present) of \(jobs.count) outputs are complete", present > 0 ? "\(present) already were" : nil,
            failed > 0 ? "\(failed) failed" : nil, waiting > 0 ? "\(waiting) not tried" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
