import CLibav

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

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    package var description: String { message }

    /// The error that libav's `code` (below 0) stands for. `log`, libav's last error line if there was one, replaces
    /// the code's text, and the code may override `kind`.
    init(_ kind: Kind, _ message: String, code: Int32, log: String? = nil) {
        let reason = log ?? Self.text(of: code)
        self.init(Self.kind(of: code) ?? kind, "\(message): \(reason)")
    }

    /// The kind of error that `code` determines by itself; nil if the caller has to say.
    private static func kind(of code: Int32) -> Kind? {
        switch flip_errno(code) {
        case EPIPE: .closedReader
        case ENOSPC, EIO, EDQUOT: .io
        case ENOMEM: .internalFault
        default: code == flip_error_decoder_not_found ? .missingCodec : nil
        }
    }

    /// libav's text for `code`, starting in lowercase for the end of a sentence.
    static func text(of code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
        av_strerror(code, &buffer, buffer.count)
        let text = string(buffer)
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// libav could not allocate memory.
    static let outOfMemory = MediaError(.internalFault, "out of memory")
}

/// The text of a C string buffer, up to the terminating 0.
func string(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
