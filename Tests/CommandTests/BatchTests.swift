import TestSupport
import Testing

extension CommandTests {
    /// Batches of independent jobs that are killed, interrupted, run again, changed or damaged.
    @Suite(.serialized) struct BatchTests {
        let folder = TemporaryFolder.make()

        /// Writes a manifest of `count` jobs, joins and decks alternately, with their outputs in the folder `outputs`.
        /// The jobs in `bad` have an input that can't be read. Returns the manifest's path.
        private func manifest(_ name: String, outputs: String, count: Int, bad: Set<Int>) throws -> String {
            for name in ["bad.mkv", "bad.pdf"] { try "%PDF-1.4 and nothing else".write(to: folder / name) }
            let clips = try (0..<3).map { try Self.clip($0) }
            var text = "defaults:\n  duration: 10f\n  preset: veryfast\n  size: 160x90\n  hold: 15f\njobs:\n"
            for index in 0..<count {
                text += "  - output: \(outputs)/\(index).mp4\n    crf: \(10 + index % 30)\n"
                text += "    style: \(["flip", "fold", "card"][index / 3 % 3])\n"
                if index % 2 == 0 {
                    let first = bad.contains(index) ? "bad.mkv" : clips[index % 3]
                    text += "    join: [\(first), \(clips[(index + 1) % 3])]\n"
                } else if bad.contains(index) {
                    text += "    deck: bad.pdf\n"
                } else {
                    let slides = try (0..<2).map { try slide(($0 + index) % 3) }
                    text += "    deck: [\(slides[0]), \(slides[1])]\n    fps: 25\n"
                }
            }
            try text.write(to: folder / name)
            return folder / name
        }

        private func slide(_ number: Int) throws -> String {
            try clips().make(
                "slide-\(number).png", "-f lavfi -i testsrc2=s=320x180 -vf hue=h=\(50 * number) -frames:v 1")
        }

        /// A clip of 20 frames; number 1 has sound.
        static func clip(_ number: Int) throws -> String {
            try clips().pattern("batch-\(number)", frames: 20, hue: 90 * number, sound: number == 1)
        }

        /// The number of frames of each output: 20 + 20 less 10 for a join, 2 x 15 for a deck of two slides.
        private static let frames = 30

        private func hashes(_ folder: String) throws -> [String: String] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return try Dictionary(
                uniqueKeysWithValues: names.map { name in
                    let run = try Tool.succeed("sha256sum", ["\(folder)/\(name)"])
                    return (name, String(run.text.prefix(64)))
                })
        }

