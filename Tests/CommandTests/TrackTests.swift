import TestSupport
import Testing

extension CommandTests {
    /// Which streams and chapters of the inputs are in the output, and at which times.
    @Suite(.serialized) struct TrackTests {
        let folder = TemporaryFolder.make()

        /// Channel counts and sample rates that cameras, phones and editors write.
        static let sounds: [(channels: Int, rate: Int, codec: String)] = [
            (1, 8000, "pcm_s16le"), (2, 11025, "pcm_s24le"), (3, 22050, "pcm_f32le"), (6, 44100, "pcm_s16le"),
            (8, 48000, "pcm_s16le"), (2, 96000, "pcm_s16le"), (2, 192000, "pcm_s32le"),
        ]

        @Test(arguments: Places.some(Array(sounds.indices), every: 3))
        func everyLayoutAndRateIsHeardOnTime(row: Int) throws {
            let sound = Self.sounds[row]
            let odd = try clips().flashAndClick(
                "layout-\(row).mov", seconds: 1, events: [0.4], sampleRate: sound.rate, channels: sound.channels,
                codecs: ["-c:v", "libx264", "-c:a", sound.codec])
            let usual = try clips().flashAndClick("layout-usual.mov", seconds: 1, events: [0.5])
            for inputs in [[odd, usual], [usual, odd]] {
                try succeed(inputs + ["--transition", "cut", "-y", folder / "out.mp4"])
                // A stereo clip among eight channels is a quarter as loud, averaged over the channels.
                let clicks = try Sound(folder / "out.mp4").clicks(threshold: 0.15)
                let expected = inputs[0] == odd ? [0.4, 1.5] : [0.5, 1.4]
                try #require(clicks.count == 2, "\(clicks)")
                for (found, expected) in zip(clicks, expected) { #expect(abs(found - expected) < 0.003) }
                let audio = try #require(try Judge.audio(folder / "out.mp4"))
                #expect(audio.channels == (inputs[0] == odd && sound.channels > 1 ? sound.channels : 2))
                // The better rate of the two; AAC has 96 kHz at most.
                #expect(audio.sampleRate == min(max(sound.rate, 48000), 96000))
            }
        }

        /// Each loudspeaker keeps its channel. Since FFmpeg 7, MOV files state the order of the channels, which may differ from
        /// libav's.
        @Test(.usesSystemLibraries) func channelsKeepTheirPlaces() throws {
            let levels = (1...8).map { Float($0) / 10 }
            let expression = levels.map { "\($0)" }.joined(separator: "|")
            let clip = try clips().make(
                "places.mov", "-f lavfi -i color=gray:s=64x36:r=25:d=1",
                "-f lavfi -i aevalsrc=\(expression):c=7.1:s=48000:d=1 -c:v libx264 -c:a pcm_s16le")
            try succeed("\(clip) \(clip) --transition cut --audio-codec flac \(folder / "out.mkv")")
            let (before, after) = try (places(clip), places(folder / "out.mkv"))
            #expect(before.keys.count == 8 && after.keys == before.keys)
            for (place, level) in before { #expect(abs((after[place] ?? 0) - level) < 0.001, "\(place)") }
        }

        /// The value of each channel's first sample, by the name of the channel's place.
        private func places(_ path: String) throws -> [Substring: Float] {
            let layout = try #require(try Judge.streams(path, "a:0").first?["channel_layout"] as? String)
            let names = layout == "7.1" ? "FL+FR+FC+LFE+BL+BR+SL+SR" : layout.split { "()".contains($0) }.last ?? ""
            return Dictionary(uniqueKeysWithValues: zip(names.split(separator: "+"), try Judge.samples(path)))
        }

        /// A clip with two audio tracks: a tone of 400 Hz and one of 1000 Hz, of which `secondIsDefault` makes the
        /// second the default.
        private func twoTracks(secondIsDefault: Bool) throws -> String {
            try clips().make(
                "two-tracks-\(secondIsDefault).mkv", "-f lavfi -i color=gray:s=64x36:r=25:d=1",
                "-f lavfi -i sine=f=400:r=48000:d=1 -f lavfi -i sine=f=1000:r=48000:d=1 -map 0 -map 1 -map 2 -c:v ffv1",
                "-c:a pcm_s16le -disposition:a:0 \(secondIsDefault ? "0" : "default")",
                "-disposition:a:1 \(secondIsDefault ? "default" : "0")")
        }

        @Test func audioTracksAreChosen() throws {
            let rows: [(secondIsDefault: Bool, arguments: [String], frequency: Double)] = [
                (false, [], 400), (true, [], 1000), (true, ["--audio-track", "1"], 400),
                (false, ["--audio-track", "2"], 1000),
            ]
            for (secondIsDefault, arguments, frequency) in rows {
                let clip = try twoTracks(secondIsDefault: secondIsDefault)
                let run = try succeed(
                    "\(clip) \(clip) --transition cut --audio-codec pcm_s16le \(arguments) -y \(folder / "out.mov")")
                let sound = try Sound(folder / "out.mov")
                for tone in [400.0, 1000] {
                    let amplitude = sound.amplitude(of: tone, from: 0.5, length: 0.1)
                    #expect(tone == frequency ? amplitude > 0.1 : amplitude < 0.001, "\(arguments): \(tone) Hz")
                }
                // A track that the user didn't choose is no loss.
                #expect(warnings(run).isEmpty, "\(run.story)")
            }
            let clip = try twoTracks(secondIsDefault: false)
            for (track, status) in [("3", 65), ("0", 64), ("first", 64)] as [(String, Int32)] {
                try expectExit([clip, clip, "--audio-track", track, folder / "no.mov"], status, lines: 1)
            }
        }

        /// A clip of 40 frames at 25 per second with chapters "one" 0...0.4 s, "two" 0.4...1.2 s and "three" 1.2...1.6
        /// s.
        private func chapters(_ name: String, title: String? = nil) throws -> String {
            let times = [("one", 0, 400), ("two", 400, 1200), ("three", 1200, 1600)]
            let list =
                ";FFMETADATA1\n" + (title.map { "title=\($0)\n" } ?? "")
                + times.map { "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($1)\nEND=\($2)\ntitle=\($0)\n" }.joined()
            return try clips().make(
                name, "-f lavfi -i testsrc2=s=64x36:r=25:d=1.6 -f ffmetadata",
                "-i \("data:text/plain;base64," + Data(list.utf8).base64EncodedString()) -map 0 -map_metadata 1",
                "-map_chapters 1 -c:v libx264")
        }

        private func chapterList(_ path: String) throws -> [String] {
            try Judge.chapters(path).map { "\($0.title) \(Int($0.start * 1000 + 0.5))-\(Int($0.end * 1000 + 0.5))" }
        }

        @Test(arguments: Places.some(["mp4", "mov", "mkv", "webm", "nut"], every: 3))
        func chaptersKeepTheirPlaces(container: String) throws {
            let (first, second) = try (chapters("chapters-a.mp4"), chapters("chapters-b.mkv", title: "Film B"))
            let out = folder / "out.\(container)"
            // The second clip begins with the transition, at frame 30; the first 0.2 s of the first clip are trimmed.
            try succeed([first + "#t=0.2", second, "--duration", "5f", out])
            let kept = try chapterList(out)
            #expect(
                kept == [
                    "one 0-200", "two 200-1000", "three 1000-1200", "one 1200-1600", "two 1600-2400", "three 2400-2800",
                ]
            )
            #expect(try Judge.complaints(out) == "")
            try succeed([first + "#t=0.2", second, "--duration", "5f", "--chapters", "-y", out])
            let named = try chapterList(out)
            #expect(
                named == [
                    "chapters-a 0-200", "two 200-1000", "three 1000-1200", "Film B 1200-1600", "two 1600-2400",
                    "three 2400-2800",
                ])
        }

