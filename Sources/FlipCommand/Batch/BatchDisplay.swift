import FlipBatch
import FlipGeometry
import Foundation

/// Shows the progress of a batch, all jobs together.
final class BatchDisplay {
    let form: ProgressForm
    private var phase = ""
    private var jobs = 0
    private var done = 0
    private var failed = 0
    /// The planned frames of each job, by its index.
    private var totals: [Int: Int] = [:]
    /// The frames that each job has rendered, by its index.
    private var frames: [Int: Int] = [:]
    private var running: Set<Int> = []
    private var start = ContinuousClock.now
    private var last: ContinuousClock.Instant?

    init(_ form: ProgressForm) { self.form = form }

    func begin(_ phase: String, jobs: Int, done: Int = 0, frames: [Int: Int] = [:]) {
        (self.phase, self.jobs, self.done) = (phase, jobs, done)
        totals = frames
        start = .now
        last = nil
        show()
    }

    func planned() {
        done += 1
        show()
    }

    func started(_ id: Int) {
        running.insert(id)
        show()
    }

    /// Takes the frame counts from a job's own line of progress, which is JSON.
    func progress(_ id: Int, _ line: String) {
        guard let line = try? JSONDecoder().decode(ToolProcess.Event.self, from: Data(line.utf8)),
            let count = line.frames
        else {
            return
        }
        frames[id] = count
        if let total = line.total { totals[id] = total }
        show()
    }

    /// Discards the progress of a job that will be started again.
    func reset(_ id: Int) {
        running.remove(id)
        frames[id] = 0
    }

    func ended(_ id: Int, _ state: String, _ reason: String?, _ job: BatchReport.Job?) {
        running.remove(id)
        switch state {
        case "done":
            done += 1
            frames[id] = totals[id]
        case "failed":
            failed += 1
            totals[id] = 0
            frames[id] = 0
        default: break
        }
        switch form {
        case .silent, .terminal: break
        case .plain:
            Message.write("job \(id) \(state): " + [job?.title, reason].compactMap(\.self).joined(separator: ": "))
        case .json: Message.write(Ended(job: id, state: state, output: job?.output, message: reason))
        }
        show(isDue: done + failed == jobs)
    }

    /// Reports the outcome as the last line: as JSON if asked for, else as `sentence` unless that is nil.
    func finish(_ report: BatchReport, _ sentence: String?) {
        if form == .json {
            Message.write(
                Done(
                    jobs: report.jobs.count, present: report.present, done: report.done, failed: report.failed,
                    waiting: report.waiting, seconds: report.seconds, exit: report.exit))
        } else if let sentence {
            Message.note(sentence)
        }
    }

    // MARK: Lines

    private struct Ended: Encodable {
        let event = "job"
        let job: Int
        let state: String
        let output: String?
        let message: String?
    }

    private struct Done: Encodable {
        let event = "done"
        let jobs: Int
        let present: Int
        let done: Int
        let failed: Int
        let waiting: Int
        let seconds: Double
        let exit: Int32
    }

    private struct Progress: Encodable {
        let event = "progress"
        let phase: String
        let jobs: Int
        let done: Int
        let failed: Int
        let running: Int
        let frames: Int
        let total: Int
        let seconds: Double
        /// The estimated seconds left; nil while unknown.
        let eta: Double?
    }

    private func show(isDue: Bool = false) {
        if let last, last.duration(to: .now) < .seconds(form.interval), !isDue { return }
        last = .now
        let (count, total) = (frames.values.reduce(0, +), totals.values.reduce(0, +))
        let seconds = start.duration(to: .now) / .seconds(1)
        let eta = count > 0 && total > count ? seconds * Double(total - count) / Double(count) : nil
        let progress = Progress(
            phase: phase, jobs: jobs, done: done, failed: failed, running: running.count, frames: count, total: total,
            seconds: (seconds * 10).rounded() / 10, eta: eta.map { ($0 * 10).rounded() / 10 })
        form.show(text(progress), progress)
    }

    private func text(_ progress: Progress) -> String {
        var parts = ["\(progress.phase): \(progress.done) of \(progress.jobs) jobs"]
        if progress.failed > 0 { parts.append("\(progress.failed) failed") }
        if progress.running > 0 { parts.append("\(progress.running) running") }
        if progress.total > 0 {
            let rate = Double(progress.frames) / max(progress.seconds, 0.1)
            parts.append("\(progress.frames)/\(progress.total) frames, \(Int(rate)) fps")
        }
        if let eta = progress.eta { parts.append("ETA \(Int(eta) / 60):" + String(100 + Int(eta) % 60).dropFirst()) }
        return parts.joined(separator: ", ")
    }
}
