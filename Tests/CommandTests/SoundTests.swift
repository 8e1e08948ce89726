import TestSupport
import Testing

extension CommandTests {
    @Suite(.serialized) struct SoundTests {
        let folder = TemporaryFolder.make()

        /// Clicks stay in sync in the containers of AAC and of Opus, both of which have priming.
        @Test(arguments: Places.some(["out.mp4", "out.mkv", "out.mov", "out.webm"], every: 2))
        func clicksAreWithinTwoMillisecondsOfTheTimeline(name: String) throws {
            let first = try clips().flashAndClick("click-a.mp4", seconds: 3, events: [0.5, 1, 2])
            let second = try clips().flashAndClick(
                "click-b.mp4", seconds: 3, events: [1, 1.5, 2.5], sampleRate: 44100, channels: 1)
            try succeed([first, second, "--duration", "0.6", folder / name])
            // 90 + 90 - 18 frames of 1/30 s; the second clip starts at frame 72.
            let frames = [15, 30, 60] + [30, 45, 75].map { 72 + $0 }
            #expect(try Judge.flashes(folder / name, width: 160, height: 90) == frames)
            try expectClicks(Sound(folder / name), frames.map { Double($0) / 30 })
        }

        /// The first samples are complete, for which decoders need the encoder's priming: MPEG-TS has it before the
        /// first frame.
        @Test(arguments: ["full", "auto"]) func transportStreamsHaveTheFirstSamples(mode: String) throws {
            let clip = try clips().make(
                "first-samples.mp4", "-f lavfi -i testsrc2=s=160x90:r=25:d=3 -f lavfi -i",
                "aevalsrc='0.5*sin(2*PI*1000*t)|0.5*sin(2*PI*1000*t)':s=48000:d=3 -pix_fmt yuv420p -c:v libx264 -g 25",
                "-c:a aac -b:a 192k")
            let out = folder / "out.ts"
            try succeed([clip, clip, "--transition", "cut", "--render", mode, out])
            let streams = try Judge.streams(out)
            let starts = try ["video", "audio"].map { kind in
                let text = streams.first { $0["codec_type"] as? String == kind }?["start_time"] as? String
                return try #require(text.flatMap { Double($0) })
            }
            let sound = try Sound(out)
            let first = Int(((starts[0] - starts[1]) * sound.rate).rounded())
            try #require(first >= 0)
            for window in 0..<3 {
                let samples = sound.samples[(first + window * 240)..<(first + (window + 1) * 240)]
                let power = samples.reduce(Float(0)) { $0 + $1 * $1 } / 240
                // A sine of amplitude 0.5 has a mean square of 1/8.
                #expect((0.1...0.15).contains(power), "\(window): \(power)")
            }
        }

        @Test func clicksDoNotDriftOverFiveClips() throws {
            // Clips of different rates, layouts and codecs, each exactly 2 s and so 60 frames of the output.
            let inputs = try [
                clips().flashAndClick("drift-1.mp4", seconds: 2, events: [1]),
                clips().flashAndClick(
                    "drift-2.mp4", seconds: 2, events: [1], rate: "25", sampleRate: 44100, channels: 1),
                // Not Opus in Matroska: FFmpeg 5.1 delays the video of such files by the encoder's priming of 6.5 ms.
                clips().flashAndClick(
                    "drift-3.mkv", seconds: 2, events: [1], rate: "50", codecs: ["-c:v", "libx264", "-c:a", "flac"]),
                clips().flashAndClick("drift-4.mov", seconds: 2, events: [1], sampleRate: 32000),
                clips().flashAndClick(
                    "drift-5.mkv", seconds: 2, events: [1], rate: "60",
                    codecs: ["-c:v", "libx264", "-c:a", "libmp3lame", "-b:a", "192k"]),
            ]
            try succeed(inputs + ["--duration", "0.5", folder / "out.mp4"])
            let frames = (0..<5).map { 30 + $0 * (60 - 15) }
            let video = try Judge.video(folder / "out.mp4")
            #expect(video.frameCount == 5 * 60 - 4 * 15)
            #expect(try Judge.flashes(folder / "out.mp4", width: 160, height: 90) == frames)
            try expectClicks(Sound(folder / "out.mp4"), frames.map { Double($0) / 30 })
        }

