import TestSupport
import Testing

extension CommandTests {
    /// Calls of the tools that `serve` offers: several at a time, canceled ones, and their arguments.
    @Suite(.serialized) struct AgentCallTests {
        /// A call that would take minutes, and that says when it has begun.
        private func long(_ id: Int, _ output: String = "long.mkv") throws -> String {
            "!send "
                + (try AgentTalk.call(
                    id, "join",
                    ["inputs": ["a.mkv", "b.mkv"], "output": output, "size": "1920x1080", "preset": "placebo"],
                    token: "t\(id)"))
        }

        private static let begun = "!await notifications/progress"

        private func cancel(_ id: Int) -> String {
            #"!send {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#
        }

        // MARK: Several calls

        /// A canceled call gets no answer and leaves nothing behind, and neither does one that still waits. Short calls are
        /// answered meanwhile, and the next long one runs.
        @Test func callsAreCanceled() throws {
            let talk = try AgentTalk()
            try talk.stageClips(frames: 600)
            try talk.stage(clips().pattern("agent-a-40", frames: 40), as: "short.mkv")
            let short: [String: Any] = [
                "inputs": ["short.mkv", "short.mkv"], "output": "short.out.mkv", "duration": "5f",
            ]
            let heard = try talk.talk([
                long(1), Self.begun, long(2, "waiting.mkv"), AgentTalk.call(3, "styles", [:]),
                #"{"jsonrpc":"2.0","id":4,"method":"ping"}"#, cancel(2), cancel(1), cancel(99),
                AgentTalk.call(5, "join", short), cancel(5),
            ])
            #expect(heard.responses(1).isEmpty && heard.responses(2).isEmpty && heard.status == 0)
            #expect(try heard.result(3)["isError"] as? Bool == false && heard.result(4).isEmpty)
            #expect(try heard.failure(5) == nil)
            #expect(try Judge.video(talk.root + "/short.out.mkv").frameCount == 75)
            #expect(try talk.names == ["a.mkv", "b.mkv", "short.mkv", "short.out.mkv"])
        }

