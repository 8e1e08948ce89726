import TestSupport
import Testing

/// A talk with `fliptransition serve --stdio`, message by message (Tests/Tools/agent_talk.py), in a folder of its own that is
/// the server's root.
struct AgentTalk {
    let folder: TemporaryFolder
    /// The server's root; its neighbors in `folder` must stay as they are.
    var root: String { folder / "root" }

    static let hello =
        #"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","#
        + #""capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#
    static let ready = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("root")
    }

    /// Copies a clip into the root.
    func stage(_ path: String, as name: String) throws {
        try FileManager.default.copyItem(atPath: path, toPath: root + "/" + name)
    }

    /// Stages two clips of `frames` frames, `a.mkv` and `b.mkv`.
    func stageClips(frames: Int = 40) throws {
        for name in ["a", "b"] {
            try stage(CommandTests.clips().pattern("agent-\(name)-\(frames)", frames: frames), as: name + ".mkv")
        }
    }

    func write(_ text: String, to name: String) throws { try text.write(to: root + "/" + name) }

    /// The names in the root, hidden ones included.
    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: root).sorted() } }

    /// What the server wrote, and how it ended.
    struct Heard {
        var messages: [Any] = []
        var status: Int?
        /// Its peak memory before its input ended, in bytes.
        var peak = 0

        private var objects: [[String: Any]] { messages.compactMap { $0 as? [String: Any] } }

        /// The responses to the request `id`.
        func responses(_ id: AnyHashable) -> [[String: Any]] {
            objects.filter { $0["id"] as? AnyHashable == id && $0["method"] == nil }
        }

        /// The code of the error with which request `id` was answered; nil if it was answered otherwise.
        func code(_ id: AnyHashable) -> Int? { (responses(id).first?["error"] as? [String: Any])?["code"] as? Int }

        /// The codes of the errors without an identifier.
        var codes: [Int] {
            objects.filter { $0["id"] is NSNull }.compactMap { ($0["error"] as? [String: Any])?["code"] as? Int }
        }

        func result(_ id: AnyHashable) throws -> [String: Any] {
            let response = try #require(responses(id).first, "no response to \(id)")
            return try #require(response["result"] as? [String: Any], "\(response)")
        }

        /// The sentence and the exit code of a call that failed; nil if it didn't.
        func failure(_ id: AnyHashable) throws -> (message: String, exit: Int)? {
            let result = try result(id)
            guard result["isError"] as? Bool == true else { return nil }
            let structured = try #require(result["structuredContent"] as? [String: Any])
            let error = try #require(structured["error"] as? [String: Any])
            let text = (result["content"] as? [[String: Any]])?.first?["text"] as? String
            #expect(text == error["message"] as? String && structured["exit"] as? Int == error["code"] as? Int)
            return (text ?? "", structured["exit"] as? Int ?? -1)
        }
    }

    /// A call of a tool as a message.
    static func call(_ id: Any, _ tool: String, _ arguments: [String: Any], token: String? = nil) throws -> String {
        var params: [String: Any] = ["name": tool, "arguments": arguments]
        if let token { params["_meta"] = ["progressToken": token] }
        let message: [String: Any] = ["jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params]
        return String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self)
    }

    /// Has the server take the steps, and then end.
    /// - Parameter tracer: the command that starts the server, such as strace with its options; empty for none.
    func talk(
        _ steps: [String], options: [String] = [], greets: Bool = true, tracer: [String] = [],
        environment: [String: String] = [:]
    ) throws -> Heard {
        let script = folder / "script"
        let all = (greets ? [Self.hello, Self.ready] : []) + steps
        try Data(all.joined(separator: "\n").utf8).write(to: script)
        let tool = Places.package + "/Tests/Tools/agent_talk.py"
        let run = try Tool.succeed(
            "python3", "\(tool) \(script) \(tracer) \(Places.program()) serve --stdio --root \(root) \(options)",
            timeout: 200, environment: environment)
        var heard = Heard()
        for line in run.output.split(separator: 10) {
            let message = try JSONSerialization.jsonObject(with: line)
            if let last = message as? [String: Any], last["jsonrpc"] == nil, let status = last["status"] as? Int {
                heard.status = status
                heard.peak = last["peak"] as? Int ?? 0
            } else {
                heard.messages.append(message)
            }
        }
        return heard
    }
}
