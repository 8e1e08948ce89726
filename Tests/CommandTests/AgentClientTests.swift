import TestSupport
import Testing

extension CommandTests {
    /// The server for agents, called by the official client of its protocol.
    @Suite(
        .serialized, .enabled(if: Python.withAgents != nil, Comment(rawValue: Python.agentsAreMissing)),
        .enabled(if: Python.withSchemas != nil, Comment(rawValue: Python.schemasAreMissing)))
    struct AgentClientTests {
        /// What the client received.
        private struct Talk {
            let version: String
            let tools: [[String: Any]]
            let results: [[String: Any]]

            func structured(_ index: Int) throws -> [String: Any] {
                #expect(results[index]["isError"] as? Bool == false, "\(results[index])")
                return try #require(results[index]["structured"] as? [String: Any])
            }
        }

        private func talk(_ talk: AgentTalk, mode: String, _ calls: [[String: Any]]) throws -> Talk {
            let plan = talk.folder / "calls.json"
            try JSONSerialization.data(withJSONObject: ["mode": mode, "calls": calls]).write(to: plan)
            let run = try Tool.succeed(
                try #require(Python.withAgents), "\(Places.package + "/Tests/Tools/agent_client.py") \(plan)",
                "\(Places.program()) serve --stdio --root \(talk.root)", timeout: 300)
            let object = try #require(JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            return Talk(
                version: object["version"] as? String ?? "", tools: object["tools"] as? [[String: Any]] ?? [],
                results: object["results"] as? [[String: Any]] ?? [])
        }

        /// The picture that a result has.
        private func picture(_ result: [String: Any], _ folder: TemporaryFolder) throws -> VideoFacts {
            let content = result["content"] as? [[String: Any]] ?? []
            let picture = try #require(content.first { $0["type"] as? String == "image" })
            #expect(picture["mimeType"] as? String == "image/jpeg")
            let data = try #require(Data(base64Encoded: picture["data"] as? String ?? ""))
            // Clients refuse results of more than a megabyte.
            #expect((picture["data"] as? String ?? "").utf8.count < 980_000)
            try data.write(to: folder / "picture.jpg")
            return try Judge.video(folder / "picture.jpg")
        }

        private func check(_ documents: [Any], _ schema: String) throws {
            // The program's own tests of schemas are skipped as well, and say so, where they can't be checked.
            let python = try #require(Python.withSchemas)
            let folder = try TemporaryFolder()
            for (index, document) in documents.enumerated() {
                let data = try JSONSerialization.data(withJSONObject: document)
                try data.write(to: folder / "\(index).json")
            }
            struct Result: Decodable { let errors: [String] }
            let run = try Tool.succeed(
                python, "\(Places.package + "/Tests/Tools/schema_check.py")",
                "\(Places.package + "/docs/schemas/\(schema).schema.json")",
                "\(documents.indices.map { folder / "\($0).json" })")
            #expect(try JSONDecoder().decode(Result.self, from: run.output).errors == [], "\(schema)")
        }

        /// A page, two clips of 40 frames, and a project of them.
        private func stage() throws -> AgentTalk {
            let talk = try AgentTalk()
            try talk.stageClips()
            let slide = try clips().make("agent.png", ["-f", "lavfi", "-i", "testsrc2=s=160x90", "-frames:v", "1"])
            try talk.stage(slide, as: "p.png")
            try talk.write("clips: [a.mkv, b.mkv]\ntransition: fold=duration=8f\n", to: "p.yaml")
            return talk
        }

