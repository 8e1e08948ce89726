import TestSupport
import Testing

extension CommandTests {
    /// The talk in docs/JSON.md is what the server really says.
    @Suite(.serialized) struct AgentPageTests {
        /// The page's lines of a talk: requests after `-->`, and messages of the server after `<--`.
        private func lines(_ mark: String) throws -> [Any] {
            let page = try String(contentsOf: Places.package + "/docs/JSON.md")
            return try page.split(separator: "\n").compactMap { line -> Any? in
                let line = line.trimmingCharacters(in: .whitespaces)
                guard line.hasPrefix(mark) else { return nil }
                return try JSONSerialization.jsonObject(with: Data(line.dropFirst(mark.count).utf8))
            }
        }

        /// Whether `whole` has all that `part` has. "..." stands for anything in a list, and for the rest of a text.
        private func has(_ whole: Any?, _ part: Any) -> Bool {
            switch part {
            case let part as [String: Any]:
                guard let whole = whole as? [String: Any] else { return false }
                return part.allSatisfy { has(whole[$0.key], $0.value) }
            case let part as [Any]:
                guard let whole = whole as? [Any] else { return false }
                let isOpen = part.last as? String == "..."
                let shown = isOpen ? part.dropLast() : part[...]
                let found = shown.allSatisfy { item in whole.contains { has($0, item) } }
                return found && (isOpen || part.count == whole.count)
            case let part as String where part.hasSuffix("..."):
                return (whole as? String)?.hasPrefix(part.dropLast(3)) == true
            default: return (whole as? NSObject) == (part as? NSObject)
            }
        }

        @Test func theTalkIsTrue() throws {
            let talk = try AgentTalk()
            try talk.stage(Places.package + "/Media/bunny.mp4", as: "bunny.mp4")
            try talk.stage(Places.package + "/Media/flower.mp4", as: "flower.mp4")
            let steps = try lines("-->").map {
                String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
            }
            let heard = try talk.talk(steps, greets: false)
            let shown = try lines("<--")
            #expect(steps.count >= 6 && shown.count >= 6)
            for message in shown { #expect(heard.messages.contains { has($0, message) }, "\(message)") }
            #expect(try talk.names.contains("book.mp4"))
        }

        /// The page names every tool.
        @Test func thePageNamesEveryTool() throws {
            let page = try String(contentsOf: Places.package + "/docs/JSON.md")
            let heard = try AgentTalk().talk([#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#])
            for tool in try #require(try heard.result(1)["tools"] as? [[String: Any]]) {
                #expect(page.contains("\n| `\(tool["name"] ?? "")` | "), "\(tool["name"] ?? "")")
            }
        }
    }
}
