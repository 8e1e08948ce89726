import TestSupport
import Testing

extension CommandTests {
    /// All audio tracks of the clips are joined, each with those of its language.
    @Suite(.serialized) struct AudioTrackTests {
        let folder = TemporaryFolder.make()

        /// A clip of 2 s at 25 frames per second with an audio track for each language, with one click in it.
        private func clip(
            _ name: String, _ tracks: [(language: String, click: Double)], codecs: [String] = []
        ) throws -> String {
            var arguments = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=2"]
            for track in tracks {
                let isClick = "between(t,\(track.click)-0.0005,\(track.click)+0.0005)"
                arguments += ["-f", "lavfi", "-i", "aevalsrc='0.9*(\(isClick))':s=48000:d=2"]
            }
            arguments += (0...tracks.count).flatMap { ["-map", "\($0)"] }
            for (index, track) in tracks.enumerated() {
                arguments += ["-metadata:s:a:\(index)", "language=\(track.language)"]
            }
            return try clips().make(
                name, arguments + (codecs.isEmpty ? ["-c:v", "libx264", "-c:a", "aac", "-b:a", "256k"] : codecs))
        }

        /// The tracks are in another order in each clip, and the first clip has none in French. It is trimmed by 0.2 s, so
        /// the second one begins with the transition of 0.4 s, at 1.4 s.
        @Test(
            arguments: Places.some(
                [("mkv", []), ("mp4", []), ("mov", []), ("webm", []), ("mp4", ["--segments", "0.8"])], every: 3))
        func tracksOfALanguageAreJoined(container: String, options: [String]) throws {
            let first = try clip("tracks-eng-deu.mkv", [("eng", 0.5), ("ger", 0.9)])
            let second = try clip("tracks-deu-eng-fra.mkv", [("deu", 1.1), ("eng", 1.5), ("fre", 0.7)])
            let out = folder / "out.\(container)"
            try succeed([first + "#t=0.2", second, "--duration", "0.4"] + options + [out])
            // QuickTime files have a list of languages of their own.
            #expect(try Judge.languages(out, "a") == ["eng", "ger", container == "mov" ? "fra" : "fre"])
            for (track, expected) in [[0.3, 2.9], [0.7, 2.5], [2.1]].enumerated() {
                try expectClicks(Sound(out, track: track), expected)
            }
            #expect(try Judge.complaints(out) == "")
        }

        /// The six channels of AC-3, whose decoders call them 5.1(side), stay six in each container's codec, in their places.
        @Test(.turn(0, of: 2), arguments: [("mkv", "opus"), ("webm", "opus"), ("mp4", "aac"), ("ts", "aac")])
        func surroundStays(ending: String, codec: String) throws {
            let clip = try clips().make(
                "surround.mkv", "-f lavfi -i testsrc2=s=64x36:r=25:d=2 -f lavfi -i",
                "aevalsrc=0|0|0|0|0.5*sin(880*PI*t)|0:c=5.1(side):s=48000:d=2 -c:v libx264 -c:a ac3 -b:a 448k")
            let out = folder / "out.\(ending)"
            try succeed("\(clip) \(clip) \(out)")
            #expect(
                try Judge.fields(out, stream: "a:0", entries: "stream=codec_name,channels,channel_layout").prefix(3)
                    == [codec, "6", "5.1"])
            let loudness: [Float] = try (0..<6).map { channel in
                try Judge.samples(out, channel: channel).map { abs($0) }.max() ?? 0
            }
            #expect(
                loudness[4] > 0.4 && loudness.enumerated().allSatisfy { $0.offset == 4 || $0.element < 0.05 },
                "\(loudness)")
        }

        @Test func smartRenderCopiesAllTracks() throws {
            let codecs = ["-c:v", "libx264", "-g", "25", "-c:a", "aac", "-b:a", "128k"]
            let first = try clip("tracks-smart-a.mp4", [("eng", 0.5), ("ger", 0.9)], codecs: codecs)
            let second = try clip("tracks-smart-b.mp4", [("eng", 1.5), ("ger", 1.1)], codecs: codecs)
            let out = folder / "out.mp4"
            try succeed(
                [first, second, "--render", "smart", "--duration", "0.4", "--report", folder / "report.json", out])
            for (track, expected) in [[0.5, 3.1], [0.9, 2.7]].enumerated() {
                // Copied sound is moved by up to half a packet.
                try expectClicks(Sound(out, track: track), expected, within: 0.0127)
            }
            let report =
                try JSONSerialization.jsonObject(with: Data(contentsOf: folder / "report.json")) as? [String: Any]
            // Each track has 85 packets of 1024 samples in its two parts outside the transition, and one more or fewer
            // where they begin.
            #expect((report?["audioPacketsCopied"] as? Int ?? 0) > 240, "\(report ?? [:])")
        }

        @Test func tracksAreChosenByNumber() throws {
            let first = try clip("tracks-eng-deu.mkv", [("eng", 0.5), ("ger", 0.9)])
            let out = folder / "out.mkv"
            for (choice, expected) in [("all", [0.5, 0.9]), ("2,1", [0.9, 0.5]), ("2", [0.9])] {
                try succeed([first, first, "--transition", "cut", "--audio-tracks", choice, "-y", out])
                #expect(try Judge.languages(out, "a").count == expected.count)
                for (track, click) in expected.enumerated() {
                    let clicks = try Sound(out, track: track).clicks()
                    try #require(clicks.count == 2, "\(clicks)")
                    #expect(abs(clicks[0] - click) < 0.002 && abs(clicks[1] - click - 2) < 0.002, "\(clicks)")
                }
            }
            for arguments in [["--audio-tracks", "3"], ["--audio-tracks", "0"], ["--audio-tracks", "1,1"]] {
                let run = try CommandTests.run([first, first] + arguments + [folder / "no.mkv"])
                #expect(run.status != 0 && run.messageLines.count == 1, "\(run.story)")
            }
            let both = try CommandTests.run("\(first) \(first) --audio-track 1 --audio-tracks 2 \(folder / "no.mkv")")
            #expect(both.status == 64 && both.messages.contains("exclude each other"))
        }

        /// A clip with a single track is heard where the others' first track is, whatever language it is said to have.
        @Test func aSingleTrackIsHeardInTheFirst() throws {
            let first = try clip("tracks-eng-deu.mkv", [("eng", 0.5), ("ger", 0.9)])
            let single = try clip("tracks-spa.mkv", [("spa", 1.0)])
            let out = folder / "out.mkv"
            try succeed([first, single, "--transition", "cut", out])
            let (main, other) = try (Sound(out).clicks(), Sound(out, track: 1).clicks())
            try #require(main.count == 2 && other.count == 1, "\(main) \(other)")
            #expect(abs(main[0] - 0.5) < 0.002 && abs(main[1] - 3) < 0.002 && abs(other[0] - 0.9) < 0.002)
        }
    }
}
