import FlipProject
import TestSupport
import Testing

extension CommandTests {
    /// Projects in YAML work as described in docs/PROJECTS.md.
    @Suite(.serialized) struct ProjectTests {
        private func stage(_ text: String) throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            for name in ["a", "b"] {
                try folder.add(
                    clips().pattern("project-\(name)", frames: 40, hue: name == "a" ? 0 : 90, sound: true),
                    as: "\(name).mkv")
            }
            try folder.add(clips().tone("project-tone", frequency: 880, seconds: 2), as: "tone.mkv")
            try Tool.ffmpeg("-i \(folder / "b.mkv") -frames:v 1 \(folder / "still.png")")
            try text.write(to: folder / "p.yaml")
            return folder
        }

        private static let lossless = ["--video-codec", "ffv1", "--audio-codec", "pcm_s16le"]

        @Test func aProjectIsTheSameAsItsCommandLine() throws {
            let folder = try stage(
                """
                # Everything that a command line has.
                output: {size: 160x90, fps: 25, fit: crop, video-codec: ffv1, audio-codec: pcm_s16le, chapters: true}
                transition: fold=mode=cubic:duration=8f
                clips:
                  - file: a.mkv
                    start: 0.2
                    end: 1.4
                    title: Beginning
                  - {file: still.png, hold: 0.8, transition: cut}
                  - b.mkv

                """)
            try succeed(["render", folder / "p.yaml", folder / "project.mkv"])
            try succeed(
                "\(folder / "a.mkv#t=0.2,1.4") \(folder / "still.png#t=0.8") \(folder / "b.mkv")",
                "--transition fold=mode=cubic:duration=8f --transition cut --size 160x90 --fit crop",
                "--chapters \(folder / "joined.mkv") \(Self.lossless)")
            let frames = try Judge.frameHashes(folder / "project.mkv")
            #expect(try frames.count == 30 - 8 + 20 + 40 && frames == Judge.frameHashes(folder / "joined.mkv"))
            #expect(try Judge.samples(folder / "project.mkv") == Judge.samples(folder / "joined.mkv"))
            let chapters = try JSONValue(succeed(["plan", folder / "p.yaml", folder / "x.mkv", "--json"]).output)
            #expect(chapters.strings.contains("Beginning"))
            // Command-line options override the project.
            try succeed(["render", folder / "p.yaml", folder / "small.mkv", "--size", "64x36", "--no-audio"])
            #expect(try Judge.video(folder / "small.mkv").width == 64 && Judge.audio(folder / "small.mkv") == nil)
        }

        @Test func soundsLieWhereTheProjectPutsThem() throws {
            let folder = try stage(
                """
                output: {video-codec: ffv1, audio-codec: pcm_s16le}
                transition: cut
                clips: [{file: a.mkv, mute: true}, {file: b.mkv, mute: true}]
                sounds:
                  - {file: tone.mkv, start: 0.5, end: 1, at: 0.4}
                  - {file: tone.mkv, clip: 2, at: 0.2, end: 0.6, gain: -20}

                """)
            try succeed(["render", folder / "p.yaml", folder / "out.mkv"])
            let samples = try Judge.samples(folder / "out.mkv").map(Double.init)
            let level = { (from: Double, to: Double) in
                let part = samples[Int(from * 48000)..<Int(to * 48000)]
                return (part.map { $0 * $0 }.reduce(0, +) / Double(part.count)).squareRoot() * 2.0.squareRoot()
            }
            #expect(level(0, 0.39) < 1e-3 && abs(level(0.41, 0.89) - 0.5) < 0.01 && level(0.91, 1.79) < 1e-3)
            #expect(abs(level(1.81, 2.39) - 0.05) < 0.002 && level(2.41, 3.1) < 1e-3)
        }

