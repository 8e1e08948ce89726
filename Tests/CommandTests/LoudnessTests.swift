import TestSupport
import Testing

extension CommandTests {
    /// `--loudness`, judged by ffmpeg's own measurement of the output.
    @Suite(.serialized) struct LoudnessTests {
        let folder = TemporaryFolder.make()

        /// The integrated loudness in LUFS and the true peak in dBTP of a file's audio.
        /// - Parameter span: the part to measure, in seconds; nil for all of it.
        private func measure(
            _ path: String, in span: ClosedRange<Double>? = nil
        ) throws -> (loudness: Double, peak: Double) {
            let trim = span.map { "atrim=\($0.lowerBound):\($0.upperBound)," } ?? ""
            let filter = trim + "ebur128=peak=true"
            let run = try Tool.run("ffmpeg", "-hide_banner -nostats -i \(path) -af \(filter) -f null -")
            let summary = run.messages.components(separatedBy: "Summary:").last ?? ""
            func number(after label: String) throws -> Double {
                let rest = try #require(summary.range(of: label), "\(run.story)").upperBound
                let words = summary[rest...].split(whereSeparator: \.isWhitespace)
                return try #require(words.first.flatMap { Double($0) }, "\(summary)")
            }
            return try (number(after: "I:"), number(after: "Peak:"))
        }

        /// Real mixes reach each of the usual targets, whether they have to be amplified, lowered or limited.
        @Test(
            .needsMedia,
            arguments: Places.some(
                [
                    ("h264-mp3-in-mp4-640x360-chaplin.mp4", "h264-aac-960x540-29-97fps-flower.mp4", -10.0),
                    ("h264-aac51-720p25-bunny.mp4", "h264-aac-640x360-hls-segment-cc.ts", -16),
                    ("h264-aac-640x480-30fps-bw-film.mp4", "h264-aac-bt601-360x240.mp4", -14),
                    ("mpeg4-mp3-960x400-23-976fps.avi", "h264-aac-rotate270-352x288-phone.mp4", -23),
                    ("h264-ac3-srt-subtitle.mkv", "h264-mp3-in-mp4-640x360-chaplin.mp4", -16),
                ], every: 3))
        func realMixesReachTheirLoudness(first: String, second: String, target: Double) throws {
            let out = folder / "out.mkv"
            try succeed(
                "\(Places.medium(first)) \(Places.medium(second)) \(out) --duration 0.5 --loudness \(target)",
                "--audio-codec flac --size 160x90 --preset ultrafast")
            let (loudness, peak) = try measure(out)
            // ffmpeg prints one decimal.
            #expect(abs(loudness - target) <= 0.2, "\(loudness) LUFS")
            #expect(peak <= -1, "\(peak) dBTP")
        }