        /// The inode number and modification time of each file in a folder, by name.
        private func marks(_ folder: String) throws -> [String: String] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return try Dictionary(
                uniqueKeysWithValues: names.map { name in
                    (name, try Tool.succeed("stat", ["-c", "%i %y", "\(folder)/\(name)"]).text)
                })
        }

        private func attempts(_ jobs: String) throws -> [[String: Any]] {
            try FileManager.default.contentsOfDirectory(atPath: jobs + "/attempts").filter { $0.hasSuffix(".json") }.map
            {
                let text = try String(contentsOf: "\(jobs)/attempts/\($0)")
                #expect(text.split(separator: "\n").count == 1, "one line an attempt")
                return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            }
        }

        /// Runs a batch in a process group of its own, kills the group after `seconds`, at whatever moment that is, and
        /// returns whether the batch was still running.
        private func killGroup(_ arguments: [String], after seconds: Double) throws -> Bool {
            let script = #"setsid "$@" & p=$!; sleep "$T"; kill -KILL -- "-$p" 2>/dev/null; wait $p; exit $?"#
            let run = try Tool.run("env", "T=\(seconds) bash -c \(script) bash \(Places.program()) \(arguments)")
            return run.status == 128 + SIGKILL
        }

        // MARK: Killed and run again

        @Test(.turn(0, of: 2)) func aBatchThatIsKilledEndsLikeAnUndisturbedOne() throws {
            let (count, kills) = Places.runsSlowTests ? (60, 3) : (6, 2)
            let bad: Set<Int> = Places.runsSlowTests ? [7, 31, 50] : [3]
            let calm = try manifest("calm.yaml", outputs: "calm", count: count, bad: bad)
            let rough = try manifest("rough.yaml", outputs: "rough", count: count, bad: bad)
            let undisturbed = try CommandTests.run(["batch", calm, "--jobs", "2"], timeout: 400)
            #expect(undisturbed.status == 65, "\(undisturbed.story)")
            var numbers = SplitMix64(seed: 6)
            var killed = 0
            for _ in 0..<kills {
                let before = try marks(folder / "rough")
                let moment = numbers.number(in: 0.2...undisturbed.seconds * 0.5)
                if try killGroup(["batch", rough, "--jobs", "2"], after: moment) { killed += 1 }
                // Outputs that were in place stay in place, as the same files.
                #expect(try marks(folder / "rough").filter { before[$0.key] != nil } == before)
                for name in try marks(folder / "rough").keys {
                    #expect(try Judge.frameHashes(folder / "rough/\(name)").count == Self.frames, "\(name)")
                }
            }
            #expect(killed > 0)
            let before = try marks(folder / "rough")
            let last = try CommandTests.run(["batch", rough, "--jobs", "2"], timeout: 400)
            #expect(last.status == 65, "\(last.story)")
            #expect(try marks(folder / "rough").filter { before[$0.key] != nil } == before)
            #expect(try hashes(folder / "rough") == hashes(folder / "calm"))
            #expect(try hashes(folder / "rough").count == count - bad.count)
            #expect(last.messageLines.filter { $0.contains("error: job ") }.count == bad.count, "\(last.messages)")
            try expectAttempts(folder / "rough.jobs", bad: bad, runs: kills + 1)
            // The partial files of the killed attempts are gone.
            let left = try FileManager.default.contentsOfDirectory(atPath: folder / "rough.jobs/outputs")
            #expect(left.count == count - bad.count && !left.contains { $0.hasPrefix(".") }, "\(left)")
            // Another run tries only the bad jobs.
            let attempted = try attempts(folder / "rough.jobs").count
            #expect(try CommandTests.run(["batch", rough], timeout: 400).status == 65)
            #expect(try attempts(folder / "rough.jobs").count == attempted + bad.count)
            #expect(try marks(folder / "rough").count == count - bad.count)
        }

        /// Expects each good job to have been done once and each bad one to have failed at most once per run.
        private func expectAttempts(_ jobs: String, bad: Set<Int>, runs: Int) throws {
            let byJob = Dictionary(grouping: try attempts(jobs)) { $0["job"] as? Int ?? -1 }
            for (job, attempts) in byJob {
                let states = attempts.compactMap { $0["state"] as? String }
                #expect(states.filter { $0 == "done" }.count == (bad.contains(job) ? 0 : 1), "job \(job): \(states)")
                #expect(states.filter { $0 == "failed" }.count <= (bad.contains(job) ? runs : 0), "job \(job)")
            }
        }

        @Test func outputsAreWhatTheJobsSay() throws {
            let path = try manifest("m.yaml", outputs: "out", count: 5, bad: [])
            let run = try CommandTests.run(["batch", path, "--report", folder / "report.json", "--progress", "json"])
            #expect(run.status == 0, "\(run.story)")
            for index in [0, 2, 4] {
                let output = folder / "out/\(index).mp4"
                #expect(try Judge.complaints(output) == "")
                #expect(try Judge.video(output).frameCount == Self.frames)
                // A job gives the same bytes as the equivalent command line.
                let options = ["-y", "--duration", "10f", "--preset", "veryfast", "--threads", "1"]
                let inputs = [try Self.clip(index % 3), try Self.clip((index + 1) % 3)]
                try succeed(
                    "\(inputs) \(folder / "direct.mp4") --crf \(10 + index) --size 160x90",
                    "--style \(index < 3 ? "flip" : "fold") \(options)")
                let (made, direct) = try (
                    Tool.succeed("sha256sum", [output]).text.prefix(64),
                    Tool.succeed("sha256sum", [folder / "direct.mp4"]).text.prefix(64)
                )
                #expect(made == direct)
            }
            let report = try JSONValue(Data(contentsOf: folder / "report.json"))
            #expect(report.numbers(under: "done") == [5] && report.numbers(under: "exit").first == 0)
            // The last progress event counts the frames of all jobs together.
            let lines = try run.messageLines.filter { $0.contains("\"progress\"") }.map { try JSONValue($0) }
            #expect(try #require(lines.last).numbers(under: "total") == [Double(5 * Self.frames)])
            #expect(try #require(lines.last).numbers(under: "frames") == [Double(5 * Self.frames)])
            let plan = try JSONValue(Data(contentsOf: folder / "m.jobs/plan.json"))
            #expect(plan.numbers(under: "frames") == Array(repeating: Double(Self.frames), count: 5))
            #expect(try CommandTests.run(["jobs", "status", folder / "m.jobs"]).status == 0)
        }

        // MARK: Changes

        @Test func whatChangesIsDoneAnewAndNothingElse() throws {
            for name in ["a", "b"] {
                try folder.add(Self.clip(name == "a" ? 0 : 1), as: "\(name).mkv")
            }
            func write(_ style: String) throws {
                let text = """
                    jobs:
                      - {output: 0.mp4, join: [a.mkv, a.mkv], duration: 5f}
                      - {output: 1.mp4, join: [a.mkv, b.mkv], duration: 5f, style: \(style)}
                    """
                try text.write(to: folder / "m.yaml")
            }
            func run() throws -> [String: String] {
                try succeed(["batch", folder / "m.yaml"])
                return try marks(folder.path).filter { $0.key.hasSuffix(".mp4") }
            }
            try write("flip")
            let first = try run()
            #expect(try run() == first)
            try write("fold")
            let second = try run()
            #expect(second["0.mp4"] == first["0.mp4"] && second["1.mp4"] != first["1.mp4"])
            // A new modification time counts as a change of the file, even if its bytes are the same.
            try Tool.succeed("touch", ["-d", "2020-01-01", folder / "b.mkv"])
            let third = try run()
            #expect(third["0.mp4"] == first["0.mp4"] && third["1.mp4"] != second["1.mp4"])
            // An output that is removed is put back, and one that is truncated is made again.
            try folder.remove("0.mp4")
            let fourth = try run()
            #expect(fourth == third, "only the name was missing")
            let handle = try #require(FileHandle(forWritingAtPath: folder / "0.mp4"))
            try handle.truncate(atOffset: 1000)
            try handle.close()
            try succeed(["batch", folder / "m.yaml", "-y"])
            #expect(try Judge.frameHashes(folder / "0.mp4").count == 35)
        }

        /// An inserted job leaves other jobs' outputs alone, and jobs that give the same bytes are rendered once.
        @Test func anInsertedJobIsTheOnlyOneThatIsMade() throws {
            func write(_ names: [String]) throws {
                let jobs = try names.map { name in
                    "  - {output: \(name).mp4, join: [\(try Self.clip(0)), \(try Self.clip(1))], crf: \(name.count)}\n"
                }
                try ("jobs:\n" + jobs.joined()).write(to: folder / "m.yaml")
            }
            try write(["a", "bb"])
            try succeed(["batch", folder / "m.yaml"])
            let before = try marks(folder.path).filter { $0.key.hasSuffix(".mp4") }
            try write(["ccc", "a", "bb", "d"])
            try succeed(["batch", folder / "m.yaml"])
            let after = try marks(folder.path).filter { $0.key.hasSuffix(".mp4") }
            #expect(after["a.mp4"] == before["a.mp4"] && after["bb.mp4"] == before["bb.mp4"])
            #expect(after["d.mp4"] == after["a.mp4"], "one file of two names")
            #expect(try attempts(folder / "m.jobs").count == 3)
        }

        /// A report replaces only the batch's own older report, not other files, inputs or outputs.
        @Test func reportsReplaceNothingElse() throws {
            let path = try manifest("m.yaml", outputs: "out", count: 2, bad: [])
            let run = { (report: String) in try CommandTests.run(["batch", path, "--report", report]) }
            try "precious".write(to: folder / "other.json")
            #expect(try run(folder / "other.json").status == 73)
            #expect(try run(path).status == 64)
            #expect(try run(Self.clip(0)).status == 64)
            #expect(try run(folder / "nowhere/r.json").status == 73)
            #expect(try !folder.names.contains("out"), "all of it is said before anything is made")
            for _ in 0..<2 { #expect(try run(folder / "r.json").status == 0) }
            #expect(try run(folder / "out/0.mp4").status == 64)
            #expect(FileManager.default.contents(atPath: folder / "other.json") == Data("precious".utf8))
        }

        @Test func oldPartsAndOldOutputsAreCollected() throws {
            let path = try manifest("m.yaml", outputs: "out", count: 2, bad: [])
            #expect(try CommandTests.run(["batch", path]).status == 0)
            let outputs = folder / "m.jobs/outputs"
            let whole = Set(try FileManager.default.contentsOfDirectory(atPath: outputs))
            #expect(whole.count == 2)
            // --set overrides even what the jobs set themselves, so both outputs are made anew.
            #expect(try CommandTests.run(["batch", path, "--set", "crf=40"]).status == 0)
            for name in [".part-0-elsewhere-12-5.mp4", "..part-0-elsewhere-12-5.mp4.part-12-abc"] {
                try "x".write(to: "\(outputs)/\(name)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: outputs).count == 6)
            try succeed(["jobs", "gc", folder / "m.jobs"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: outputs).count == 6, "all of it is young")
            try succeed(["jobs", "gc", folder / "m.jobs", "--older", "0"])
            let left = Set(try FileManager.default.contentsOfDirectory(atPath: outputs))
            #expect(left.count == 2 && left.isDisjoint(with: whole))
            #expect(try CommandTests.run(["jobs", "status", folder / "m.jobs"]).status == 0)
        }

        @Test(.turn(0, of: 2)) func linesOfJSONAndFoldersAreBatchesToo() throws {
            let line =
                "{\"output\": \"o.mkv\", \"join\": [\"\(try Self.clip(0))\", \"\(try Self.clip(1))\"], \"duration\": \"10f\"}\n"
            // Python's json.dumps escapes every character beyond ASCII, some as a pair of surrogates.
            let lines = line + line.replacingOccurrences(of: "o.mkv", with: "\\ud83d\\ude00.gif")
            try lines.write(to: folder / "in.txt")
            let script = "cd '\(folder.path)' && exec \"$@\" < in.txt"
            let run = try Tool.run("bash", ["-c", script, "bash", Places.program(), "batch", "-", "--job-dir", "jobs"])
            #expect(run.status == 0, "\(run.story)")
            for name in ["o.mkv", "\u{1F600}.gif"] { #expect(try Judge.frameHashes(folder / name).count == 30) }
            for deck in ["one", "two"] {
                try folder.makeFolder("decks/\(deck)")
                for slide in 0..<2 {
                    try Tool.ffmpeg(
                        "-f lavfi -i testsrc2=s=160x90 -frames:v 1 \(folder / "decks/\(deck)/\(slide).png")")
                }
            }
            try succeed(
                "batch \(folder / "decks") --output-dir \(folder / "videos") --set hold=1 --set fps=10 --ending mkv")
            for deck in ["one", "two"] { #expect(try Judge.frameHashes(folder / "videos/\(deck).mkv").count == 20) }
        }

        /// A folder of decks may hold its videos, which the next run doesn't take for decks.
        @Test func aFolderOfDecksMayHoldItsVideos() throws {
            try folder.makeFolder("one")
            try Tool.ffmpeg("-f lavfi -i testsrc2=s=160x90 -frames:v 1 \(folder / "one/1.png")")
            for _ in 0..<2 {
                try succeed(["batch", folder.path, "--output-dir", folder / "videos", "--set", "hold=10f"])
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: folder / "videos").sorted() == [
                        ".jobs", "one.mp4",
                    ])
            }
        }
    }
}
