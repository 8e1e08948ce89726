import TestSupport
import Testing

extension CommandTests {
    /// When a disk fills up, a run is killed or a reader goes away, the output is either complete or absent, and the
    /// file that had its name before stays until the new one is complete.
    @Suite(.serialized) struct AccidentTests {
        let folder = TemporaryFolder.make()
        private static let precious = Data("precious".utf8)

        private func inputs() throws -> [String] {
            try [
                clips().pattern("accident-a", frames: 40, sound: true),
                clips().pattern("accident-b", frames: 40, hue: 90),
            ]
        }

        /// The number of frames in the join of `inputs()`: 40 + 40 less 15.
        private static let frames = 65

        private func long() throws -> String { try clips().long() }

        /// Expects `path` to hold either its old contents or a complete new file, and returns whether it is new.
        private func expectOldOrWhole(_ path: String, old: Data, frames: Int = frames) throws -> Bool {
            if FileManager.default.contents(atPath: path) == old { return false }
            #expect(try Judge.complaints(path) == "")
            #expect(try Judge.frameHashes(path).count == frames)
            return true
        }

        // MARK: Disks

        @Test(
            .enabled(if: SmallDisk.canBeMade, Comment(rawValue: SmallDisk.cannotBeMade)),
            arguments: Places.some(["mp4", "mkv", "avi"], every: 3))
        func aFullDiskLeavesTheOldFile(kind: String) throws {
            try succeed(inputs() + [folder / "whole.\(kind)"])
            let whole = try Data(contentsOf: folder / "whole.\(kind)").count
            let pages = whole / 4096 + 2
            // Disk sizes in pages of 4 KiB: almost none up to just too few for the end of the file, and then enough.
            let count = Places.runsSlowTests ? 20 : 4
            var sizes = (0..<count - 2).map { 2 + pages * $0 / (count - 2) }
            sizes += [pages - 1, 4 * pages + 8]
            for size in sizes {
                let disk = try SmallDisk(kilobytes: 4 * size)
                let out = disk.path + "/out.\(kind)"
                try Self.precious.write(to: out)
                let run = try CommandTests.run(inputs() + ["-y", out])
                #expect([0, 74].contains(run.status), "\(size) pages: \(run.story)")
                #expect(run.messageLines.count == (run.status == 0 ? 0 : 1), "\(run.messages)")
                #expect(run.status == 0 || run.messages.contains("no space left"), "\(run.messages)")
                let isNew = try expectOldOrWhole(out, old: Self.precious)
                #expect(isNew == (run.status == 0))
                #expect(try disk.names == ["out.\(kind)"])
                if size == sizes.last { #expect(run.status == 0) }
                if size == sizes.first { #expect(run.status == 74) }
            }
        }

        @Test(.enabled(if: SmallDisk.canBeMade, Comment(rawValue: SmallDisk.cannotBeMade)))
        func aReadOnlyDiskIsNamed() throws {
            let disk = try SmallDisk(kilobytes: 1000)
            let out = disk.path + "/out.mp4"
            try Self.precious.write(to: out)
            try disk.makeReadOnly()
            try expectExit(inputs() + ["-y", out], 73, lines: 1)
            #expect(FileManager.default.contents(atPath: out) == Self.precious)
        }

        @Test func aFolderThatVanishesIsAnError() throws {
            try folder.makeFolder("gone")
            let path = folder / "gone"
            let run = try CommandTests.run(
                [
                    long(), long(), "--preset", "ultrafast", "--size", "160x90", "--progress", "json",
                    folder / "gone/out.mp4",
                ],
                watch: { tool in
                    guard tool.messages.contains("progress") else { return false }
                    try? FileManager.default.removeItem(atPath: path)
                    return true
                })
            // The output could be created, so its loss counts as a disk error.
            #expect(run.status == 74 && CommandTests.sentences(run).count == 1, "\(run.story)")
            #expect(try folder.names == [])
        }

        // MARK: Signals

        /// Whenever a run is killed, even while it renames the file, the output is the old file or a complete new one.
        @Test func beingKilledAnyTimeLeavesOldOrNew() throws {
            let out = folder / "out.mp4"
            try succeed(inputs() + [out])
            let whole = try CommandTests.run(inputs() + ["-y", out])
            var numbers = SplitMix64(seed: 20)
            for _ in 0..<(Places.runsSlowTests ? 50 : 8) {
                let old = try Data(contentsOf: out)
                let moment = numbers.number(in: 0...whole.seconds)
                let run = try CommandTests.run(
                    inputs() + ["-y", "--crf", "\(numbers.integer(in: 10...40))", out], interruption: (moment, SIGKILL))
                _ = try expectOldOrWhole(out, old: old)
                #expect([0, 128 + SIGKILL].contains(run.status), "\(run.story)")
                // A killed run may leave its partial file, which the next run removes.
                #expect(try folder.names.filter { $0.hasPrefix(".out.mp4.part-") }.count <= 1)
                #expect(try folder.names.allSatisfy { $0 == "out.mp4" || $0.hasPrefix(".out.mp4.part-") })
            }
            try succeed(inputs() + ["-y", out])
            #expect(try folder.names == ["out.mp4"])
        }

        @Test func aHangupEndsTheRunUnlessItIsIgnored() throws {
            let out = folder / "out.mp4"
            let run = try CommandTests.run(
                "\(long()) \(long()) --preset veryslow --progress json \(out)", watch: Tool.signalAtFirstFrame(SIGHUP))
            #expect(run.status == 130 && CommandTests.sentences(run).count == 1, "\(run.story)")
            #expect(try folder.names == [])
            let ignored = try Tool.run(
                "nohup", "\(Places.program()) \(long()) \(long()) --preset ultrafast --size 160x90",
                "--progress json \(out)", watch: Tool.signalAtFirstFrame(SIGHUP))
            #expect(ignored.status == 0, "\(ignored.story)")
            #expect(try Judge.frameHashes(out).count == 2 * Clips.longFrames - 15)
        }

        // MARK: Pipes

        private func shell(_ command: String, _ arguments: [String]) throws -> ToolRun {
            try Tool.run("bash", ["-c", command, "bash", Places.program()] + arguments)
        }

        /// A reader that closes the pipe early ends the run with status 74 and without a message.
        @Test func aReaderThatGoesAwayEndsTheRunQuietly() throws {
            let run = try shell(
                #""$@" --format nut - | head -c 1000 >/dev/null; exit "${PIPESTATUS[0]}""#, inputs() + ["--crf", "1"])
            #expect(run.status == 74 && run.messageLines.isEmpty, "\(run.story)")
        }

        /// Closed standard streams do no harm: no file that the program opens may get descriptor 0, 1 or 2.
        @Test func closedDescriptorsDoNoHarm() throws {
            let out = folder / "out.mp4"
            for closing in ["2>&-", "<&- >&- 2>&-", ">&-", "2> >(true)"] {
                let run = try shell(
                    "\"$@\" \(closing)", inputs() + ["-y", "--progress", "json", "--report", folder / "report", out])
                #expect(run.status == 0, "\(closing): \(run.story)")
                #expect(try expectOldOrWhole(out, old: Data()))
            }
            let nowhere = try shell("\"$@\" --format nut - >&-", inputs())
            #expect(nowhere.status == 74 && nowhere.messageLines.count == 1, "\(nowhere.story)")
            let clips = try inputs()
            for command in [
                ["styles"], ["styles", "--json"], ["probe", clips[0]], ["plan"] + clips + ["o.mp4"], ["--help"],
            ] {
                #expect(try shell("\"$@\" >&-", command).status == 74, "\(command)")
                let full = try shell("\"$@\" >/dev/full", command)
                #expect(full.status == 74 && full.messageLines.count == 1, "\(full.story)")
            }
        }
    }
}
