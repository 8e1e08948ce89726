import FlipGeometry
import FlipRaster
import TestSupport
import Testing

extension CommandTests {
    @Suite(.serialized) struct ReportTests {
        let folder = TemporaryFolder.make()

        private func inputs() throws -> (String, String) {
            try (clips().pattern("report-a", frames: 41, sound: true), clips().pattern("report-b", frames: 37, hue: 90))
        }

        /// 41 + 37 frames less the overlap of 15.
        private static let frames = 63

        /// What a plan has to say of the join of `inputs`: at 25 fps, 0.6 s are 15 frames, of which the first is the last but 14 of
        /// the 41 of the first clip.
        private func expectJoin(_ plan: Any?, _ a: String, _ b: String) throws {
            let plan = try #require(plan as? [String: Any])
            let output = try #require(plan["output"] as? [String: Any])
            #expect(output["frames"] as? Int == Self.frames && output["path"] as? String == folder / "out.mp4")
            let joins = try #require(plan["joins"] as? [[String: Any]])
            try #require(joins.count == 1)
            #expect(joins[0]["style"] as? String == "flip" && joins[0]["frames"] as? Int == 15)
            #expect(joins[0]["start"] as? Int == 41 - 15)
            let inputs = try #require(plan["inputs"] as? [[String: Any]])
            #expect(inputs.map { $0["path"] as? String } == [a, b] && inputs.map { $0["frames"] as? Int } == [41, 37])
            #expect((plan["warnings"] as? [String])?.isEmpty == true)
        }

        @Test(.needsMedia) func probeAgreesWithFfprobe() throws {
            let names = [
                "h264-aac-960x540-29-97fps-flower.mp4", "prores-422hq-10bit-320x240.mov", "hevc-aac-640x360-25fps.mp4",
                "h264-noaudio-640x360-40s-bottles.mp4", "vp8-vorbis-960x540-flower.webm",
            ]
            for name in names {
                let clip = try medium(name)
                let json = try JSONValue(succeed(["probe", clip, "--json"]).output)
                let video = try Judge.video(clip)
                #expect(json.numbers(under: "width").contains(Double(video.width)), "\(name)")
                #expect(json.numbers(under: "height").contains(Double(video.height)), "\(name)")
                #expect(json.strings.contains { $0.contains(video.codec) }, "\(name)")
                #expect(json.strings.contains { $0.contains(video.pixelFormat) }, "\(name)")
                if let audio = try Judge.audio(clip) {
                    #expect(json.numbers.contains(Double(audio.sampleRate)), "\(name)")
                    #expect(json.strings.contains { $0.contains(audio.codec) }, "\(name)")
                }
                let text = try succeed(["probe", clip]).text
                #expect(text.contains("\(video.width)x\(video.height)"), "\(text)")
            }
            let both = try JSONValue(succeed(["probe", medium(names[0]), medium(names[1]), "--json"]).output)
            #expect(both.numbers(under: "width").contains(960) && both.numbers(under: "width").contains(320))
        }

        @Test func planSaysWhatJoinDoes() throws {
            let (a, b) = try inputs()
            let run = try succeed(["plan", a, b, "--json", folder / "out.mp4"])
            try expectJoin(JSONValue(run.output).value, a, b)
            #expect(try folder.names == [])
            let text = try succeed(["plan", a, b, folder / "out.mp4"]).text
            #expect(
                text.contains(", 63 frames (2.520 s), ") && text.contains("\nframes 26...40: flip from "), "\(text)")
            #expect(try folder.names == [])
            // What is done, as ffprobe sees it.
            try succeed([a, b, folder / "out.mp4"])
            #expect(try Judge.video(folder / "out.mp4").frameCount == Self.frames)
        }

        @Test func planDoesNotMindAnOutputThatExists() throws {
            let (a, b) = try inputs()
            try "precious".write(to: folder / "out.mp4")
            let text = try succeed(["plan", a, b, folder / "out.mp4"]).text
            #expect(text.contains(", 63 frames "), "\(text)")
            #expect(FileManager.default.contents(atPath: folder / "out.mp4") == Data("precious".utf8))
        }

        @Test func silenceUnlessAsked() throws {
            let (a, b) = try inputs()
            let run = try succeed([a, b, folder / "out.mp4"])
            #expect(run.messages == "" && run.output.isEmpty)
        }

