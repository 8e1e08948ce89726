import TestSupport
import Testing

extension CommandTests {
    /// Captions that are drawn into the picture, as another program reads them.
    @Suite(.serialized) struct CaptionTests {
        let folder = TemporaryFolder.make()

        /// Two clips of 50 frames without text in them, and captions that begin in the transition of 25 frames between
        /// them, at output frame 25, and change at frame 36, within it.
        private func inputs(_ folder: TemporaryFolder) throws -> [String] {
            let captions = """
                1
                00:00:01,000 --> 00:00:01,440
                TURNING PAGES

                2
                00:00:01,440 --> 00:00:02,500
                SECOND CAPTION

                """
            try captions.write(to: folder / "captions.srt")
            return try ["gradient-a", "gradient-b"].enumerated().map { index, name in
                try clips().make(
                    "caption-\(name).mkv",
                    [
                        "-f", "lavfi", "-i",
                        "gradients=s=1280x720:r=25:seed=\(index + 3):c0=silver:c1=black:c2=orange:c3=navy:nb_colors=4:speed=0.01",
                        "-frames:v", "50", "-pix_fmt", "yuv420p", "-c:v", "ffv1",
                    ])
            }
        }

        /// What OCR reads in output frame `index`.
        private func text(_ path: String, _ index: Int, _ folder: TemporaryFolder) throws -> String {
            let picture = folder / "frame-\(index).png"
            // The letters are whiter than anything else in the picture.
            try Tool.ffmpeg(
                "-y -i \(path) -vf",
                "select=eq(n\\,\(index)),crop=iw:ih/4:0:3*ih/4,format=gray,lutyuv=y='if(gt(val,222),0,255)'",
                "-frames:v 1 \(picture)")
            return try Tool.succeed("tesseract", [picture, "-", "--psm", "6"]).text
        }

