import TestSupport
import Testing

extension CommandTests {
    /// `--sound`: its marked moment falls on the landing frame, and nothing else changes. Judged by what ffmpeg
    /// decodes, for sounds made by ffmpeg.
    @Suite(.serialized) struct TransitionSoundTests {
        let folder = TemporaryFolder.make()
        private static let pcm = ["--audio-codec", "pcm_s16le", "--video-codec", "ffv1", "--style", "dissolve"]

        /// A clip of 50 frames; with a tone below full scale if it has a sample rate.
        private func clip(_ name: String, rate: Int? = nil, frames: Int = 50, fps: String = "25") throws -> String {
            let tone = rate.map { ["-f", "lavfi", "-i", "sine=f=440:r=\($0):d=10,volume=-12dB", "-c:a", "pcm_s16le"] }
            return try clips().make(
                "\(name)-\(rate ?? 0)-\(frames)-\(fps.replacingOccurrences(of: "/", with: ":")).mkv",
                ["-f", "lavfi", "-i", "color=gray:s=64x48:r=\(fps):d=10"] + (tone ?? [])
                    + ["-frames:v", "\(frames)", "-c:v", "ffv1", "-pix_fmt", "yuv420p", "-shortest"])
        }

        /// A sound of `count` samples: quiet throughout, but for one sample of 0.5.
        private func click(
            at sample: Int, of count: Int = 14400, rate: Int = 48000, quiet: Double = 0.01, ending: String = "wav"
        ) throws -> String {
            try clips().make(
                "sound-click-\(sample)-\(count)-\(rate)-\(quiet).\(ending)", "-f lavfi -i",
                "aevalsrc='if(eq(n,\(sample)),0.5,\(quiet))':s=\(rate):d=\(Double(count) / Double(rate))")
        }

        private struct Difference {
            /// The samples that differ, as a range from the first to the last.
            var range: Range<Int>
            /// The sample that differs most.
            var peak: Int
            var magnitude: Float
        }

        /// How the audio of `changed` differs from that of `plain`, in samples of a channel; nil if it doesn't.
        private func difference(_ plain: String, _ changed: String) throws -> Difference? {
            let (plain, changed) = try (Judge.samples(plain, channel: 0), Judge.samples(changed, channel: 0))
            try #require(plain.count == changed.count)
            let changes = plain.indices.filter { plain[$0] != changed[$0] }
            guard let first = changes.first, let last = changes.last else { return nil }
            let peak = changes.max { abs(changed[$0] - plain[$0]) < abs(changed[$1] - plain[$1]) } ?? first
            return Difference(range: first..<last + 1, peak: peak, magnitude: abs(changed[peak] - plain[peak]))
        }

