import FlipGeometry
import TestSupport
import Testing

extension CommandTests {
    @Suite(.serialized) struct TimelineTests {
        let folder = TemporaryFolder.make()

        /// A lossless clip of `frames` different frames at 25 frames per second.
        private func clip(_ letter: String, _ frames: Int) throws -> String {
            let hue = Int(letter.unicodeScalars.first!.value) * 40 % 360
            return try clips().pattern("timeline-\(letter)-\(frames)", frames: frames, hue: hue)
        }

        private func hashes(_ path: String) throws -> [String] { try Judge.frameHashes(path) }

        @Test func eachJoinHasItsOwnTransition() throws {
            let inputs = try [clip("a", 40), clip("b", 40), clip("c", 40)]
            let out = folder / "out.mkv"
            try succeed(
                "\(inputs) --transition fold=mode=cubic:duration=0.4:easing=cubic-out --transition card=duration=8f",
                "--video-codec ffv1 \(out)")
            let (a, b, c) = try (hashes(inputs[0]), hashes(inputs[1]), hashes(inputs[2]))
            let found = try hashes(out)
            try #require(found.count == 120 - 10 - 8)
            #expect(Array(found[0..<30]) == Array(a[0..<30]))
            #expect(Array(found[40..<62]) == Array(b[10..<32]))
            #expect(Array(found[70..<102]) == Array(c[8..<40]))
            let output = try pictures(out)
            let sources = try inputs.map { try pictures($0) }
            expect(
                Overlap(
                    style: "fold", look: try look("fold", ["mode=cubic", "easing=cubic-out"]).look, start: 30,
                    pictures: (0..<10).map { (sources[0][30 + $0], sources[1][$0]) }),
                in: output, within: .pattern)
            expect(
                Overlap(
                    style: "card", look: try look("card", []).look, start: 62,
                    pictures: (0..<8).map { (sources[1][32 + $0], sources[2][$0]) }),
                in: output, within: .pattern)
        }

        @Test func theLastTransitionServesAllFurtherJoins() throws {
            let inputs = try [clip("a", 40), clip("b", 40), clip("c", 40), clip("d", 40)]
            try succeed(
                "\(inputs) --transition flip=duration=5f --transition cut --video-codec ffv1 \(folder / "o.mkv")")
            let found = try hashes(folder / "o.mkv")
            try #require(found.count == 160 - 5)
            let expected = try Array(hashes(inputs[1])[5...]) + hashes(inputs[2]) + hashes(inputs[3])
            #expect(Array(found[40..<155]) == expected)
        }

        @Test func aCutKeepsEveryFrame() throws {
            let inputs = try [clip("a", 12), clip("b", 7), clip("a", 12)]
            try succeed(inputs + ["--transition", "cut", "--video-codec", "ffv1", folder / "out.mkv"])
            #expect(try hashes(folder / "out.mkv") == inputs.flatMap { try hashes($0) })
        }

        @Test(arguments: Places.some(["0.6", "600ms", "18f", "0.6s"], every: 2))
        func durationsAreSecondsMillisecondsOrFrames(text: String) throws {
            let first = try clips().pattern("duration-a", frames: 40, rate: "30")
            let second = try clips().pattern("duration-b", frames: 40, rate: "30", hue: 90)
            try succeed([first, second, "--duration", text, "--video-codec", "ffv1", folder / "out.mkv"])
            let found = try hashes(folder / "out.mkv")
            #expect(found.count == 62)
            #expect(try Array(found[0..<22]) == Array(hashes(first)[0..<22]) && found[22] != hashes(first)[22])
            #expect(try Array(found[40...]) == Array(hashes(second)[18...]) && found[39] != hashes(second)[17])
        }

        @Test func theDefaultIsAFlipOfSixTenths() throws {
            let inputs = try [clip("a", 40), clip("b", 40)]
            try succeed(inputs + ["--video-codec", "ffv1", folder / "default.mkv"])
            try succeed("join \(inputs) --style flip --duration 0.6 --video-codec ffv1 \(folder / "said.mkv")")
            #expect(try hashes(folder / "default.mkv").count == 65)
            #expect(try hashes(folder / "default.mkv") == hashes(folder / "said.mkv"))
        }

