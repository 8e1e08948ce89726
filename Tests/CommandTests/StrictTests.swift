import FlipBase
import TestSupport
import Testing

extension CommandTests {
    /// Whatever is a warning is an error with `--strict`, before an output is there.
    @Suite(.serialized) struct StrictTests {
        let folder = TemporaryFolder.make()

        private func pattern(_ frames: Int = 30) throws -> String {
            try clips().pattern("strict-\(frames)", frames: frames)
        }

        /// Runs with and without `--strict`: a warning that has `words` becomes an error.
        private func expect(
            _ words: String, _ arguments: [String], to ending: String, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let folder = try TemporaryFolder()
            let out = folder / "out.\(ending)"
            let common = ["--duration", "5f", "--preset", "ultrafast"]
            let plain = try succeed(arguments + common + [out], sourceLocation: sourceLocation)
            #expect(warnings(plain).contains { $0.contains(words) }, "\(plain.story)", sourceLocation: sourceLocation)
            try FileManager.default.removeItem(atPath: out)
            let strict = try CommandTests.run(arguments + common + [out, "--strict"])
            #expect(
                strict.status == 65 && strict.messageLines.count == 1 && strict.messages.contains(words),
                "\(strict.story)", sourceLocation: sourceLocation)
            #expect(try folder.names == [], sourceLocation: sourceLocation)
        }

        @Test func aTrimBeyondTheEndIsAnError() throws {
            try expect("before its trim does", [pattern() + "#t=0,9", pattern()], to: "mp4")
        }

        @Test func lostChaptersAreAnError() throws {
            try expect("2 chapters are left out", [pattern(), pattern(), "--chapters"], to: "ts")
        }

        @Test func aLostFontIsAnError() throws {
            try "no font".write(to: folder / "Vera.ttf")
            let film = folder / "film.mkv"
            try Tool.ffmpeg(
                "-i \(pattern()) -c copy -attach \(folder / "Vera.ttf") -metadata:s:t",
                "mimetype=application/x-truetype-font \(film)")
            try expect("left out the font Vera.ttf (stream 1", [film, pattern()], to: "mkv")
            // A picture has no room for fonts, so nothing is said.
            let still = try CommandTests.run(["still", film, pattern(), folder / "o.png", "--strict"])
            #expect(still.status == 0 && still.messages.isEmpty, "\(still.story)")
        }

        @Test func aLostTimecodeIsAnError() throws {
            let film = folder / "film.mov"
            try Tool.ffmpeg("-i \(pattern()) -c:v libx264 -timecode 01:02:03:04 \(film)")
            try expect("which ts files can't hold: timecode", [film, pattern()], to: "ts")
        }

        @Test func toneMappingIsAnError() throws {
            let hdr = try clips().make(
                "strict-hdr.mkv", "-f lavfi -i testsrc2=s=160x90:r=25:d=1 -vf format=yuv420p10le -c:v ffv1",
                "-colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084")
            try expect("converted to SDR", [pattern(), hdr], to: "mp4")
        }

        /// What is found only while rendering counts, too: the subtitles of a file that breaks off.
        @Test func damageFoundInTheEndIsAnError() throws {
            let text = "1\n00:00:00,100 --> 00:00:00,500\nÄrger\n"
            try Data(text.data(using: .isoLatin1) ?? Data()).write(to: folder / "latin1.srt")
            let run = try CommandTests.run(
                "\(pattern()) \(pattern()) --captions \(folder / "latin1.srt") --duration 5f \(folder / "o.mp4")",
                "--strict")
            #expect(run.status == 65 && run.messageLines.count == 1, "\(run.story)")
            #expect(try folder.names == ["latin1.srt"])
        }
    }
}