        /// The amplitudes of the two tones in windows of 10 ms, relative to those in the clips.
        private func gains(_ path: String, from start: Double, windows: Int) throws -> [(first: Double, second: Double)]
        {
            let sound = try Sound(path)
            return (0..<windows).map { index in
                let time = start + Double(index) * 0.01
                return (
                    sound.amplitude(of: 400, from: time, length: 0.01) / 0.5,
                    sound.amplitude(of: 1000, from: time, length: 0.01) / 0.5
                )
            }
        }

        private func joinTones(_ options: [String]) throws -> String {
            let first = try clips().tone("tone-400", frequency: 400, seconds: 3)
            let second = try clips().tone("tone-1000", frequency: 1000, seconds: 3)
            // 20 frames of 40 ms from frame 55 on: 2.2 s to 3.0 s.
            try succeed("\(first) \(second) --duration 0.8 --audio-codec pcm_s16le \(options) \(folder / "out.mkv")")
            #expect(try Sound(folder / "out.mkv").seconds == 5.2)
            return folder / "out.mkv"
        }

        @Test func crossfadeKeepsThePowerOverExactlyTheOverlap() throws {
            let out = try joinTones([])
            for gain in try gains(out, from: 1, windows: 120) {
                #expect(abs(gain.first - 1) < 0.005 && gain.second < 0.005)
            }
            for gain in try gains(out, from: 3, windows: 120) {
                #expect(abs(gain.second - 1) < 0.005 && gain.first < 0.005)
            }
            let overlap = try gains(out, from: 2.2, windows: 80)
            for (index, gain) in overlap.enumerated() {
                #expect(abs(gain.first * gain.first + gain.second * gain.second - 1) < 0.02, "window \(index): \(gain)")
                if index > 0 {
                    #expect(gain.first <= overlap[index - 1].first + 0.002)
                    #expect(gain.second >= overlap[index - 1].second - 0.002)
                }
                // The curves mirror each other in time, so neither clip is favored.
                #expect(abs(gain.first - overlap[79 - index].second) < 0.01)
            }
            #expect(overlap[0].second < 0.15 && overlap[4].second > 0.02 && overlap[79].first < 0.15)
        }

        @Test func linearCurveKeepsTheSum() throws {
            let out = try joinTones(["--audio-curve", "linear"])
            for (index, gain) in try gains(out, from: 2.2, windows: 80).enumerated() {
                let x = (Double(index) + 0.5) / 80
                #expect(abs(gain.first - (1 - x)) < 0.02 && abs(gain.second - x) < 0.02, "window \(index): \(gain)")
            }
        }

        @Test func noCurveFadesNothing() throws {
            let out = try joinTones(["--audio-curve", "none"])
            let overlap = try gains(out, from: 2.2, windows: 80)
            let whole = overlap.filter { gain in
                [gain.first, gain.second].allSatisfy { abs($0) < 0.01 || abs($0 - 1) < 0.01 }
            }
            #expect(whole.count >= 78, "every window but one at a cut holds each clip whole or not at all")
        }

        @Test func noAudioLeavesOutTheSound() throws {
            let clip = try clips().flashAndClick("click-a.mp4", seconds: 3, events: [0.5, 1, 2])
            try succeed([clip, clip, "--no-audio", folder / "out.mp4"])
            #expect(try Judge.audio(folder / "out.mp4") == nil)
            #expect(try Judge.video(folder / "out.mp4").frameCount == 162)
        }

        @Test func aSilentInputIsSilenceOfItsLength() throws {
            let silent = try clips().pattern("silent-2s", frames: 60, rate: "30")
            let loud = try clips().flashAndClick("click-a.mp4", seconds: 3, events: [0.5, 1, 2])
            try succeed([silent, loud, silent, "--duration", "0.5", folder / "out.mp4"])
            // The loud clip starts at frame 60 - 15.
            try expectClicks(Sound(folder / "out.mp4"), [0.5, 1, 2].map { 1.5 + $0 })
            let audio = try #require(try Judge.audio(folder / "out.mp4"))
            #expect(abs(audio.duration - (60 + 90 + 60 - 30) / 30.0) < 1.0 / 30)
        }
    }
}