        @Test func anIdentifierIsUsedOnceAtATime() throws {
            let talk = try AgentTalk()
            try talk.stageClips(frames: 600)
            let heard = try talk.talk([long(1), Self.begun, #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, cancel(1)])
            #expect(heard.code(1) == -32600 && heard.responses(1).count == 1)
        }

        /// The end of the input and signals end the server and its calls: with 0, and nothing is left.
        @Test(arguments: [nil, SIGTERM, SIGINT]) func theEndEndsCalls(signal: Int32?) throws {
            let talk = try AgentTalk()
            try talk.stageClips(frames: 600)
            let heard = try talk.talk(
                [long(1), Self.begun, long(2, "other.mkv")] + (signal.map { ["!kill \($0)"] } ?? []))
            #expect(heard.status == 0 && heard.responses(1).isEmpty && heard.responses(2).isEmpty)
            #expect(try talk.names == ["a.mkv", "b.mkv"])
        }

        /// A server that is killed can't cancel anything, but its calls notice.
        @Test func callsEndWithAKilledServer() throws {
            let talk = try AgentTalk()
            try talk.stageClips(frames: 600)
            #expect(try talk.talk([long(1), Self.begun, "!kill \(SIGKILL)"]).status == Int(-SIGKILL))
            // The call would take minutes.
            for _ in 0..<600 where try talk.names != ["a.mkv", "b.mkv"] { usleep(100_000) }
            #expect(try talk.names == ["a.mkv", "b.mkv"])
        }

        /// More calls than may wait are refused at once, and not kept.
        @Test func theQueueHasAnEnd() throws {
            let talk = try AgentTalk()
            try talk.stageClips(frames: 600)
            let calls = try (2...120).map { try long($0, "\($0).mkv") }
            let ping = #"{"jsonrpc":"2.0","id":200,"method":"ping"}"#
            let heard = try talk.talk([long(1), Self.begun] + calls + [ping])
            let refused = (2...120).filter { heard.code($0) == -32000 }
            #expect(refused == Array(102...120) && heard.status == 0)
        }

        // MARK: Arguments

        @Test(.turn(1, of: 2)) func wrongArgumentsAreErrorsOfTheCall() throws {
            let talk = try AgentTalk()
            try talk.stageClips()
            let wrong: [(text: String, more: [String: Any])] = [
                ("did you mean 'style'", ["stlye": "fold"]), ("expected true or false", ["overwrite": "yes"]),
                ("expected a text or a number", ["crf": true]), ("expected a text or a number", ["style": ["fold"]]),
                ("expected a list of paths", ["inputs": "a.mkv"]), ("expected a text or a number", ["inputs": [["a"]]]),
                ("needs an output", ["output": NSNull()]), ("invalid inputs", ["inputs": [String]()]),
                ("NUL", ["output": "x\u{0}.mkv"]), ("no option 'progress'", ["progress": "json"]),
                ("no option 'report'", ["report": "r.json"]), ("no option 'root'", ["root": "/"]),
                ("no option 'speak'", ["speak": "sh"]), ("no option '-y'", ["-y": true]),
                ("invalid creases", ["style": "fold", "creases": 1000]),
                ("too long", ["inputs": ["a.mkv", String(repeating: "x", count: 200_000)]]),
                ("too long", ["inputs": Array(repeating: String(repeating: "y", count: 1_000), count: 3_000)]),
            ]
            let base: [String: Any] = ["inputs": ["a.mkv", "b.mkv"], "output": "x.mkv"]
            let heard = try talk.talk(
                try wrong.enumerated().map { try AgentTalk.call($0, "join", base.merging($1.more) { $1 }) })
            for (index, call) in wrong.enumerated() {
                let failure = try heard.failure(index)
                #expect(
                    failure?.exit == 64 && failure?.message.contains(call.text) == true, "\(call): \(failure as Any)")
            }
            #expect(try talk.names == ["a.mkv", "b.mkv"])
        }

        /// The program's sentences name the fields of the call, and not the command line's options. Names of files stay as
        /// they are.
        @Test func errorsNameFields() throws {
            let talk = try AgentTalk()
            try talk.stageClips()
            let name = "can't -y --crf.mkv"
            for file in [name, "x.png"] { try talk.write("old", to: file) }
            let both: [String: Any] = ["inputs": ["a.mkv", "b.mkv"]]
            let calls: [(tool: String, more: [String: Any], text: String)] = [
                ("join", ["output": name], "'\(name)' exists already; give overwrite to replace it"),
                ("still", ["output": "x.png"], "'x.png' exists already; give overwrite to replace it"),
                ("join", ["output": "y.mkv", "sound-gain": -3], "sound-gain has no effect by itself (give sound)"),
                ("join", ["output": "y.unknown"], "or give format)"),
            ]
            let heard = try talk.talk(
                try calls.enumerated().map { try AgentTalk.call($0, $1.tool, both.merging($1.more) { $1 }) })
            for (index, call) in calls.enumerated() {
                let text = try #require(try heard.failure(index)).message
                #expect(text.hasSuffix(call.text), "\(text)")
            }
        }

        /// Only a server that was started for it runs programs for calls.
        @Test func programsRunOnlyIfAllowed() throws {
            let list = try AgentTalk.call(1, "options", ["tool": "deck"])
            func options(_ heard: AgentTalk.Heard) throws -> Set<String> {
                let structured = try #require(heard.result(1)["structuredContent"] as? [String: Any])
                return Set(try #require(structured["options"] as? [String: Any]).keys)
            }
            let talk = try AgentTalk()
            let (strict, free) = (
                try options(talk.talk([list])), try options(talk.talk([list], options: ["--allow-programs"]))
            )
            #expect(free.subtracting(strict) == ["speak", "speech-cache"] && strict.isSubset(of: free))
        }
    }
}
