import TestSupport
import Testing

extension CommandTests {
    /// The server for agents as a peer of JSON-RPC and of the Model Context Protocol: its messages, and what it does with
    /// those that are wrong.
    @Suite(.serialized) struct AgentTests {
        /// A request without parameters, or with those of the JSON text `params`.
        private func ask(_ id: Int, _ method: String, _ params: String? = nil) -> String {
            #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)""# + (params.map { ",\"params\":" + $0 } ?? "") + "}"
        }

        @Test(arguments: [
            ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"),
            // Of a revision that the server doesn't speak, it offers its newest.
            ("2024-11-05", "2025-11-25"), ("1999-12-31", "2025-11-25"),
        ])
        func theVersionIsAgreedUpon(asked: String, agreed: String) throws {
            let talk = try AgentTalk()
            let greeting = AgentTalk.hello.replacingOccurrences(of: "2025-06-18", with: asked)
            let heard = try talk.talk([ask(1, "ping"), greeting, AgentTalk.ready, ask(2, "tools/list")], greets: false)
            #expect(try heard.result("hello")["protocolVersion"] as? String == agreed)
            #expect(try heard.result(1).isEmpty && heard.status == 0)
            #expect(try (heard.result(2)["tools"] as? [Any])?.count == 8)
        }

        @Test func aSessionBeginsOnce() throws {
            let heard = try AgentTalk().talk(
                [
                    ask(1, "tools/list"), ask(2, "initialize"), AgentTalk.hello,
                    AgentTalk.hello.replacingOccurrences(of: "\"hello\"", with: "3"), ask(4, "server/discover"),
                ], greets: false)
            #expect([1, 2, 3, 4].map { heard.code($0) } == [-32600, -32602, -32600, -32601])
        }

