import TestSupport
import Testing

extension CommandTests {
    /// `--quiet`, and `--no-overwrite` beside `--overwrite`.
    @Suite(.serialized) struct QuietTests {
        let folder = TemporaryFolder.make()

        /// Two clips, of which the first has an attachment: a join leaves it out with a warning.
        private func inputs() throws -> [String] {
            let plain = try clips().pattern("quiet", frames: 20)
            return [try Clips.addAttachment(to: plain, in: folder), plain]
        }

        @Test(arguments: ["-q", "--quiet"]) func onlyErrorsAreSaid(option: String) throws {
            let inputs = try inputs()
            let options = ["--preset", "ultrafast", "--render", "auto"]
            let loud = try succeed(inputs + options + [folder / "loud.mp4"])
            #expect(loud.messages.contains("warning: ") && loud.messages.contains("copied "), "\(loud.story)")
            let quiet = try succeed(inputs + options + [option, folder / "quiet.mp4"])
            #expect(quiet.messages == "" && quiet.output.isEmpty, "\(quiet.story)")
            #expect(FileManager.default.contentsEqual(atPath: folder / "loud.mp4", andPath: folder / "quiet.mp4"))
            let failed = try expectExit(inputs + options + [option, folder / "quiet.mp4"], 73, lines: 1)
            #expect(failed.messages.hasPrefix("fliptransition: error: "), "\(failed.messages)")
        }

        @Test func otherCommandsAreQuietToo() throws {
            let inputs = try inputs()
            let plan = try succeed(["plan"] + inputs + [folder / "o.mp4", "-q"])
            #expect(plan.messages == "" && plan.text.contains("flip"), "\(plan.story)")
            let jobs = "defaults: {preset: ultrafast}\njobs: [{output: o.mp4, join: [\(inputs[0]), \(inputs[1])]}]\n"
            try jobs.write(to: folder / "m.yaml")
            let batch = try succeed(["batch", folder / "m.yaml", "-q", "--report", folder / "r.json"])
            #expect(batch.messages == "", "\(batch.story)")
            // The report has the warning nevertheless.
            let report = try String(contentsOf: folder / "r.json")
            #expect(report.contains("attachment"), "\(report)")
        }

        @Test(
            arguments: [
                (["--quiet", "--verbose"], "--quiet and --verbose exclude each other"),
                (["-q", "--progress", "plain"], "--quiet and --progress exclude each other"),
                (["-y", "-n"], "--overwrite (-y) and --no-overwrite (-n) exclude each other"),
            ] as [([String], String)])
        func contradictionsAreRefused(options: [String], sentence: String) throws {
            let inputs = try inputs()
            try "jobs: [{output: o.mp4, join: [\(inputs[0]), \(inputs[1])]}]\n".write(to: folder / "m.yaml")
            for command in [inputs + [folder / "out.mp4"], ["batch", folder / "m.yaml"]] {
                try expectExit(command + options, 64, saying: sentence, lines: 1)
            }
            #expect(!FileManager.default.fileExists(atPath: folder / "out.mp4"))
        }

        @Test func noOverwriteLeavesTheOutput() throws {
            let inputs = try inputs()
            try "precious".write(to: folder / "out.mp4")
            for option in ["-n", "--no-overwrite"] {
                try expectExit(inputs + [option, folder / "out.mp4"], 73, saying: "out.mp4")
            }
            #expect(FileManager.default.contents(atPath: folder / "out.mp4") == Data("precious".utf8))
            try succeed(inputs + ["-n", "--preset", "ultrafast", folder / "new.mp4"])
        }

        /// Options of the batch itself, and not of its jobs.
        @Test(arguments: ["quiet", "no-overwrite"]) func jobsDoNotDecideThis(name: String) throws {
            let inputs = try inputs()
            let jobs = "jobs: [{output: o.mp4, join: [\(inputs[0]), \(inputs[1])], \(name): true}]\n"
            try jobs.write(to: folder / "m.yaml")
            try expectExit(["batch", folder / "m.yaml"], 65, saying: "'\(name)' is an option of the batch")
        }
    }
}
