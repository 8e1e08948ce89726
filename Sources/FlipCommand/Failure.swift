import ArgumentParser
import FlipBase
import FlipBatch
import FlipGeometry
import FlipSplice
import Foundation

/// Reports errors to the user: as one sentence on standard error and an exit code of sysexits.h.
enum Failure {
    /// The number of a manifest's errors that are reported one by one.
    private static let maxErrors = 100

    /// Ends the program because of `error`, or because help was asked for.
    static func exit(_ error: any Error) -> Never {
        let code = FlipTransitionCommand.exitCode(for: error).rawValue
        if error is ExitCode { Foundation.exit(code) }
        if code == 0 {
            let text = FlipTransitionCommand.fullMessage(for: error)
            print(CompletionScript.isAskedFor ? CompletionScript.completed(text) : text + HelpRequest.closing)
            Foundation.exit(0)
        }
        if let errors = (error as? ManifestErrors)?.errors {
            let status = errors.map { exitCode($0.kind) }.max() ?? EX_DATAERR
            errors.prefix(maxErrors).forEach { Message.error($0.message, code: exitCode($0.kind)) }
            if errors.count > maxErrors { Message.error("and \(errors.count - maxErrors) more errors", code: status) }
            Foundation.exit(status)
        }
        let (status, message) = describe(error)
        // A reader that closes the pipe needs no message, since it doesn't want any more output.
        if (error as? MediaError)?.kind != .closedReader { Message.error(message, code: status) }
        Foundation.exit(status)
    }

    /// The exit code and the message for `error`.
    static func describe(_ error: any Error) -> (code: Int32, message: String) {
        switch error {
        case let error as MediaError: return (exitCode(error.kind), error.message)
        case let error as OptionError:
            let code =
                switch error.file {
                case .isMissing: EX_NOINPUT
                case .isBroken: EX_DATAERR
                case nil: EX_USAGE
                }
            return (code, error.description)
        case let error as SpliceFailure:
            return (EX_DATAERR, "the clips can't be copied (\(error.reason)); --render full encodes them")
        case is CancellationError: return (Interruption.exitCode, "interrupted, nothing was written")
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
