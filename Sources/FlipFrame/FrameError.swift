import FlipBase
import FlipGeometry

/// Why a frame can't be drawn, as a kind and one sentence.
public struct FrameError: Error, Hashable, CustomStringConvertible {
    /// The error's category.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// A number is outside its range, or memory doesn't fit the format: a plane is missing or too small, a stride is
        /// shorter than a row, samples are misaligned, or pictures overlap.
        case invalidArgument
        /// An option of a style has a value outside its range, doesn't apply to the style, or excludes another one.
        case invalidOption
        /// The pixel format is unknown or not drawn, or a side of the picture is outside 1...16384.
        case unsupportedFormat
    }

    /// The error's category.
    public let kind: Kind
    /// The message for users, one sentence.
    public let message: String

    /// An error of `kind` with the message `message`. Line breaks in it, which an option's value may have brought in,
    /// become spaces.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message.onOneLine
    }

    /// The message.
    public var description: String { message }

    /// Picture `name` and the one to be drawn into have a byte in common.
    static func sharedMemory(_ name: String) -> FrameError {
        FrameError(.invalidArgument, "pictures '\(name)' and 'into' share memory (draw into one of its own)")
    }

    /// Runs `body` and converts an `OptionError` that it throws.
    package static func ofOption<Result>(_ body: () throws(OptionError) -> Result) throws(FrameError) -> Result {
        do throws(OptionError) { return try body() } catch { throw FrameError(.invalidOption, error.description) }
    }
}
