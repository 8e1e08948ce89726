import TestSupport
import Testing

extension CommandTests {
    /// Transitions over what lies outside the parts of clips (`--overlap handles`). Frame n of the first film has a luma
    /// of 20 + 2n, that of the second one 218 - 2n, so that each frame says which two were mixed in it.
    @Suite(.serialized) struct HandleTests {
        let folder = TemporaryFolder.make()

        private func film(_ name: String, luma: String, _ codec: [String] = ["-c:v", "ffv1"]) throws -> String {
            try clips().make(
                name, "-f lavfi -i color=gray:s=64x36:r=25:d=4,format=yuv420p,geq=lum='\(luma)':cb=128:cr=128 \(codec)")
        }

        private func rising() throws -> String { try film("handles-rising.mkv", luma: "20+2*N") }
        private func falling() throws -> String { try film("handles-falling.mkv", luma: "218-2*N") }

        /// The luma of each frame of a join.
        private func lumas(_ arguments: [String]) throws -> [Double] {
            let folder = try TemporaryFolder()
            try succeed(
                arguments + (arguments.contains("--transition") ? [] : ["--style", "dissolve", "--easing", "linear"])
                    + ["--video-codec", "ffv1", folder / "out.mkv"])
            let data = try Judge.frames(folder / "out.mkv", filter: "crop=2:2:8:8", format: "yuv420p")
            return stride(from: 0, to: data.count, by: 6).map { Double(data[$0]) }
        }

        /// The luma of each frame of a join in which `before` are the frames of the first clip, `after` those of the
        /// second one, and a cross-fade of `count` frames lies over the end of `before` and the beginning of `after`.
        private func expected(_ before: [Int], _ after: [Int], _ count: Int) -> [Double] {
            let mixed = (0..<count).map { index in
                let share = Double(index + 1) / Double(count + 1)
                return Double(before[before.count - count + index]) * (1 - share) + Double(after[index]) * share
            }
            return before.dropLast(count).map(Double.init) + mixed + after.dropFirst(count).map(Double.init)
        }

        private func expect(
            _ found: [Double], _ expected: [Double], sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(found.count == expected.count, sourceLocation: sourceLocation)
            for (index, pair) in zip(found, expected).enumerated() {
                #expect(abs(pair.0 - pair.1) < 0.75, "frame \(index)", sourceLocation: sourceLocation)
            }
        }

        private func up(_ frames: Range<Int>) -> [Int] { frames.map { 20 + 2 * $0 } }
        private func down(_ frames: Range<Int>) -> [Int] { frames.map { 218 - 2 * $0 } }

        @Test(arguments: [8, 9]) func halfOfTheTransitionIsOutsideOfEachPart(count: Int) throws {
            let (a, b) = try (rising() + "#t=0.8,1.6", falling() + "#t=1.2,2")
            let inputs = [a, b, "--duration", "\(count)f"]
            // The odd frame is the first clip's.
            let (tail, head) = (count - count / 2, count / 2)
            let meant = expected(up(20..<40 + tail), down(30 - head..<50), count)
            try #require(meant.count == 40)
            try expect(lumas(inputs + ["--overlap", "handles"]), meant)
            try expect(lumas(inputs), expected(up(20..<40), down(30..<50), count))
            try expect(
                lumas([a, b, "--transition", "dissolve=easing=linear:overlap=handles:duration=\(count)f"]), meant)
        }

        @Test func whatAFileLacksComesFromItsPart() throws {
            let handles = ["--duration", "9f", "--overlap", "handles"]
            // Two frames are left after the first part, and one before the second.
            try expect(
                lumas([rising() + "#t=0.8,3.92", falling() + "#t=0.04,2"] + handles),
                expected(up(20..<100), down(0..<50), 9))
            // Whole clips have none, and lie over each other as with play.
            let whole = try [rising(), falling(), "--duration", "9f"]
            try expect(lumas(whole + ["--overlap", "handles"]), expected(up(0..<100), down(0..<100), 9))
        }

        /// The parts of one film are 4 frames apart, of which each may show two.
        @Test func nothingIsShownTwice() throws {
            let parts = try [rising() + "#t=0.8,1.6", rising() + "#t=1.76,2.56"]
            try expect(
                lumas(parts + ["--duration", "10f", "--overlap", "handles"]), expected(up(20..<42), up(42..<64), 10))
            // A link to the film is the film itself.
            try folder.link("link.mkv", to: rising())
            try expect(
                lumas([parts[0], folder / "link.mkv#t=1.76,2.56", "--duration", "10f", "--overlap", "handles"]),
                expected(up(20..<42), up(42..<64), 10))
            // Adjoining parts have nothing between them.
            try expect(
                lumas([rising() + "#t=0.8,1.6", rising() + "#t=1.6,2.4", "--duration", "10f", "--overlap", "handles"]),
                expected(up(20..<40), up(40..<60), 10))
            // In another order, what comes after the later part and before the earlier one is free.
            try expect(
                lumas([rising() + "#t=2,2.8", rising() + "#t=0.8,1.6", "--duration", "10f", "--overlap", "handles"]),
                expected(up(50..<75), up(15..<40), 10))
        }

