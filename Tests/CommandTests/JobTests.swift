import TestSupport
import Testing

extension CommandTests {
    /// The subcommands of `jobs`, and how a batch runs its jobs.
    @Suite(.serialized) struct JobTests {
        let folder = TemporaryFolder.make()

        private func long() throws -> String { try clips().long() }
        private func short(_ number: Int = 0) throws -> String { try BatchTests.clip(number) }

        /// Plans a batch without running it and returns its job directory.
        @discardableResult
        private func plan(_ jobs: [String]) throws -> String {
            let text = "jobs:\n" + jobs.map { "  - {\($0)}\n" }.joined()
            try text.write(to: folder / "m.yaml")
            try succeed(["batch", folder / "m.yaml", "--plan-only"])
            return folder / "m.jobs"
        }

        private func names(_ jobs: String, _ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "\(jobs)/\(folder)").sorted()
        }

        @Test func aTerminatedJobLeavesNothingAndSaysTryAgain() throws {
            let jobs = try plan(["output: o.mp4, join: [\(long()), \(long())], preset: slow"])
            for signal in [SIGTERM, SIGINT] {
                let run = try CommandTests.run(
                    ["jobs", "run", jobs, "0", "--progress", "json"], watch: Tool.signalAtFirstFrame(signal))
                #expect(run.status == 75, "\(run.story)")
                #expect(try names(jobs, "outputs") == [])
            }
            #expect(try names(jobs, "attempts").count == 2)
            let status = try CommandTests.run(["jobs", "status", jobs])
            #expect(status.status == 75 && status.text.contains("job 0 interrupted"), "\(status.text)")
            #expect(try folder.names == ["m.jobs", "m.yaml"])
        }

        @Test func aLostJobIsKnownToBeLost() throws {
            let jobs = try plan(["output: o.mp4, join: [\(long()), \(long())], preset: slow"])
            let run = try CommandTests.run(
                ["jobs", "run", jobs, "0", "--progress", "json"], watch: Tool.signalAtFirstFrame(SIGKILL))
            #expect(run.status == 128 + SIGKILL)
            #expect(try CommandTests.run(["jobs", "status", jobs]).text.contains("job 0 lost"))
            #expect(try names(jobs, "outputs").contains { $0.hasPrefix(".part-0-") })
            // The lost attempt counts, and only one is allowed.
            try expectExit(["jobs", "run", jobs, "0", "--attempts", "1"], 70, saying: "failed 1 times")
            // The attempt's partial file is younger than gc's default age of 24 hours.
            try succeed(["jobs", "gc", jobs])
            #expect(try names(jobs, "outputs") != [])
            try succeed(["jobs", "gc", jobs, "--older", "0"])
            #expect(try names(jobs, "outputs") == [])
        }

        /// gc doesn't remove the partial file of an attempt that is still running, whatever the file's age.
        @Test func gcSparesTheLiving() throws {
            let jobs = try plan(["output: o.mp4, join: [\(long()), \(short())], preset: ultrafast"])
            let program = try Places.program()
            let run = try CommandTests.run(
                ["jobs", "run", jobs, "0", "--progress", "json"],
                watch: { tool in
                    guard tool.messages.contains("progress") else { return false }
                    let gc = try? Tool.run(program, ["jobs", "gc", jobs, "--older", "0"])
                    #expect(gc?.status == 0 && gc?.text.contains(".part-") == false, "\(gc?.text ?? "")")
                    return true
                })
            #expect(run.status == 0, "\(run.story)")
            #expect(try names(jobs, "outputs").count == 1)
        }

        /// A process that has started with a plan can go on with it, even if the batch is planned again meanwhile.
        @Test func aPlanStaysAsItWas() throws {
            let job = { (name: String) in try "output: \(name).mp4, join: [\(short()), \(short(1))], duration: 10f" }
            let jobs = try plan([job("a"), job("b")])
            let first = try names(jobs, "plans")
            #expect(first.count == 1)
            try plan([job("x"), job("a"), job("b")])
            try succeed(["jobs", "run", "\(jobs)/plans/\(first[0])", "1"])
            #expect(try folder.names.filter { $0.hasSuffix(".mp4") } == ["b.mp4"])
            try succeed(["jobs", "run", jobs, "0"])
            #expect(try folder.names.filter { $0.hasSuffix(".mp4") } == ["b.mp4", "x.mp4"])
        }

