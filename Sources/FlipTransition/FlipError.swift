import FlipMedia
import FlipRender
import Foundation

/// What went wrong, as one sentence: what failed, on which file, and what to do.
public struct FlipError: Error, Hashable, CustomStringConvertible, LocalizedError {
    /// Whose fault it is.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// What was asked for can't be: a value outside its range, an encoder that doesn't go with the container.
        case usage
        /// A clip is there, but its content can't be used.
        case badInput
        /// A clip is missing or unreadable.
        case missingInput
        /// This machine's FFmpeg has no such decoder, encoder or muxer, or a program is not installed.
        case missingCodec
        /// The output can't be created, or is there already and may not be replaced.
        case cannotCreate
        /// Reading or writing failed half-way, such as on a full disk.
        case io
        /// A bug of the library, or memory ran out.
        case internalFault
    }

    /// Whose fault it is.
    public let kind: Kind
    /// The sentence, for people.
    public let message: String

    /// An error of `kind` that says `message`.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The sentence.
    public var description: String { message }
    /// The sentence.
    public var errorDescription: String? { message }
}

extension FlipError {
    /// Does `body`; what it throws becomes a `FlipError`, but for `CancellationError`.
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
