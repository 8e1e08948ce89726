import TestSupport
import Testing

extension CommandTests {
    /// docs/cookbook/nightly-batch.md works exactly as written.
    @Suite(.serialized, .needsMedia) struct NightlyTests {
        /// The content of the page's first code block in `language`.
        private func block(_ language: String) throws -> String {
            let page = try String(contentsOf: Places.package + "/docs/cookbook/nightly-batch.md")
            let parts = page.components(separatedBy: "```")
            return try #require(parts.first { $0.hasPrefix(language + "\n") }).replacing(language + "\n", with: "")
        }

        private func copy(_ name: String, to path: String) throws {
            try FileManager.default.createDirectory(
                atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: medium(name), toPath: path)
        }

        @Test func theNightIsAsThePageSays() throws {
            let folder = try TemporaryFolder()
            try copy("pdf-slides-4-3-20pages-algorithms.pdf", to: folder / "slides/watersheds.pdf")
            try copy("h264-aac-960x540-29-97fps-flower.mp4", to: folder / "clips/flower.mp4")
            try copy("h264-noaudio-640x360-40s-bottles.mp4", to: folder / "clips/bottles.mp4")
            try "%PDF-1.4 cut off".write(to: folder / "slides/broken.pdf")
            try block("yaml").write(to: folder / "courses.yaml")
            try block("sh").write(to: folder / "night.sh")
            let bin = URL(fileURLWithPath: try Places.program()).deletingLastPathComponent().path
            let script = "cd '\(folder.path)' && PATH='\(bin)':$PATH sh night.sh"
            let first = try Tool.run("bash", ["-c", script])
            let log = try String(contentsOf: folder / "night.log")
            #expect(first.status == 65 && log.contains("broken.pdf"), "\(first.story) \(log)")
            // Three slides of 25 frames each; two clips of 25 frames each with an overlap of 10.
            #expect(try Judge.video(folder / "videos/watersheds.mp4").frameCount == 75)
            #expect(try Judge.video(folder / "videos/trailer.mp4").frameCount == 40)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder / "videos").count == 2)
            let report = try JSONValue(Data(contentsOf: folder / "night.json"))
            #expect(report.numbers(under: "done") == [2] && report.numbers(under: "failed") == [1])
            let marks = try Tool.succeed("stat", ["-c", "%i %y", folder / "videos/watersheds.mp4"]).text
            try folder.remove("slides/broken.pdf")
            try copy("pdf-slides-square-3pages.pdf", to: folder / "slides/broken.pdf")
            let second = try Tool.run("bash", ["-c", script])
            #expect(second.status == 0, "\(second.story) \(log)")
            // Three slides of 4 s at 25 frames per second.
            #expect(try Judge.video(folder / "videos/broken.mp4").frameCount == 300)
            #expect(try Tool.succeed("stat", ["-c", "%i %y", folder / "videos/watersheds.mp4"]).text == marks)
        }
    }
}