        /// Jobs may be running from a plan for days, so planning again leaves its file alone, even if there are jobs that it
        /// tries to examine again.
        @Test func planningAgainTouchesNoPlan() throws {
            let jobs = try plan(["output: o.mp4, join: [missing.mkv, \(short())]"])
            let kept = try names(jobs, "plans").map { jobs + "/plans/" + $0 }
            let before = try Tool.succeed("stat", ["-c", "%n %i"] + kept).text
            try succeed(["batch", folder / "m.yaml", "--plan-only"])
            #expect(try Tool.succeed("stat", ["-c", "%n %i"] + kept).text == before)
            let left = try FileManager.default.contentsOfDirectory(atPath: jobs).filter { $0.hasPrefix(".draft") }
            #expect(kept.count == 1 && left.isEmpty, "\(left)")
        }

        /// What a project says of held frames counts, too, when a job's output is checked.
        @Test func aProjectMayHoldFrames() throws {
            for (name, color) in [("a.png", "red"), ("b.png", "blue")] {
                let picture = try clips().make("job-\(color).png", "-f lavfi -i color=\(color):s=160x90 -frames:v 1")
                try folder.add(picture, as: name)
            }
            try
                "clips: [{file: a.png, hold: 1}, {file: b.png, hold: 1}]\noutput: {held-frames: vfr, preset: ultrafast}\n"
                .write(to: folder / "p.yaml")
            try "jobs: [{output: o.mp4, render: p.yaml}]\n".write(to: folder / "m.yaml")
            try succeed(["batch", folder / "m.yaml", "--retries", "0"])
        }

        /// Notes beside a document belong to that document's job alone.
        @Test func jobsHaveTheirOwnNotes() throws {
            for name in ["a.pdf", "b.pdf", "a.pdfpc", "b.pdfpc"] { try "x".write(to: folder / name) }
            let jobs = try plan(["a", "b"].map { "output: \($0).mp4, deck: \($0).pdf, captions-from: notes" })
            #expect(try inputs(jobs) == [["a.pdf", "a.pdfpc"], ["b.pdf", "b.pdfpc"]])
        }

        /// What a job shows and plays besides its clips is an input, so that the output is made again when it changes.
        @Test func otherFilesAreInputs() throws {
            try "1\n00:00:00,000 --> 00:00:01,000\nx\n".write(to: folder / "a.srt")
            try Tool.ffmpeg("-f lavfi -i color=red:s=40x20 -frames:v 1 \(folder / "logo.png")")
            try Tool.ffmpeg("-f lavfi -i sine=d=0.3 \(folder / "click.wav")")
            let jobs = try plan([
                "output: o.mp4, join: ['\(short())#captions=a.srt', \(short(1))]",
                "output: p.mp4, join: [\(short()), \(short(1))], overlay: ['logo.png@top'], sound: click.wav@0.1",
            ])
            let (first, second) = (try inputs(jobs)[0], try inputs(jobs)[1])
            #expect(first.contains("a.srt") && second.contains("logo.png") && second.contains("click.wav"))
        }

        /// The names of the inputs of each job in the latest plan.
        private func inputs(_ jobs: String) throws -> [[String]] {
            struct Plan: Decodable {
                struct Job: Decodable {
                    struct Input: Decodable { let path: String }
                    let inputs: [Input]
                }
                let jobs: [Job]
            }
            let data = try Data(contentsOf: jobs + "/plan.json")
            return try JSONDecoder().decode(Plan.self, from: data).jobs.map { job in
                job.inputs.map { URL(fileURLWithPath: $0.path).lastPathComponent }.sorted()
            }
        }

