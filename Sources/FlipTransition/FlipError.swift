import FlipBase
import FlipRender
import FlipSplice
import Foundation

/// An error with a message of one sentence: what failed, for which file, and what to do.
public struct FlipError: Error, Hashable, CustomStringConvertible, LocalizedError {
    /// The error's category.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// The request is invalid: a value is outside its range, or an encoder doesn't fit the container.
        case usage
        /// A clip exists, but its content can't be used.
        case badInput
        /// A clip is missing or unreadable.
        case missingInput
        /// This machine's FFmpeg lacks a decoder, encoder or muxer, or a program is not installed.
        case missingCodec
        /// The output can't be created, or it already exists and may not be replaced.
        case cannotCreate
        /// Reading or writing failed partway, as on a full disk.
        case io
        /// There is a bug in the library, or memory ran out.
        case internalFault
    }

    /// The error's category.
    public let kind: Kind
    /// The message for users, one sentence.
    public let message: String

    /// An error of `kind` with the message `message`.
    public init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

    /// The message.
    public var description: String { message }
    /// The message.
    public var errorDescription: String? { message }
}

extension FlipError {
    /// Runs `body` and converts what it throws to `FlipError`, except for `CancellationError`.
    static func mapping<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw FlipError(error)
        }
    }

    init(_ error: any Error) {
        switch error {
        case let error as FlipError: self = error
        case let error as MediaError: self.init(Kind(error.kind), error.message)
        case let error as OptionError: self.init(.usage, error.description)
        case let error as SpliceFailure:
            self.init(.badInput, "the clips can't be copied (\(error.reason)); rendering .full encodes them")
        default: self.init(.internalFault, "\(error)")
        }
    }
}

extension FlipError.Kind {
    fileprivate init(_ kind: MediaError.Kind) {
        switch kind {
        case .usage: self = .usage
        case .badInput: self = .badInput
        case .missingInput: self = .missingInput
        case .missingCodec: self = .missingCodec
        case .cannotCreate: self = .cannotCreate
        case .io, .closedReader: self = .io
        case .internalFault: self = .internalFault
        }
    }
}