        /// Rates at which landing frames begin between samples, and with both kinds of overlap.
        @Test(
            arguments: Places.some(
                [
                    ("25", 48000, "play", 14), ("25", 44100, "freeze", 10), ("30000/1001", 48000, "play", 11),
                    ("24", 44100, "play", 7), ("60000/1001", 48000, "freeze", 23),
                ], every: 3)) func theLoudestMomentFallsOnTheLandingFrame(
                fps: String, rate: Int, overlap: String, frames: Int
            ) throws
        {
            let inputs = try ["a", "b", "c"].map { try clip("sound-\($0)", rate: rate, fps: fps) }
            let arguments = inputs + ["--duration", "\(frames)f", "--overlap", overlap] + Self.pcm
            try succeed(arguments + [folder / "plain.mkv"])
            // The overlaps are far enough apart for the two sounds not to meet.
            let (mark, count) = (3000, 5000)
            try succeed(arguments + ["--sound", click(at: mark, of: count, rate: rate), folder / "out.mkv"])
            // The first frame after each overlap. A frozen transition is inserted between the clips.
            let landings = overlap == "play" ? [50, 100 - frames] : [50 + frames, 100 + 2 * frames]
            let numbers = fps.split(separator: "/").compactMap { Double($0) }
            let perFrame = Double(rate) * (numbers.count == 2 ? numbers[1] : 1) / numbers[0]
            let samples = landings.map { Int((Double($0) * perFrame).rounded(.toNearestOrAwayFromZero)) }
            let (plain, made) = try (
                Judge.samples(folder / "plain.mkv", channel: 0), Judge.samples(folder / "out.mkv", channel: 0)
            )
            try #require(plain.count == made.count)
            let changes = plain.indices.filter { plain[$0] != made[$0] }
            let sounds = samples.map { $0 - mark..<$0 - mark + count }
            let areSounds = changes == sounds.flatMap { Array($0) }
            #expect(areSounds, "\(changes.first ?? 0)...\(changes.last ?? 0)")
            for sample in samples { #expect(abs(made[sample] - plain[sample] - 0.5) < 2.0 / 32768) }
        }

        /// The mark given with @ counts, not the loudest moment. A file whose own name has an @ is meant as a whole.
        @Test func aGivenMarkFallsOnTheLandingFrame() throws {
            let inputs = try [clip("sound-a", rate: 48000), clip("sound-b", rate: 48000)]
            let arguments = inputs + ["--duration", "10f"] + Self.pcm
            try succeed(arguments + [folder / "plain.mkv"])
            let sound = try click(at: 3000)
            try folder.add(sound, as: "thud@0.2")
            for (text, start) in [
                (sound + "@0", 0), (sound + "@0.1", 4800), (folder / "thud@0.2", 3000),
                (folder / "thud@0.2@0.25", 12000),
            ] {
                let name = folder / "out.mkv"
                try succeed(arguments + ["-y", "--sound", text, name])
                let found = try #require(try difference(folder / "plain.mkv", name))
                #expect(found.range == 96000 - start..<96000 - start + 14400, "\(text): \(found.range)")
                #expect(found.peak == 96000 - start + 3000)
            }
        }

        /// Where the film begins after the sound does, or ends before it, the rest is heard at its place.
        @Test func theSoundIsCutAtTheFilmsEnds() throws {
            let inputs = try [clip("sound-a", rate: 48000, frames: 12), clip("sound-b", rate: 48000, frames: 12)]
            let arguments = inputs + ["--duration", "5f"] + Self.pcm
            try succeed(arguments + [folder / "plain.mkv"])
            // The landing frame is 12, at sample 23040 of 36480.
            try succeed(arguments + ["--sound", click(at: 30000, of: 96000), folder / "out.mkv"])
            let found = try #require(try difference(folder / "plain.mkv", folder / "out.mkv"))
            #expect(found.range == 0..<36480 && found.peak == 23040, "\(found)")
        }

        /// A sound at another sample rate is resampled, and its mark is at most a sample off.
        @Test(arguments: [44100, 32000, 96000]) func otherSampleRatesKeepTheMark(rate: Int) throws {
            let inputs = try [clip("sound-a", rate: 48000), clip("sound-b", rate: 48000)]
            let arguments = inputs + ["--duration", "10f"] + Self.pcm
            try succeed(arguments + [folder / "plain.mkv"])
            try succeed(
                arguments + ["--sound", click(at: rate / 8, of: rate / 4, rate: rate, quiet: 0), folder / "out.mkv"])
            let found = try #require(try difference(folder / "plain.mkv", folder / "out.mkv"))
            #expect(abs(found.peak - 96000) <= 1, "\(found.peak)")
        }

        /// AAC has a tolerance of a few samples.
        @Test func aCodedSoundLandsInTimeToo() throws {
            let inputs = try [clip("sound-a"), clip("sound-b")]
            try succeed(inputs + ["--duration", "10f", "--sound", click(at: 3000, quiet: 0), folder / "out.mp4"])
            let clicks = try Sound(folder / "out.mp4").clicks()
            #expect(clicks.count == 1 && abs(clicks[0] - 2) < 0.0005, "\(clicks)")
        }

        /// Films without audio get a track for the sound, and it is silent but for it.
        @Test func clipsWithoutAudioGetATrack() throws {
            let inputs = try [clip("sound-a"), clip("sound-b")]
            try succeed(inputs + ["--duration", "10f", "--sound", click(at: 3000)] + Self.pcm + [folder / "out.mkv"])
            let samples = try Judge.samples(folder / "out.mkv")
            #expect(samples.count == 90 * 1920)
            let isHeard = samples.indices.allSatisfy { (samples[$0] != 0) == (93000..<107400).contains($0) }
            #expect(isHeard)
            #expect(abs(samples[96000] - 0.5) < 1.0 / 32768)
            try succeed(inputs + ["--duration", "10f", "--sound", "none"] + Self.pcm + [folder / "none.mkv"])
            #expect(try Judge.audio(folder / "none.mkv") == nil)
            try succeed(inputs + ["--transition", "cut", "--sound", "page", folder / "cut.mkv"])
            #expect(try Judge.audio(folder / "cut.mkv") == nil)
        }

        @Test func noneChangesNoByte() throws {
            let inputs = try [clip("sound-a", rate: 48000), clip("sound-b", rate: 48000)]
            try succeed(inputs + [folder / "plain.mp4"])
            try succeed(inputs + ["--sound", "none", folder / "none.mp4"])
            let read = { (name: String) in try Data(contentsOf: folder / name) }
            #expect(try read("plain.mp4") == read("none.mp4"))
        }

        /// Each transition has its own sound and gain, or that of all.
        @Test func transitionsHaveSoundsOfTheirOwn() throws {
            let inputs = try ["a", "b", "c", "d"].map { try clip("sound-\($0)") }
            let (first, other) = try (click(at: 3000, quiet: 0), click(at: 5000, quiet: 0))
            try succeed(
                "\(inputs) --duration 10f --sound \(other) --sound-gain -6.0206",
                "--transition dissolve=sound=\(first):sound-gain=0 --transition flip=sound=none --transition flip",
                "--audio-codec pcm_s16le --video-codec ffv1 \(folder / "out.mkv")")
            let samples = try Judge.samples(folder / "out.mkv")
            let heard = samples.indices.filter { abs(samples[$0]) > 0.001 }
            #expect(heard == [50, 130].map { $0 * 1920 })
            #expect(heard.count == 2 && abs(samples[heard[0]] - 0.5) < 0.001 && abs(samples[heard[1]] - 0.25) < 0.001)
        }

        @Test(arguments: [
            (["--sound", "DIR/missing.wav"], 66, "missing.wav"), (["--sound", "DIR/text.wav"], 65, "text.wav"),
            (["--sound", "DIR/mute.mkv"], 65, "has no audio"), (["--sound", "DIR/long.wav"], 65, "may last 60 s"),
            (["--sound", "DIR/short.wav@0.3"], 65, "ends at 0.3 s"), (["--sound", "DIR/silent.wav"], 65, "is silent"),
            (["--sound", "DIR/short.wav@soon"], 64, "invalid time 'soon'"), (["--sound", ""], 64, "invalid sound ''"),
            (["--sound-gain", "3"], 64, "give --sound"),
            (["--sound", "page", "--sound-gain", "21"], 64, "-60.0...20.0"),
            (["--transition", "flip=sound-gain=3"], 64, "give it a sound"),
            (["--transition", "flip=noise=page"], 64, "sound"),
            (["--sound", "DIR/out.mkv"], 64, "out.mkv"),
        ]) func errorsNameTheFault(options: [String], status: Int32, naming word: String) throws {
            let inputs = try [clip("sound-a"), clip("sound-b")]
            try "no sound".write(to: folder / "text.wav")
            let copy = { (path: String, name: String) in
                try folder.add(path, as: name)
            }
            try copy(clip("sound-a"), "mute.mkv")
            try copy(click(at: 3000), "short.wav")
            try copy(click(at: 3000), "out.mkv")
            try copy(clips().make("sound-long.wav", ["-f", "lavfi", "-i", "sine=r=8000:d=60.01"]), "long.wav")
            try copy(clips().make("sound-silent.wav", ["-f", "lavfi", "-i", "anullsrc=r=8000:d=1"]), "silent.wav")
            let given = options.map { $0.replacingOccurrences(of: "DIR", with: folder.path) }
            let run = try CommandTests.run(inputs + given + ["-y", folder / "out.mkv"])
            #expect(run.status == status && run.messages.contains(word), "\(run.status): \(run.messages)")
            #expect(run.messages.split(separator: "\n").count == 1)
        }
    }
}