        /// Each document that `deck` shows is a deck of a folder.
        @Test(.turn(1, of: 2)) func foldersHaveAllKindsOfDecks() throws {
            let endings = ["pdf", "pptx", "pptm", "ppsx", "ppt", "pps", "odp", "fodp", "key"]
            try folder.makeFolder("in")
            for ending in endings { try "x".write(to: folder / "in/\(ending).\(ending)") }
            try succeed(["batch", folder / "in", "--output-dir", folder / "out", "--plan-only"])
            #expect(try inputs(folder / "out/.jobs").flatMap(\.self).sorted() == endings.map { "\($0).\($0)" }.sorted())
        }

        /// Manifests of one name and two kinds don't share what they have made.
        @Test func manifestsHaveDirectoriesOfTheirOwn() throws {
            try plan(["output: o.mp4, join: [missing.mkv, \(short())]"])
            try "{\"output\": \"o.mp4\", \"join\": [\"missing.mkv\", \"\(short())\"]}\n".write(to: folder / "m.jsonl")
            try succeed(["batch", folder / "m.jsonl", "--plan-only"])
            #expect(try folder.names == ["m.jobs", "m.jsonl", "m.jsonl.jobs", "m.yaml"])
        }

        /// A file that another program has written into in place has the inode of the batch's output, and is not it.
        @Test func whatWasChangedInPlaceIsNotReplaced() throws {
            let jobs = try plan(["output: o.mp4, join: [\(short()), \(short(1))], duration: 10f"])
            try succeed(["jobs", "run", jobs, "0"])
            try Tool.succeed("cp", [short(), folder / "o.mp4"])
            try expectExit(["batch", folder / "m.yaml"], 73, saying: "changed after")
            #expect(FileManager.default.contentsEqual(atPath: try short(), andPath: folder / "o.mp4"))
            try succeed(["batch", folder / "m.yaml", "-y"])
            #expect(try Judge.frameHashes(folder / "o.mp4").count == 30)
        }

        /// A cluster starts an element again as often as a job may be tried again.
        @Test func slurmIsToldTheRetries() throws {
            try plan(["output: o.mp4, join: [\(short()), \(short(1))], duration: 10f"])
            for (name, text) in [("sbatch", "echo 7"), ("squeue", ""), ("scontrol", "")] {
                try Tool.succeed(
                    "sh",
                    ["-c", "printf '#!/bin/sh\n%s\n' \"$1\" >\"$2\" && chmod 755 \"$2\"", "sh", text, folder / name])
            }
            let batch = ["batch", folder / "m.yaml", "--engine", "slurm", "--retries", "5"]
            try Tool.succeed("env", ["PATH=\(folder.path):/usr/bin:/bin", Places.program()] + batch)
            let script = try #require(names(folder / "m.jobs", "submissions").first { $0.hasSuffix("-0.sh") })
            let text = try String(contentsOf: folder / "m.jobs/submissions/\(script)")
            #expect(text.contains("--attempts 6 ") && text.contains("\"${SLURM_RESTART_COUNT:-0}\" -lt 5 "), "\(text)")
        }

        @Test(.turn(2, of: 3)) func aBatchIsAloneInItsDirectory() throws {
            let jobs = try plan(["output: o.mp4, join: [\(short()), \(short(1))], duration: 10f"])
            let (program, manifest) = (try Places.program(), folder / "m.yaml")
            let locked = try Tool.run("flock", [jobs + "/.lock", program, "batch", manifest])
            #expect(locked.status == 75 && locked.messages.contains("another batch"), "\(locked.story)")
            try succeed(["batch", manifest])
        }

        @Test func aDirectoryThatIsGoneIsNoReasonToTryAgain() throws {
            for command in [["jobs", "run", folder / "gone", "0"], ["jobs", "status", folder / "gone"]] {
                try expectExit(command, 65, saying: "is not a job directory")
            }
        }