        /// Both transitions of the middle clip ask for 15 of its 20 frames, so each gets 10.
        @Test func transitionsThatDoNotFitAreShortenedInProportion() throws {
            let inputs = try [clip("a", 40), clip("b", 20), clip("c", 40)]
            let run = try succeed(inputs + ["--video-codec", "ffv1", folder / "out.mkv"])
            let found = try hashes(folder / "out.mkv")
            #expect(found.count == 80)
            #expect(try Array(found[0..<30]) == Array(hashes(inputs[0])[0..<30]))
            #expect(try Array(found[50...]) == Array(hashes(inputs[2])[10...]))
            #expect(!warnings(run).isEmpty, "\(run.messages)")
        }

        @Test func aTransitionLongerThanItsClipsUsesAllOfTheShorter() throws {
            let run = try succeed(
                "\(clip("a", 40)) \(clip("b", 20)) --duration 3 --video-codec ffv1 \(folder / "o.mkv")")
            #expect(try hashes(folder / "o.mkv").count == 40)
            #expect(!warnings(run).isEmpty)
        }

        @Test func strictRefusesToShorten() throws {
            try expectExit([clip("a", 40), clip("b", 20), clip("c", 40), "--strict", folder / "out.mkv"], 65, lines: 1)
            #expect(try folder.names == [])
            try succeed([clip("a", 40), clip("b", 40), "--strict", folder / "fits.mkv"])
        }

        @Test func freezeSpendsNothingOfEitherClip() throws {
            let inputs = try [clip("a", 20), clip("b", 20)]
            let out = folder / "out.mkv"
            try succeed(inputs + ["--overlap", "freeze", "--duration", "6f", "--video-codec", "ffv1", out])
            let found = try hashes(out)
            try #require(found.count == 46)
            #expect(try Array(found[0..<20]) == hashes(inputs[0]) && Array(found[26...]) == hashes(inputs[1]))
            let (a, b) = try (pictures(inputs[0]), pictures(inputs[1]))
            expect(
                Overlap(
                    style: "flip", look: try look("flip", []).look, start: 20,
                    pictures: Array(repeating: (a[19], b[0]), count: 6)),
                in: try pictures(out), within: .pattern)
        }

        @Test func otherRatesAreResampledByTime() throws {
            let ntsc = try clips().pattern("rate-ntsc", frames: 90, rate: "30000/1001")
            // 90 frames at 29.97 are 3.003 s: 75 frames at 25.
            try succeed([ntsc, ntsc, "--fps", "25", folder / "out.mp4"])
            let out = try Judge.video(folder / "out.mp4")
            #expect(out.frameCount == 75 + 75 - 15 && out.times.first == 0 && out.isEven(atRate: 25))
            try succeed([ntsc, ntsc, "--fps", "60000/1001", "--duration", "12f", folder / "double.mp4"])
            let double = try Judge.video(folder / "double.mp4")
            #expect(double.frameCount == 180 + 180 - 12 && double.isEven(atRate: 60000.0 / 1001))
            // The second clip, which is longer, is converted to the rate of the one that is asked for: 40 frames at 25 are 48 at 30.
            let thirty = try clips().pattern("duration-a", frames: 40, rate: "30")
            try succeed([thirty, clip("a", 40), "--duration", "10f", "--like", "first", folder / "mixed.mp4"])
            let mixed = try Judge.video(folder / "mixed.mp4")
            #expect(mixed.frameCount == 40 + 48 - 10 && mixed.isEven(atRate: 30))
        }

        @Test func mediaFragmentsTrimInputs() throws {
            let inputs = try [clip("a", 40), clip("b", 40)]
            try succeed(
                "\(inputs[0] + "#t=0.4,1.2") \(inputs[1] + "#t=0.8") --transition cut",
                "--video-codec ffv1 \(folder / "o.mkv")")
            let expected = try Array(hashes(inputs[0])[10..<30]) + hashes(inputs[1])[20...]
            #expect(try hashes(folder / "o.mkv") == expected)
        }
    }
}
