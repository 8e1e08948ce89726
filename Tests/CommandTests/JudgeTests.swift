import TestSupport
import Testing

extension CommandTests {
    /// The tests' instruments find what ffmpeg put into a clip.
    @Suite struct JudgeTests {
        @Test func findsFlashesAndClicksWhereTheyAre() throws {
            let clip = try clips().flashAndClick("judge.mp4", seconds: 2, events: [0.5, 1.2])
            let clicks = try Sound(clip).clicks()
            #expect(clicks.count == 2)
            for (found, expected) in zip(clicks, [0.5, 1.2]) { #expect(abs(found - expected) < 0.0015) }
            #expect(try Judge.flashes(clip, width: 160, height: 90) == [15, 36])
        }

        @Test func measuresTones() throws {
            let sound = try Sound(clips().tone("judge-tone", frequency: 400, seconds: 1))
            #expect(sound.seconds == 1)
            #expect(abs(sound.amplitude(of: 400, from: 0.2, length: 0.01) - 0.5) < 0.001)
            #expect(sound.amplitude(of: 1000, from: 0.2, length: 0.01) < 0.001)
        }

        @Test func readsFramesTimesAndTags() throws {
            let clip = try clips().pattern("judge-pattern", frames: 30, rate: "30000/1001")
            let video = try Judge.video(clip)
            #expect(video.frameCount == 30 && video.width == 160 && video.height == 90)
            #expect(video.isEven(atRate: 30000.0 / 1001) && !video.isEven(atRate: 30.1))
            #expect(abs(video.span - 1.001) < 0.002 && video.color["color_space"] == "bt709")
            #expect(try Set(Judge.frameHashes(clip)).count == 30)
            #expect(try Judge.audio(clip) == nil && Judge.complaints(clip) == "")
            let pictures = try Judge.pictures(clip, pixelFormat: "yuv420p", width: 160, height: 90, range: 3..<5)
            #expect(pictures.count == 2 && pictures[0] != pictures[1])
        }

        @Test(.needsMedia) func complainsAboutDamage() throws {
            #expect(try Judge.complaints(medium("bad-h264-corrupt-bitstream-720p.mp4")) != "")
            #expect(try Judge.complaints(medium("h264-aac-bt601-360x240.mp4")) == "")
            let turned = try Judge.video(medium("h264-rotate90-568x320-3frames.mov"))
            #expect(turned.rotation == -90 && turned.frameCount == 3)
        }

        @Test func killsWhatHangs() throws {
            #expect(throws: ToolError.self) { try Tool.run("sleep", ["60"], timeout: 0.3) }
            #expect(try Tool.run("sleep", ["60"], interruption: (0.2, SIGTERM)).status == 128 + SIGTERM)
        }
    }
}
