import TestSupport
import Testing

extension CommandTests {
    /// What is confined to a folder opens no file outside of it, whatever the text of its error says: every call of the
    /// system that names a file is looked at. Options are found by what shells offer for them, so a new one is included.
    @Suite(.serialized, .enabled(if: FileTrace.works, Comment(rawValue: FileTrace.isMissing))) struct OpenedFilesTests {
        /// A root with clips and files that name others, a folder `outside` beside it, and places for temporary files.
        private struct Place {
            let talk: AgentTalk
            /// The calls that `AgentFileTests` has: inputs and options that lead outside in many ways.
            let calls: [[String: Any]]
            var environment: [String: String] { ["TMPDIR": talk.folder / "tmp", "HOME": talk.folder / "home"] }
            /// What may be opened besides the system's files. The script is the one of the server's client.
            var allowed: [String] {
                [talk.root, talk.folder / "tmp", talk.folder / "home", talk.folder / "jobs"]
                    .flatMap { [$0, URL(fileURLWithPath: $0).resolvingSymlinksInPath().path] }
            }

            init() throws {
                talk = try AgentTalk()
                try talk.stageClips()
                calls = try AgentFileTests.forbidden(talk)
                for name in ["tmp", "home"] {
                    try FileManager.default.createDirectory(
                        atPath: talk.folder / name, withIntermediateDirectories: false)
                }
            }

            /// Runs the program in the root, and expects that it opens nothing outside.
            func run(_ words: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> ToolRun {
                let trace = FileTrace(in: talk.folder)
                let all = ["env", "-C", talk.root] + trace.words + [try Places.program()] + words
                let run = try Tool.run(all[0], Array(all.dropFirst()), timeout: 300, environment: environment)
                try expectNothingOutside(trace, "\(words.prefix(3))", sourceLocation)
                return run
            }

            func expectNothingOutside(_ trace: FileTrace, _ what: String, _ location: SourceLocation) throws {
                let paths = try trace.paths(from: talk.root)
                #expect(
                    paths.contains { $0.hasPrefix(talk.root + "/") }, "nothing was traced", sourceLocation: location)
                let strays = try FileTrace.strays(paths, beside: allowed)
                #expect(strays.isEmpty, "\(what): \(strays)", sourceLocation: location)
            }
        }

        /// The options of a command that name a file or a folder.
        private func pathOptions(_ command: HelpTests.Command) -> [String] {
            (command.arguments ?? []).filter { option in
                option.kind == "option" && option.longNames.first != "output"
                    && option.completionKind?.keys.contains { ["file", "directory"].contains($0) } == true
            }.compactMap(\.longNames.first)
        }

        private func commands(_ names: [String]) throws -> [HelpTests.Command] {
            try HelpTests.commands().filter { names.contains($0.commandName) }
        }

        /// Places outside that an option's value may name.
        private static let outside = "../outside/a.mkv"

        @Test func agentsStayInside() throws {
            let place = try Place()
            var calls = place.calls
            var seen: Set<String> = []
            for command in try commands(["plan", "still", "sheet", "join", "deck"]) {
                for option in pathOptions(command) where seen.insert(option).inserted || Places.runsSlowTests {
                    calls.append(["tool": command.commandName, "inputs": ["a.mkv", "b.mkv"], option: Self.outside])
                }
            }
            #expect(seen.isSuperset(of: ["captions", "sound", "gesture", "music", "timings", "overlay"]))
            let steps = try calls.enumerated().map { index, call in
                var arguments = call
                let tool = arguments.removeValue(forKey: "tool") as? String ?? ""
                if tool != "probe" { arguments["output"] = arguments["output"] ?? "o\(index).mkv" }
                return try AgentTalk.call(index, tool, arguments)
            }
            let trace = FileTrace(in: place.talk.folder)
            let heard = try place.talk.talk(steps, tracer: trace.words, environment: place.environment)
            for index in calls.indices {
                let failure = try #require(try heard.failure(index), "\(calls[index])")
                // Calls don't have all options.
                let isExpected =
                    AgentFileTests.isAboutPlaces(failure.message) || failure.message.contains("no option '")
                #expect(isExpected, "\(calls[index]): \(failure.message)")
            }
            try place.expectNothingOutside(trace, "serve", #_sourceLocation)
        }

        /// Each job leads outside. Those that planning can't refuse, because a folder has a link in it, fail when they run,
        /// and a job that stays inside succeeds beside them.
        @Test func batchesStayInside() throws {
            let place = try Place()
            let names = ["join", "deck"]
            var jobs: [[String: Any]] = place.calls.compactMap { call in
                var job = call
                guard let tool = job.removeValue(forKey: "tool") as? String, names.contains(tool) else { return nil }
                let inputs = job.removeValue(forKey: "inputs")
                job[tool] = inputs
                return job
            }
            for command in try commands(names) {
                jobs += pathOptions(command).map { [command.commandName: ["a.mkv", "b.mkv"], $0: Self.outside] }
            }
            for index in jobs.indices { jobs[index]["output"] = "o\(index).mkv" }
            // The job directory may be reached by a link, and lie outside.
            let (directory, elsewhere) = (place.talk.folder / "jobs", place.talk.folder / "elsewhere")
            try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(atPath: directory, withDestinationPath: elsewhere)
            let batch = ["batch", "m.jsonl", "--root", ".", "--job-dir", directory, "--retries", "0"]
            try write(jobs, place)
            let planned = try place.run(batch + ["--plan-only"])
            #expect(planned.status == 65, "\(planned.story)")
            let rest = jobs.indices.filter { !planned.messages.contains("m.jsonl:\($0 + 1):") }
            #expect(rest.count < 10, "\(rest.map { jobs[$0] })")
            try write(
                rest.map { jobs[$0] } + [["output": "good.mkv", "join": ["a.mkv", "b.mkv"], "duration": "5f"]], place)
            let run = try place.run(batch)
            #expect(run.status == 65, "\(run.story)")
            for index in rest.indices {
                let record = try #require(run.messageLines.first { $0.contains("o\(rest[index]).mkv") }, "\(run.story)")
                #expect(AgentFileTests.isAboutPlaces(record), "\(record)")
            }
            let made = try place.talk.names.filter { $0 == "good.mkv" || $0.contains(/^o\d/) }
            #expect(made == ["good.mkv"], "\(run.story)")
        }

        private func write(_ jobs: [[String: Any]], _ place: Place) throws {
            let lines = try jobs.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
            try place.talk.write(lines.joined(separator: "\n") + "\n", to: "m.jsonl")
        }

        /// On a command line, `--root` confines what lists and projects name. Every command that has it is tried.
        @Test func listsAndProjectsStayInside() throws {
            let place = try Place()
            let project = """
                <mlt><profile width="64" height="36" frame_rate_num="25" frame_rate_den="1" progressive="1"/>
                <producer id="p" in="0" out="9"><property name="resource">\(Self.outside)</property></producer>
                <playlist id="l"><entry producer="p" in="0" out="9"/></playlist>
                <tractor id="t"><track producer="l"/></tractor></mlt>
                """
            try place.talk.write(project, to: "film.mlt")
            let confined = try HelpTests.commands().filter { command in
                !["batch", "serve"].contains(command.commandName) && pathOptions(command).contains("root")
            }
            #expect(confined.count >= 7, "\(confined.map(\.commandName))")
            for command in confined {
                let name = command.commandName
                let isPicture = ["still", "sheet"].contains(name)
                let output =
                    ["preview", "check"].contains(name)
                    ? [] : [isPicture ? "x.png" : name == "export" ? "x.otio" : "x.mkv"]
                let takesProjects = ["join", "deck", "plan", "export", "preview"].contains(name)
                // The last of the files of a check is a project of an editor.
                let lists = name == "check" ? [["a.mkv", "film.mlt"]] : [["@list.txt", "a.mkv"]]
                for inputs in lists + (takesProjects ? [["music.yaml"]] : []) {
                    let run = try place.run([name, "--root", "."] + inputs + output)
                    #expect(run.status == 65 && run.messages.contains("outside"), "\(run.story)")
                }
            }
        }
    }
}
