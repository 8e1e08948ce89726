import CLibav
import FlipBase

extension MediaError {
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
        return String(buffer: buffer).lowercasedFirst
    }
}
