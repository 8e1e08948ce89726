import TestSupport
import Testing

extension CommandTests {
    /// What calls of the tools that `serve` offers may read and write.
    @Suite(.serialized) struct AgentFileTests {
        /// What may not be read: a name for the test, what lies outside, and a call with it.
        static func forbidden(_ talk: AgentTalk) throws -> [[String: Any]] {
            let outside = talk.folder / "outside"
            let files = FileManager.default
            try files.createDirectory(atPath: outside, withIntermediateDirectories: false)
            try files.copyItem(atPath: talk.root + "/a.mkv", toPath: outside + "/a.mkv")
            let slide = try CommandTests.clips().make("agent.png", "-f lavfi -i testsrc2=s=160x90 -frames:v 1")
            try files.copyItem(atPath: slide, toPath: outside + "/p.png")
            for (name, text) in [
                ("list.txt", "a.mkv\n"), ("lines.srt", "1\n00:00:00,000 --> 00:00:01,000\nA\n"), ("times", "1\n"),
                ("cuts.csv", "0,1\n"), ("hand.json", "{}"), ("p.yaml", "clips: [a.mkv, a.mkv]\n"), ("secret", "x\n"),
            ] { try text.write(to: outside + "/" + name) }
            // Links into it, and files that name something in it.
            try files.createSymbolicLink(atPath: talk.root + "/link.mkv", withDestinationPath: outside + "/a.mkv")
            try files.createSymbolicLink(atPath: talk.root + "/folder", withDestinationPath: "../outside")
            try files.createDirectory(atPath: talk.root + "/photos", withIntermediateDirectories: false)
            try files.createSymbolicLink(atPath: talk.root + "/photos/p.png", withDestinationPath: outside + "/p.png")
            try files.createDirectory(atPath: talk.root + "/speech", withIntermediateDirectories: false)
            try files.createSymbolicLink(atPath: talk.root + "/speech/01.wav", withDestinationPath: outside + "/a.mkv")
            try files.copyItem(atPath: slide, toPath: talk.root + "/p.png")
            try files.createSymbolicLink(atPath: talk.root + "/dangling.mkv", withDestinationPath: "../outside/none")
            try talk.write("../outside/a.mkv\na.mkv\n", to: "list.txt")
            try talk.write("folder/a.mkv\na.mkv\n", to: "linked.txt")
            try talk.write("clips: [a.mkv, ../outside/a.mkv]\n", to: "clips.yaml")
            try talk.write("clips: [a.mkv, b.mkv]\nmusic: ../outside/a.mkv\n", to: "music.yaml")
            try talk.write("clips: [{file: photos, hold: 1}]\n", to: "photos.yaml")
            try talk.write("clips: [a.mkv, b.mkv]\ncaptions: ../outside/lines.srt\n", to: "captions.yaml")
            let overlay = "{file: folder/p.png, place: center}"
            try talk.write("clips: [a.mkv, b.mkv]\noverlays: [\(overlay)]\n", to: "overlays.yaml")
            try talk.write("clips: [{file: a.mkv, cuts: folder/cuts.csv}, b.mkv]\n", to: "cuts.yaml")

            let join = { (more: [String: Any]) -> [String: Any] in
                ["tool": "join", "inputs": ["a.mkv", "b.mkv"]].merging(more) { _, own in own }
            }
            let deck = { (more: [String: Any]) -> [String: Any] in
                ["tool": "deck", "inputs": ["p.png"]].merging(more) { _, own in own }
            }
            let inputs = [
                "../outside/a.mkv", outside + "/a.mkv", "link.mkv", "folder/a.mkv", "./../root/../outside/a.mkv",
                "link.mkv#t=0,1", "@list.txt", "@linked.txt", "@../outside/list.txt", "/etc/passwd", "@/etc/passwd",
                "a.mkv#captions=../outside/lines.srt", "a.mkv#captions=folder/lines.srt", "/dev/stdin",
                "/proc/self/fd/0", "a.mkv#cuts=../outside/cuts.csv", "folder/a.mkv#cuts=cuts.csv",
                "../outside/no-such-file.mkv", "dangling.mkv", "-", "",
            ]
            return inputs.map { join(["inputs": ["a.mkv", $0]]) }
                + ["clips", "music", "photos", "captions", "overlays", "cuts", "../outside/p"].map {
                    ["tool": "join", "inputs": [$0 + ".yaml"]]
                }
                + [
                    join(["sound": "../outside/a.mkv"]), join(["sound": "folder/a.mkv@0.2"]),
                    join(["gesture": "../outside/hand.json"]), join(["transition": "fold=sound=../outside/a.mkv"]),
                    join(["transition": "fold=gesture=folder/hand.json"]), join(["captions": ["folder/lines.srt"]]),
                    join(["video-options": "x264-params=stats=../outside/stats"]),
                    join(["overlay": ["../outside/p.png"]]), join(["overlay": ["folder/p.png@top-left:opacity=0.5"]]),
                    ["tool": "deck", "inputs": ["photos"]], ["tool": "deck", "inputs": ["../outside"]],
                    ["tool": "deck", "inputs": ["folder/p.png"]], deck(["narration": "speech"]),
                    deck(["narration": "folder/a.mkv"]), deck(["music": "../outside/a.mkv"]),
                    deck(["timings": "folder/times"]), deck(["password-file": "../outside/secret"]),
                    ["tool": "still", "inputs": ["a.mkv", "folder/a.mkv"], "output": "x.png"],
                    ["tool": "sheet", "inputs": ["link.mkv", "a.mkv"], "output": "x.png"],
                    ["tool": "probe", "inputs": ["folder/a.mkv"]], ["tool": "probe", "inputs": ["/etc/passwd"]],
                    ["tool": "plan", "inputs": ["clips.yaml"]],
                ]
        }

