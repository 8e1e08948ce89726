import TestSupport
import Testing

extension CommandTests {
    /// The shell scripts of the checkout.
    @Suite struct ScriptTests {
        let folder = TemporaryFolder.make()

        /// Compiled modules that name another path, as in a copied .build, make the build fail, so scripts/setup
        /// removes them.
        @Test func modulesOfAnotherPlaceAreMadeAnew() throws {
            let files = FileManager.default
            try files.createDirectory(atPath: folder / "scripts", withIntermediateDirectories: false)
            try files.copyItem(atPath: Places.package + "/scripts/setup", toPath: folder / "scripts/setup")
            let caches = ["own", "copied", "installed/copied", "empty"].map {
                folder / ".build/\($0)/release/ModuleCache"
            }
            for (index, cache) in caches.enumerated() {
                try files.createDirectory(atPath: cache + "/1AB", withIntermediateDirectories: true)
                let place = index == 0 ? cache : "/nowhere/checkout/.build/x/release/ModuleCache"
                let content = index == 3 ? Data() : Data([0, 255, 10]) + Data("\(place)/1AB/Shims.pcm\u{0}".utf8)
                try content.write(to: cache + "/1AB/Shims.pcm")
            }
            try Tool.succeed("sh", [folder / "scripts/setup"], timeout: 300)
            #expect(caches.map { files.fileExists(atPath: $0) } == [true, false, false, true])
        }

        /// What was installed is removed and named, nothing else is, and where nothing was there to remove, that is an error.
        @Test func installedPluginsAreRemoved() throws {
            let names = ["fliptransition.so", "fliptransition_stack.so"]
            for name in names + ["another.so"] { try Data().write(to: folder / name) }
            let words = [Places.package + "/scripts/install-plugins", "--folder", folder.path, "--remove"]
            let run = try Tool.run("sh", words)
            #expect(run.status == 0 && run.text == names.map { "removed \(folder / $0)\n" }.joined(), "\(run.story)")
            #expect(try folder.names == ["another.so"])
            let again = try Tool.run("sh", words)
            #expect(again.status == 66 && again.messages.contains("nothing was installed there"), "\(again.story)")
        }

        /// A filter that names a test that no longer exists makes scripts/sanitize and .ci/run fail.
        @Test func filtersThatSelectNothingFail() throws {
            let list = folder / "list"
            try "CommandTests.CommandTests/PipeTests/pipesGive(a:)\nFlipRasterTests.CrewTests/x()\n".write(to: list)
            for (filter, missing) in [
                ("PipeTests/(pipesGive)|FlipRasterTests\\.CrewTests", []),
                ("PipeTests/(pipesGive|soundKeeps)", ["PipeTests/soundKeeps"]),
                ("Gone|FlipRasterTests\\..*Tests|PipeTests/(a|b)", ["Gone", "PipeTests/a", "PipeTests/b"]),
            ] {
                let run = try Tool.run(
                    "sh", [Places.package + "/scripts/selected", "-c", "release", "--filter", filter],
                    environment: ["FLIPTRANSITION_TEST_LIST": list])
                #expect(run.status == (missing.isEmpty ? 0 : 1), "\(run.story)")
                #expect(run.messages.matches(of: /"(.*?)"/).map { String($0.1) } == missing, "\(run.story)")
            }
        }

        /// The portable program's FFmpeg has the filters and encoders that the sources name, as the stock ffmpeg lists them.
        @Test func thePortableProgramHasWhatIsNamed() throws {
            try Tool.succeed("sh", [Places.package + "/scripts/portable", "--check"])
            let files = FileManager.default
            for part in ["scripts", "Sources/FlipMedia/Writing", "Sources/FlipRender"] {
                try files.createDirectory(atPath: folder / part, withIntermediateDirectories: true)
            }
            for script in ["portable", "portable-libraries"] {
                try files.copyItem(atPath: Places.package + "/scripts/" + script, toPath: folder / "scripts/\(script)")
            }
            let media = folder / "Sources/FlipMedia"
            try #"try FilterGraph(chain: "scale=8:8,hqdn3d=1,vflip")"#.write(to: media + "/Graph.swift")
            try #"video: "libx264", audio: "libvorbis""#.write(to: media + "/Writing/Container.swift")
            try "".write(to: folder / "Sources/FlipRender/OutputPreset.swift")
            let run = try Tool.run("sh", [folder / "scripts/portable", "--check"])
            #expect(run.status == 65 && run.messages.hasSuffix("name: hqdn3d libvorbis\n"), "\(run.story)")
        }

        /// Skipped tests are counted by the events of the test library, and not by what it prints.
        @Test func skippedTestsAreCounted() throws {
            let event = { (kind: String, text: String) throws -> String in
                let row: [String: Any] = [
                    "version": 0, "kind": "event",
                    "payload": ["kind": kind, "messages": [["symbol": "skip", "text": text]]],
                ]
                return String(decoding: try JSONSerialization.data(withJSONObject: row), as: UTF8.self)
            }
            let slow = try event("testSkipped", #"Test a() skipped: "slow: an hour""#)
            let media = try event("testSkipped", #"Test b() skipped: "the clips are missing""#)
            let other = try event("testSkipped", "Test c() was passed over")
            let printed = try event("issueRecorded", #"Test d() skipped: "not an event of that kind""#)
            let end = try event("runEnded", "")
            for (rows, lines, status) in [
                ([slow, slow, printed, end], ["skipped:       2 slow: an hour"], 0),
                ([media, end], ["skipped:       1 the clips are missing"], 1),
                ([other, end], ["skipped:       1 Test c() was passed over"], 1),
                ([slow], ["skipped:       1 slow: an hour"], 1), ([], [], 1),
            ] as [([String], [String], Int32)] {
                let path = folder / "events"
                try Data(rows.joined(separator: "\n").utf8).write(to: path)
                let run = try Tool.run("python3", [Places.package + "/scripts/skipped", "--require-all", path])
                let found = run.text.split(separator: "\n").map(String.init)
                #expect(run.status == status && found == lines, "\(run.story)")
            }
            try (media + "\n" + end).write(to: folder / "events")
            #expect(try Tool.run("python3", [Places.package + "/scripts/skipped", folder / "events"]).status == 0)
        }
    }
}
