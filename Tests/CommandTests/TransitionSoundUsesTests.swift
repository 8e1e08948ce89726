import TestSupport
import Testing

extension CommandTests {
    /// Sounds of transitions where they are asked for in other ways than by `join`, and beside copied packets.
    @Suite(.serialized) struct TransitionSoundUsesTests {
        private static let pcm = ["--audio-codec", "pcm_s16le", "--video-codec", "ffv1"]

        /// A folder with two silent clips of 50 frames, and a click 0.1 s from the start of `click.wav`.
        private func stage(_ name: String = "", _ text: String = "") throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            for name in ["a.mkv", "b.mkv"] {
                try folder.add(clips().pattern("sound-use", frames: 50, size: "64x36"), as: name)
            }
            let click = try clips().make("sound-use-click.wav", "-f lavfi -i aevalsrc='0.5*eq(n,4800)':s=48000:d=0.3")
            try folder.add(click, as: "click.wav")
            if !name.isEmpty { try text.write(to: folder / name) }
            return folder
        }

        /// The samples that aren't silent.
        private func heard(_ path: String) throws -> [Int] {
            let samples = try Judge.samples(path, channel: 0)
            return samples.indices.filter { abs(samples[$0]) > 0.001 }
        }

        /// The file in Media is what is mixed, sample by sample, with the loudest one on the landing frame.
        @Test func pageIsTheSoundInMedia() throws {
            let folder = try stage()
            let page = try Judge.samples(Places.package + "/Media/page-turn.wav")
            let magnitudes = page.map(abs)
            let mark = try #require(magnitudes.firstIndex(of: magnitudes.max() ?? 0))
            try succeed(
                "\(folder / "a.mkv") \(folder / "b.mkv") --duration 10f --sound page \(folder / "out.mkv") \(Self.pcm)")
            let samples = try Judge.samples(folder / "out.mkv")
            try #require(samples.count == 90 * 1920)
            let isSame = Array(samples[96000 - mark..<96000 - mark + page.count]) == page
            #expect(isSame)
            #expect(samples[..<(96000 - mark)].allSatisfy { $0 == 0 })
            #expect(samples[(96000 - mark + page.count)...].allSatisfy { $0 == 0 })
        }

        /// Audio packets that the sound doesn't reach are copied as they are without it.
        @Test func packetsElsewhereAreCopied() throws {
            let folder = try stage()
            let clip = try clips().make(
                "sound-coded.mp4", "-f lavfi -i testsrc2=s=160x90:r=30:d=6 -f lavfi -i",
                "aevalsrc='0.1*sin(2*PI*(300+20*t)*t)':s=48000:d=6 -c:v libx264 -g 30 -pix_fmt yuv420p -c:a aac",
                "-b:a 96k")
            // The second clip begins at frame 160, 250 packets of 1024 samples into the first one, so both are copied.
            let arguments = [clip, clip, "--duration", "20f", "--render", "smart", "--audio-bitrate", "96k"]
            try succeed(arguments + [folder / "plain.mp4"])
            try succeed(arguments + ["--sound", folder / "click.wav", folder / "out.mp4"])
            let (own, plain, made) = try (
                Judge.audioPacketHashes(clip), Judge.audioPacketHashes(folder / "plain.mp4"),
                Judge.audioPacketHashes(folder / "out.mp4")
            )
            try #require(plain.count == made.count)
            // The overlap ends at 6 s, so the sound lasts from 5.9 s to 6.2 s. Encoders begin anew some packets before.
            let changed = made.indices.filter { plain[$0] != made[$0] }.map { Double($0) * 1024 / 48000 }
            let (first, last) = (try #require(changed.first), try #require(changed.last))
            #expect((5.2...5.98).contains(first) && (6...6.35).contains(last), "\(first) s to \(last) s")
            let known = Set(own)
            #expect(made.filter(known.contains).count > made.count * 4 / 5)
            // The difference that the sound makes is loudest at the landing frame.
            let (before, after) = try (Judge.samples(folder / "plain.mp4"), Judge.samples(folder / "out.mp4"))
            let peak = try #require(
                zip(before, after).map { abs($0 - $1) }.enumerated().max { $0.element < $1.element }?.offset)
            #expect(abs(peak - 288_000) <= 48, "\(peak)")
        }