        /// Whether a call was refused because of what it may read and write.
        static func isAboutPlaces(_ message: String) -> Bool {
            ["is outside", "have no pipes", "known to name no file"].contains { message.contains($0) }
        }

        /// Nothing outside of the root is read, wherever it is named, and the text of an error doesn't tell what is there.
        @Test func nothingOutsideIsRead() throws {
            let talk = try AgentTalk()
            try talk.stageClips()
            let calls = try Self.forbidden(talk)
            let before = try talk.names
            let outside = try FileManager.default.contentsOfDirectory(atPath: talk.folder / "outside").sorted()
            let steps = try calls.enumerated().map { index, call in
                var arguments = call
                let tool = arguments.removeValue(forKey: "tool") as? String ?? ""
                if arguments["output"] == nil, tool != "probe" { arguments["output"] = "x.mkv" }
                return try AgentTalk.call(index, tool, arguments)
            }
            let heard = try talk.talk(steps)
            for (index, call) in calls.enumerated() {
                let failure = try heard.failure(index)
                let text = failure?.message ?? ""
                #expect(Self.isAboutPlaces(text) && [64, 65].contains(failure?.exit), "\(call): \(text)")
                #expect(!text.contains("root:"), "\(call): \(text)")
            }
            #expect(try talk.names == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: talk.folder / "outside").sorted() == outside)
        }

        /// Nothing outside of the root is written, by any option that names a file.
        @Test func nothingOutsideIsWritten() throws {
            let talk = try AgentTalk()
            try talk.stageClips()
            let files = FileManager.default
            try files.createDirectory(atPath: talk.folder / "outside", withIntermediateDirectories: false)
            try files.createSymbolicLink(atPath: talk.root + "/folder", withDestinationPath: "../outside")
            try files.createSymbolicLink(atPath: talk.root + "/dangling.mkv", withDestinationPath: "../outside/new.mkv")
            let slide = try CommandTests.clips().make("agent.png", "-f lavfi -i testsrc2=s=160x90 -frames:v 1")
            try files.copyItem(atPath: slide, toPath: talk.root + "/p.png")
            let before = try talk.names
            var calls: [(tool: String, arguments: [String: Any])] = []
            for output in [
                "../outside/x.mkv", talk.folder / "x.mkv", "folder/x.mkv", "folder/%03d.png", "/dev/null", "-",
            ] {
                calls.append(("join", ["inputs": ["a.mkv", "b.mkv"], "output": output]))
            }
            calls.append(("join", ["inputs": ["a.mkv", "b.mkv"], "output": "dangling.mkv"]))
            for output in ["../outside/x.png", "folder/x.png"] {
                calls += ["still", "sheet"].map { ($0, ["inputs": ["a.mkv", "b.mkv"], "output": output]) }
            }
            for (name, path) in [
                ("write-timings", "folder/times"), ("write-project", "../outside/p.yaml"),
                ("notes-out", "folder/notes"),
                ("chapters-out", "folder/chapters"),
            ] { calls.append(("deck", ["inputs": ["p.png", "p.png"], "output": "x.mkv", name: path])) }
            calls.append(("plan", ["inputs": ["a.mkv", "b.mkv"], "output": "x.mkv", "otio": "folder/x.otio"]))
            let heard = try talk.talk(try calls.enumerated().map { try AgentTalk.call($0, $1.tool, $1.arguments) })
            for (index, call) in calls.enumerated() {
                let failure = try #require(try heard.failure(index), "\(call)")
                // Calls don't have all options of the commands.
                let isMissing = ["write-timings", "write-project", "otio"].contains {
                    call.arguments[$0] != nil && failure.message.contains("there is no option '\($0)' of")
                }
                #expect(isMissing || Self.isAboutPlaces(failure.message), "\(call): \(failure.message)")
            }
            #expect(try talk.names == before)
            #expect(try files.contentsOfDirectory(atPath: talk.folder / "outside").isEmpty)
        }

