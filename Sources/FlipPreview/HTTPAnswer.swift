import CMicroHTTPD
import Foundation

/// An answer to a request.
struct HTTPAnswer: Sendable {
    var status = 200
    let bytes: [UInt8]
    let type: String
    var cookie: String?

    init(_ bytes: [UInt8], _ type: String, cookie: String? = nil) {
        (self.bytes, self.type, self.cookie) = (bytes, type, cookie)
    }

    init(refusal status: Int) {
        self.init(Array("\(status) \(String(cString: MHD_get_reason_phrase_for(UInt32(status))))\n".utf8), "text/plain")
        self.status = status
    }

    /// The length of the header in four bytes, the header, and what follows it. Without a header, there is nothing to say.
    init(_ header: PreviewHeader?, _ bytes: [UInt8]) {
        guard let header, let text = try? JSONEncoder().encode(header) else {
            self.init([], "text/plain")
            status = 204
            return
        }
        let count = withUnsafeBytes(of: UInt32(text.count).bigEndian, Array.init)
        self.init(count + text + bytes, "application/octet-stream")
    }

    /// Nothing is loaded from elsewhere, and no other page may show this one.
    private static let policy =
        "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"

    /// Has libmicrohttpd send it; returns whether that is possible.
    func send(_ connection: OpaquePointer) -> Bool {
        let response = bytes.withUnsafeBytes {
            MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
        }
        defer { MHD_destroy_response(response) }
        var headers = [
            ("Content-Type", type), ("Cache-Control", "no-store"), ("Content-Security-Policy", Self.policy),
            ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Referrer-Policy", "no-referrer"),
            ("X-Frame-Options", "DENY"),
        ]
        if let cookie { headers.append(("Set-Cookie", cookie)) }
        for (name, value) in headers { MHD_add_response_header(response, name, value) }
        return MHD_queue_response(connection, UInt32(status), response) == .YES
    }
}