        /// Messages say whether a plan or an input is missing, which is another matter than one that has changed.
        @Test func whatIsMissingIsSaid() throws {
            try folder.add(short(), as: "a.mkv")
            let jobs = try plan(["output: o.mp4, join: [a.mkv, \(short())], duration: 10f"])
            try expectExit(["jobs", "run", jobs + "/plans/0.json", "0"], 65, saying: "there is no plan")
            try folder.remove("a.mkv")
            try expectExit(["jobs", "run", jobs, "0"], 65, saying: "'a.mkv', which was there")
        }

        @Test func attemptsAtTheSameTimeAreHarmless() throws {
            let jobs = try plan(["output: o.mp4, join: [\(short()), \(short(1))], duration: 10f"])
            let script =
                #""$@" & a=$!; "$@" & b=$!; "$@" & c=$!; wait $a || exit 1; wait $b || exit 2; wait $c || exit 3"#
            let run = try Tool.run("bash", ["-c", script, "bash", Places.program(), "jobs", "run", jobs, "0"])
            #expect(run.status == 0, "\(run.story)")
            #expect(try names(jobs, "outputs").count == 1)
            #expect(try Judge.frameHashes(folder / "o.mp4").count == 30)
            #expect(try CommandTests.run(["jobs", "status", jobs]).status == 0)
        }

        @Test func aRangeOfJobsIsMadeAsFarAsItGoes() throws {
            try "x".write(to: folder / "bad.mkv")
            let jobs = try plan(
                try [short(), folder / "bad.mkv", short(1), short()].enumerated().map {
                    "output: \($0.offset).mkv, join: [\($0.element), \(try short())], duration: 10f"
                })
            #expect(try CommandTests.run(["jobs", "status", jobs, "--missing"]).text == "0-3\n")
            try expectExit(["jobs", "run", jobs, "0-2"], 65, saying: "bad.mkv")
            #expect(try folder.names.filter { $0.hasSuffix(".mkv") } == ["0.mkv", "2.mkv", "bad.mkv"])
            #expect(try CommandTests.run(["jobs", "status", jobs, "--missing"]).text == "1,3\n")
            for range in ["4", "-1", "2-1", "0-4", "x", "0-1-2", "0,", ""] {
                #expect(try CommandTests.run(["jobs", "run", jobs, range]).status == 64, "\(range)")
            }
        }

        @Test func projectsAreJobs() throws {
            try folder.add(short(), as: "a.mkv")
            try "clips: [a.mkv, a.mkv]\ntransition: flip=duration=10f\n".write(to: folder / "p.yaml")
            try """
            jobs:
              - {output: p.mkv, render: p.yaml, video-codec: ffv1}
              - {output: j.mkv, join: [a.mkv, a.mkv], duration: 10f, video-codec: ffv1, render: full}
            """.write(to: folder / "m.yaml")
            try succeed(["batch", folder / "m.yaml"])
            let frames = try Judge.frameHashes(folder / "p.mkv")
            #expect(frames.count == 30)
            #expect(try frames == Judge.frameHashes(folder / "j.mkv"))
            // A clip that the project names counts as the job's input: if it changes, the output is made anew.
            let before = try Tool.succeed("stat", ["-c", "%i", folder / "p.mkv"]).text
            try succeed(["batch", folder / "m.yaml"])
            #expect(try Tool.succeed("stat", ["-c", "%i", folder / "p.mkv"]).text == before)
            try Tool.succeed("touch", ["-d", "2020-01-01", folder / "a.mkv"])
            try succeed(["batch", folder / "m.yaml"])
            #expect(try Tool.succeed("stat", ["-c", "%i", folder / "p.mkv"]).text != before)
        }

