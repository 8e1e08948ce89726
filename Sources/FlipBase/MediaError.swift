/// An error with a file. The message is one sentence: what failed, on which file and stream, and what to do.
package struct MediaError: Error, Sendable, CustomStringConvertible {
    /// The cause of an error; it determines the command's exit code (sysexits.h), given for each case.
    package enum Kind: Sendable {
        /// 64: options that no encoder or container could satisfy.
        case usage
        /// 65: the file is there, but its content cannot be used.
        case badInput
        /// 66: the file is missing or unreadable.
        case missingInput
        /// 69: this FFmpeg lacks a decoder, encoder or muxer.
        case missingCodec
        /// 70: a bug, or memory ran out.
        case internalFault
        /// 73: the output cannot be created.
        case cannotCreate
        /// 74: reading or writing failed halfway.
        case io
        /// 74: the output's reader has closed its end of the pipe.
        case closedReader
    }

    package var kind: Kind
    package var message: String

    package init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

    package var description: String { message }

    /// Memory could not be allocated.
    package static let outOfMemory = MediaError(.internalFault, "out of memory")
}

extension [MediaError] {
    /// The messages of the first 20 errors, and how many more there are, as one sentence.
    package var messages: String {
        (prefix(20).map(\.message) + (count > 20 ? ["and \(count - 20) more"] : [])).joined(separator: "; ")
    }
}
