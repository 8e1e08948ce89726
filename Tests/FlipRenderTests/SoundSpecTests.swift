import FlipBase
import FlipMedia
import FlipRender
import TestSupport
import Testing

/// Additional audio beside that of the clips is heard where it was placed, as ffmpeg decodes the output.
@Suite struct SoundSpecTests {
    private func render(_ change: (inout Composition) -> Void) throws -> (sound: Sound, plan: RenderPlan) {
        let clips = try Clips.shared.get()
        let folder = try TemporaryFolder()
        // Two silent clips of 2 s each; with an overlap of 0.6 s, the second begins at 1.4 s.
        let inputs = try ["sounds-a", "sounds-b"].map {
            ClipSpec(path: try clips.pattern($0, frames: 50, size: "64x36"))
        }
        var output = OutputSettings(path: folder / "out.mkv")
        output.videoCodec = "ffv1"
        output.audioCodec = "pcm_s16le"
        var composition = Composition(
            inputs: inputs, transitions: [try TransitionSpec(parsing: "flip=duration=0.6")], output: output)
        change(&composition)
        let plan = try Planner.plan(composition)
        _ = try Pipeline(plan).run { _ in }
        return (try Sound(folder / "out.mkv"), plan)
    }

    private func click() throws -> String {
        try Clips.shared.get().make("click.wav", "-f lavfi -i aevalsrc='0.5*between(t,0.2495,0.2505)':s=48000:d=0.5")
    }

    @Test func sitsWhereItWasPlaced() throws {
        let path = try click()
        let (sound, plan) = try render {
            $0.sounds = [
                SoundSpec(path: path, start: .time(Rational(3, 10))),
                SoundSpec(path: path, start: .clip(index: 1, offset: Rational(1, 10))),
                // The part begins at 0.2 s, so 50 ms remain before the click.
                SoundSpec(
                    path: path, part: ClipPart(start: Rational(2, 10), end: Rational(4, 10)), start: .time(Rational(3))),
                // Audio before the output's beginning or after its end is not heard.
                SoundSpec(path: path, start: .time(Rational(-1, 10))), SoundSpec(path: path, start: .time(Rational(9))),
            ]
        }
        #expect(plan.sounds.count == 4)
        let clicks = sound.clicks()
        let expected = [0.15, 0.55, 1.4 + 0.35, 3.05]
        try #require(clicks.count == expected.count, "clicks at \(clicks)")
        for (click, expected) in zip(clicks, expected) { #expect(abs(click - expected) < 0.001) }
        #expect(sound.seconds == 3.4)
    }

    @Test func hasGainAndFades() throws {
        let tone = try Clips.shared.get().make("tone.wav", "-f lavfi -i aevalsrc='0.5*sin(2*PI*1000*t)':s=48000:d=3")
        let (sound, _) = try render {
            var spec = SoundSpec(path: tone, start: .time(.zero))
            spec.gain = -6.0206
            spec.fadeIn = Rational(1)
            spec.fadeOut = Rational(1)
            $0.sounds = [spec]
            $0.output.audioCurve = .linear
        }
        // Half of 0.5, with linear fades at both ends.
        for (time, expected) in [(0.25, 0.0625), (0.5, 0.125), (1.5, 0.25), (2.25, 0.1875), (2.75, 0.0625), (3.2, 0)] {
            let amplitude = sound.amplitude(of: 1000, from: time - 0.01, length: 0.02)
            #expect(abs(amplitude - expected) < 0.002, "at \(time) s")
        }
    }

    @Test func mutesAClip() throws {
        let loud = try Clips.shared.get().tone("sounds-loud", frequency: 500, seconds: 2)
        let (sound, _) = try render {
            $0.inputs = [ClipSpec(path: loud), ClipSpec(path: loud)]
            $0.inputs[0].isMuted = true
            $0.inputs[0].title = "Quiet"
            $0.output.marksClips = true
        }
        #expect(sound.amplitude(of: 500, from: 0.5, length: 0.5) < 0.001)
        #expect(abs(sound.amplitude(of: 500, from: 2.5, length: 0.5) - 0.5) < 0.002)
    }
}