        /// The client's newest revision has no sessions; "legacy" begins one.
        @Test(.turn(0, of: 3), arguments: Places.some([("auto", "2026-07-28"), ("legacy", "2025-11-25")], every: 2))
        func everyToolCanBeCalled(mode: String, version: String) throws {
            let place = try stage()
            let both = ["a.mkv", "b.mkv"]
            let talk = try talk(
                place, mode: mode,
                [
                    ["tool": "styles"], ["tool": "probe", "arguments": ["inputs": both]],
                    [
                        "tool": "plan",
                        "arguments": ["inputs": both, "output": "o.mkv", "style": "card", "duration": "10f"],
                    ],
                    ["tool": "still", "arguments": ["inputs": both, "at": 0.25]],
                    ["tool": "still", "arguments": ["inputs": both, "output": "s.png", "size": "320x180"]],
                    [
                        "tool": "sheet",
                        "arguments": ["inputs": both, "columns": 3, "style": "cube", "output": "t.png", "image": true],
                    ],
                    [
                        "tool": "join",
                        "arguments": [
                            "inputs": both, "output": "j.mkv", "duration": "10f", "creases": 3, "style": "fold",
                        ],
                    ],
                    [
                        "tool": "deck",
                        "arguments": [
                            "inputs": ["p.png", "p.png"], "output": "d.mkv", "hold": 1, "duration": "5f", "fps": 25,
                        ],
                    ],
                    ["tool": "join", "arguments": ["inputs": ["p.yaml"], "output": "r.mkv"]],
                    ["tool": "probe", "arguments": ["inputs": ["a.mkv", "none.mkv"]]],
                    ["tool": "join", "arguments": ["inputs": both, "output": "j.mkv"]],
                    ["tool": "options", "arguments": ["tool": "deck"]],
                ])
            #expect(talk.version == version)
            #expect(Set(talk.tools.compactMap { $0["name"] as? String }).count == 8)

            let styles = try #require(talk.structured(0)["styles"] as? [[String: Any]])
            #expect(styles.contains { $0["name"] as? String == "flip" })
            let files = try #require(talk.structured(1)["files"] as? [[String: Any]])
            #expect(files.compactMap { ($0["video"] as? [String: Any])?["frameCount"] as? Int } == [40, 40])
            let plan = try talk.structured(2)
            #expect((plan["output"] as? [String: Any])?["frames"] as? Int == 70)
            try check([plan], "plan")
            try check([files], "probe")
            try check([styles], "styles")

            let still = try picture(talk.results[3], place.folder)
            #expect(still.width == 160 && still.height == 90)
            // The file is as large as it should be, and isn't returned.
            #expect((talk.results[4]["content"] as? [Any])?.count == 1)
            #expect(try Judge.video(place.root + "/s.png").width == 320)
            let sheet = try picture(talk.results[5], place.folder)
            let written = try Judge.video(place.root + "/t.png")
            #expect(sheet.width == written.width && sheet.height == written.height)
            try check([talk.structured(3), talk.structured(4), talk.structured(5)], "picture")

            for (index, name, frames) in [(6, "j.mkv", 70), (7, "d.mkv", 50), (8, "r.mkv", 72)] {
                #expect(try Judge.video(place.root + "/" + name).frameCount == frames, "\(name)")
                #expect(try talk.structured(index)["framesEncoded"] as? Int == frames, "\(name)")
                let progress = (talk.results[index]["progress"] as? [[Any]] ?? []).compactMap { $0.first as? Double }
                #expect(progress.last == Double(frames) && zip(progress, progress.dropFirst()).allSatisfy(<), "\(name)")
                let totals = (talk.results[index]["progress"] as? [[Any]] ?? []).compactMap { $0[1] as? Double }
                #expect(Set(totals) == [Double(frames)], "\(name)")
            }
            try check([talk.structured(6), talk.structured(7), talk.structured(8)], "report")

            let failures = try [9, 10].map { try #require(talk.results[$0]["structured"] as? [String: Any]) }
            #expect(failures.map { $0["exit"] as? Int } == [66, 73])
            #expect((failures[0]["files"] as? [Any])?.count == 2)
            #expect([9, 10].allSatisfy { talk.results[$0]["isError"] as? Bool == true })
            try check(failures, "failure")
            try check([talk.structured(11)], "options")
        }

        /// A picture that is returned is not larger than 1280 pixels a side, unless a size is asked for.
        @Test(.turn(1, of: 2)) func largePicturesAreMadeSmaller() throws {
            let place = try AgentTalk()
            let large = try clips().make("agent-large.png", "-f lavfi -i testsrc2=s=2000x3000 -frames:v 1")
            try place.stage(large, as: "l.png")
            let both = ["l.png", "l.png"]
            let talk = try talk(
                place, mode: "auto",
                [
                    ["tool": "still", "arguments": ["inputs": both]],
                    ["tool": "still", "arguments": ["inputs": both, "size": "2000x3000"]],
                    ["tool": "sheet", "arguments": ["inputs": both, "columns": 8, "style": "wipe"]],
                    ["tool": "still", "arguments": ["inputs": both, "output": "o.png"]],
                ])
            let small = try picture(talk.results[0], place.folder)
            #expect(small.width == 852 && small.height == 1280)
            #expect(try picture(talk.results[1], place.folder).height == 3000)
            let sheet = try picture(talk.results[2], place.folder)
            #expect(sheet.width <= 1280 && sheet.width > 1200 && sheet.height <= 1280)
            #expect(try Judge.video(place.root + "/o.png").height == 3000)
        }

        @Test(.turn(0, of: 2), arguments: ["auto", "legacy"]) func canceledCallsLeaveNothing(mode: String) throws {
            let place = try AgentTalk()
            try place.stageClips(frames: 600)
            let long: [String: Any] = [
                "inputs": ["a.mkv", "b.mkv"], "output": "o.mkv", "size": "1920x1080", "preset": "placebo",
            ]
            let talk = try talk(
                place, mode: mode,
                [
                    ["tool": "join", "arguments": long, "cancel": true],
                    ["tool": "join", "arguments": ["inputs": ["a.mkv#t=0,1", "b.mkv#t=0,1"], "output": "s.mkv"]],
                ])
            #expect(talk.results[0]["canceled"] as? Bool == true)
            #expect(try talk.structured(1)["framesEncoded"] as? Int == 35)
            #expect(try place.names == ["a.mkv", "b.mkv", "s.mkv"])
        }
    }
}