        /// A part of 6 frames between two transitions of 12: each takes half of the 6 with play. With handles, 6 of the
        /// 12 frames of each are its own, so that both are halved as well.
        @Test func briefPartsShortenTheirTransitions() throws {
            let inputs = try [rising() + "#t=0.8,1.6", falling() + "#t=1.2,1.44", rising() + "#t=2.4,3.2"]
            let handles = inputs + ["--duration", "12f", "--overlap", "handles"]
            let joins = try planRows("joins", handles + ["out.mkv"])
            #expect(joins.map { $0["askedFrames"] as? Int } == [12, 12])
            #expect(joins.map { $0["frames"] as? Int } == [6, 6])
            #expect(joins.map { $0["overlap"] as? String } == ["handles", "handles"])
            #expect(try lumas(handles).count == 20 + 6 + 20)
        }

        @Test func audioOverlapsAsTheFramesDo() throws {
            let codecs = ["-c:v", "ffv1", "-c:a", "pcm_s16le"]
            let a = try clips().flashAndClick(
                "handles-a.mkv", seconds: 4, events: [1, 1.64], rate: "25", codecs: codecs)
            let b = try clips().flashAndClick(
                "handles-b.mkv", seconds: 4, events: [0.96, 1.52], rate: "25", codecs: codecs)
            let out = folder / "out.mkv"
            try succeed(
                "\(a + "#t=0.8,1.6") \(b + "#t=1,2") --duration 10f --overlap handles --video-codec ffv1",
                "--audio-codec pcm_s16le \(out)")
            // Frame 15 is the first of the transition; it shows the second clip from 0.8 s on.
            #expect(try Judge.video(out).frameCount == 45)
            let sound = try Sound(out)
            #expect(abs(sound.seconds - 1.8) < 0.001)
            try expectClicks(sound, [0.2, 0.76, 0.84, 1.32])
        }

        /// Frames are copied from the parts themselves, and the output still is as long as they are together.
        @Test func copiedFramesAreTheSources() throws {
            let film = try clips().make(
                "handles-coded.mp4", "-f lavfi -i testsrc2=s=160x90:r=25:d=16 -f lavfi -i sine=f=440:r=48000:d=16",
                "-c:v libx264 -g 12 -pix_fmt yuv420p -c:a aac")
            try "1,4\n6,9.2\n12,15\n".write(to: folder / "cuts.csv")
            let arguments = [film + "#cuts=" + (folder / "cuts.csv"), "--duration", "10f", "--render", "smart"]
            let out = folder / "out.mp4"
            let plan = try planJSON(arguments + [out])
            try succeed(arguments + [out])
            #expect(try Judge.video(out).frameCount == 75 + 80 + 75)
            #expect(try Judge.complaints(out) == "")
            // At 25 frames a second. All parts but the first begin with the five frames of their handle.
            #expect(try expectCopies(out, of: [film, film, film], from: [25, 150 - 5, 300 - 5], plan) > 150)
        }

        /// An OpenTimelineIO file of the join has the parts with the cut between them, and renders to the same frames.
        @Test func timelinesHaveTheSameFrames() throws {
            let (a, b) = try (rising(), falling())
            for count in ["8f", "9f"] {
                let out = folder / "out-\(count).mkv"
                let join = [a + "#t=0.8,1.6", b + "#t=1.2,2", "--duration", count, "--overlap", "handles"]
                try succeed(join + ["--video-codec", "ffv1", out])
                try succeed(["export"] + join + [folder / "\(count).otio"])
                try succeed("render \(folder / "\(count).otio") --video-codec ffv1 -y \(folder / "back-\(count).mkv")")
                #expect(try Judge.frameHashes(folder / "back-\(count).mkv") == Judge.frameHashes(out))
            }
        }

        @Test func stillsLastAsLongAsTheyWere() throws {
            let still = try clips().make("handles-still.png", "-f lavfi -i color=white:s=64x36 -frames:v 1")
            let arguments = try [rising() + "#t=0.8,1.6", still + "#t=2", rising() + "#t=2,2.8", "--fps", "25"]
            #expect(try lumas(arguments + ["--overlap", "handles", "--duration", "10f"]).count == 20 + 50 + 20)
        }

        @Test func decksHaveNoHandles() throws {
            try expectExit("deck \(rising()) \(falling()) out.mkv --overlap handles", 64, saying: "handles", lines: 1)
        }
    }
}