        /// Malformed projects are refused at once, with file, line and column, and nothing is written.
        @Test func hostileProjectsAreRefused() throws {
            let folder = try stage("")
            let cases: [(text: String, status: Int32, place: String, word: String)] = [
                ("clips:\n  - file: a.mkv\n    hodl: 3\n", 65, ":3:5:", "unknown key 'hodl'"),
                ("clips:\n\t- a.mkv\n", 65, ":2:", "indented with a tab"),
                ("clip: []\n", 65, ":1:1:", "unknown key 'clip'"), ("output: {}\n", 65, ":1:1:", "'clips' is missing"),
                ("output: {sise: 3}\nclips: [a.mkv]\n", 65, ":1:10:", "unknown key 'sise'"),
                ("clips:\n  - {file: still.png, hold: 1e9}\n", 65, ":2:29:", "90f or 1:30"),
                ("clips:\n  - {file: still.png, hold: 1000000000}\n", 65, ":2:29:", "at most"),
                ("clips:\n  - {file: still.png, hold: 90000}\n", 65, ":2:29:", "a day"),
                ("clips:\n  - {file: a.mkv, start: -1}\n", 65, ":2:26:", "not '-1'"),
                ("clips:\n  - {file: a.mkv, start: 3, end: 2}\n", 65, ":2:29:", "after the start"),
                ("clips: [a.mkv]\nsounds: [{file: tone.mkv, clip: 2}]\n", 65, ":2:33:", "1...1"),
                ("clips: [a.mkv, {file: b.mkv, transition: flip}]\n", 65, ":1:16:", "last clip"),
                ("transition: flap\nclips: [a.mkv, b.mkv]\n", 65, ":1:13:", "unknown style 'flap'"),
                ("clips: [http://example.org/a.mkv]\n", 66, ":1:9:", "no file"),
                ("clips: [nothing.mkv]\n", 66, ":1:9:", "no file"),
                ("x: &x [a, b]\nclips: [*x, *x]\n", 65, ":2:9:", "aliases"),
                ("clips: " + String(repeating: "[", count: 5000), 65, "", "p.yaml"),
                ("clips: [" + String(repeating: "a.mkv,", count: 20_000) + "]", 65, ":1:8:", "more than 10000"),
                ("clips: [a.mkv\n", 65, ":2:1:", "expected"), ("\u{0}", 65, ":1:1:", "UTF-8"),
            ]
            for (text, status, place, word) in cases {
                try text.write(to: folder / "p.yaml")
                let run = try run(["render", folder / "p.yaml", folder / "out.mkv"], timeout: 20)
                #expect(run.status == status && run.messageLines.count == 1, "\(run.story)")
                #expect(run.messages.contains("p.yaml" + place) && run.messages.contains(word), "\(run.story)")
                #expect(run.peakMemory < 400 << 20, "\(run.peakMemory) bytes")
            }
            #expect(!FileManager.default.fileExists(atPath: folder / "out.mkv"))
        }

        @Test func filesOutsideTheRootAndOutputsOverInputsAreRefused() throws {
            let folder = try stage("clips:\n  - a.mkv\n  - ../b.mkv\nsounds: [{file: tone.mkv}]\n")
            let outside = try run(["render", folder / "p.yaml", folder / "out.mkv", "--root", folder.path])
            #expect(outside.status == 65 && outside.messages.contains("p.yaml:3:5:"), "\(outside.story)")
            #expect(outside.messages.contains("outside"))
            try "clips:\n  - a.mkv\n  - b.mkv\nsounds: [{file: tone.mkv}]\n".write(to: folder / "p.yaml")
            for (name, place) in [("a.mkv", ":2:5:"), ("b.mkv", ":3:5:"), ("tone.mkv", ":4:17:"), ("p.yaml", "")] {
                let before = try Data(contentsOf: folder / name).count
                let run = try run(["render", folder / "p.yaml", folder / name, "-y", "--format", "matroska"])
                #expect(run.status == 64 && run.messages.contains("p.yaml" + place), "\(run.story)")
                #expect(try Data(contentsOf: folder / name).count == before)
            }
            let film = try stage("clips: [{file: a.mkv, hold: 3}, b.mkv]\n")
            try expectExit(["render", film / "p.yaml", film / "out.mkv"], 65, saying: "pictures and slides")
        }

        /// docs/schemas/project.schema.json has exactly the keys that are read.
        @Test func theSchemaHasTheKeysThatAreRead() throws {
            let data = try Data(contentsOf: Places.package + "/docs/schemas/project.schema.json")
            let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            func keys(_ object: Any?) -> Set<String> {
                Set(((object as? [String: Any])?["properties"] as? [String: Any] ?? [:]).keys)
            }
            let kinds = try #require(schema["$defs"] as? [String: Any])
            #expect(keys(schema) == Set(Project.keys) && keys(kinds["clip"]) == Set(Project.clipKeys))
            #expect(keys(kinds["sound"]) == Set(Project.soundKeys) && keys(kinds["output"]) == Set(ProjectOutput.keys))
            #expect(keys(kinds["overlay"]) == Set(Project.overlayKeys))
            let page = try String(contentsOf: Places.package + "/docs/PROJECTS.md")
            let all = Project.keys + Project.clipKeys + Project.soundKeys + Project.overlayKeys + ProjectOutput.keys
            for key in all { #expect(page.contains("`\(key)`"), "\(key)") }
        }
    }
}
