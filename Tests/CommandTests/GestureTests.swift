import TestSupport
import Testing

extension CommandTests {
    /// `--gesture`: a recorded movement in place of the easing.
    @Suite(.serialized) struct GestureTests {
        let folder = TemporaryFolder.make()
        private static let clips = ["bunny.mp4", "flower.mp4"].map { Places.package + "/Media/" + $0 }

        /// 1 s at 0.25, then 1 s at 0.625, then 0.225 s to the end: 2.225 s in all.
        private static let steps = """
            {"version": 1, "style": "flip", "aspect": 1.7778, "samples": [
            [0, 1, "down", 0.9, 0.5], [0, 1, "move", 0.7, 0.5], [1000, 1, "move", 0.4, 0.5], [2000, 1, "up", 0.4, 0.5]]}
            """

        private static func file(_ text: String, in folder: TemporaryFolder, _ name: String = "hand.json") throws
            -> String
        {
            let path = folder / name
            try text.write(to: path)
            return path
        }

        /// The luma and chroma of each frame of a lossless video.
        private static func frames(_ path: String) throws -> [Data] {
            let raw = try Tool.ffmpeg("-i \(path) -f rawvideo -").output
            let size = 640 * 360 * 3 / 2
            return stride(from: 0, to: raw.count, by: size).map { raw.subdata(in: $0..<$0 + size) }
        }

        private static func still(_ progress: Double, _ folder: TemporaryFolder) throws -> Data {
            let path = folder / "still.yuv"
            try succeed(["still"] + clips + [path, "-y", "--pix-fmt", "yuv420p", "--at", "\(progress)"])
            return try Data(contentsOf: path)
        }