        /// A revision without sessions, in which each request says by itself what it follows.
        @Test func requestsCanStandAlone() throws {
            func meta(_ version: String, _ more: String = #","io.modelcontextprotocol/clientCapabilities":{}"#)
                -> String
            {
                #"{"_meta":{"io.modelcontextprotocol/protocolVersion":"\#(version)"\#(more)}}"#
            }
            let heard = try AgentTalk().talk(
                [
                    ask(1, "server/discover", meta("2026-07-28")), ask(2, "tools/list", meta("2026-07-28")),
                    ask(3, "server/discover", meta("2031-01-01")), ask(4, "tools/list", meta("2026-07-28", "")),
                    ask(5, "ping", meta("2026-07-28")),
                ], greets: false)
            let versions = try heard.result(1)["supportedVersions"] as? [String]
            #expect(versions == ["2026-07-28", "2025-11-25", "2025-06-18"])
            for id in [1, 2] {
                let result = try heard.result(id)
                #expect(result["resultType"] as? String == "complete" && result["cacheScope"] as? String == "private")
                #expect(result["ttlMs"] is Int && result["_meta"] is [String: Any])
            }
            #expect([3, 4, 5].map { heard.code($0) } == [-32022, -32602, -32601])
            let error = try #require(heard.responses(3).first?["error"] as? [String: Any])
            #expect((error["data"] as? [String: Any])?["supported"] as? [String] == versions)
        }

        @Test func wrongRequestsAreRefused() throws {
            let talk = try AgentTalk()
            let heard = try talk.talk([
                ask(1, "no/method"), ask(2, "ping", "[1]"), ask(3, "tools/list", #"{"cursor":"x"}"#),
                ask(4, "tools/call"),
                ask(5, "tools/call", #"{"name":"rm"}"#), ask(6, "tools/call", #"{"name":"styles","arguments":[]}"#),
                ask(7, "tools/call", #"{"name":7}"#), ask(8, "ping", "null"),
                #"{"jsonrpc":"1.0","id":9,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":10,"method":11}"#,
                ask(12, "ping"),
            ])
            let codes = (1...10).map { heard.code($0) }
            let expected = [-32601, -32602, -32602, -32602, -32602, -32602, -32602, -32602, -32600, -32600]
            #expect(codes == expected && heard.code(12) == nil && heard.status == 0)
        }

        /// Identifiers come back as they were, texts and whole numbers as far as they are read exactly.
        @Test func identifiersComeBack() throws {
            let longest = 9_007_199_254_740_991
            let heard = try AgentTalk().talk([
                ask(-3, "ping"), ask(0, "ping"), ask(longest, "ping"), ask(-longest, "ping"),
                #"{"jsonrpc":"2.0","id":"\u00e9\"\\\n","method":"ping"}"#,
                #"{"jsonrpc":"2.0","id":"","method":"ping"}"#,
                "!send " + ask(longest + 1, "ping"), "!send " + ask(longest + 2, "ping"),
                #"!send {"jsonrpc":"2.0","id":true,"method":"ping"}"#,
                #"!send {"jsonrpc":"2.0","id":1e999,"method":"ping"}"#,
            ])
            for id in [-3, 0, longest, -longest] as [AnyHashable] + ["é\"\\\n", ""] {
                #expect(try heard.result(id).isEmpty, "\(id)")
            }
            #expect(heard.codes == Array(repeating: -32600, count: 4) && heard.messages.count == 11)
        }

        /// Everything that is no message gets an error without an identifier, and what follows is answered.
        @Test func whatIsNoMessageIsRefused() throws {
            let steps = [
                "!send {\"jsonrpc\":", "!send nonsense", "!send 5", "!send \"text\"", "!send []", "!send [{}]",
                "!send {\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
                "!send {\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
                "!send {\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"ping\"}", "!hex 22fffe22", "!hex 7b00",
                "!nest 1000000", "!send {} {}",
            ]
            let ignored = [
                "!send  ", "!hex 0d", "!hex 20", #"!send {"jsonrpc":"2.0","method":"no/such/notification"}"#,
                #"!send {"jsonrpc":"2.0","id":77,"result":{}}"#,
                #"!send {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[{}]}}"#,
                #"!send {"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#,
            ]
            let heard = try AgentTalk().talk(steps + ignored + [ask(2, "ping")])
            let parse = -32700
            let invalid = -32600
            #expect(
                heard.codes == [
                    parse, parse, invalid, invalid, invalid, invalid, invalid, invalid, invalid, parse, parse, parse,
                    parse,
                ])
            // Besides the errors there are the greeting and the answer.
            #expect(heard.messages.count == steps.count + 2 && heard.status == 0)
            #expect(try heard.result(2).isEmpty)
        }

        /// A message of 100 MiB is refused without being kept, and one of almost 4 MiB is read.
        @Test(.turn(1, of: 2)) func longMessagesAreRefused() throws {
            let padding = String(repeating: "x", count: 4_000_000)
            let heard = try AgentTalk().talk([
                "!bytes 104857600", ask(1, "ping", #"{"padding":"\#(padding)"}"#), "!bytes 4194305", ask(2, "ping"),
            ])
            #expect(heard.codes == [-32600, -32600] && heard.status == 0)
            #expect(try heard.result(1).isEmpty && heard.result(2).isEmpty)
            #expect(heard.peak > 0 && heard.peak < 100 << 20, "\(heard.peak) bytes")
        }

        /// A request that is too long is answered under its own identifier, if that stands before what makes it long.
        @Test func longRequestsAreAnswered() throws {
            let padding = #"{"id":7,"padding":"\#(String(repeating: "x", count: 4_300_000))"}"#
            let late = #"{"jsonrpc":"2.0","method":"ping","params":\#(padding),"id":5}"#
            let text = #"{"id" : "a\"b","jsonrpc":"2.0","method":"ping","params":\#(padding)}"#
            let heard = try AgentTalk().talk([ask(4, "ping", padding), text, "!send " + late, ask(6, "ping")])
            #expect(heard.code(4) == -32600 && heard.code("a\"b") == -32600)
            #expect(heard.codes == [-32600] && heard.responses(5).isEmpty && heard.responses(7).isEmpty)
            #expect(try heard.result(6).isEmpty && heard.status == 0)
        }

        /// Half a line at the end is no message, and a whole message needs no line break.
        @Test func theLastLineNeedsNoEnd() throws {
            let half = try AgentTalk().talk([#"!part {"jsonrpc":"2.0","id":1,"meth"#])
            #expect(half.codes == [-32700] && half.status == 0)
            let whole = try AgentTalk().talk(["!part " + ask(1, "ping")])
            #expect(try whole.result(1).isEmpty && whole.status == 0)
        }

        /// Several messages in a line belong to a revision of 2025 that no other followed.
        @Test func aLineIsOneMessage() throws {
            let heard = try AgentTalk().talk(["!send [" + ask(1, "ping") + "]", ask(9, "ping")])
            #expect(heard.codes == [-32600] && heard.responses(1).isEmpty)
            #expect(try heard.result(9).isEmpty && heard.status == 0)
        }

        @Test func serveNeedsToBeTold() throws {
            #expect(try CommandTests.run(["serve"]).status == 64)
            #expect(try CommandTests.run(["serve", "--stdio", "--jobs", "0"]).status == 64)
            #expect(try CommandTests.run(["serve", "--stdio", "--root", "/no/such/folder"]).status == 66)
            // An input that has ended already ends the server.
            let run = try CommandTests.run(["serve", "--stdio"])
            #expect(run.status == 0 && run.output.isEmpty && run.messages.isEmpty, "\(run.story)")
        }
    }
}
