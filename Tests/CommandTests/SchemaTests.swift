import FlipGeometry
import TestSupport
import Testing

extension CommandTests {
    /// The JSON Schemas of docs/schemas/ describe what runs really write: every field that is written is in them, and nearly every
    /// field that is in them is written here.
    @Suite(.serialized, .enabled(if: Python.withSchemas != nil, Comment(rawValue: Python.schemasAreMissing)))
    struct SchemaTests {
        let folder = TemporaryFolder.make()

        private struct Result: Decodable {
            let errors: [String]
            let unseen: [String]
        }

        /// Checks documents, and events one a line, against the schema called `name`.
        /// - Parameter rare: the fields that need not occur.
        private func expect(
            _ name: String, _ documents: [Data] = [], events: [Data] = [], rare: Set<String> = [],
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let folder = try TemporaryFolder()
            var paths: [String] = []
            for (index, data) in (documents + events).enumerated() {
                paths.append(folder / (index < documents.count ? "\(index).json" : "\(index).jsonl"))
                try data.write(to: paths[index])
            }
            let python = try #require(Python.withSchemas)
            let tool = Places.package + "/Tests/Tools/schema_check.py"
            let run = try Tool.succeed(python, [tool, Places.package + "/docs/schemas/\(name).schema.json"] + paths)
            let result = try JSONDecoder().decode(Result.self, from: run.output)
            #expect(result.errors == [], sourceLocation: sourceLocation)
            #expect(Set(result.unseen).subtracting(rare) == [], sourceLocation: sourceLocation)
        }

        private func contents(_ path: String) throws -> Data { try Data(contentsOf: path) }

        private static let quick = ["--size", "160x90", "--preset", "ultrafast", "--duration", "5f"]

        /// A still, and a tone to play with it.
        private func slideAndTone() throws -> (slide: String, tone: String) {
            let slide = try clips().make("schema-slide.png", "-f lavfi -i testsrc2=s=160x90 -frames:v 1")
            let tone = try clips().make("schema-tone.wav", ["-f", "lavfi", "-i", "sine=d=2"])
            return (slide, tone)
        }

        /// A clip whose audio and subtitle tracks have a language and a title, and a file with captions.
        private func tracks(_ folder: TemporaryFolder) throws -> (clip: String, captions: String) {
            let captions = folder / "lines.srt"
            try "1\n00:00:00,000 --> 00:00:01,000\nA line.\n".write(to: captions)
            let clip = folder / "tracks.mkv"
            let titles = ["a", "s"].flatMap {
                ["-metadata:s:\($0)", "language=deu", "-metadata:s:\($0)", "title=Eins"]
            }
            try Tool.ffmpeg(
                "-i \(clips().pattern("schema", frames: 60, sound: true)) -i \(captions) \(titles) -metadata artist=Ann",
                "-c copy \(clip)")
            return (clip, captions)
        }

        /// Command lines that make plans of every kind: HDR, sounds, chapters, fades, tracks, copied packets and cuts.
        /// - Parameter folder: holds their inputs.
        private func commands(_ folder: TemporaryFolder) throws -> [[String]] {
            let (slide, tone) = try slideAndTone()
            let plain = try clips().pattern("schema", frames: 60, sound: true)
            let (film, captions) = try tracks(folder)
            // FFmpeg 7.1.5 rejects the first clip's mastering luminance as too low, so only the second clip has mastering display
            // metadata with every version.
            let hdr = try medium("hevc-main10-hdr10-1080p-vfr.mp4")
            let mastered = try medium("av1-aac-hdr10-mastering-metadata-59-94fps.mp4") + "#t=,0.2"
            return [
                ["join", plain + "#loudness=-20", hdr, "--chapters", "--transition", "cut", "--loudness", "-16"],
                ["join", film, film + "#captions=\(captions)", "--burn-captions", "box"],
                ["join", film, film, "--captions", captions, "--preset-for", "web"],
                ["join", mastered, mastered, "--fade-in", "3f", "--fade-out", "3f"],
                ["deck", slide, slide, "--hold", "1", "--music", tone, "--sound", "page"],
                [
                    "join", Places.package + "/Media/bunny.mp4", Places.package + "/Media/flower.mp4", "--render",
                    "auto",
                ],
                ["join", hdr + "#volume=0.5", hdr, "--gesture", Places.package + "/Tests/Tools/gesture.json"],
                ["join", plain, plain, "--overlay", "\(slide)@top:width=20%", "--overlay-text", "{slide}@bottom"],
            ] + (Places.has("soffice") ? [["deck", try DeckFiles.talk(in: folder)]] : [])
        }

        @Test func stylesFollowTheirSchema() throws {
            try expect("styles", [succeed(["styles", "--json"]).output])
        }

