import FlipBase
import FlipFiles
import Foundation

/// A server of the Model Context Protocol on two descriptors: JSON-RPC 2.0 with one message on each line. It answers
/// from the thread on which it is run, and calls tools on others.
package final class AgentServer {
    package struct Settings: Sendable {
        package var name: String
        package var version: String
        /// What clients tell their models about the server.
        package var instructions: String
        /// How many calls of tools that take long run at a time.
        package var slots = 1

        package init(name: String, version: String, instructions: String) {
            (self.name, self.version, self.instructions) = (name, version, instructions)
        }
    }

    /// The longest message, in bytes, and the largest number of values in it.
    package static let longestMessage = 4 << 20
    private static let mostValues = 100_000
    /// How long a client that has sent everything may take to read what is left, in seconds.
    private static let patience = 5.0

    private let settings: Settings
    private let tools: [any AgentTool]
    private let reader: LineReader
    private let writer: MessageWriter
    private let queue: CallQueue
    /// The revision that was agreed upon; nil before `initialize`.
    private var version: String?

    package init(
        _ settings: Settings, tools: [any AgentTool], input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO
    ) throws(MediaError) {
        (self.settings, self.tools) = (settings, tools)
        reader = try LineReader(input, limit: Self.longestMessage)
        writer = MessageWriter(output) { [stop = reader.stop] in stop() }
        queue = CallQueue(slots: settings.slots)
    }

    /// Ends `run` from any thread.
    package var stop: LineReader.Stop { reader.stop }

    /// Serves until the input ends, nobody reads the output anymore, or `stop` is called. Then cancels what still runs.
    package func run() {
        while let line = reader.next() {
            switch line {
            case .text(let bytes): take(bytes)
            case .tooLong(let beginning):
                let limit = "\(Self.longestMessage >> 20) MiB"
                let id = RequestID(beginningOf: beginning)
                refuse(.invalidRequest("the message is longer than \(limit)"), id)
            }
            while !writer.hasRoom, !reader.isStopped { usleep(20_000) }
        }
        queue.close()
        writer.close(within: Self.patience)
    }

    // MARK: Messages

    private func take(_ line: [UInt8]) {
        if line.allSatisfy({ [9, 13, 32].contains($0) }) { return }
        let message: JSONText
        do throws(MediaError) {
            message = try JSONText.parse(Data(line), path: "the message", maximumCount: Self.mostValues)
        } catch {
            return refuse(.parsing(error.message), nil)
        }
        guard case .object(let entries) = message.content else {
            return refuse(.invalidRequest("a message is an object"), nil)
        }
        let id = RequestID(entries["id"])
        guard message["jsonrpc"]?.text == "2.0" else {
            return refuse(.invalidRequest("the message has no \"jsonrpc\": \"2.0\""), id)
        }
        guard let method = message["method"]?.text else {
            // The server asks nothing, so it has no use for answers.
            if entries["method"] == nil, entries["result"] != nil || entries["error"] != nil { return }
            return refuse(.invalidRequest("the message has no method"), id)
        }
        if entries["id"] == nil { return note(method, message["params"]) }
        guard let id else { return refuse(.invalidRequest("the id is neither a text nor a whole number"), nil) }
        do throws(RPCError) {
            guard !queue.has(id) else { throw .invalidRequest("a request with this id is still being answered") }
            if let params = entries["params"] {
                guard case .object = params.content else { throw .invalidParameters("params is not an object") }
            }
            try answer(id, method, message["params"])
        } catch {
            refuse(error, id)
        }
    }

    private func refuse(_ error: RPCError, _ id: RequestID?) { writer.send(error.response(to: id)) }

    /// Takes a notification. Those that aren't known are ignored, as the protocol wants it.
    private func note(_ method: String, _ params: JSONText?) {
        guard method == "notifications/cancelled", let id = RequestID(params?["requestId"]) else { return }
        queue.cancel(id)
    }

    // MARK: Requests

    private func answer(_ id: RequestID, _ method: String, _ params: JSONText?) throws(RPCError) {
        let isStateless = try isStateless(params)
        let respond = { [writer] (result: [(key: String, value: JSON)]) in
            writer.send(["jsonrpc": "2.0", "id": id.json, "result": .object(result)])
        }
        switch (method, isStateless) {
        case ("initialize", false): respond(try initialize(params))
        case ("ping", false): respond([])
        case ("server/discover", true): respond(discovery)
        case ("tools/list", _):
            try checkSession(isStateless)
            if params?["cursor"] != nil { throw .invalidParameters("there is no further page of tools") }
            respond([("tools", .list(tools.map(\.listing)))] + (isStateless ? complete + cacheable : []))
        case ("tools/call", _):
            try checkSession(isStateless)
            try call(id, params, isStateless)
        default: throw .unknownMethod(method)
        }
    }

    /// Whether a request says by itself which revision it follows.
    private func isStateless(_ params: JSONText?) throws(RPCError) -> Bool {
        guard let meta = params?["_meta"], let version = meta[ProtocolVersion.versionKey] else { return false }
        guard let text = version.text else { throw .invalidParameters("the protocol version is not a text") }
        guard ProtocolVersion.stateless.contains(text) else { throw .unsupported(text) }
        guard case .object? = meta[ProtocolVersion.capabilitiesKey]?.content else {
            throw .invalidParameters("_meta has no \(ProtocolVersion.capabilitiesKey)")
        }
        return true
    }

    private func checkSession(_ isStateless: Bool) throws(RPCError) {
        if version == nil, !isStateless { throw .invalidRequest("the session has to begin with initialize") }
    }

    private var implementation: JSON { ["name": .text(settings.name), "version": .text(settings.version)] }
    private var capabilities: JSON { ["tools": [:]] }

    private func initialize(_ params: JSONText?) throws(RPCError) -> [(key: String, value: JSON)] {
        guard let asked = params?["protocolVersion"]?.text else {
            throw .invalidParameters("initialize needs a protocolVersion")
        }
        guard version == nil else { throw .invalidRequest("the session has begun already") }
        let agreed = ProtocolVersion.negotiated.contains(asked) ? asked : ProtocolVersion.negotiated[0]
        version = agreed
        return [
            ("protocolVersion", .text(agreed)), ("capabilities", capabilities), ("serverInfo", implementation),
            ("instructions", .text(settings.instructions)),
        ]
    }

    private var discovery: [(key: String, value: JSON)] {
        [
            ("supportedVersions", .list(ProtocolVersion.all.map { .text($0) })), ("capabilities", capabilities),
            ("instructions", .text(settings.instructions)),
        ] + complete + cacheable
    }

    /// What all results have that follow a revision without sessions.
    private var complete: [(key: String, value: JSON)] {
        [("resultType", "complete"), ("_meta", [ProtocolVersion.serverKey: implementation])]
    }

    /// How long clients may keep a result: it stays the same for as long as the server runs.
    private var cacheable: [(key: String, value: JSON)] { [("ttlMs", 3_600_000), ("cacheScope", "private")] }

    // MARK: Tools

    private func call(_ id: RequestID, _ params: JSONText?, _ isStateless: Bool) throws(RPCError) {
        guard let name = params?["name"]?.text else { throw .invalidParameters("the call names no tool") }
        guard let tool = tools.first(where: { $0.name == name }) else {
            throw .invalidParameters("there is no tool '\(name.prefix(100))'")
        }
        let arguments = params?["arguments"]
        if let arguments {
            guard case .object = arguments.content else { throw .invalidParameters("arguments is not an object") }
        }
        let call = AgentCall(id, token: RequestID(params?["_meta"]?["progressToken"])) { [writer] in writer.send($0) }
        let more = isStateless ? complete : []
        let work = { @Sendable () -> JSON? in
            let result = call.isCancelled ? nil : tool.call(arguments, call)
            guard let result, !call.isCancelled else { return nil }
            let fields: [(key: String, value: JSON)] = [
                ("content", .list(result.content)), ("structuredContent", result.structured),
                ("isError", .flag(result.isError)),
            ]
            return ["jsonrpc": "2.0", "id": id.json, "result": .object(fields + more)]
        }
        let entry = CallQueue.Entry(call: call, isLong: tool.isLong, work: work, writer: writer)
        guard queue.add(entry) else { throw .busy("too many calls are waiting (wait for their results)") }
    }
}