        @Test func chaptersThatCannotBeKeptAreSaid() throws {
            let clip = try chapters("chapters-a.mp4")
            let run = try succeed([clip, clip, folder / "out.avi"])
            #expect(warnings(run).count == 1 && run.messages.contains("chapters"))
            let plain = try clips().pattern("trim-name", frames: 10)
            try succeed([plain, plain, "--transition", "cut", "--chapters", folder / "marked.mkv"])
            #expect(try chapterList(folder / "marked.mkv") == ["trim-name 0-400", "trim-name 400-800"])
        }

        @Test(.needsMedia) func coverArtIsNoVideoAndIsLeftOutWithAWord() throws {
            let (cover, film) = try (medium("h264-aac-cover-art-bunny.m4v"), medium("h264-2audio-8subtitles.mkv"))
            let run = try succeed([cover, film + "#t=,1", "--preset", "ultrafast", folder / "out.mp4"])
            #expect(try Judge.video(folder / "out.mp4").height == 180)
            // The first clip decides the size, so the second is reduced.
            #expect(warnings(run).count == 2, "\(run.story)")
            #expect(run.messages.contains("cover art") && run.messages.contains("reduced to 320x180"))
            let sound = try CommandTests.run([cover, medium("flac-stereo-48khz-cover-art.flac"), folder / "no.mp4"])
            #expect(sound.status == 65 && sound.messages.contains("no video"))
        }
    }
}