        @Test func theReportSaysWhatWasDone() throws {
            let (a, b) = try inputs()
            try succeed([a, b, "--report", folder / "report.json", folder / "out.mp4"])
            let report = try #require(JSONValue(Data(contentsOf: folder / "report.json")).value as? [String: Any])
            try expectJoin(report["plan"], a, b)
            #expect(report["framesEncoded"] as? Int == Self.frames && report["framesCopied"] as? Int == 0)
            let bytes = try FileManager.default.attributesOfItem(atPath: folder / "out.mp4")[.size] as? Int
            #expect(bytes != nil && report["bytes"] as? Int == bytes)
            #expect((report["warnings"] as? [String])?.isEmpty == true)
            // A process with the libraries of FFmpeg takes more than 10 MB, and one that draws small frames less than 1 GB.
            let memory = try #require(report["peakMemoryBytes"] as? Int)
            #expect((10 << 20..<1 << 30).contains(memory), "\(memory)")
            #expect(try folder.names == ["out.mp4", "report.json"])
        }

        @Test func theStagesOfTheReportAddUp() throws {
            let (a, b) = try inputs()
            try succeed([a, b, "--report", folder / "report.json", folder / "out.mp4"])
            let report = try #require(JSONValue(Data(contentsOf: folder / "report.json")).value as? [String: Any])
            let stages = try #require(report["stages"] as? [String: Any])
            let seconds = { (key: String, part: Any?) in try #require((part as? [String: Any])?[key] as? Double) }
            let counts = [
                "demuxing": 78, "decoding": 78, "conforming": 78, "rendering": 15, "encoding": 63, "audio": nil,
                "muxing": nil,
            ]
            var total = 0.0
            for (name, count) in counts {
                let stage = try #require(stages[name] as? [String: Any], "\(name)")
                #expect(count == nil || stage["count"] as? Int == count, "\(name): \(stage)")
                #expect(try seconds("wallSeconds", stage) > 0 && seconds("processorSeconds", stage) > 0, "\(name)")
                total += try seconds("processorSeconds", stage)
            }
            for key in ["planningProcessorSeconds", "innerThreadsProcessorSeconds"] {
                let part = try seconds(key, stages)
                #expect(part >= 0)
                total += part
            }
            // The codecs' threads are assigned the rest, so a sum above the total means that something was counted
            // twice.
            #expect(try abs(total - seconds("processorSeconds", report)) < 1e-6, "\(total): \(report)")
            let kinds = try #require(stages["kinds"] as? [[String: Any]])
            for stage in ["demuxing", "decoding", "conforming"] {
                let parts = try kinds.map { try seconds("processorSeconds", $0[stage]) }
                #expect(try abs(parts.reduce(0, +) - seconds("processorSeconds", stages[stage])) < 1e-6)
            }
            #expect(try #require(report["peakMemoryBytes"] as? Int) > 1 << 20)
        }

        /// A still is the reference renderer's frame. The inputs are PNGs, so that both are R'G'B'.
        @Test func stillIsTheFrameOfTheDefinition() throws {
            let images = try ["a": 0, "b": 130].map { name, hue in
                (
                    name,
                    try clips().make(
                        "still-\(name).png", "-f lavfi -i testsrc2=s=160x90:d=1 -vf hue=h=\(hue),format=rgb24",
                        "-frames:v 1")
                )
            }
            let paths = Dictionary(uniqueKeysWithValues: images)
            let (a, b) = try (#require(paths["a"]), #require(paths["b"]))
            let (from, to) = try (picture(a), picture(b))
            for (style, words, progress) in [
                ("flip", ["easing=linear"], 0.3), ("card", ["easing=linear"], 0.7), ("fold", ["easing=linear"], 0.45),
            ] {
                let (arguments, look) = try look(style, words)
                let out = folder / "\(style).png"
                try succeed(["still", a, b, out, "--at", "\(progress)"] + arguments)
                let reference = Reference.render(style: style, look: look, progress: progress, from: from, to: to)
                let difference = PictureDifference(try picture(out), reference)
                #expect(difference.psnr > Nearness.pattern.psnr, "\(style): \(difference)")
            }
            for (progress, original) in [("0", from), ("1", to)] {
                try succeed(["still", a, b, folder / "end-\(progress).png", "--at", progress])
                #expect(try picture(folder / "end-\(progress).png") == original)
            }
            #expect(try CommandTests.run(["still", a, b, folder / "x.png", "--at", "1.5"]).status == 64)
        }

        /// `still` and `sheet` accept those of join's options that affect a picture, and refuse the others.
        @Test(.turn(1, of: 2)) func picturesTakeWhatMeansSomethingToThem() throws {
            let a = try clips().pattern("picture-a", frames: 20)
            let b = try clips().pattern("picture-b", frames: 20, hue: 120)
            let (spec, options) = (folder / "spec.png", folder / "options.png")
            try succeed(["still", a, b, spec, "--transition", "card=easing=linear:shadow=none", "--deinterlace", "off"])
            try succeed("still \(a) \(b) \(options) --style card --easing linear --shadow none --strict")
            #expect(FileManager.default.contentsEqual(atPath: spec, andPath: options))
            try succeed("sheet \(a) \(b) \(folder / "one.png") --columns 2 --transition card --size 64x36")
            try succeed(["sheet", a, b, folder / "same.png", "--columns", "2", "--style", "card", "--size", "64x36"])
            #expect(FileManager.default.contentsEqual(atPath: folder / "one.png", andPath: folder / "same.png"))
            try "\(a)\n\(b)\n".write(to: folder / "list.txt")
            let outside = try CommandTests.run(
                "still \("@" + (folder / "list.txt")) \(b) \(folder / "x.png") --root \(folder.path)")
            #expect(outside.status == 65 && outside.messages.contains("list.txt"), "\(outside.story)")
            for words in [
                ["--audio-codec", "aac"], ["--audio-bitrate", "64k"], ["--audio-curve", "none"],
                ["--audio-copy", "exact"], ["--loudness", "-16"], ["--no-audio"],
                ["--chapters"], ["--render", "auto"], ["--segments", "10"], ["--held-frames", "vfr"],
                ["--still-duration", "2"], ["--audio-track", "1"], ["--transition", "card", "--style", "flip"],
                ["--transition", "card", "--transition", "flip"], ["--transition", "cut"],
            ] {
                for command in ["still", "sheet"] {
                    let run = try CommandTests.run([command, a, b, folder / "x.png"] + words)
                    #expect(run.status == 64 && run.messageLines.count == 1, "\(words): \(run.story)")
                    #expect(run.messages.contains(words[0]) || run.messages.contains("a cut has no"), "\(run.messages)")
                }
            }
            #expect(!FileManager.default.fileExists(atPath: folder / "x.png"))
        }

        /// 50 frames per second lose every other frame at 25, and 25 per second are each shown twice at 50.
        @Test func framesLeftOutAndShownAgainAreSaid() throws {
            let a = try clips().pattern("choice-a", frames: 50, rate: "50")
            let b = try clips().pattern("choice-b", frames: 25)
            let text = try succeed(["plan", a, b, "x.mkv", "--fps", "25", "--transition", "cut"]).text
            #expect(text.contains("choice-a.mkv: 25 frames, 25 left out") && !text.contains("shown again"), "\(text)")
            let inputs = try planRows("inputs", [a, b, "x.mkv", "--transition", "cut"])
            #expect(inputs.map { $0["framesDropped"] as? Int } == [0, 0])
            #expect(inputs.map { $0["framesRepeated"] as? Int } == [0, 25])
            // Every fourth of 40 frames is missing; the frame before it is shown again in its place.
            let uneven = try clips().make(
                "choice-uneven.mkv", "-f lavfi -i testsrc2=s=64x36:r=25 -vf select='lt(n,40)*mod(n,4)'",
                "-fps_mode passthrough -frames:v 30 -c:v ffv1")
            let others = try planRows("inputs", [uneven, b, "x.mkv", "--fps", "25", "--transition", "cut"])
            let first = try #require(others.first)
            // Frames 1 to 39 of the source, of which 4, 8 ... 36 are missing.
            #expect(first["frames"] as? Int == 39 && first["framesDropped"] as? Int == 0, "\(first)")
            #expect(first["framesRepeated"] as? Int == 9, "\(first)")
        }

        /// A JPEG still looks like a PNG, although JPEG has full range only and most clips have limited range.
        @Test func aStillIsTheSameAsJPEG() throws {
            let clips = ["bunny", "flower"].map { "\(Places.package)/Media/\($0).mp4" }
            let stills = try ["png", "jpg"].map { ending in
                let still = folder / "still.\(ending)"
                try succeed(["still"] + clips + [still, "--at", "0.3", "--size", "160x90"])
                return try picture(still)
            }
            let difference = PictureDifference(stills[0], stills[1])
            #expect(difference.psnr > 35, "\(difference)")
        }

        private func picture(_ path: String) throws -> TestPicture {
            try #require(try Judge.pictures(path, pixelFormat: "gbrp", width: 160, height: 90).first)
        }
    }
}
