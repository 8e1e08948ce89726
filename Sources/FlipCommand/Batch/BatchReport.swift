import FlipBatch
import Foundation

/// What became of a batch's jobs.
struct BatchReport: Encodable {
    enum State: String, Encodable {
        /// Was there before.
        case present
        case done, failed
        /// Was not come to.
        case waiting
    }

    struct Job: Encodable {
        let index: Int
        let hash: String
        let output: String
        let source: String
        /// The renderer's own report, once there is one.
        let report: String
        var state: State
        /// In this run.
        var attempts = 0
        /// Of a failed job: 65 where trying again is no use, 70 after the last try.
        var exit: Int32?
        var message: String?
        var warnings: [String] = []

        init(_ job: FlipBatch.Job, _ state: State) {
            index = job.index
            hash = job.hash
            output = job.output
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
    /// 0 when all outputs are there, 130 after an interruption, else the highest of the failed jobs' codes.
    let exit: Int32
    let jobs: [Job]

    init(directory: String, jobs: [Job], start: ContinuousClock.Instant, wasInterrupted: Bool, plansOnly: Bool) {
        let count = { (state: State) in jobs.filter { $0.state == state }.count }
        jobDirectory = directory
        self.jobs = jobs
        present = count(.present)
        done = count(.done)
        failed = count(.failed)
        waiting = count(.waiting)
        seconds = (start.duration(to: .now) / .milliseconds(1)).rounded() / 1000
        exit = plansOnly ? 0 : wasInterrupted ? 130 : jobs.compactMap(\.exit).max() ?? 0
    }

    var sentence: String {
        let parts = [
            "\(done + present) of \(jobs.count) outputs are there", present > 0 ? "\(present) were before" : nil,
            failed > 0 ? "\(failed) failed" : nil, waiting > 0 ? "\(waiting) not tried" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