        @Test func aPlanThatIsNotCurrentIsRefused() throws {
            try folder.add(short(), as: "a.mkv")
            let jobs = try plan(["output: o.mp4, join: [a.mkv, \(short())], duration: 10f"])
            try Tool.succeed("touch", ["-d", "2020-01-01", folder / "a.mkv"])
            try expectExit(["jobs", "run", jobs, "0"], 65, saying: "has changed")
            let path = jobs + "/plan.json"
            let text = try String(contentsOf: path)
            for (key, value) in [
                ("\"schema\":3", "\"schema\":4"), ("\"version\":\"", "\"version\":\"0"),
                ("\"libavcodec\":\"", "\"libavcodec\":\"1"), ("\"processor\":\"", "\"processor\":\"z"),
            ] {
                try text.replacingOccurrences(of: key, with: value).write(to: path)
                #expect(try CommandTests.run(["jobs", "run", jobs, "0"]).status == 65, "\(key)")
            }
            #expect(try !folder.names.contains("o.mp4"))
        }

        @Test func memoryIsKeptTo() throws {
            let large = try clips().make(
                "batch-large.mkv", "-f lavfi -i testsrc2=s=3840x2160:r=25 -frames:v 12 -preset ultrafast")
            let text = "jobs:\n  - {output: o.mp4, join: [\(large), \(large)], duration: 10f, preset: ultrafast}\n"
            try text.write(to: folder / "m.yaml")
            try expectExit(["batch", folder / "m.yaml", "--memory", "200M"], 70, saying: "more than --memory")
            #expect(try folder.names == ["m.jobs", "m.yaml"])
            #expect(try CommandTests.run(["batch", folder / "m.yaml", "--memory", "8G"]).status == 0)
        }

        @Test func failuresStopTheRestWhereAsked() throws {
            var text = "jobs:\n  - {output: bad.mp4, join: [missing.mkv, \(try short())]}\n"
            for index in 0..<2 {
                text += "  - {output: \(index).mp4, join: [\(try short()), \(try short(1))], duration: 10f}\n"
            }
            try text.write(to: folder / "m.yaml")
            try expectExit(["batch", folder / "m.yaml", "--fail-fast", "-j", "1"], 65, saying: "2 not tried")
            #expect(try folder.names == ["m.jobs", "m.yaml"])
            let slow = try CommandTests.run(["batch", folder / "m.yaml", "-j", "1", "--progress", "plain"])
            #expect(slow.status == 65 && slow.messages.contains("rendering: 2 of 3 jobs, 1 failed"), "\(slow.story)")
            #expect(try folder.names == ["0.mp4", "1.mp4", "m.jobs", "m.yaml"])
        }

        @Test func whatFailsByAccidentIsTriedAgain() throws {
            let text = "jobs:\n  - {output: o.mkv, join: [\(try short()), \(try short(1))], video-codec: rawvideo}\n"
            try text.write(to: folder / "m.yaml")
            // Files may have 256 KiB at most, less than the output needs, so the system ends every attempt.
            let script = "ulimit -f 256; exec \"$@\""
            let run = try Tool.run(
                "bash", ["-c", script, "bash", Places.program(), "batch", folder / "m.yaml", "--retries", "1"])
            #expect(run.status == 70 && run.messages.contains("tried 2 times"), "\(run.story)")
            #expect(try names(folder / "m.jobs", "attempts").count == 2)
            #expect(try CommandTests.run(["batch", folder / "m.yaml"]).status == 0)
            #expect(try Judge.frameHashes(folder / "o.mkv").count == 25)
        }

        /// An output that can't be put in its place isn't rendered again, as only the user can clear the place.
        @Test func anOutputThatCannotBePlacedIsRenderedOnce() throws {
            let text = "jobs:\n  - {output: taken/o.mp4, join: [\(try short()), \(try short(1))], duration: 10f}\n"
            try text.write(to: folder / "m.yaml")
            // No folder can be created where a file lies.
            try Data().write(to: folder / "taken")
            try expectExit(["batch", folder / "m.yaml", "--retries", "1"], 73, saying: "taken")
            let attempts = try names(folder / "m.jobs", "attempts")
            #expect(attempts.count == 1)
            try folder.remove("taken")
            #expect(try CommandTests.run(["batch", folder / "m.yaml"]).status == 0)
            #expect(try names(folder / "m.jobs", "attempts") == attempts)
            #expect(try Judge.frameHashes(folder / "taken/o.mp4").count == 30)
        }
    }
}
