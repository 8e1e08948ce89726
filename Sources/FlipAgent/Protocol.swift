import FlipFiles

/// The identifier of a request, and the token for its progress: a text or a whole number (JSON-RPC 2.0, 4).
enum RequestID: Hashable, Sendable {
    case text(String)
    case number(Int)

    /// The largest whole number such that no other one is read as the same, 2^53 - 1 (RFC 8259, 6).
    private static let largest = Double((1 << 53) - 1)

    /// Nil if `value` is not an identifier.
    init?(_ value: JSONText?) {
        if let text = value?.text {
            self = .text(text)
        } else if let number = value?.number, number.magnitude <= Self.largest, number == number.rounded() {
            self = .number(Int(number))
        } else {
            return nil
        }
    }

    var json: JSON {
        switch self {
        case .text(let text): .text(text)
        case .number(let number): .whole(number)
        }
    }
}

/// An error response (JSON-RPC 2.0, 5.1, and the Model Context Protocol's own codes).
struct RPCError: Error {
    var code: Int
    var message: String
    var data: JSON?

    static func parsing(_ message: String) -> RPCError { RPCError(code: -32700, message: message) }
    static func invalidRequest(_ message: String) -> RPCError { RPCError(code: -32600, message: message) }
    static func unknownMethod(_ method: String) -> RPCError {
        RPCError(code: -32601, message: "there is no method '\(method.prefix(100))'")
    }
    static func invalidParameters(_ message: String) -> RPCError { RPCError(code: -32602, message: message) }
    static func busy(_ message: String) -> RPCError { RPCError(code: -32000, message: message) }
    static func unsupported(_ version: String) -> RPCError {
        RPCError(
            code: -32022, message: "protocol version '\(version.prefix(100))' is not supported",
            data: ["supported": .list(ProtocolVersion.all.map { .text($0) }), "requested": .text(version)])
    }

    /// The response to the request `id`; nil stands for one whose identifier isn't known.
    func response(to id: RequestID?) -> JSON {
        let error = JSON.object(of: [("code", .whole(code)), ("message", .text(message)), ("data", data)])
        return ["jsonrpc": "2.0", "id": id?.json ?? .null, "error": error]
    }
}

/// The revisions of the Model Context Protocol that the server speaks.
enum ProtocolVersion {
    /// Those that a client agrees upon with `initialize`, the newest first.
    static let negotiated = ["2025-11-25", "2025-06-18"]
    /// Those of which each request says that it follows them.
    static let stateless = ["2026-07-28"]
    static let all = stateless + negotiated

    private static let prefix = "io.modelcontextprotocol/"
    static let versionKey = prefix + "protocolVersion"
    static let capabilitiesKey = prefix + "clientCapabilities"
    static let serverKey = prefix + "serverInfo"
}