        /// Peaks far above the rest are limited, and every sample keeps its time.
        @Test func peaksAreLimitedWhereTheyAre() throws {
            let clip = { (name: String, events: [Double]) in
                let isClick = events.map { "between(t,\($0)-0.0005,\($0)+0.0005)" }.joined(separator: "+")
                return try clips().make(
                    name, "-f lavfi -i color=c=0x202020:s=160x90:r=30:d=4 -f lavfi -i",
                    "aevalsrc='0.02*sin(2*PI*400*t)+0.9*(\(isClick))':s=48000:d=4 -c:v ffv1 -c:a flac")
            }
            let (a, b) = try (clip("loud-a.mkv", [1, 2.5]), clip("loud-b.mkv", [1.5, 3]))
            let out = folder / "out.mkv"
            let report = folder / "report.json"
            try succeed("\(a) \(b) \(out) --duration 15f --loudness -20 --audio-codec flac --report \(report)")
            let (loudness, peak) = try measure(out)
            #expect(abs(loudness + 20) <= 0.2 && peak <= -1, "\(loudness) LUFS, \(peak) dBTP")
            // 120 + 120 - 15 frames of 1600 samples.
            let sound = try Sound(out)
            #expect(sound.samples.count == 225 * 1600)
            try expectClicks(sound, [1, 2.5, 3.5 + 1.5, 3.5 + 3])
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: report))
            let outcome = try #require((json as? [String: Any])?["loudness"] as? [String: Any])
            let source = try measure(a)
            #expect(outcome["isLimited"] as? Bool == true)
            // Both clips are alike, so the mix is as loud as either of them.
            #expect(abs((outcome["measured"] as? Double ?? 0) - source.loudness) < 0.5, "\(outcome)")
        }

        /// Two clips of 4 s: one is quiet and the other loud, and neither is even.
        private func unevenClips() throws -> [String] {
            try [("quiet", 0.01), ("strong", 0.6)].map { name, level in
                try clips().make(
                    "loud-\(name).mkv", "-f lavfi -i color=c=0x202020:s=160x90:r=25:d=4",
                    "-f lavfi -i aevalsrc='\(level)*sin(2*PI*440*t)*(1+0.5*sin(2*PI*0.7*t))':s=48000:d=4 -c:v ffv1",
                    "-c:a flac")
            }
        }

        /// Each clip is brought to its own loudness, on which its volume comes on top.
        @Test func clipsReachTheirOwnLoudness() throws {
            let (clips, out, report) = (try unevenClips(), folder / "out.mkv", folder / "report.json")
            let common = ["--transition", "cut", "--audio-codec", "flac"]
            for (inputs, options, expected) in [
                (clips, ["--clip-loudness", "-20"], [-20.0, -20]),
                (
                    [clips[0] + "#loudness=-30", clips[1] + "#volume=-6dB"], ["--clip-loudness", "-20LUFS"], [-30, -26]
                ),
                ([clips[0] + "#loudness=-25", clips[1]], [], [-25, try measure(clips[1]).loudness]),
            ] {
                try succeed(inputs + common + options + ["--report", report, "-y", out])
                for (index, loudness) in expected.enumerated() {
                    let found = try measure(out, in: Double(index) * 4...Double(index + 1) * 4).loudness
                    #expect(abs(found - loudness) <= 0.2, "clip \(index) of \(inputs): \(found) LUFS")
                }
                let json = try JSONSerialization.jsonObject(with: Data(contentsOf: report))
                let sounds = ((json as? [String: Any])?["loudness"] as? [String: Any])?["sounds"] as? [[String: Any]]
                let first = try #require(sounds?.first)
                #expect(first["input"] as? Int == 0)
                #expect(abs((first["measured"] as? Double ?? 0) - (try measure(clips[0]).loudness)) <= 0.2)
            }
        }

        /// Amplified peaks are limited, in a project as on the command line, and the whole still reaches a loudness of its own.
        @Test func clipsOfALoudnessKeepTheirPeaks() throws {
            let click = try clips().flashAndClick("loud-click.mp4", seconds: 3, events: [1])
            let out = folder / "out.mkv"
            try succeed("\(click) \(unevenClips()[0]) \(out) --duration 10f --clip-loudness -9 --audio-codec flac")
            #expect(try measure(out).peak <= -1)
            let project = """
                clips:
                  - {file: "\(click)", loudness: -12}
                  - {file: "\(try unevenClips()[1])"}
                output: {clip-loudness: -15, loudness: -18, audio-codec: flac}
                """
            try project.write(to: folder / "p.yaml")
            try succeed(["render", folder / "p.yaml", folder / "project.mkv"])
            let whole = try measure(folder / "project.mkv")
            #expect(abs(whole.loudness + 18) <= 0.2 && whole.peak <= -1, "\(whole)")
            let plan = try succeed(["plan", folder / "p.yaml", folder / "no.mkv"])
            #expect(plan.text.contains("brought to -12.0 LUFS") && plan.text.contains("brought to -15.0 LUFS"))
        }

        /// Recordings of different levels are heard equally loud in a deck.
        @Test func narrationsReachTheSameLoudness() throws {
            let still = folder / "slide.png"
            try Tool.ffmpeg("-f lavfi -i color=gray:s=160x90 -frames:v 1 \(still)")
            try folder.makeFolder("speech")
            for (index, clip) in try unevenClips().enumerated() {
                try Tool.ffmpeg("-i \(clip) -vn \(folder / "speech/\(index + 1).wav")")
            }
            let out = folder / "out.mkv"
            try succeed(
                "deck \(still) \(still) \(out) --narration \(folder / "speech") --clip-loudness -20 --transition cut",
                "--audio-codec flac --pause 0")
            for span in [0.0...4, 4...8] {
                let found = try measure(out, in: span).loudness
                #expect(abs(found + 20) <= 0.2, "\(span): \(found) LUFS")
            }
        }

        /// Through a crossfade of two different sounds, the power stays as it is, since the squares of both gains add up to 1.
        /// With the linear curve, half of it is left in the middle.
        @Test(arguments: [("equal-power", 0.0), ("linear", -3.01)])
        func crossfadesKeepTheLoudness(curve: String, middle: Double) throws {
            let films = try [1, 2].map { seed in
                try clips().make(
                    "loud-noise-\(seed).mkv", "-f lavfi -i color=c=0x202020:s=160x90:r=25:d=4",
                    "-f lavfi -i anoisesrc=r=48000:a=0.25:seed=\(seed):d=4 -c:v ffv1 -c:a flac")
            }
            let out = folder / "out.mkv"
            try succeed(films + [out, "--duration", "2", "--audio-curve", curve, "--audio-codec", "flac"])
            // The mean power in tenths of a second, in decibels.
            let levels = { (path: String) in
                let samples = try Judge.samples(path)
                return stride(from: 0, to: samples.count - 4799, by: 4800).map { start in
                    let power = samples[start..<start + 4800].reduce(0.0) { $0 + Double($1) * Double($1) } / 4800
                    return 10 * log10(power)
                }
            }
            let plain = try films.map { try levels($0) }.joined()
            let level = plain.reduce(0, +) / Double(plain.count)
            let found = try levels(out)
            // The crossfade lasts from 2 s to 4 s.
            try #require(found.count == 60)
            for (index, loudness) in found.enumerated() where middle == 0 || !(20..<40).contains(index) {
                #expect(abs(loudness - level) < 0.3, "\(Double(index) / 10) s: \(loudness - level) dB")
            }
            #expect(abs((found[29] + found[30]) / 2 - level - middle) < 0.3)
        }

        /// Silence stays silent, a film without audio gets a warning, and copied audio is encoded.
        @Test func whatCannotBeLeveledIsSaid() throws {
            let silent = try clips().make(
                "loud-silent.mkv", "-f lavfi -i color=c=0x202020:s=160x90:r=30:d=2",
                "-f lavfi -i anullsrc=r=48000:cl=mono:d=2 -t 2 -c:v ffv1 -c:a flac")
            try succeed([silent, silent, folder / "out.mkv", "--loudness", "-16", "--audio-codec", "flac"])
            #expect(try Sound(folder / "out.mkv").samples.allSatisfy { $0 == 0 })
            let run = try succeed("\(silent) \(silent) \(folder / "none.mkv") --loudness -16LUFS --no-audio")
            #expect(run.messages.contains("--loudness has no effect"), "\(run.story)")
            for (arguments, word) in [
                (["--clip-loudness", "-80"], "invalid clip-loudness '-80'"), (["--clip-loudness", "nan"], "nan"),
            ] {
                try expectExit([silent, silent, folder / "no.mkv"] + arguments, 64, saying: word)
            }
            let click = try clips().flashAndClick("loud-click.mp4", seconds: 3, events: [1])
            let plan = try succeed(
                "plan \(click) \(click) \(folder / "smart.mp4") --render auto --loudness -16 --duration 10f")
            #expect(plan.text.contains("all is encoded: --loudness changes its level"), "\(plan.story)")
        }
    }
}
