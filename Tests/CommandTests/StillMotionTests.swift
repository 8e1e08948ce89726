import TestSupport
import Testing

extension CommandTests {
    /// Stills that move (EFFECTS 12), measured in what ffmpeg decodes.
    @Suite(.serialized) struct StillMotionTests {
        let folder = TemporaryFolder.make()

        /// A dark picture of 1920x1080 with a fine cross, 2 pixels wide, whose middle is at (720, 540).
        private func cross() throws -> String {
            let path = folder / "cross.png"
            try Tool.ffmpeg(
                "-f lavfi -i color=black:s=1920x1080 -vf",
                "drawbox=x=719:y=0:w=2:h=1080:c=white:t=fill,drawbox=x=0:y=539:w=1920:h=2:c=white:t=fill",
                "-frames:v 1 \(path)")
            return path
        }

        /// The middle of the light along a line of `count` samples.
        private func middle(_ count: Int, _ sample: (Int) -> UInt16) -> Double {
            var (sum, moment) = (0.0, 0.0)
            for index in 0..<count {
                // Limited range: black is 16.
                let light = max(0, Double(sample(index)) - 16)
                sum += light
                moment += light * (Double(index) + 0.5)
            }
            return moment / sum
        }

        /// A motion, and the parts of the picture at its beginning and end: left, top and size, in fractions.
        struct Motion: Sendable {
            let text: String
            let start: [Double]
            let end: [Double]

            static let all = [
                Motion(text: "zoom=1.2", start: [0, 0, 1], end: [1.0 / 12, 1.0 / 12, 1 / 1.2]),
                Motion(
                    text: "zoom=1.2,from=top-left,to=bottom-right", start: [0, 0, 1 / 1.2],
                    end: [1.0 / 6, 1.0 / 6, 1 / 1.2]),
                Motion(text: "zoom=1.5:1,from=left", start: [0, 1.0 / 6, 1 / 1.5], end: [0, 0, 1]),
            ]
        }

        /// The cross is where the geometry says, to a tenth of a pixel, in every frame.
        @Test(arguments: Places.some(Motion.all, every: 3)) func theCrossMovesWithoutJitter(motion: Motion) throws {
            let (picture, out) = (try cross(), folder / "out.mkv")
            try succeed(
                "\(picture + "#t=2&" + motion.text) \(picture) --transition cut --fps 30 --size 960x540",
                "--video-codec ffv1 --pix-fmt gray \(out)")
            let frames = try Judge.pictures(out, pixelFormat: "gray", width: 960, height: 540, range: 0..<60)
            try #require(frames.count == 60)
            var largest = 0.0
            for (index, frame) in frames.enumerated() {
                let time = Double(index) / 59
                let part = zip(motion.start, motion.end).map { $0 + ($1 - $0) * time }
                let (expectedX, expectedY) = ((0.375 - part[0]) / part[2] * 960, (0.5 - part[1]) / part[2] * 540)
                // Away from the cross's own bars.
                let x = middle(960) { frame[plane: 0, x: $0, y: 20] }
                let y = middle(540) { frame[plane: 0, x: 900, y: $0] }
                largest = max(largest, abs(x - expectedX), abs(y - expectedY))
            }
            #expect(largest < 0.1, "\(motion.text): off by \(largest) pixels")
        }

        /// A still moves through the transitions at its ends, and one that begins with the whole picture begins as it would
        /// without motion, nearly: it is drawn from a larger picture.
        @Test func itMovesInTransitionsAndBeginsAsItWouldAtRest() throws {
            let plain = try clips().pattern("motion", frames: 25, size: "320x180")
            let still = folder / "still.png"
            try Tool.ffmpeg("-i \(plain) -frames:v 1 \(still)")
            let common = ["--style", "dissolve", "--duration", "0.4", "--video-codec", "ffv1", "--fps", "25"]
            try succeed([still + "#t=1&zoom=1.2", plain] + common + [folder / "moving.mkv"])
            try succeed([still + "#t=1", plain] + common + [folder / "resting.mkv"])
            let (moving, resting) = try (
                Judge.pictures(folder / "moving.mkv", pixelFormat: "yuv444p", width: 320, height: 180),
                Judge.pictures(folder / "resting.mkv", pixelFormat: "yuv444p", width: 320, height: 180)
            )
            try #require(moving.count == 40 && resting.count == 40)
            #expect(PictureDifference(moving[0], resting[0]).psnr > 27)
            #expect(Set(moving[..<25].map(\.planes)).count == 25, "every frame differs from the others")
            #expect(moving[25...] == resting[25...], "the second clip is what it was")
        }

