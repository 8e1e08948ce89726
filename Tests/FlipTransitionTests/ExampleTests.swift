import TestSupport
import Testing

/// docs/examples/swift, a separate package that sees only the library's public interface.
@Suite struct ExampleTests {
    /// The example builds and gives the program's frames. The first build of the library takes less than a minute;
    /// later ones rebuild only what changed.
    @Test(.timeLimit(.minutes(60)), .enabled(if: Places.isTurn(0, of: 8), Comment(rawValue: Places.anotherTurn)))
    func theSwiftExampleWorks() throws {
        let folder = try TemporaryFolder()
        let (a, b) = try RenderTests.clips()
        let package = Places.package + "/docs/examples/swift"
        let scratch = ["--package-path", package, "--scratch-path", Places.package + "/.build/examples"]
        try Tool.succeed("swift", ["build"] + scratch, timeout: 890)
        let programs = try Tool.succeed("swift", ["build", "--show-bin-path"] + scratch).text
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let run = try Tool.succeed(programs + "/join", [a, b, folder.path])
        #expect(try folder.names == ["fold.mkv", "fold.png", "tray.mkv", "tray.png"])
        #expect(run.text.contains("fold=mode=cubic:easing=cubic-out") && run.text.contains("tray: 29 frames"))

        try Tool.succeed(
            Places.program(), "\(a) \(b) --transition fold=mode=cubic:easing=cubic-out:duration=6f",
            "--video-codec ffv1 \(folder / "program.mkv")")
        #expect(try Judge.frameHashes(folder / "fold.mkv") == Judge.frameHashes(folder / "program.mkv"))
        #expect(try Judge.video(folder / "tray.mkv").frameCount == 20 + 15 - 6)
        #expect(try Judge.complaints(folder / "tray.mkv").isEmpty)
        try frameExampleWorks(programs + "/frame")
    }

    /// The frame between two pictures in memory is the program's still.
    private func frameExampleWorks(_ program: String) throws {
        let folder = try TemporaryFolder()
        let raw = ["-pix_fmt", "rgb24", "-f", "rawvideo"]
        for source in ["testsrc2", "mandelbrot"] {
            let picture = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "\(source)=s=100x74:r=1", "-frames:v", "1"]
            try Tool.succeed("ffmpeg", picture + raw + [folder / "\(source).rgb"])
            let size = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "100x74", "-i", folder / "\(source).rgb"]
            try Tool.ffmpeg("\(size) -pix_fmt gbrp -c:v rawvideo \(folder / "\(source).nut")")
        }
        try Tool.succeed(
            program, ["100", "74", "0.4", folder / "testsrc2.rgb", folder / "mandelbrot.rgb", folder / "frame.rgb"])
        try Tool.succeed(
            Places.program(), "still \(folder / "testsrc2.nut") \(folder / "mandelbrot.nut") \(folder / "still.nut")",
            "--at 0.4 --video-codec rawvideo --pix-fmt gbrp --style card --pull-back 0.7")
        try Tool.ffmpeg("-i \(folder / "still.nut") \(raw) \(folder / "still.rgb")")
        let frames = try ["frame", "still"].map { try Data(contentsOf: folder / "\($0).rgb") }
        #expect(frames[0] == frames[1] && !frames[0].isEmpty)
    }
}
