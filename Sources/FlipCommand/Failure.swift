import ArgumentParser
import FlipBatch
import FlipGeometry
import FlipMedia
import Foundation

/// How errors leave the program: one sentence on standard error and an exit code of sysexits.h.
enum Failure {
    /// Of a manifest's errors so many are said.
    private static let mostErrors = 100

    /// Ends the program because of `error`, or because help was asked for.
    static func exit(_ error: any Error) -> Never {
        let code = FlipTransitionCommand.exitCode(for: error).rawValue
        if error is ExitCode { Foundation.exit(code) }
        if code == 0 {
            print(FlipTransitionCommand.fullMessage(for: error))
            Foundation.exit(0)
        }
        if let errors = (error as? ManifestErrors)?.errors {
            errors.prefix(mostErrors).forEach { Message.error($0.message) }
            if errors.count > mostErrors { Message.error("and \(errors.count - mostErrors) more errors") }
            Foundation.exit(errors.map { exitCode($0.kind) }.max() ?? EX_DATAERR)
        }
        let (status, message) = describe(error)
        // Whoever closes a pipe that it reads has had enough, and knows.
        if (error as? MediaError)?.kind != .closedReader { Message.error(message) }
        Foundation.exit(status)
    }

    /// The exit code that `error` stands for, and its sentence.
    static func describe(_ error: any Error) -> (code: Int32, message: String) {
        switch error {
        case let error as MediaError: return (exitCode(error.kind), error.message)
        case let error as OptionError: return (EX_USAGE, error.description)
        case let error as SpliceFailure:
            return (EX_DATAERR, "the clips can't be copied (\(error.reason)); --render full encodes them")
        case is CancellationError: return (130, "interrupted, nothing was written")
        default:
            let code = FlipTransitionCommand.exitCode(for: error).rawValue
            return (code == EXIT_FAILURE ? EX_SOFTWARE : code, FlipTransitionCommand.message(for: error))
        }
    }

    private static func exitCode(_ kind: MediaError.Kind) -> Int32 {
        switch kind {
        case .usage: EX_USAGE
        case .badInput: EX_DATAERR
        case .missingInput: EX_NOINPUT
        case .missingCodec: EX_UNAVAILABLE
        case .internalFault: EX_SOFTWARE
        case .cannotCreate: EX_CANTCREAT
        case .io, .closedReader: EX_IOERR
        }
    }
}

/// Lines on standard error.
enum Message {
    static func error(_ text: String) { write("fliptransition: error: " + oneLine(text)) }
    static func warning(_ text: String) { write("fliptransition: warning: " + oneLine(text)) }

    static func note(_ text: String) { write("fliptransition: " + oneLine(text)) }

    /// Lines as they are, but for what would drive a terminal.
    static func lines(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { write(printable(line)) }
    }

    static func write(_ line: String, end: String = "\n") {
        // Where nobody listens any more there is nobody to tell.
        try? FileHandle.standardError.write(contentsOf: Data((line + end).utf8))
    }

    private static func oneLine(_ text: String) -> String {
        printable(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }

    /// `text` without characters that steer a terminal or turn the direction of writing, as names of files may hold them: each
    /// stands there as its number, such as \u{1b}.
    static func printable(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7f..<0xa0, 0x202a...0x202e, 0x2066...0x2069:
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
