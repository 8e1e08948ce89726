import FlipGeometry
import Foundation

/// How progress is shown on standard error: on a terminal as one line that is rewritten in place; as lines of text or
/// JSON if asked for; otherwise not at all.
enum ProgressForm {
    case silent, terminal, plain, json

    /// - Parameters:
    ///   - asked: the value of `--progress`; nil if it isn't given.
    ///   - isQuiet: whether nothing is shown even on a terminal.
    init(_ asked: String?, isQuiet: Bool) throws(OptionError) {
        switch asked {
        case nil where isQuiet: self = .silent
        case nil: self = isatty(STDERR_FILENO) == 1 && !Message.isJSON ? .terminal : .silent
        case "plain": self = .plain
        case "json": self = .json
        case let other?: throw OptionError("invalid progress '\(other)' (expected plain|json)")
        }
    }

    /// The seconds between two lines.
    var interval: Double {
        switch self {
        case .terminal: 0.1
        case .plain: 2
        case .json, .silent: 0.5
        }
    }

    /// Shows the state of a run: `text` to people, or `line` as JSON to programs.
    func show(_ text: @autoclosure () -> String, _ line: @autoclosure () -> some Encodable) {
        switch self {
        case .silent: break
        case .terminal: Message.progress(text())
        case .plain: Message.write(text())
        case .json: Message.write(line())
        }
    }

    /// Clears the line that is rewritten on a terminal.
    func clear() {
        if self == .terminal { Message.clearProgress() }
    }
}