        @Test(.turn(2, of: 3)) func framesFollowTheHand() throws {
            let hand = try Self.file(Self.steps, in: folder)
            let out = folder / "out.mkv"
            let lossless = ["--video-codec", "ffv1", "--no-audio", "--overlap", "freeze"]
            try CommandTests.succeed(Self.clips + [out, "--gesture", hand] + lossless)
            let frames = try Self.frames(out)
            // 75 frames each, and 2.225 s at 25 frames a second between them, rounded: 56.
            #expect(frames.count == 75 + 56 + 75)
            let (quarter, more) = (try Self.still(0.25, folder), try Self.still(0.625, folder))
            for index in 0..<56 {
                let time = Double(index + 1) / 57 * 2225
                if time < 1000 { #expect(frames[75 + index] == quarter, "frame \(index)") }
                if time >= 1000, time < 2000 { #expect(frames[75 + index] == more, "frame \(index)") }
            }
            #expect(frames[75 + 55] != more)

            // A duration scales the time; a spec says the same, and so does a project, whose folder it is relative to.
            try CommandTests.succeed(Self.clips + [out, "-y", "--gesture", hand, "--duration", "10f"] + lossless)
            let scaled = try Self.frames(out)
            #expect(scaled.count == 160)
            #expect(scaled[75 + 3] == quarter && scaled[75 + 5] == more)
            let project = try Self.file(
                "clips:\n  - {file: \(Self.clips[0]), transition: flip=gesture=hand.json:duration=10f:overlap=freeze}\n"
                    + "  - \(Self.clips[1])\n", in: folder, "film.yaml")
            try CommandTests.succeed(["render", project, out, "-y", "--video-codec", "ffv1", "--no-audio"])
            #expect(try Self.frames(out) == scaled)
        }

        @Test func picturesTakeThePartOfItsTime() throws {
            let hand = try Self.file(Self.steps, in: folder)
            let path = folder / "a.yuv"
            try CommandTests.succeed("still \(Self.clips) \(path) --pix-fmt yuv420p --gesture \(hand) --at 0.3")
            #expect(try Data(contentsOf: path) == Self.still(0.25, folder))
            // After a quarter of the hand's 2225 ms, the page stands at 0.25, and then at 0.625; without it, halfway.
            let sheets = try [["--gesture", hand], ["--easing", "linear(0,0.25,0.625,0.625,1)"], []].map { options in
                try CommandTests.succeed(
                    "sheet \(Self.clips) \(folder / "s.ppm") -y --style flip --columns 3 \(options)")
                return try Data(contentsOf: folder / "s.ppm")
            }
            #expect(sheets[0] == sheets[1] && sheets[0] != sheets[2])
            let cells = try [["--gesture", hand], []].map { options in
                try CommandTests.succeed("still \(Self.clips) \(path) -y --pix-fmt yuv420p --at 0.5 \(options)")
                return try Data(contentsOf: path)
            }
            #expect(try cells[0] == Self.still(0.625, folder) && cells[0] != cells[1])
        }

        @Test func mistakesAreSentences() throws {
            let hand = try Self.file(Self.steps, in: folder)
            let back = try Self.file(
                Self.steps.replacingOccurrences(of: "0.4, 0.5]]", with: "0.85, 0.5]]")
                    .replacingOccurrences(of: "0.4, 0.5]", with: "0.85, 0.5]"), in: folder, "back.json")
            let cases: [(String, String)] = [
                ("", "no JSON object"), ("[1]", "no JSON object"), ("{\"version\": 2}", "version is not 1"),
                ("{\"version\": 1}", "doesn't name its style"),
                ("{\"version\": 1, \"style\": \"flop\"}", "unknown style"),
                (Self.steps.replacingOccurrences(of: "1.7778", with: "0"), "aspect"),
                (Self.steps.replacingOccurrences(of: "\"aspect\"", with: "\"model\": \"fly\", \"aspect\""), "model"),
                (Self.steps.replacingOccurrences(of: "\"down\"", with: "\"press\""), "sample 1"),
                (Self.steps.replacingOccurrences(of: "[2000", with: "[500"), "sample 4"),
                (Self.steps.replacingOccurrences(of: "[2000", with: "[1e999"), "JSON"),
                (Self.steps.replacingOccurrences(of: "[2000", with: "[90000"), "at most 60000"),
            ]
            for (text, words) in cases {
                let broken = try Self.file(text, in: folder, "broken.json")
                let run = try CommandTests.run(["plan"] + Self.clips + [folder / "o.mp4", "--gesture", broken])
                #expect(run.status == 65 && run.messageLines.count == 1, "\(run.story)")
                #expect(run.messages.contains(words) && run.messages.contains("broken.json"), "\(run.story)")
            }
            for (options, status, words) in [
                (["--gesture", back], 65, "back where it was"),
                (["--gesture", hand, "--style", "card"], 65, "style flip"),
                (["--gesture", hand, "--direction", "backward"], 65, "back where it was"),
                (["--gesture", folder / "none.json"], 66, "none.json"),
                (["--gesture", hand, "--easing", "linear"], 64, "takes the place of --easing"),
                (["--transition", "flip=easing=linear:gesture=\(hand)"], 64, "takes its place"),
            ] as [([String], Int32, String)] {
                try expectExit(["plan"] + Self.clips + [folder / "o.mp4"] + options, status, saying: words, lines: 1)
            }
            let graph = try CommandTests.run("export --as ffmpeg \(Self.clips) \(folder / "o.mp4") --gesture \(hand)")
            #expect(graph.status == 64 && graph.messages.contains("can't follow the gesture"), "\(graph.story)")
            // The gesture is an input, which the output doesn't replace.
            try expectExit(Self.clips + [hand, "-f", "matroska", "-y", "--gesture", hand], 64, saying: "hand.json")
            #expect(try String(contentsOf: hand) == Self.steps)
        }

        @Test func projectsReadNoGestureOutsideTheRoot() throws {
            let hand = try Self.file(Self.steps, in: folder)
            let inner = folder / "inner"
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
            for name in ["bunny.mp4", "flower.mp4"] {
                try FileManager.default.copyItem(atPath: Places.package + "/Media/" + name, toPath: inner + "/" + name)
            }
            let text = "clips: [{file: bunny.mp4, transition: flip=gesture=\(hand)}, flower.mp4]\n"
            try text.write(to: inner + "/film.yaml")
            let plan = ["plan", inner + "/film.yaml", folder / "o.mp4"]
            #expect(try CommandTests.succeed(plan).text.contains("by \(hand)"))
            try expectExit(plan + ["--root", inner], 65, saying: "outside")
        }
    }
}
