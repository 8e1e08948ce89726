import TestSupport
import Testing

extension CommandTests {
    /// Projects of Kdenlive and Shotcut that `export` writes. Kdenlive 22.12.3 and Shotcut 22.12 have opened such files, with
    /// all clips, transitions and fades in their timelines.
    @Suite(.serialized) struct EditorExportTests {
        private let folder = TemporaryFolder.make()
        private static let transitions = ["--transition", "flip", "--transition", "fold=mode=cubic"]

        /// Three clips whose names need escaping, as words for a join: parts of films with sound, in another rate and size, and
        /// a picture.
        private func join() throws -> [String] {
            for (index, name) in ["bunny", "flower"].enumerated() {
                try Tool.ffmpeg(
                    "-y -i \(Places.package)/Media/\(name).mp4",
                    "-f lavfi -i sine=f=\(440 + 220 * index):r=48000 -map 0:v -map 1:a -t 3",
                    "-vf fps=25,scale=320:180,format=yuv420p -c:v ffv1 -c:a pcm_s16le -ac 2 -colorspace bt709",
                    "-color_primaries bt709 -color_trc bt709 -color_range tv",
                    "\(folder / "\(name) & <\"1\">.mkv")")
            }
            try Tool.ffmpeg("-y -f lavfi -i testsrc2=s=320x180 -frames:v 1 \(folder / "picture.png")")
            return [
                folder / "bunny & <\"1\">.mkv#t=0.4,2", folder / "flower & <\"1\">.mkv", folder / "picture.png#t=1.2",
                folder / "bunny & <\"1\">.mkv#t=1,2.2",
            ]
        }

