import Foundation
import TestSupport
import Testing

/// docs/examples/swift, a separate package that sees only the library's public interface.
@Suite struct ExampleTests {
    /// The example builds and gives the program's frames. The first build of the library takes less than a minute;
    /// later ones rebuild only what changed.
    @Test(.timeLimit(.minutes(15)))
    func theSwiftExampleWorks() throws {
        let folder = try TemporaryFolder()
        let (a, b) = try RenderTests.clips()
        let package = Places.package + "/docs/examples/swift"
        let scratch = ["--package-path", package, "--scratch-path", Places.package + "/.build/examples"]
        try Tool.succeed("swift", ["build"] + scratch, timeout: 890)
        let program =
            try Tool.succeed("swift", ["build", "--show-bin-path"] + scratch).text
            .trimmingCharacters(in: .whitespacesAndNewlines) + "/join"
        let run = try Tool.succeed(program, [a, b, folder.path])
        #expect(try folder.names == ["fold.mkv", "fold.png", "slide.mkv", "slide.png"])
        #expect(run.text.contains("fold=mode=cubic:easing=cubic-out") && run.text.contains("slide: 29 frames"))

        try Tool.succeed(
            Places.program(),
            [a, b, "--transition", "fold=mode=cubic:easing=cubic-out:duration=6f", "--video-codec", "ffv1"]
                + [folder / "program.mkv"])
        #expect(try Judge.frameHashes(folder / "fold.mkv") == Judge.frameHashes(folder / "program.mkv"))
        #expect(try Judge.video(folder / "slide.mkv").frameCount == 20 + 15 - 6)
        #expect(try Judge.complaints(folder / "slide.mkv").isEmpty)
    }
}
