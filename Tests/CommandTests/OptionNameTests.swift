import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Options that got other names still have their old ones, on command lines and in manifests.
    @Suite(.serialized) struct OptionNameTests {
        private func slides(_ folder: TemporaryFolder) throws {
            let slide = try clips().make(
                "name-slide.png", ["-f", "lavfi", "-i", "testsrc2=s=160x90", "-frames:v", "1"])
            try FileManager.default.createDirectory(atPath: folder / "slides", withIntermediateDirectories: false)
            for name in ["1.png", "2.png"] {
                try FileManager.default.copyItem(atPath: slide, toPath: folder / "slides/\(name)")
            }
        }

        @Test func bothNamesMakeTheSame() throws {
            let folder = try TemporaryFolder()
            try slides(folder)
            let deck = ["deck", folder / "slides", "--hold", "1", "--duration", "0.2", "--preset", "ultrafast"]
            try succeed(deck + ["--held-frames", "vfr", "--slide-transitions", "given", folder / "new.mp4"])
            try succeed(deck + ["--holds", "vfr", "--transitions", "given", folder / "old.mp4"])
            try succeed(deck + [folder / "even.mp4"])
            #expect(FileManager.default.contentsEqual(atPath: folder / "new.mp4", andPath: folder / "old.mp4"))
            #expect(!FileManager.default.contentsEqual(atPath: folder / "new.mp4", andPath: folder / "even.mp4"))
            let own = try CommandTests.run(deck + ["--transitions", "own", folder / "x.mp4"])
            #expect(own.status == 64 && own.messages.contains("invalid transitions 'own'"), "\(own.story)")
            let held = try CommandTests.run(deck + ["--holds", "maybe", folder / "x.mp4"])
            #expect(held.status == 64 && held.messages.contains("cfr|vfr"), "\(held.story)")
        }

        @Test func aStillHasBothNames() throws {
            let folder = try TemporaryFolder()
            let a = try clips().pattern("name-a", frames: 12)
            let b = try clips().pattern("name-b", frames: 12, hue: 90)
            try succeed(["still", a, b, folder / "new.png", "--at", "0.3"])
            try succeed(["still", a, b, folder / "old.png", "--progress", "0.3"])
            try succeed(["still", a, b, folder / "half.png"])
            #expect(FileManager.default.contentsEqual(atPath: folder / "new.png", andPath: folder / "old.png"))
            #expect(!FileManager.default.contentsEqual(atPath: folder / "new.png", andPath: folder / "half.png"))
        }

        /// A held frame is one long frame, so that there are fewer than planned, which the check of a job accepts.
        @Test(arguments: ["holds", "held-frames"]) func manifestsHaveBothNames(name: String) throws {
            let folder = try TemporaryFolder()
            try slides(folder)
            let transitions = name == "holds" ? "transitions" : "slide-transitions"
            let text = """
                defaults: {preset: ultrafast, duration: 0.2, \(name): vfr, \(transitions): from-deck}
                jobs: [{output: out.mp4, deck: slides, hold: 2}]
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder / "m.yaml"))
            try succeed(["batch", folder / "m.yaml"])
            // 2 s of a slide, 0.2 s of a transition, and 2 s less the transition's length.
            #expect(try Judge.video(folder / "out.mp4").times.count < 30)
        }
    }
}