        @Test(.needsMedia) func probesFollowTheirSchema() throws {
            try "no picture".write(to: folder / "bad.png")
            let titled = folder / "titled.mkv"
            try Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", medium("h264-aac-chapters.mp4"), "-t", "1", "-c", "copy", "-map",
                    "0:v", "-metadata", "title=A title", titled,
                ])
            let names = [
                "hevc-main10-hdr10-1080p-vfr.mp4", "av1-aac-hdr10-mastering-metadata-59-94fps.mp4",
                "h264-aac-chapters.mp4", "h264-aac-rotate-and-mirror.mp4", "mp3-vbr-cover-art-48khz.mp3",
                "png-palette-trns.png", "h264-ac3-srt-subtitle.mkv", "jpeg-exif-orientation-6.jpg",
            ]
            let files = try names.map(medium) + [folder / "bad.png", folder / "none.mp4", titled, tracks(folder).clip]
            let run = try CommandTests.run(["probe", "--json"] + files)
            try expect("probe", [run.output], rare: ["[]<file>.video.transform.requestedAngle"])
        }

        /// Of a good join with a transition, and of a film in which frames are missing.
        @Test func verdictsFollowTheirSchema() throws {
            let (a, b) = try (
                clips().pattern("schema-a", frames: 60, sound: true),
                clips().pattern("schema-b", frames: 60, sound: true)
            )
            let (good, short) = (folder / "good.mp4", folder / "short.mp4")
            try succeed("\(a) \(b) --duration 8f --render auto \(good)")
            try succeed("\(a)#t=0,0.8 \(a)#t=1.2 --transition cut --render auto \(short)")
            let verdicts = try [[good, a, b], [short, a]].map { try CommandTests.run(["check"] + $0 + ["--json"]) }
            #expect(verdicts.map(\.status) == [0, 65])
            try expect("check", verdicts.map(\.output))
        }

        @Test(.turn(0, of: 2), .needsMedia) func plansFollowTheirSchema() throws {
            let plans = try commands(folder).map {
                try succeed(["plan"] + $0 + Self.sizeless($0) + ["--json", "o.mp4"]).output
            }
            try expect("plan", plans, rare: Self.rareFields(".").union([".output.fieldOrder"]))
        }

        /// The fields that only editors' projects have, which `EditorProjectTests` reads, and those that only slides have, if
        /// LibreOffice isn't there to read them.
        private static func rareFields(_ place: String) -> Set<String> {
            let made: Set = ["\(place)inputs[].renderedBy", "\(place)inputs[].renderedReason"]
            if Places.has("soffice") { return made }
            let film = ["path", "start", "seconds", "x", "y", "width", "height"].map { ".films[].\($0)" }
            return made.union(
                ([".slide", ".films"] + film).map { "\(place)inputs[]\($0)" } + ["\(place)sounds[].input"])
        }

        /// What is copied keeps its size.
        private static func sizeless(_ command: [String]) -> [String] {
            command.contains("--render") ? ["--duration", "5f"] : quick
        }

        @Test(.turn(2, of: 3), .needsMedia) func reportsFollowTheirSchema() throws {
            let reports = try commands(folder).enumerated().map { index, command in
                let report = folder / "\(index).json"
                try succeed(command + Self.sizeless(command) + ["--report", report, folder / "\(index).mp4"])
                return try contents(report)
            }
            let rare: Set = [".stages.audio.count", ".plan.output.fieldOrder"]
            try expect("report", reports, rare: Self.rareFields(".plan.").union(rare))
        }

        /// Events of runs that end well and badly; in a batch, also of a job that can't be done.
        @Test(.turn(1, of: 2)) func eventsFollowTheirSchemas() throws {
            let plain = try clips().pattern("schema", frames: 60, sound: true)
            let short = try clips().pattern("schema-short", frames: 8)
            let options = ["--progress", "json", "--size", "160x90", "--preset", "ultrafast"]
            // The short clip makes the transition shorter, with a warning; --verbose prints the plan as a note.
            let good = try succeed([plain, short] + options + ["--verbose", folder / "out.mp4"])
            let bad = try CommandTests.run([plain, folder / "none.mp4"] + options + [folder / "bad.mp4"])
            let usage = try CommandTests.run(["--progress", "json", "--bogus"])
            #expect(good.messages.contains("\"schema\":1") && bad.status == 66 && usage.status == 64)

            try "nothing".write(to: folder / "bad.mkv")
            let text = """
                defaults: {size: 160x90, preset: ultrafast}
                jobs:
                  - {output: good.mp4, join: [\(plain), \(short)]}
                  - {output: other.mp4, join: [\(plain), bad.mkv]}
                """
            try text.write(to: folder / "m.yaml")
            let batch = try expectExit(
                "batch \(folder / "m.yaml") --progress json --verbose --report \(folder / "report.json")", 65)
            let refused = try CommandTests.run(["batch", folder / "none.yaml", "--progress", "json"])
            try expect(
                "batch-progress", events: [batch, refused].map { Data($0.messages.utf8) },
                rare: ["<progress>.eta", "<note>.event", "<note>.message", "<note>.schema"])
            try expect("batch-report", [contents(folder / "report.json")])

            let status = try expectExit(["jobs", "status", folder / "m.jobs", "--json"], 75)
            try expect("status", [status.output])

            let given = try CommandTests.run("jobs run \(folder / "m.jobs") 1 --progress json --attempts 1")
            let sized = try succeed([plain, folder / "sized.mp4", "--target-size", "200k"] + options)
            try expect("progress", events: [good, bad, usage, given, sized].map { Data($0.messages.utf8) })
        }

        /// Errors and warnings of any command are events if `--messages json` asks for them, and sentences otherwise.
        @Test func everyCommandHasEvents() throws {
            let plain = try clips().pattern("schema", frames: 60, sound: true)
            let none = folder / "none.mp4"
            var events: [Data] = []
            for command in [
                ["join", plain, none, folder / "o.mp4"], ["plan", plain, none, folder / "o.mp4"],
                ["still", plain, none, folder / "o.png"], ["sheet", plain, none, folder / "o.png"], ["probe", none],
            ] {
                let run = try CommandTests.run(command + ["--messages", "json"])
                let event = try #require(
                    JSONSerialization.jsonObject(with: Data(run.messages.utf8)) as? [String: Any], "\(run.story)")
                #expect(event["event"] as? String == "error" && event["kind"] as? String == "missingInput")
                #expect(run.status == 66 && event["code"] as? Int == 66)
                events.append(Data(run.messages.utf8))
                let plain = try CommandTests.run(command + ["--messages", "text"])
                #expect(plain.messages == "fliptransition: error: \(event["message"] ?? "")\n")
            }
            let short = try clips().pattern("schema-short", frames: 8)
            let warned = try succeed([plain, short, "--messages=json", "--preset", "ultrafast", folder / "w.mp4"])
            let warning = try #require(
                JSONSerialization.jsonObject(with: Data(warned.messages.utf8)) as? [String: Any], "\(warned.story)")
            #expect(warning["event"] as? String == "warning" && warning["schema"] as? Int == 1)
            let usage = try expectExit(["plan", "--messages", "json", "--bogus"], 64, saying: #""code":64"#)
            #expect(try CommandTests.run(["probe", plain, "--messages", "xml"]).status == 64)
            try expect(
                "progress", events: events + [Data(warned.messages.utf8), Data(usage.messages.utf8)],
                rare: Set(
                    ["progress", "done", "note"].flatMap { event in
                        ["event", "schema", "pass", "frames", "total", "fps", "speed", "bytes", "seconds", "message"]
                            .map {
                                "<\(event)>.\($0)"
                            }
                    } + ["<error>.job"]))
        }

        /// A document that lacks a field, has another or one of another kind is refused, or else these tests prove nothing.
        @Test func theSchemasRefuseWhatIsWrong() throws {
            let python = try #require(Python.withSchemas)
            let good = try #require(
                JSONSerialization.jsonObject(with: succeed(["styles", "--json"]).output) as? [[String: Any]])
            var lacking = good
            lacking[0]["origin"] = nil
            var strange = good
            strange[0]["another"] = 1
            var wrong = good
            wrong[0]["schema"] = 2
            for (index, document) in [good, lacking, strange, wrong].enumerated() {
                try JSONSerialization.data(withJSONObject: document).write(to: folder / "d.json")
                let run = try Tool.succeed(
                    python, "\(Places.package + "/Tests/Tools/schema_check.py")",
                    "\(Places.package + "/docs/schemas/styles.schema.json") \(folder / "d.json")")
                let result = try JSONDecoder().decode(Result.self, from: run.output)
                #expect(result.errors.isEmpty == (index == 0), "\(result.errors)")
            }
        }

        /// docs/JSON.md names every field of the schemas, and every schema.
        @Test func thePageHasEveryField() throws {
            let page = try String(contentsOf: Places.package + "/docs/JSON.md")
            let words = Set(page.matches(of: /[A-Za-z]+/).map { String($0.0) })
            let folder = Places.package + "/docs/schemas"
            let schemas = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(schemas.count == 13)
            for name in schemas where name != "project.schema.json" {
                #expect(page.contains("(schemas/\(name))"), "\(name)")
                for field in try fields(JSONSerialization.jsonObject(with: contents(folder + "/" + name))) {
                    #expect(words.contains(field), "\(name): \(field)")
                }
            }
        }

        /// Each schema has an identifier of its own that has its version in it, and documents have the same version.
        @Test func theSchemasHaveIdentifiers() throws {
            let folder = Places.package + "/docs/schemas"
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let data = try contents(folder + "/" + name)
                let schema = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
                #expect(schema["$id"] as? String == "https://fliptransition.example/schemas/1/\(name)")
                guard name != "project.schema.json" else { continue }
                #expect((schema["title"] as? String)?.hasSuffix(", schema 1") == true, "\(name)")
                let text = String(decoding: data, as: UTF8.self)
                #expect(text.contains("\"const\": 1") || name == "report.schema.json", "\(name)")
            }
        }

        /// The names of all properties in a schema.
        private func fields(_ schema: Any) -> Set<String> {
            if let list = schema as? [Any] { return list.reduce(into: []) { $0.formUnion(fields($1)) } }
            guard let object = schema as? [String: Any] else { return [] }
            let own = (object["properties"] as? [String: Any])?.keys.map { $0 } ?? []
            return object.values.reduce(into: Set(own)) { $0.formUnion(fields($1)) }
        }
    }
}