        @Test(
            .turn(0, of: 2), arguments: Places.some(["outline", "box", "FontSize=22,Bold=1,BorderStyle=3"], every: 3))
        func captionsAreReadOverTurningPages(style: String) throws {
            let out = folder / "out.mkv"
            try succeed(
                "\(inputs(folder)) --captions \(folder / "captions.srt") --burn-captions \(style) --duration 1 --crf 0",
                "--preset ultrafast \(out)")
            // Frames 25 to 49 are the transition.
            for (frame, words) in [
                (25, ["TURNING", "PAGES"]), (35, ["TURNING", "PAGES"]), (36, ["SECOND", "CAPTION"]),
                (60, ["SECOND", "CAPTION"]),
            ] {
                let text = try text(out, frame, folder)
                for word in words { #expect(text.contains(word), "frame \(frame): \(text)") }
            }
            #expect(try Judge.streams(out, "s").isEmpty, "they are not a track as well")
        }

        /// Frames without captions are what they are without the option, and those with captions differ only around these.
        @Test(.turn(1, of: 3), arguments: Places.some([[], ["--segments", "10f"]], every: 2))
        func nothingElseChanges(options: [String]) throws {
            let inputs = try inputs(folder)
            let common = ["--duration", "1", "--crf", "0", "--preset", "ultrafast"] + options
            try succeed(inputs + common + [folder / "plain.mkv"])
            try succeed(
                "\(inputs) \(common) --captions \(folder / "captions.srt")",
                "--burn-captions outline \(folder / "drawn.mkv")")
            let (plain, drawn) = try (Judge.frameHashes(folder / "plain.mkv"), Judge.frameHashes(folder / "drawn.mkv"))
            try #require(plain.count == 75 && drawn.count == 75)
            // The captions are shown from 1 s to 2.5 s: in frames 25 to 62.
            for frame in 0..<75 {
                #expect((plain[frame] == drawn[frame]) != (25...62).contains(frame), "frame \(frame)")
            }
            let upper = ["plain", "drawn"].map { name in
                try? Judge.frameHashes(folder / "\(name).mkv", filter: "crop=iw:ih/2:0:0")
            }
            #expect(upper[0] != nil && upper[0] == upper[1])
        }

        /// A still that is held for long is drawn anew where its captions change.
        @Test func captionsChangeOverHeldStills() throws {
            _ = try inputs(folder)
            let still = folder / "still.png"
            try Tool.ffmpeg("-f lavfi -i color=gray:s=1280x720 -frames:v 1 \(still)")
            let out = folder / "out.mkv"
            try succeed(
                "\(still + "#t=2") \(still + "#t=2") --transition cut --fps 25 --captions \(folder / "captions.srt")",
                "--burn-captions box --crf 0 --preset ultrafast \(out)")
            let hashes = try Judge.frameHashes(out)
            try #require(hashes.count == 100)
            for (range, other) in [(0..<25, 25), (25..<36, 36), (36..<63, 63)] {
                #expect(Set(hashes[range]).count == 1 && hashes[range.lowerBound] != hashes[other], "\(range)")
            }
            #expect(Set(hashes[63...]) == [hashes[0]])
        }

        /// Two lines share one box, which is nowhere darker than a box over the frame is, and lines that fit in a frame of
        /// 4:3 aren't broken in one that is as wide and higher.
        @Test(arguments: [(1280, 720), (360, 640)]) func twoLinesShareABox(width: Int, height: Int) throws {
            let lines = "THIS IS THE FIRST OF TWO LINES\nAND THIS IS THE OTHER OF THEM"
            try "1\n00:00:00,000 --> 00:00:02,000\n\(lines)\n".write(to: folder / "two.srt")
            let size = "\(width)x\(height)"
            let still = try clips().make("caption-gray-\(size).png", "-f lavfi -i color=0x808080:s=\(size) -frames:v 1")
            let out = folder / "out.mkv"
            try succeed(
                "deck \(still) \(out) --hold 5f --size \(size) --pix-fmt yuv420p --captions \(folder / "two.srt")",
                "--burn-captions box --crf 0 --preset ultrafast")
            let luma = try Judge.frames(out, filter: "select=eq(n\\,0)", format: "yuv420p").prefix(width * height)
            // The gray is 16 + 128 * 219 / 255, and a quarter of its light comes through the box.
            let gray = 128 * 219 / 255.0
            let (darkest, brightest) = try (#require(luma.min()), #require(luma.max()))
            #expect(abs(Double(darkest) - (16 + gray / 4)) <= 1 && brightest > 220, "\(darkest), \(brightest)")
            /// The first rows of the bands of rows in which there are such pixels.
            let bands = { (isWanted: (UInt8) -> Bool) in
                let rows = (0..<height).map { luma[($0 * width)..<(($0 + 1) * width)].contains(where: isWanted) }
                return rows.indices.filter { rows[$0] && ($0 == 0 || !rows[$0 - 1]) }
            }
            #expect(bands { $0 < 60 }.count == 1, "one box")
            #expect(bands { $0 > 200 }.count == 2, "two lines of capital letters")
        }

        /// A sentence in Hebrew begins on the right, so the full stop is on its left.
        @Test(arguments: [
            ["--burn-captions", "Alignment=1", "--captions", "CAPTIONS"],
            ["--overlay-text", "שלום עולם.@bottom-left:size=8%"],
        ])
        func sentencesEndWhereTheirScriptDoes(options: [String]) throws {
            let captions = folder / "hebrew.srt"
            try "1\n00:00:00,000 --> 00:00:02,000\nשלום עולם.\n".write(to: captions)
            let (width, height) = (640, 360)
            let gray = try clips().make("caption-gray-640.png", "-f lavfi -i color=gray:s=640x360 -frames:v 1")
            let out = folder / "out.mkv"
            try succeed(
                ["deck", gray, out, "--hold", "5f", "--size", "640x360", "--crf", "0", "--pix-fmt", "yuv444p"]
                    + options.map { $0 == "CAPTIONS" ? captions : $0 })
            let luma = try Judge.frames(out, filter: "select=eq(n\\,0)", format: "yuv444p").prefix(width * height)
            let rows = (0..<width).map { x in (0..<height).filter { luma[$0 * width + x] > 160 } }
            // The letters' columns from the first one on the left to the first gap.
            let first = rows.drop { $0.isEmpty }.prefix { !$0.isEmpty }.joined()
            let (top, bottom) = try (#require(rows.joined().min()), #require(rows.joined().max()))
            #expect(try #require(first.min()) > (top + bottom) / 2, "a full stop, in the lower half of the line")
        }

        /// Two files with different styles of the same name: the captions of each have its own color.
        @Test func conflictingStylesAreDrawnAsTheirFilesSay() throws {
            let gray = try clips().make("caption-gray.mkv", "-f lavfi -i color=gray:s=320x240:d=1:r=10 -c:v ffv1")
            // Colors are BGR (the SubStation Alpha format, "Style Lines"): yellow and magenta.
            for (name, color) in [("a", "&H0000FFFF"), ("c", "&H00FF00FF")] {
                let text = """
                    [Script Info]
                    ScriptType: v4.00+
                    PlayResX: 320
                    PlayResY: 240

                    [V4+ Styles]
                    Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Outline, Alignment
                    Style: Default,DejaVu Sans,60,\(color),1,0,5

                    [Events]
                    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
                    Dialogue: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,WWWW
                    """
                try text.write(to: folder / "\(name).ass")
            }
            let out = folder / "out.mkv"
            try succeed(
                "\(gray)#captions=\(folder / "a.ass") \(gray)#captions=\(folder / "c.ass") --transition cut",
                "--burn-captions outline --strict --crf 0 --preset ultrafast --pix-fmt yuv444p \(out)")
            for (frame, strong, weak) in [(5, 0, 1), (15, 1, 0)] {
                let pixels = try Judge.frames(out, filter: "select=eq(n\\,\(frame))", format: "rgb24")
                /// The pixels that are red, and green or blue, but not both.
                let counts = [1, 2].map { channel in
                    stride(from: 0, to: 320 * 240 * 3, by: 3).count {
                        pixels[$0] > 200 && pixels[$0 + channel] > 200 && pixels[$0 + 3 - channel] < 60
                    }
                }
                #expect(counts[strong] > 1000 && counts[weak] == 0, "frame \(frame): \(counts)")
            }
        }

        @Test func subtitlesOfAClipAreDrawn() throws {
            let inputs = try inputs(folder)
            let film = try Clips.addSubtitles(
                [(folder / "captions.srt", "eng")], to: inputs[0], codec: "ass", as: "film.mkv", in: folder)
            let out = folder / "out.mkv"
            try succeed(
                "\(film + "#t=0.4") \(inputs[1]) --burn-captions outline --transition cut --crf 0",
                "--preset ultrafast \(out)")
            #expect(try text(out, 20, folder).contains("TURNING"))
            #expect(try text(out, 30, folder).contains("SECOND"))
        }

        @Test(arguments: [[], ["--burn-captions", "outline"]])
        func captionsThatAreNotUTF8AreRefused(options: [String]) throws {
            let captions = folder / "latin1.srt"
            let lines = "1\n00:00:00,100 --> 00:00:01,000\nRight\n\n2\n00:00:01,000 --> 00:00:02,000\nArger\n"
            // In Latin-1, an A with diaeresis is this byte.
            var bytes = Array(lines.utf8)
            bytes[try #require(lines.utf8.enumerated().first { $0.element == UInt8(ascii: "A") }?.offset)] = 0xC4
            try Data(bytes).write(to: captions)
            for ending in ["mkv", "mp4"] {
                let run = try expectExit(
                    inputs(folder) + ["--captions", captions] + options + [folder / "no.\(ending)"], 65, lines: 1)
                for word in ["latin1.srt' is not UTF-8", "subtitle 2", "0xC4", "iconv"] {
                    #expect(run.messages.contains(word), "\(run.story)")
                }
            }
        }

        @Test(arguments: [("FontName=No Font Is Called So,Bold=1", 1), ("Bold=1", 0)])
        func missingFontsAreSaid(style: String, count: Int) throws {
            let inputs = try inputs(folder)
            let plan = try succeed(
                ["plan"] + inputs + ["--captions", folder / "captions.srt", "--burn-captions", style, folder / "o.mkv"])
            let told = plan.text.split(separator: "\n").filter { $0.contains("isn't installed") }
            #expect(told.count == count, "\(plan.story)")
            #expect(told.allSatisfy { $0.contains("the font No Font Is Called So isn't installed, so another takes") })
        }

        @Test func captionsInUTF16AreRead() throws {
            let captions = folder / "wide.srt"
            let text = "\u{FEFF}1\r\n00:00:00,100 --> 00:00:01,000\r\nÄrger\r\n"
            try #require(text.data(using: .utf16LittleEndian)).write(to: captions)
            try succeed("\(inputs(folder)) --captions \(captions) --crf 0 --preset ultrafast \(folder / "out.mkv")")
            let read = try Tool.ffmpeg("-i \(folder / "out.mkv") -map 0:s -f srt -")
            #expect(read.text.contains("Ärger"), "\(read.text)")
        }

        /// The output has 75 frames at 25 fps, so it ends at 3 s.
        @Test func captionsAfterTheEndAreSaid() throws {
            let captions = folder / "late.srt"
            try "1\n00:00:00,100 --> 00:10:00,000\nA\n\n2\n00:10:00,000 --> 00:10:01,000\nB\n".write(to: captions)
            let arguments =
                try inputs(folder) + [
                    "--captions", captions, "--duration", "1", "--crf", "0", "--preset", "ultrafast",
                    folder / "out.mkv",
                ]
            try expectExit(
                arguments, 0, saying: "late.srt: 1 caption begins after the end of the output at 3 s", lines: 1)
            #expect(try CommandTests.run(arguments + ["-y", "--strict"]).status == 65)
        }

        /// A track of a clip whose text is not UTF-8, which Matroska does not allow.
        @Test func tracksThatAreNotUTF8AreSaid() throws {
            let inputs = try inputs(folder)
            let film = try Clips.addSubtitles(
                [(folder / "captions.srt", "eng")], to: inputs[0], codec: "srt", as: "film.mkv", in: folder)
            var bytes = try Data(contentsOf: film)
            let place = try #require(bytes.range(of: Data("TURNING".utf8)))
            bytes[place.lowerBound] = 0xC4
            let damaged = folder / "damaged.mkv"
            try bytes.write(to: damaged)
            let run = try CommandTests.run("\(damaged) \(inputs[1]) --crf 0 --preset ultrafast \(folder / "out.mkv")")
            #expect(run.status == 0 && run.messages.contains("the text of 1 subtitle is not UTF-8"), "\(run.story)")
        }

        @Test func whatCannotBeDrawnIsRefused() throws {
            let inputs = try inputs(folder)
            for (arguments, status, words) in [
                (["--burn-captions", "outline"], 64, "there are no subtitles to draw"),
                (
                    ["--captions", folder / "captions.srt", "--burn-captions", "FontSize=3:x=1"], 64,
                    "expected outline, box"
                ),
                (
                    ["--captions", folder / "captions.srt", "--burn-captions", "box", "--render", "smart"], 64,
                    "changes the picture"
                ),
            ] as [([String], Int32, String)] {
                try expectExit(inputs + arguments + [folder / "no.mp4"], status, saying: words, lines: 1)
                #expect(!FileManager.default.fileExists(atPath: folder / "no.mp4"))
            }
            let graph = try CommandTests.run(
                "export --as ffmpeg \(inputs) --captions \(folder / "captions.srt")",
                "--burn-captions box \(folder / "o.mp4")")
            #expect(graph.status == 64 && graph.messages.contains("--burn-captions can't be printed as a graph"))
        }
    }
}
