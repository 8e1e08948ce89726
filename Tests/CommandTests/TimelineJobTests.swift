import TestSupport
import Testing

extension CommandTests {
    /// A project that is rendered as jobs: segments, the audio, and joining them.
    @Suite(.serialized) struct TimelineJobTests {
        /// A folder with three clips of 40 frames, and the project `p.yaml`, which joins them with transitions of 10.
        private func stage() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            for (index, name) in ["a", "b", "c"].enumerated() {
                let clip = try clips().pattern("part-\(name)", frames: 40, hue: 80 * index, sound: true)
                try folder.add(clip, as: "\(name).mkv")
            }
            try write("10f", in: folder)
            return folder
        }

        private func write(_ duration: String, in folder: TemporaryFolder) throws {
            try "clips: [a.mkv, b.mkv, c.mkv]\ntransition: flip=duration=\(duration)\n".write(to: folder / "p.yaml")
        }

        private func names(_ folder: TemporaryFolder, _ name: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder / name).sorted()
        }

        private func bytes(_ path: String) throws -> Data { try Data(contentsOf: path) }

        /// 100 frames in segments of 20: five segments, the audio and the film.
        @Test func jobsMakeTheSameFilmAsOneProcess() throws {
            let folder = try stage()
            let common = ["render", folder / "p.yaml", "--segments", "20f", "--audio-codec", "flac"]
            try succeed(common + [folder / "jobs.mkv", "--engine", "local"])
            try succeed(common + [folder / "whole.mkv"])
            let areTheSame = try bytes(folder / "jobs.mkv") == bytes(folder / "whole.mkv")
            #expect(areTheSame)
            #expect(try Judge.frameHashes(folder / "jobs.mkv").count == 100)
            let outputs = try names(folder, "jobs.jobs/outputs")
            #expect(outputs.filter { $0.hasSuffix(".segment") }.count == 5)
            #expect(outputs.filter { $0.hasSuffix(".audio") }.count == 1 && outputs.count == 7)
            // Again: nothing is left to do.
            try succeed(common + [folder / "jobs.mkv", "--engine", "local"])
            #expect(try names(folder, "jobs.jobs/attempts").count == 7)
        }

        /// Paths on the command line start at the working folder, also if the project's path is absolute; short names may
        /// stand together.
        @Test func optionsMeanTheSameAsWithoutJobs() throws {
            let folder = try stage()
            try folder.makeFolder("here")
            let logo = try clips().make("job-logo.png", "-f lavfi -i color=red:s=16x16 -frames:v 1")
            try folder.add(logo, as: "here/logo.png")
            let words = [
                "render", "-yq", folder / "p.yaml", "--overlay", "logo.png@top-left", "--video-codec", "ffv1",
                "--no-audio",
            ]
            for (name, engine) in [("jobs.mkv", ["--engine", "local"]), ("whole.mkv", [])] {
                try Tool.succeed("env", "-C \(folder / "here") \(Places.program()) \(words) \(folder / name) \(engine)")
            }
            #expect(try Judge.frameHashes(folder / "jobs.mkv") == Judge.frameHashes(folder / "whole.mkv"))
        }

        /// Clip c is shown in frames 60..<100, with the transition in 60..<70: in the last two segments of 20 frames.
        @Test(.turn(1, of: 2)) func aChangedClipIsRenderedWhereItIsShown() throws {
            let folder = try stage()
            let common = ["render", folder / "p.yaml", folder / "o.mkv", "--segments", "20f", "--engine", "local"]
            try succeed(common)
            let before = Set(try names(folder, "o.jobs/outputs"))
            try Tool.succeed("touch", ["-d", "2020-01-01", folder / "c.mkv"])
            try succeed(common)
            let new = Set(try names(folder, "o.jobs/outputs")).subtracting(before)
            #expect(new.filter { $0.hasSuffix(".segment") }.count == 2, "\(new)")
            #expect(new.filter { $0.hasSuffix(".audio") }.count == 1 && new.count == 4)
            // With contents in place of times, nothing has changed.
            try succeed(common + ["--inputs-by", "sha256"])
            let count = try names(folder, "o.jobs/outputs").count
            try Tool.succeed("touch", ["-d", "2021-01-01", folder / "c.mkv"])
            try succeed(common + ["--inputs-by", "sha256"])
            #expect(try names(folder, "o.jobs/outputs").count == count)
        }

        /// Jobs that were planned make what was planned, although the project has been edited and planned again.
        @Test func aPlanOutlivesItsProject() throws {
            let folder = try stage()
            let common = [
                folder / "p.yaml", folder / "o.mkv", "--segments", "20f", "--plan-only", "--job-dir", folder / "jobs",
            ]
            try succeed(common)
            let plans = try names(folder, "jobs/plans")
            try #require(plans.count == 1)
            try write("20f", in: folder)
            try succeed(common)
            #expect(try names(folder, "jobs/plans").count == 2)
            let first = folder / "jobs/plans/\(plans[0])"
            #expect(try CommandTests.run(["jobs", "assemble", first, "--patience", "0"]).status == 75)
            try succeed(["jobs", "run", first, "0-5"])
            try succeed(["jobs", "assemble", first])
            // 120 frames less two transitions of 10.
            #expect(try Judge.frameHashes(folder / "o.mkv").count == 100)
            #expect(
                try CommandTests.run(["jobs", "status", folder / "jobs"]).status == 75, "the new plan has other jobs")
        }

        /// The roots of a plan may lie elsewhere, as on a node that mounts them at another place.
        @Test func rootsAreMapped() throws {
            let folder = try stage()
            try folder.makeFolder("here")
            for name in ["a.mkv", "b.mkv", "c.mkv", "p.yaml"] {
                try FileManager.default.moveItem(atPath: folder / name, toPath: folder / "here/\(name)")
            }
            try "jobs:\n  - {output: o.mkv, join: [a.mkv, b.mkv], duration: 10f}\n".write(to: folder / "here/m.yaml")
            try succeed(["batch", folder / "here/m.yaml", "--plan-only", "--job-dir", folder / "jobs"])
            try FileManager.default.moveItem(atPath: folder / "here", toPath: folder / "there")
            try expectExit(["jobs", "run", folder / "jobs", "0"], 75, saying: "--root-map inputs=")
            let map = ["--root-map", "inputs=\(folder / "there")", "--root-map", "outputs=\(folder / "there")"]
            try succeed(["jobs", "run", folder / "jobs", "0"] + map)
            #expect(try Judge.frameHashes(folder / "there/o.mkv").count == 70)
            #expect(try CommandTests.run(["jobs", "status", folder / "jobs"] + map).status == 0)
            #expect(try CommandTests.run(["jobs", "run", folder / "jobs", "0", "--root-map", "other=/x"]).status == 64)
        }

        /// Other engines call `jobs run` with each job's number, and join at the end (docs/BATCH.md).
        @Test func otherEnginesRunJobsByNumber() throws {
            let folder = try stage()
            // Five segments, the audio, and what joins them.
            let plan = try succeed(
                "\(folder / "p.yaml") \(folder / "o.mkv") --segments 20f --plan-only --job-dir \(folder / "jobs")")
            #expect(plan.messages.contains("7 jobs are planned"), "\(plan.story)")
            let path = URL(fileURLWithPath: try Places.program()).deletingLastPathComponent().path
            try succeedInShell(
                """
                cd '\(folder.path)'
                seq 0 5 | xargs -P 2 -n 1 fliptransition jobs run jobs
                fliptransition jobs assemble jobs
                """, path)
            #expect(try Judge.frameHashes(folder / "o.mkv").count == 100)
        }

        /// Paths that go up from the working folder lead to the same files for every command.
        @Test(.turn(0, of: 2)) func pathsMayGoUp() throws {
            let folder = try stage()
            try folder.makeFolder("here")
            try "jobs:\n  - {output: m.mkv, join: [a.mkv, b.mkv], duration: 10f}\n".write(to: folder / "m.yaml")
            let path = URL(fileURLWithPath: try Places.program()).deletingLastPathComponent().path
            try succeedInShell(
                """
                cd '\(folder / "here")'
                fliptransition batch ../m.yaml
                fliptransition jobs status ../m.jobs
                fliptransition ../p.yaml ../o.mkv --segments 20f --plan-only --job-dir ../jobs
                fliptransition jobs run ../jobs 0-5
                fliptransition jobs assemble ../jobs
                fliptransition render ../p.yaml ../again.mkv --segments 20f --engine local --job-dir ../more
                """, path)
            #expect(try Judge.frameHashes(folder / "m.mkv").count == 70)
            #expect(try Judge.frameHashes(folder / "o.mkv") == Judge.frameHashes(folder / "again.mkv"))
            #expect(try names(folder, "here").isEmpty)
        }

        /// `--root here/..` is the working folder, and not the root of the file system.
        @Test func aRootThatGoesUpConfines() throws {
            let (folder, outside) = (try stage(), try TemporaryFolder())
            try folder.makeFolder("here")
            let captions = outside / "lines.srt"
            try "1\n00:00:00,100 --> 00:00:01,000\nA\n".write(to: captions)
            try "jobs:\n  - {output: m.mkv, join: ['a.mkv#captions=\(captions)', b.mkv], duration: 10f}\n".write(
                to: folder / "m.yaml")
            for root in ["here/..", "./here/..", "here/../here/..", "."] {
                let run = try Tool.run(
                    "sh", ["-c", "cd '\(folder.path)' && exec '\(Places.program())' batch m.yaml --root \(root)"])
                #expect(run.status == 65 && run.messages.contains("outside"), "\(root): \(run.story)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder / "m.mkv"))
        }

        private func succeedInShell(_ script: String, _ folder: String) throws {
            let run = try Tool.run("env", ["PATH=\(folder):/usr/bin:/bin", "sh", "-e", "-c", script])
            #expect(run.status == 0, "\(run.story)")
        }

        @Test func whatCannotBeJobsIsRefused() throws {
            let folder = try stage()
            for arguments in [
                ["render", folder / "p.yaml", folder / "o.mkv", "--follow"],
                ["render", folder / "p.yaml", folder / "o.mkv", "--engine", "local", "--follow"],
                ["render", folder / "p.yaml", folder / "o.mkv", "--engine", "cloud"],
                ["render", folder / "p.yaml", folder / "o.mkv", "--engine", "local", "--time", "soon"],
                ["render", folder / "p.yaml", "-", "--engine", "local", "--format", "matroska"],
            ] {
                try expectExit(arguments, 64)
            }
            #expect(try folder.names == ["a.mkv", "b.mkv", "c.mkv", "p.yaml"])
        }
    }
}
