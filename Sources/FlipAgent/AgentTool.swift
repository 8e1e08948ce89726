import FlipBase
import FlipFiles

/// Something that a client can have done.
package protocol AgentTool: Sendable {
    var name: String { get }
    /// What `tools/list` says of the tool: `name`, `description`, `inputSchema` and so on.
    var listing: JSON { get }
    /// Whether it takes long, so that calls of the tool wait for each other and not for short ones.
    var isLong: Bool { get }
    /// Does what the client asks for. Called on a thread of its own.
    func call(_ arguments: JSONText?, _ call: AgentCall) -> ToolResult
}

/// What became of a call.
package struct ToolResult: Sendable {
    /// For clients that don't read `structured`, and for pictures.
    package var content: [JSON]
    /// An object.
    package var structured: JSON
    package var isError: Bool

    package init(content: [JSON], structured: JSON, isError: Bool = false) {
        (self.content, self.structured, self.isError) = (content, structured, isError)
    }

    /// A result whose content is also there as text.
    package init(_ structured: JSON, pictures: [JSON] = [], isError: Bool = false) {
        let text = String(decoding: structured.bytes, as: UTF8.self)
        self.init(
            content: [["type": "text", "text": .text(text)]] + pictures, structured: structured, isError: isError)
    }
}

/// A call that waits or runs.
package final class AgentCall: Sendable {
    private struct State {
        var isCancelled = false
        var handler: (@Sendable () -> Void)?
        var progress = -1
    }

    let id: RequestID
    private let state = Mutex(State())
    private let send: (@Sendable (JSON) -> Void)?
    private let token: JSON

    /// - Parameters:
    ///   - token: the client's token for notifications of progress; nil if it wants none.
    ///   - send: sends a notification.
    init(_ id: RequestID, token: RequestID?, send: @escaping @Sendable (JSON) -> Void) {
        self.id = id
        self.token = token?.json ?? .null
        self.send = token == nil ? nil : send
    }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Sets what is called, on any thread, when the call is canceled. If it is already, it is called at once.
    package func whenCancelled(_ handler: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.handler = handler
            return state.isCancelled
        }
        if isCancelled { handler() }
    }

    func cancel() {
        let handler = state.withLock { state in
            defer { state.isCancelled = true }
            return state.isCancelled ? nil : state.handler
        }
        handler?()
    }

    /// Tells the client how far the call is, if that is farther than before and the client wants to know it.
    package func report(_ done: Int, of total: Int?, _ message: String) {
        let isFarther = state.withLock { state in
            guard done > state.progress, !state.isCancelled else { return false }
            state.progress = done
            return true
        }
        guard isFarther, let send else { return }
        send([
            "jsonrpc": "2.0", "method": "notifications/progress",
            "params": .object(of: [
                ("progressToken", token), ("progress", .whole(done)), ("total", total.map { .whole($0) }),
                ("message", .text(message)),
            ]),
        ])
    }
}