        /// melt, with the plugin, makes of a project what the program makes of the same clips.
        @Test(
            .enabled(if: Places.plugins != nil, Comment(rawValue: Places.pluginsAreMissing)),
            .enabled(if: PluginTests.has("melt"), "needs melt"), arguments: Places.some(["kdenlive", "mlt"], every: 2))
        func meltDrawsTheSame(ending: String) throws {
            let join = try join() + Self.transitions
            let (project, own, other) = (folder / "film.\(ending)", folder / "own.mkv", folder / "melt.mkv")
            try succeed(["export"] + join + [project])
            let lossless = ["--video-codec", "ffv1", "--audio-codec", "pcm_f32le", "--audio-curve", "linear"]
            try succeed(join + [own] + lossless)
            try MeltRun.succeed(
                [
                    project, "-consumer", "avformat:\(other)", "f=matroska", "vcodec=ffv1", "acodec=pcm_f32le",
                    "real_time=-1",
                ], writing: other, environment: ["QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":none"])
            let psnr = try Judge.psnr(other, own)
            // 40, 75, 30 and 30 frames, of which three transitions take 15 each.
            try #require(psnr.count == 130)
            let turning = [25..<40, 85..<100, 100..<115]
            for (frame, psnr) in psnr.enumerated() {
                // MLT converts chroma, and the plugin draws in R'G'B'.
                #expect(psnr >= (turning.contains { $0.contains(frame) } ? 40 : 45), "frame \(frame): \(psnr) dB")
            }
            let (samples, expected) = (try Judge.samples(other), try Judge.samples(own))
            try #require(samples.count == expected.count && !samples.isEmpty)
            let worst = zip(samples, expected).map { ($0 - $1).magnitude }.max() ?? 0
            // MLT's crossfades of the two tones, of 1/8 each, are up to a frame late, a sixteenth of them.
            #expect(worst < 0.125 / 4, "\(worst)")
        }

        /// The program reads its own projects as the same timeline.
        @Test(arguments: ["kdenlive", "mlt"]) func projectsAreReadAgain(ending: String) throws {
            let join = try Array(join()[..<2] + join()[3...]) + Self.transitions
            try succeed(["export"] + join + [folder / "film.\(ending)"])
            let plans = try [join, [folder / "film.\(ending)"]].map {
                try planJSON($0 + [folder / "out.mkv", "--render", "auto"])
            }
            let joins = try plans.map { try #require($0["joins"] as? [[String: Any]]) }
            #expect(joins[0].map { $0["frames"] as? Int } == [15, 15])
            let frames = plans.map { plan in
                (plan["inputs"] as? [[String: Any]])?.map { input in
                    "\(input["path"] as? String ?? "") \(((input["usedStart"] as? Double ?? 0) * 25).rounded())"
                }
            }
            try #require(frames[0]?.count == 3)
            #expect(frames[0] == frames[1])
            for key in ["style", "frames", "start", "spec"] {
                #expect(joins[0].map { "\($0[key] ?? "")" } == joins[1].map { "\($0[key] ?? "")" }, "\(key)")
            }
        }

        /// Clips of another shape fill the frame in melt as they do here, and what can't be written into a project is named.
        @Test(
            .enabled(if: PluginTests.has("melt"), "needs melt"), arguments: ["kdenlive", "mlt"], ["crop", "stretch"])
        func clipsOfAnotherShapeFillTheFrame(ending: String, fit: String) throws {
            let join = try shapes() + ["--size", "320x180", "--fit", fit]
            let (project, own, other) = (folder / "film.\(ending)", folder / "own.mkv", folder / "melt.mkv")
            #expect(try !run(["export"] + join + [project]).messages.contains("bars"))
            try succeed(join + [own, "--video-codec", "ffv1"])
            try MeltRun.succeed(
                [project, "-consumer", "avformat:\(other)", "f=matroska", "vcodec=ffv1", "real_time=-1"],
                writing: other,
                environment: ["QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":none"])
            let psnr = try Judge.psnr(other, own)
            // Bars, or a picture of another shape, are 10 dB.
            #expect(psnr.count == 20 && psnr.min() ?? 0 > 25, "\(psnr)")
        }

        @Test func barsThatProjectsCannotHoldAreNamed() throws {
            let join = try shapes() + ["--size", "320x180", folder / "film.mlt", "-y"]
            for (words, name) in [
                ([], nil), (["--background", "red"], "the color of bars, which are black"),
                (["--fit", "blur"], "blurred bars, which are black"), (["--fit", "crop", "--background", "red"], nil),
            ] as [([String], String?)] {
                let run = try run(["export"] + join + words)
                #expect(run.status == 0 && run.messages.contains("bars") == (name != nil), "\(run.story)")
                if let name { #expect(run.messages.contains(name), "\(run.story)") }
            }
        }

        /// A square clip and a wide one.
        private func shapes() throws -> [String] {
            for (name, size) in [("square", "240x240"), ("wide", "320x180")] {
                try Tool.ffmpeg(
                    "-y -f lavfi -i testsrc2=s=\(size):r=25 -frames:v 10 -vf format=yuv420p,boxblur=4 -c:v ffv1",
                    "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv \(folder / name).mkv")
            }
            return [folder / "square.mkv", folder / "wide.mkv", "--transition", "cut"]
        }

        /// Pages, which MLT can't draw, are pictures beside the project.
        @Test func pagesBecomePictures() throws {
            let slides = folder / "slides.html.png"
            try Tool.ffmpeg("-f lavfi -i testsrc2=s=320x180 -frames:v 1 -c:v libwebp -f webp \(folder / "page.webp")")
            try Tool.ffmpeg("-f lavfi -i testsrc2=s=320x180 -frames:v 1 \(slides)")
            let words = ["export", folder / "page.webp", slides, folder / "deck.kdenlive"]
            try succeed(words)
            let text = try String(contentsOf: folder / "deck.kdenlive")
            #expect(text.contains(">deck-pictures/picture-0001.png<") && text.contains(">slides.html.png<"))
            let picture = folder / "deck-pictures/picture-0001.png"
            #expect(try Judge.psnr(picture, slides).min() ?? 0 > 25)
            #expect(try run(words).status != 0, "Existing files stay.")
            try succeed(words + ["-y"])
            let nowhere = try run(["export", "--as", "mlt", folder / "page.webp", slides, "-"])
            #expect(nowhere.status == 64 && nowhere.messages.contains("pictures beside the project"))
        }

        @Test func heldFramesAreRefused() throws {
            let run = try run(["export"] + join() + ["--overlap", "freeze", folder / "film.mlt"])
            #expect(run.status == 64 && run.messages.contains("can't hold frames"))
            #expect(!FileManager.default.fileExists(atPath: folder / "film.mlt"))
        }
    }
}