        /// A project's sound serves the transitions that have none of their own. Paths are seen from its folder.
        @Test func projectsHaveSounds() throws {
            let folder = try stage(
                "p.yaml",
                """
                output: {video-codec: ffv1, audio-codec: pcm_s16le}
                transition: dissolve=duration=10f
                sound: click.wav
                sound-gain: -6.0206
                clips:
                  - a.mkv
                  - {file: b.mkv, transition: "flip=duration=10f:sound=click.wav@0:sound-gain=0"}
                  - {file: a.mkv, transition: "flip=duration=10f:sound=none"}
                  - b.mkv

                """)
            try succeed(["render", folder / "p.yaml", folder / "out.mkv"])
            #expect(try heard(folder / "out.mkv") == [96000, 90 * 1920 + 4800])
            let samples = try Judge.samples(folder / "out.mkv")
            #expect(abs(samples[96000] - 0.25) < 0.001 && abs(samples[90 * 1920 + 4800] - 0.5) < 0.001)
            for (text, place, word) in [
                ("sound: gone.wav\nclips: [a.mkv, b.mkv]\n", ":1:8:", "gone.wav"),
                ("transition: flip=sound=gone.wav\nclips: [a.mkv, b.mkv]\n", ":1:13:", "gone.wav"),
                ("sound-gain: 3\nclips: [a.mkv, b.mkv]\n", ":1:13:", "without a sound"),
                ("sound: click.wav@x\nclips: [a.mkv, b.mkv]\n", ":1:8:", "invalid time 'x'"),
            ] {
                try text.write(to: folder / "bad.yaml")
                let run = try CommandTests.run(["render", folder / "bad.yaml", folder / "no.mkv"])
                #expect([65, 66].contains(run.status), "\(run.story)")
                #expect(run.messages.contains("bad.yaml" + place) && run.messages.contains(word), "\(run.messages)")
            }
        }

        /// A file outside the root is refused, wherever it is named.
        @Test func soundsStayWithinTheRoot() throws {
            let outside = try stage()
            let folder = try stage("p.yaml", "transition: flip=sound=\(outside / "click.wav")\nclips: [a.mkv, b.mkv]\n")
            let run = try CommandTests.run("render \(folder / "p.yaml") \(folder / "out.mkv") --root \(folder.path)")
            #expect(run.status == 65 && run.messages.contains("(--root)"), "\(run.story)")
            try "jobs: [{output: o.mkv, join: [a.mkv, b.mkv], sound: \(outside / "click.wav")}]\n"
                .write(to: folder / "m.yaml")
            let batch = try CommandTests.run(["batch", folder / "m.yaml", "--root", folder.path])
            #expect(batch.status != 0 && batch.messages.contains("(--root)"), "\(batch.story)")
        }

        @Test func batchesHaveSounds() throws {
            let folder = try stage(
                "m.yaml",
                """
                defaults: {duration: 10f, video-codec: ffv1, audio-codec: pcm_s16le}
                jobs:
                  - {output: out.mkv, join: [a.mkv, b.mkv], sound: click.wav@0.1}

                """)
            try succeed(["batch", folder / "m.yaml"])
            #expect(try heard(folder / "out.mkv") == [96000])
        }

        /// A plan written as a timeline renders to the same audio.
        @Test func timelinesKeepTheSound() throws {
            let folder = try stage()
            try FileManager.default.moveItem(atPath: folder / "click.wav", toPath: folder / "odd:name.wav")
            let join = [
                folder / "a.mkv", folder / "b.mkv", "--duration", "10f", "--sound", folder / "odd:name.wav@0.05",
            ]
            try succeed(["export"] + join + ["--sound-gain", "-6", folder / "t.otio"])
            try succeed(join + ["--sound-gain", "-6", folder / "joined.mkv"] + Self.pcm)
            try succeed(["render", folder / "t.otio", folder / "out.mkv"] + Self.pcm)
            #expect(try heard(folder / "out.mkv") == [98400])
            #expect(try Judge.samples(folder / "out.mkv") == Judge.samples(folder / "joined.mkv"))
        }

        /// The plan names the sound, where it begins and where its mark comes. A graph can't have it.
        @Test func plansAndGraphsSpeakOfIt() throws {
            let folder = try stage()
            let join = [folder / "a.mkv", folder / "b.mkv", "--duration", "10f", folder / "out.mkv", "--sound"]
            let sounds = try planRows("sounds", join + [folder / "click.wav"])
            try #require(sounds.count == 1)
            #expect(sounds[0]["path"] as? String == folder / "click.wav" && sounds[0]["after"] as? Int == 0)
            let times = ["start", "seconds", "landing"].map { sounds[0][$0] as? Double ?? 0 }
            #expect(zip(times, [1.9, 0.3, 2]).allSatisfy { abs($0 - $1) < 1e-9 }, "\(times)")
            let text = try succeed(["plan"] + join + ["page"]).text
            #expect(text.contains("sound page: from 1.600 s to 2.250 s, landing at 2.000 s"), "\(text)")
            try expectExit(["export", "--as", "ffmpeg"] + join + ["page"], 64, saying: "--sound can't be printed")
        }
    }
}
