import CLibav

/// A failure with a file, as one sentence: what failed, on which file and stream, and what to do.
package struct MediaError: Error, Sendable, CustomStringConvertible {
    /// Whose fault it is; the command's exit codes follow it (sysexits.h).
    package enum Kind: Sendable {
        /// 64: options that no encoder or container could satisfy.
        case usage
        /// 65: the file is there, but its content cannot be used.
        case badInput
        /// 66: the file is missing or unreadable.
        case missingInput
        /// 69: a decoder, encoder or muxer is not in this FFmpeg.
        case missingCodec
        /// 70: a bug, or memory ran out.
        case internalFault
        /// 73: the output cannot be created.
        case cannotCreate
        /// 74: reading or writing failed half-way.
        case io
        /// 74: whoever read what was written wants no more.
        case closedReader
    }

    package var kind: Kind
    package var message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    package var description: String { message }

    /// The failure that libav's `code` (below 0) stands for, with `log` (its last log line) when that says more.
    init(_ kind: Kind, _ message: String, code: Int32, log: String? = nil) {
        let reason = log ?? Self.text(of: code)
        self.init(Self.kind(of: code) ?? kind, "\(message): \(reason)")
    }

    /// What the operating system's or libav's error code settles by itself.
    private static func kind(of code: Int32) -> Kind? {
        switch flip_errno(code) {
        case EPIPE: .closedReader
        case ENOSPC, EIO, EDQUOT: .io
        case ENOMEM: .internalFault
        default: code == flip_error_decoder_not_found ? .missingCodec : nil
        }
    }

    /// libav's words for `code`, starting in lower case as the end of a sentence.
    static func text(of code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
        av_strerror(code, &buffer, buffer.count)
        let text = string(buffer)
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// libav could not allocate.
    static let outOfMemory = MediaError(.internalFault, "out of memory")
}

/// The text up to the terminating 0.
func string(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
