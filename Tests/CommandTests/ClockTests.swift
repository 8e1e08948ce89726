import TestSupport
import Testing

extension CommandTests {
    /// Clips whose time stamps restart or jump on the way.
    @Suite(.serialized) struct ClockTests {
        let folder = TemporaryFolder.make()
        private static let events = [0.4, 1.2]
        private static let frames = 50

        /// A transport stream of 2 s with flashes and clicks, whose time stamps start `offset` seconds late.
        private func part(_ offset: Double) throws -> String {
            let whole = try clips().flashAndClick(
                "clock.ts", seconds: 2, events: Self.events, rate: "25",
                codecs: ["-c:v", "libx264", "-bf", "2", "-c:a", "mp2", "-b:a", "192k"])
            return try clips().make("clock-\(offset).ts", "-i \(whole) -c copy -output_ts_offset \(offset)")
        }

        private func second() throws -> String {
            try clips().flashAndClick("clock-second.mov", seconds: 1, events: [0.6], rate: "25")
        }

        /// The offsets, in seconds, of recordings that are concatenated: the same time stamps twice, hours back, hours
        /// ahead, and across the wrap of the time stamps at 2^33 ticks (95443.7 s, of which the muxer's own delay takes
        /// 1.4 s), within a part and between two parts.
        static let rows: [[Double]] = [
            [0, 0], [0, 0, 0], [20000, 0], [0, 20000], [95441, 500], [0, 95441], [95441.5, 95441.5, 60, 40000, 0],
        ]

        @Test(arguments: Places.some(Array(rows.indices), every: 6)) func everyPartIsUsed(row: Int) throws {
            let offsets = Self.rows[row]
            var bytes = Data()
            for offset in offsets { bytes += try Data(contentsOf: part(offset)) }
            let clip = folder / "parts.ts"
            try bytes.write(to: clip)
            let length = offsets.count * Self.frames
            let meant =
                offsets.indices.flatMap { part in Self.events.map { Double(part * 2) + $0 } }
                + [Double(length) / 25 + 0.6]
            for arguments in [[], ["--render", "auto"], ["--segments", "40f"]] {
                let out = folder / "out.mov"
                let run = try succeed(
                    "\(clip) \(second()) --transition cut --strict --audio-codec pcm_s16le -y \(out) \(arguments)")
                #expect(warnings(run) == [])
                #expect(try Judge.video(out).frameCount == length + 25)
                expectSync(out, meant)
            }
            // A trim that starts in the middle of the last part, where the clip can't be sought by time.
            let start = Double(length) / 25 - 1
            try succeed(
                "\(clip)#t=\(start) \(second()) --transition cut --audio-codec pcm_s16le -y \(folder / "trim.mov")")
            expectSync(folder / "trim.mov", meant.filter { $0 > start }.map { $0 - start })
        }

        @Test(arguments: [0, 3, 6]) func pipesLikewise(row: Int) throws {
            let offsets = Self.rows[row]
            let parts = try offsets.map(part)
            let script =
                "out=$1; second=$2; shift 2; cat \"$@\" | \"$0\" - \"$second\" --transition cut --strict "
                + "--verbose --audio-codec pcm_s16le -f nut - > \"$out\""
            let run = try Tool.run("/bin/sh", ["-c", script, Places.program(), folder / "out.nut", second()] + parts)
            #expect(run.status == 0, "\(run.story)")
            #expect(run.messages.contains("passed on as it comes"), "\(run.messages)")
            let meant =
                offsets.indices.flatMap { part in Self.events.map { Double(part * 2) + $0 } }
                + [Double(offsets.count * 2) + 0.6]
            expectSync(folder / "out.nut", meant)
        }

        /// Expects the flashes and clicks at the times `meant`, in seconds: flashes to the frame, clicks to 3 ms.
        private func expectSync(_ path: String, _ meant: [Double], _ location: SourceLocation = #_sourceLocation) {
            do {
                let flashes = try Judge.flashes(path, width: 160, height: 90)
                #expect(flashes == meant.map { Int(($0 * 25).rounded()) }, sourceLocation: location)
                let clicks = try Sound(path).clicks(threshold: 0.15)
                #expect(clicks.count == meant.count, "\(clicks)", sourceLocation: location)
                for (found, meant) in zip(clicks, meant) {
                    #expect(abs(found - meant) < 0.003, "\(clicks)", sourceLocation: location)
                }
            } catch {
                Issue.record(error, sourceLocation: location)
            }
        }

        /// A gap of hours in a format whose time stamps don't jump is a real gap. From pipe to pipe it ends the run,
        /// which would otherwise write the repeated frames before anybody notices.
        @Test func hoursWithoutAFrameAreNotPipedOn() throws {
            let parts = folder / "gap.nut"
            try Tool.ffmpeg(
                "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -vf setpts='PTS+gte(N,25)*43200/TB' -fps_mode passthrough",
                "-c:v ffv1 \(parts)")
            let run = try Tool.run(
                "/bin/sh",
                [
                    "-c", "cat \"$1\" | \"$0\" - \"$2\" -f nut - | head -c 50000000 | wc -c", Places.program(), parts,
                    second(),
                ])
            let count = try #require(Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(count < 5_000_000)
            #expect(run.messages.contains("standard input: there are 43200 s between two frames"), "\(run.messages)")
        }

        /// Frames whose time stamps repeat earlier ones, as in two concatenated Matroska files, are left out, and a
        /// warning counts them.
        @Test func framesOfTheSameTimeAreCounted() throws {
            let a = try clips().pattern("clock-same", frames: 30)
            let doubled = folder / "doubled.mkv"
            let bytes = try Data(contentsOf: a)
            try (bytes + bytes).write(to: doubled)
            let count = try Judge.probe(doubled, ["-select_streams", "v", "-show_entries", "packet=pts"])
            try #require((count["packets"] as? [Any])?.count == 60, "libav reads both parts")
            let run = try succeed([doubled, second(), folder / "out.mov"])
            #expect(warnings(run).contains { $0.contains("30 of its 60 frames are left out") }, "\(run.messages)")
            try expectExit([doubled, second(), "--strict", folder / "no.mov"], 65, lines: 1)
            #expect(try folder.names.sorted() == ["doubled.mkv", "out.mov"])
        }

        /// Audio with an absurd time stamp doesn't make the clip longer.
        @Test(.turn(1, of: 2), arguments: ["1e14", "-1e14", "3e9"]) func soundAtNoTimeIsNoEnd(seconds: String) throws {
            let bad = folder / "bad.nut"
            try Tool.ffmpeg(
                "-f lavfi -i testsrc2=s=64x48:d=1 -f lavfi -i sine=r=8000:d=1 -af asetpts=PTS+\(seconds)/TB -c:v ffv1",
                "-c:a pcm_s16le \(bad)")
            // At 96 kHz, 1e14 s are more samples than an Int can count; ffmpeg itself writes no larger time stamp.
            let good = try clips().flashAndClick(
                "clock-96k.mov", seconds: 1, events: [0.6], rate: "25", sampleRate: 96000,
                codecs: ["-c:v", "libx264", "-c:a", "pcm_s16le"])
            for (number, inputs) in [[good, bad], [bad, good]].enumerated() {
                for mode in ["full", "auto"] {
                    let out = folder / "\(number)-\(mode).mkv"
                    try succeed(inputs + ["--transition", "cut", "--audio-codec", "pcm_s16le", "--render", mode, out])
                    #expect(try Judge.complaints(out) == "")
                    #expect(try Judge.video(out).frameCount == 50)
                }
            }
        }
    }
}
