import FlipBase
import FlipGeometry
import FlipRender
import Foundation

/// Shows the progress of a run.
final class ProgressDisplay: Sendable {
    let form: ProgressForm
    /// The time of the last line, in seconds of the run.
    private let last = Mutex(-Double.infinity)

    init(_ form: ProgressForm) { self.form = form }

    func show(_ progress: Pipeline.Progress) {
        let isDue = last.withLock { last in
            guard progress.seconds - last >= form.interval || progress.frames == progress.total else { return false }
            last = progress.seconds
            return true
        }
        if isDue { form.show(text(progress), line(progress)) }
    }

    /// Reports the end of the run. Nothing that can fail may follow.
    func finish(_ report: RenderReport) {
        guard form == .json else { return }
        Message.write(
            Done(
                frames: report.framesEncoded + report.framesCopied + report.framesReused, bytes: report.bytes,
                seconds: rounded(report.seconds)))
    }

    private struct Done: Encodable {
        let event = "done"
        let frames: Int
        let bytes: Int
        let seconds: Double
    }

    private func text(_ progress: Pipeline.Progress) -> String {
        let rate = Double(progress.frames) / max(progress.seconds, 1e-6)
        let megabytes = Double(progress.bytes) / 1e6
        let speed =
            "\(rounded(rate)) fps  \(rounded(rate / progress.frameRate))x  \(rounded(megabytes)) MB"
        guard let total = progress.total else { return "\(progress.frames) frames  \(speed)" }
        let left = Double(total - progress.frames) / max(rate, 1e-6)
        let pass = progress.pass.map { "pass \($0) of 2: " } ?? ""
        return "\(pass)\(progress.frames)/\(total) frames  \(speed)  \(Int(left.rounded())) s left"
    }

    private struct Line: Encodable {
        let event = "progress"
        let pass: Int?
        let frames: Int
        let total: Int?
        let fps: Double
        let speed: Double
        let bytes: Int
        let seconds: Double
    }

    private func line(_ progress: Pipeline.Progress) -> Line {
        let rate = Double(progress.frames) / max(progress.seconds, 1e-6)
        return Line(
            pass: progress.pass, frames: progress.frames, total: progress.total, fps: rounded(rate),
            speed: rounded(rate / progress.frameRate),
            bytes: progress.bytes, seconds: rounded(progress.seconds))
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