        /// The same picture moves in the same way in every run, with any number of threads and segments.
        @Test func itIsTheSameHoweverItIsRendered() throws {
            let picture = try cross()
            let arguments = [picture + "#t=1", picture + "#t=1", "--still-motion", "kenburns", "--size", "320x180"]
            var hashes: [[String]] = []
            for options in [[], ["--threads", "1"], ["--segments", "15f"]] {
                let out = folder / "\(hashes.count).mkv"
                try succeed(arguments + ["--video-codec", "ffv1", "--fps", "25"] + options + [out])
                hashes.append(try Judge.frameHashes(out))
            }
            #expect(hashes[0].count == 35 && hashes[0] == hashes[1] && hashes[0] == hashes[2])
            #expect(Set(hashes[0]).count == 35)
            // A picture of another name moves in another way.
            let other = folder / "other.png"
            try FileManager.default.copyItem(atPath: picture, toPath: other)
            try succeed(
                [other + "#t=1", picture + "#t=1", "--video-codec", "ffv1", "--fps", "25"] + arguments[2...]
                    + [folder / "other.mkv"])
            #expect(try Judge.frameHashes(folder / "other.mkv")[20] != hashes[0][20])
        }

        /// Projects and decks have the same motions; a motion of a picture's own goes before that of all.
        @Test func projectsAndDecksMoveStills() throws {
            let picture = try cross()
            let common = ["--video-codec", "ffv1", "--fps", "25", "--size", "320x180"]
            // What is held for 1 s is a clip of 1.6 s if a transition of 0.6 s follows.
            let joined = ["\(picture)#t=1.6&zoom=1.3,from=left", picture + "#t=1", "--still-motion", "kenburns"]
            try succeed(joined + common + [folder / "join.mkv"])
            let project = """
                clips:
                  - {file: cross.png, hold: 1, zoom: "1.3,from=left"}
                  - {file: cross.png, hold: 1}
                output: {still-motion: kenburns, video-codec: ffv1, fps: 25, size: 320x180}
                """
            try project.write(to: folder / "p.yaml")
            try succeed(["render", folder / "p.yaml", folder / "project.mkv"])
            #expect(try Judge.frameHashes(folder / "project.mkv") == Judge.frameHashes(folder / "join.mkv"))
            try succeed("deck \(picture) \(picture) --hold 1 --still-motion kenburns \(common) \(folder / "deck.mkv")")
            #expect(Set(try Judge.frameHashes(folder / "deck.mkv")).count > 45)
        }

        @Test func whatCannotMoveIsRefused() throws {
            let (picture, film) = (try cross(), try clips().pattern("motion", frames: 25, size: "320x180"))
            for (input, status, word) in [
                (film + "#zoom=1.2", 65, "is not a still"), (picture + "#zoom=5", 64, "expected 1.0...4.0"),
                (picture + "#zoom=nan", 64, "invalid zoom"), (picture + "#zoom=1.2,from=middle", 64, "invalid zoom"),
                (picture + "#zoom=1.2,from=left,from=right", 64, "invalid zoom"),
                (picture + "#zoom=1.2&zoom=1.3", 64, "invalid 'zoom=1.3'"),
            ] as [(String, Int32, String)] {
                try expectExit([input, film, folder / "no.mp4"], status, saying: word, lines: 1)
            }
            let graph = try CommandTests.run("export --as ffmpeg \(picture + "#zoom=1.2") \(film) \(folder / "no.mp4")")
            #expect(graph.status == 64 && graph.messages.contains("stills that move"), "\(graph.story)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.hasPrefix("no") })
        }
    }
}
