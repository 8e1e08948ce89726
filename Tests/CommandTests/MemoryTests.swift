import TestSupport
import Testing

extension CommandTests {
    /// These tests take minutes and run only if FLIPTRANSITION_SLOW is 1.
    @Suite(.serialized, .enabled(if: Places.runsSlowTests, "slow: FLIPTRANSITION_SLOW=1 runs it")) struct MemoryTests {
        let folder = TemporaryFolder.make()

        @Test func memoryDoesNotGrowWithTheNumberOfInputs() throws {
            let clip = try clips().make(
                "five-seconds-720p.mp4", "-f lavfi -i testsrc2=s=1280x720:r=30:d=5 -f lavfi -i sine=f=500:r=48000:d=5",
                "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac")
            let inputs = try (0..<20).map { index in
                let copy = folder / "clip\(index).mp4"
                try FileManager.default.copyItem(atPath: clip, toPath: copy)
                return copy
            }
            let peak = { (count: Int) throws -> Int in
                let out = folder / "out\(count).mp4"
                let run = try succeed(
                    Array(inputs.prefix(count)) + ["--preset", "ultrafast", "--style", "flip", out], timeout: 800)
                #expect(try Judge.frameHashes(out).count == 150 * count - 18 * (count - 1))
                try #require(run.peakMemory > 0)
                return run.peakMemory
            }
            let (two, twenty) = try (peak(2), peak(20))
            #expect(Double(twenty) < 1.25 * Double(two), "\(twenty >> 20) MiB, \(two >> 20) MiB with two inputs")
        }

        @Test func memoryDoesNotGrowWithTheLengthOfAStream() throws {
            let b = try clips().pattern("stream-second", frames: 50, size: "640x360", sound: true)
            try folder.makeFolder("tmp")
            let peak = { (seconds: Int) throws -> Int in
                let script = """
                    { ffmpeg -v error -f lavfi -i testsrc2=s=640x360:r=25:d=\(seconds) -f lavfi -i \
                        sine=r=48000:d=\(seconds) -pix_fmt yuv420p -c:v rawvideo -c:a pcm_s16le -f nut - |
                        TMPDIR="$2/tmp" "$0" - "$1" --video-codec rawvideo -f nut --report "$2/report" - |
                        ffmpeg -v error -i - -map 0:v -f null -progress "$2/frames" -; }
                    """
                try Tool.succeed("/bin/sh", ["-c", script, Places.program(), b, folder.path], timeout: 800)
                let frames = try String(contentsOf: folder / "frames")
                #expect(frames.contains("frame=\(25 * seconds + 50 - 15)\n"))
                let data = try Data(contentsOf: folder / "report")
                return try JSONValue(data).numbers(under: "peakMemoryBytes").map { Int($0) }.max() ?? 0
            }
            let (one, four) = try (peak(60), peak(240))
            try #require(one > 0)
            #expect(Double(four) < 1.1 * Double(one), "\(four >> 20) MiB, \(one >> 20) MiB of one minute")
        }

        @Test func memoryDoesNotGrowWithTheNumberOfSlides() throws {
            try DeckTests.pictures(20, folder, size: "1920x1080")
            let pictures = (1...20).map { folder / "0\($0 < 10 ? "0" : "")\($0).png" }
            let peak = { (times: Int) throws -> Int in
                let inputs = (0..<times).flatMap { _ in pictures }
                let out = folder / "out\(times).mp4"
                let run = try succeed("deck \(inputs) \(out) --hold 0.8 --preset veryfast --crf 20", timeout: 800)
                try #require(run.peakMemory > 0)
                return run.peakMemory
            }
            let (twenty, many) = try (peak(1), peak(25))
            #expect(twenty < 400_000_000, "\(twenty) bytes")
            #expect(Double(many) < 1.1 * Double(twenty), "\(many >> 20) MiB, \(twenty >> 20) MiB with 20 slides")
        }

        @Test(.needsMedia, arguments: [("pptx-placeholders-9slides.pptx", 9), ("odp-talk-9slides.odp", 9)])
        func libreOfficeTurnsDocumentsIntoSlides(name: String, slides: Int) throws {
            try succeed(
                "deck \(medium(name)) \(folder / "out.mp4") --hold 1 --size 320x240 --preset ultrafast", timeout: 400)
            #expect(try Judge.video(folder / "out.mp4").frameCount == 25 * slides)
            #expect(try Judge.chapters(folder / "out.mp4").count == slides)
        }

        @Test(.needsMedia) func aLongClipKeepsItsFramesAndItsSound() throws {
            let long = try medium("h264-aac-long-363s-1080p-lowbitrate.mp4")
            let click = try clips().flashAndClick("long-click.mp4", seconds: 2, events: [1])
            try succeed("\(long) \(click) --size 320x180 --preset ultrafast \(folder / "out.mp4")", timeout: 800)
            let frames = try Judge.frameHashes(folder / "out.mp4").count
            #expect(frames == 10883 + 60 - 18)
            let clicks = try Sound(folder / "out.mp4").clicks(threshold: 0.8)
            #expect(clicks.contains { abs($0 - Double(10883 - 18 + 30) / 30) < 0.002 }, "\(clicks.suffix(3))")
        }
    }
}
