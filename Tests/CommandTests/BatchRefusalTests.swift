import TestSupport
import Testing

extension CommandTests {
    /// Invalid and hostile manifests are refused, with the file, the line and the reason, before anything is written.
    @Suite(.serialized) struct BatchRefusalTests {
        private static let job = "jobs:\n  - output: out.mp4\n    join: [a.mkv, b.mkv]\n"

        /// A folder with two clips, an empty folder `deck`, a link `away` that leads outside, and a list `list.txt`
        /// that names a file outside.
        private func folder() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            let clip = try clips().pattern("batch-0", frames: 20)
            for name in ["a.mkv", "b.mkv"] { try folder.add(clip, as: name) }
            try folder.makeFolder("deck")
            try folder.link("away", to: "/usr")
            try "/etc/passwd\n".write(to: folder / "list.txt")
            return folder
        }

        private func expectRefused(
            _ text: String, at place: String, saying words: String, _ arguments: [String] = [], name: String = "m.yaml",
            status: Int32 = 65, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let folder = try folder()
            try text.write(to: folder / name)
            let before = try folder.names
            let run = try CommandTests.run(
                ["batch", folder / name] + arguments.map { $0 == "ROOT" ? folder.path : $0 }, timeout: 20)
            #expect(run.status == status && run.messageLines.count == 1, "\(run.story)", sourceLocation: sourceLocation)
            #expect(
                run.messages.contains("\(name):\(place): ") && run.messages.contains(words), "\(run.messages)",
                sourceLocation: sourceLocation)
            #expect(run.peakMemory < 300 << 20, "\(run.peakMemory >> 20) MiB", sourceLocation: sourceLocation)
            #expect(try folder.names == before, sourceLocation: sourceLocation)
        }

        @Test func keysAndValuesAreChecked() throws {
            let job = Self.job
            try expectRefused(job + "    hold: 3\n", at: "4:5", saying: "unknown key 'hold'")
            try expectRefused("default: {}\n" + job, at: "1:1", saying: "unknown key 'default'")
            try expectRefused("defaults: {hold: 3}\n" + job, at: "1:12", saying: "no job here")
            try expectRefused(job + "    report: x\n", at: "4:5", saying: "'report'")
            try expectRefused(job + "    duration: -1\n", at: "4:15", saying: "invalid duration '-1'")
            try expectRefused(job + "    duration: 1e9\n", at: "4:15", saying: "invalid duration '1e9'")
            try expectRefused(job + "    style: sphere\n", at: "4:12", saying: "sphere")
            try expectRefused(job + "    chapters: maybe\n", at: "4:15", saying: "expected true or false")
            try expectRefused(job + "    crf: [1, 2]\n", at: "4:10", saying: "one value")
            try expectRefused(job + "    threads: 1000\n", at: "4:14", saying: "invalid threads '1000'")
            try expectRefused(job + "    deck: x.pdf\n", at: "4:5", saying: "only one of")
            try expectRefused("jobs:\n  - output: out.mp4\n", at: "2:5", saying: "a job needs one of")
            try expectRefused("jobs:\n  - join: [a.mkv, b.mkv]\n", at: "2:5", saying: "'output' is missing")
            try expectRefused("jobs: []\n", at: "1:7", saying: "no job")
            try expectRefused("defaults: {}\n", at: "1:1", saying: "'jobs' is missing")
            try expectRefused("jobs:\n  - output: out.xyz\n    join: [a.mkv, b.mkv]\n", at: "2:13", saying: "ending")
            try expectRefused(
                "jobs:\n  - output: '-'\n    join: [a.mkv, b.mkv]\n", at: "2:13", saying: "standard output")
            try expectRefused(
                "jobs:\n  - output: o.mp4\n    join: ['-', b.mkv]\n", at: "3:12", saying: "standard input")
            let lines =
                "{\"output\": \"o.mp4\", \"join\": [\"a.mkv\", \"b.mkv\"]}\n\n{\"output\": \"p.mp4\", \"joins\": 3}\n"
            try expectRefused(lines, at: "3:1", saying: "a job needs one of", name: "m.jsonl")
        }

        /// One run reports every mistake, in the order of the lines.
        @Test func allThatIsWrongIsSaid() throws {
            let folder = try folder()
            let text = """
                jobs:
                  - output: a.mp4
                    join: [a.mkv, b.mkv]
                    crf: much
                    style: sphere
                  - output: a.mp4
                    join: [a.mkv, b.mkv]
                  - join: [a.mkv, b.mkv]
                  - {output: c.mp4, join: [a.mkv, b.mkv], chapters: maybe, wobble: 3}
                """
            try text.write(to: folder / "m.yaml")
            let run = try CommandTests.run(["batch", folder / "m.yaml"])
            let places = run.messageLines.map { line in
                let parts = line.components(separatedBy: "m.yaml:").last?.split(separator: ":").prefix(2) ?? []
                return parts.joined(separator: ":")
            }
            #expect(run.status == 65 && places == ["4:10", "5:12", "6:13", "8:5", "9:53", "9:60"], "\(run.story)")
            #expect(try !folder.names.contains("m.jobs"))
        }

        /// Encoder options that name files are refused in manifests and projects, which may come from anybody, and
        /// accepted on the command line, which is the user's own.
        @Test func encodersGetNoFilesFromManifestsAndProjects() throws {
            let folder = try folder()
            let options = "x264-params=dump-yuv=\(folder / "evil")"
            let refused = Self.job + "    video-options: '\(options)'\n"
            try expectRefused(refused, at: "4:20", saying: "'dump-yuv'")
            try expectRefused(Self.job + "    video-options: 'x265-params=csv=evil'\n", at: "4:20", saying: "'csv'")
            try "clips: [a.mkv, b.mkv]\noutput: {video-options: '\(options)'}\n".write(to: folder / "p.yaml")
            try expectExit(["render", folder / "p.yaml", folder / "o.mp4"], 65, saying: "p.yaml:2:25: ")
            #expect(try !folder.names.contains("evil") && !folder.names.contains("o.mp4"))
            try succeed(
                [folder / "a.mkv", folder / "b.mkv", folder / "o.mp4", "--video-options", options, "--duration", "5f"])
            #expect(try folder.names.contains("evil"))
        }

        @Test func decksAreCheckedBeforeTheyAreRead() throws {
            let deck = "jobs:\n  - output: out.mp4\n    deck: slides.pdf\n"
            for (text, words) in [("hold: 1e9", "hold"), ("hold: -4", "hold"), ("hold: 1000000000", "hold")] {
                try expectRefused(deck + "    \(text)\n", at: "4:11", saying: words)
            }
            try expectRefused(deck + "    sound-gain: 900\n    sound: s.wav\n", at: "4:17", saying: "sound-gain")
        }

        @Test func bombsAreRefused() throws {
            var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
            for level in 1...9 {
                bomb +=
                    "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ","))]\n"
            }
            try expectRefused(bomb + "jobs: *a9\n", at: "2:10", saying: "aliases")
            try expectRefused(String(repeating: "[", count: 1_000_000), at: "1:1", saying: "nesting")
            try expectRefused("jobs: " + String(repeating: "{a: ", count: 100_000), at: "1:3999", saying: "nesting")
            try expectRefused("jobs:\n" + String(repeating: " - x\n", count: 1_000_000), at: "1:1", saying: "MiB")
        }

        @Test func outputsHarmNothing() throws {
            let two = Self.job + "  - output: ./x/../out.mp4\n    join: [b.mkv, a.mkv]\n"
            try expectRefused(two, at: "4:13", saying: "output of line 2")
            func job(_ output: String, _ source: String = "join: [a.mkv, b.mkv]") -> String {
                "jobs:\n  - output: \(output)\n    \(source)\n"
            }
            try expectRefused(job("b.mkv"), at: "2:13", saying: "would replace", ["-y"])
            try expectRefused(job("./deck/../a.mkv"), at: "2:13", saying: "would replace", ["-y"])
            try expectRefused(job("m.mp4", "deck: [m.mp4, a.mkv]"), at: "2:13", saying: "would replace", ["-y"])
            try expectRefused(job("deck/out.mp4", "deck: deck"), at: "2:13", saying: "lies in", ["-y"])
            try expectRefused(
                job("deck.mp4\n    crf: 3", "join: ['@list.txt', a.mkv]"), at: "4:12", saying: "outside",
                ["--root", "ROOT"])
            // A file that the batch didn't make stays unless -y is given.
            let folder = try folder()
            try job("old.mp4").write(to: folder / "m.yaml")
            try "precious".write(to: folder / "old.mp4")
            try expectExit(["batch", folder / "m.yaml"], 73, saying: "m.yaml:2:13: 'old.mp4' exists already")
            #expect(FileManager.default.contents(atPath: folder / "old.mp4") == Data("precious".utf8))
            #expect(try CommandTests.run(["batch", folder / "m.yaml", "-y"]).status == 0)
            #expect(try Judge.complaints(folder / "old.mp4") == "")
        }

        @Test func theRootIsNotLeft() throws {
            let root = ["--root", "ROOT"]
            func job(_ output: String, _ inputs: String, _ more: String = "") -> String {
                "jobs:\n  - output: \(output)\n    join: [\(inputs)]\n\(more)"
            }
            try expectRefused(job("o.mp4", "a.mkv, ../b.mkv"), at: "3:19", saying: "outside", root)
            try expectRefused(job("o.mp4", "a.mkv, /etc/passwd"), at: "3:19", saying: "outside", root)
            try expectRefused(job("o.mp4", "a.mkv, away/x.mkv"), at: "3:19", saying: "outside", root)
            try expectRefused(job("o.mp4", "a.mkv, 'away/x.mkv#t=1,2'"), at: "3:19", saying: "outside", root)
            try expectRefused(job("o.mp4", "'a.mkv#captions=../x.srt', b.mkv"), at: "3:12", saying: "outside", root)
            try expectRefused(
                job("o.mp4", "a.mkv, b.mkv", "    overlay: '../logo.png@top-left'\n"), at: "2:5", saying: "outside",
                root)
            try expectRefused(
                "jobs:\n  - output: o.mp4\n    deck: s.pdf\n    password-file: ../secret\n", at: "4:20",
                saying: "outside", root)
            try expectRefused(job("../o.mp4", "a.mkv, b.mkv"), at: "2:13", saying: "outside", root)
            try expectRefused(job("away/o.mp4", "a.mkv, b.mkv"), at: "2:13", saying: "outside", root)
            try expectRefused(job("new/../../o.mp4", "a.mkv, b.mkv"), at: "2:13", saying: "outside", root)
            let narrated = "jobs:\n  - output: o.mp4\n    deck: s.pdf\n    narration: ../speech\n"
            try expectRefused(narrated, at: "4:16", saying: "outside", root)
        }

        /// A value that looks like an option is taken as a plain value, such as a file's name.
        @Test func namesAreNoOptions() throws {
            let folder = try folder()
            let text =
                "jobs:\n  - output: o.mp4\n    join: ['--report=\(folder / "evil")', a.mkv]\n    easing: '--report=x'\n"
            try text.write(to: folder / "m.yaml")
            try expectExit(["batch", folder / "m.yaml"], 65, saying: "m.yaml:4:13: ")
            try text.replacingOccurrences(of: "    easing: '--report=x'\n", with: "").write(to: folder / "m.yaml")
            try expectExit(["batch", folder / "m.yaml"], 65, saying: "no such file")
            #expect(try !folder.names.contains("evil"))
        }
    }
}
