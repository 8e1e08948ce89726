import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Inputs that are cut off, broken, or changed while they are read.
    @Suite(.serialized) struct DamageTests {
        private static let frames = 75

        private func clip(_ kind: String) throws -> String {
            let codecs = kind == "avi" ? ["-c:v", "mpeg4", "-c:a", "mp2"] : ["-c:v", "libx264", "-c:a", "aac"]
            return try clips().make(
                "damage.\(kind)",
                [
                    "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=3", "-f", "lavfi", "-i", "sine=f=440:d=3",
                    "-pix_fmt",
                    "yuv420p",
                ] + codecs + (kind == "mp4" ? ["-movflags", "+faststart"] : []))
        }

        private func plannedFrames(_ inputs: [String]) throws -> Int {
            let json = try JSONValue(succeed(["plan", "--json"] + inputs + ["out.mp4"]).output)
            let output = (json.value as? [String: Any])?["output"] as? [String: Any]
            return try #require(output?["frames"] as? Int)
        }

        @Test(arguments: ["mp4", "mkv", "ts", "avi"]) func aCutOffInputIsJoinedOrRefused(kind: String) throws {
            let folder = try TemporaryFolder()
            let whole = try Data(contentsOf: URL(fileURLWithPath: clip(kind)))
            let good = try clips().pattern("damage-b", frames: 40)
            for share in [0.002, 0.05, 0.3, 0.6, 0.9] {
                let cut = folder / "cut.\(kind)"
                try whole.prefix(max(1, Int(Double(whole.count) * share))).write(to: URL(fileURLWithPath: cut))
                let out = folder / "out.mp4"
                let run = try CommandTests.run([cut, good, "-y", "--preset", "ultrafast", out])
                #expect([0, 65].contains(run.status), "\(share): \(run.story)")
                if run.status == 0 {
                    #expect(try Judge.complaints(out) == "")
                    #expect(try Judge.frameHashes(out).count == plannedFrames([cut, good]))
                    try FileManager.default.removeItem(atPath: out)
                } else {
                    #expect(run.messageLines.count == 1 && run.messages.contains("cut.\(kind)"), "\(run.messages)")
                }
                #expect(try folder.names == ["cut.\(kind)"])
            }
        }

        /// Bytes in the middle overwritten: counted in the report, warned of, and with --strict the end.
        @Test func damageIsCountedAndStrictStopsAtIt() throws {
            let folder = try TemporaryFolder()
            let good = try clips().pattern("damage-b", frames: 40)
            var data = try Data(contentsOf: URL(fileURLWithPath: clip("mkv")))
            var numbers = SplitMix64(seed: 4)
            for _ in 0..<200 {
                data[numbers.integer(in: data.count / 3...data.count * 2 / 3)] = UInt8.random(
                    in: 0...255, using: &numbers)
            }
            let broken = folder / "broken.mkv"
            try data.write(to: URL(fileURLWithPath: broken))
            let out = folder / "out.mp4"
            let run = try succeed([broken, good, "--report", folder / "report.json", out])
            #expect(warnings(run).contains { $0.contains("broken.mkv") && $0.contains("decoding errors") })
            #expect(try Judge.complaints(out) == "")
            #expect(try Judge.frameHashes(out).count == plannedFrames([broken, good]))
            let report = try JSONValue(Data(contentsOf: URL(fileURLWithPath: folder / "report.json")))
            let counts = try #require((report.value as? [String: Any])?["concealedErrors"] as? [Int])
            #expect(counts.count == 2 && counts[0] > 0 && counts[1] == 0)
            let before = try Data(contentsOf: URL(fileURLWithPath: out))
            let strict = try CommandTests.run([broken, good, "--strict", "-y", out])
            #expect(strict.status == 65 && strict.messageLines.count == 1, "\(strict.story)")
            #expect(strict.messages.contains("broken.mkv"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == before)
            let sound = try CommandTests.run([clip("mkv"), good, "--strict", "-y", out])
            #expect(sound.status == 0 && sound.messages == "", "\(sound.story)")
        }

        /// Cut short by another program during the run.
        @Test func anInputThatChangesMeanwhileIsNamed() throws {
            let folder = try TemporaryFolder()
            let long = try clips().pattern("long", frames: 1500, size: "640x360")
            let good = try clips().pattern("damage-b", frames: 40)
            let copy = folder / "copy.mkv"
            try FileManager.default.copyItem(atPath: long, toPath: copy)
            let size = try Data(contentsOf: URL(fileURLWithPath: long)).count
            DispatchQueue.global().asyncAfter(deadline: .now() + 1.5) { truncate(copy, size / 2) }
            let out = folder / "out.mp4"
            let run = try CommandTests.run([copy, good, "--preset", "medium", out])
            #expect([0, 65].contains(run.status), "\(run.story)")
            #expect(run.messages.contains("copy.mkv"), "\(run.messages)")
            if run.status == 0 {
                #expect(warnings(run).contains { $0.contains("changed while it was read") }, "\(run.messages)")
                #expect(try Judge.frameHashes(out).count == 1500 + 40 - 15)
            }
        }
    }
}