        /// An existing file is replaced only if the call says so.
        @Test func filesAreReplacedOnlyIfAsked() throws {
            let talk = try AgentTalk()
            try talk.stageClips()
            for name in ["x.mkv", "x.png", "y.png"] { try talk.write("old", to: name) }
            let both: [String: Any] = ["inputs": ["a.mkv", "b.mkv"]]
            let calls: [(tool: String, arguments: [String: Any])] = [
                ("join", ["output": "x.mkv"]), ("still", ["output": "x.png"]), ("sheet", ["output": "y.png"]),
            ]
            func steps(_ first: Int, _ more: [String: Any]) throws -> [String] {
                try calls.enumerated().map { index, call in
                    try AgentTalk.call(
                        first + index, call.tool, both.merging(call.arguments) { $1 }.merging(more) { $1 })
                }
            }
            let refused = try talk.talk(steps(1, [:]) + steps(4, ["overwrite": false]))
            for id in 1...6 { #expect(try refused.failure(id)?.exit == 73) }
            for name in ["x.mkv", "x.png", "y.png"] { #expect(try String(contentsOf: talk.root + "/" + name) == "old") }
            let replaced = try talk.talk(steps(1, ["overwrite": true]))
            for id in 1...3 { #expect(try replaced.failure(id) == nil) }
            #expect(try Judge.video(talk.root + "/x.mkv").frameCount > 40)
            #expect(try Judge.complaints(talk.root + "/x.png") == "")
            #expect(try talk.names == ["a.mkv", "b.mkv", "x.mkv", "x.png", "y.png"])
        }

        /// No option that names a file takes one outside of the root, whichever tool has it.
        @Test func noOptionNamesAFileOutside() throws {
            let talk = try AgentTalk()
            try talk.stageClips()
            try FileManager.default.createDirectory(atPath: talk.folder / "outside", withIntermediateDirectories: false)
            try "x".write(to: talk.folder / "outside/x")
            let tools = ["plan", "still", "sheet", "join", "deck"]
            var calls: [(tool: String, option: String)] = []
            for command in try HelpTests.commands() where tools.contains(command.commandName) {
                for option in command.arguments ?? [] where option.kind == "option" && option.shouldDisplay {
                    guard let name = option.longNames.first, name != "output", let kinds = option.completionKind?.keys
                    else { continue }
                    if kinds.contains("file") || kinds.contains("directory") {
                        calls.append((command.commandName, name))
                    }
                }
            }
            #expect(Set(calls.map(\.option)).isSuperset(of: ["captions", "sound", "gesture", "music", "timings"]))
            let heard = try talk.talk(
                try calls.enumerated().map { index, call in
                    try AgentTalk.call(
                        index, call.tool,
                        ["inputs": ["a.mkv", "b.mkv"], "output": "o.mkv", call.option: "../outside/x"])
                })
            var refused: Set<String> = []
            for (index, call) in calls.enumerated() {
                let text = try #require(try heard.failure(index), "\(call)").message
                // Calls don't have all options, but those that name inputs.
                if text.contains("'../outside/x' is outside") {
                    refused.insert(call.option)
                } else {
                    #expect(text.contains("no option '\(call.option)'"), "\(call): \(text)")
                }
            }
            #expect(
                refused.isSuperset(of: ["captions", "sound", "gesture", "music", "timings", "narration"]), "\(refused)")
            #expect(try talk.names == ["a.mkv", "b.mkv"])
        }
    }
}
