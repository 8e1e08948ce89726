import FlipGeometry
import FlipRender
import Foundation
import Synchronization

/// Shows the progress of a run: on a terminal one line that is rewritten in place; lines of text or JSON if asked for;
/// otherwise nothing.
final class ProgressDisplay: Sendable {
    private enum Form { case silent, terminal, plain, json }

    /// The time of the last line, in seconds of the run.
    private let form: Form
    private let last = Mutex(-Double.infinity)

    /// - Parameter isQuiet: whether nothing is shown even on a terminal.
    init(_ asked: String?, isQuiet: Bool = false) throws(OptionError) {
        switch asked {
        case nil where isQuiet: form = .silent
        case nil: form = isatty(STDERR_FILENO) == 1 ? .terminal : .silent
        case "plain": form = .plain
        case "json": form = .json
        case let other?: throw OptionError("invalid progress '\(other)' (expected plain|json)")
        }
    }

    /// Whether progress is shown on a terminal.
    var isTerminal: Bool {
        switch form {
        case .terminal: true
        case .silent, .plain, .json: false
        }
    }

    /// The seconds between two lines.
    private var interval: Double {
        switch form {
        case .terminal: 0.1
        case .plain: 2
        case .json, .silent: 0.5
        }
    }

    func show(_ progress: Pipeline.Progress) {
        let isDue = last.withLock { last in
            guard progress.seconds - last >= interval || progress.frames == progress.total else { return false }
            last = progress.seconds
            return true
        }
        if !isDue { return }
        switch form {
        case .silent: break
        case .terminal: Message.write("\r\u{1B}[K" + text(progress), end: "")
        case .plain: Message.write(text(progress))
        case .json: Message.write(line(progress))
        }
    }

    /// Clears the line that is rewritten on a terminal.
    func clear() {
        if isTerminal { Message.write("\r\u{1B}[K", end: "") }
    }

    /// Reports the end of the run. Nothing that can fail may follow.
    func finish(_ report: RenderReport) {
        guard case .json = form else { return }
        Message.write(
            Done(
                frames: report.framesEncoded + report.framesCopied, bytes: report.bytes,
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
        return "\(progress.frames)/\(total) frames  \(speed)  \(Int(left.rounded())) s left"
    }

    private struct Line: Encodable {
        let event = "progress"
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
            frames: progress.frames, total: progress.total, fps: rounded(rate),
            speed: rounded(rate / progress.frameRate),
            bytes: progress.bytes, seconds: rounded(progress.seconds))
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
