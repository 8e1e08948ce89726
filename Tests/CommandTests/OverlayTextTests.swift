import TestSupport
import Testing

extension CommandTests {
    /// Texts over the frames as another program reads them, and overlays of decks, projects and jobs.
    @Suite(.serialized) struct OverlayTextTests {
        let folder = TemporaryFolder.make()

        /// Two clips of 50 gray frames, of which the second one is darker. With a transition of 20 frames, the output has
        /// 80 frames, and the second clip begins at frame 30.
        private func inputs() throws -> [String] {
            try ["0x808080", "0x404040"].map { color in
                try clips().make(
                    "overlay-\(color).mkv", "-f lavfi -i color=\(color):s=1280x720:r=25 -frames:v 50 -pix_fmt yuv420p",
                    "-c:v ffv1")
            }
        }

        private func picture(_ name: String, _ color: String, _ size: String = "1280x720") throws -> String {
            try clips().make(name, ["-f", "lavfi", "-i", "color=\(color):s=\(size)", "-frames:v", "1"])
        }

        private static let lossless = ["--video-codec", "ffv1", "--duration", "20f"]

        /// What OCR reads in the part `crop` of output frame `index`, whose letters are white.
        private func text(_ path: String, _ index: Int, crop: String, _ folder: TemporaryFolder) throws -> String {
            let picture = folder / "ocr.png"
            try Tool.ffmpeg(
                "-y -i \(path) -vf select=eq(n\\,\(index)),crop=\(crop),format=gray,lutyuv=y='if(gt(val,190),0,255)'",
                "-frames:v 1 \(picture)")
            return try Tool.succeed("tesseract", [picture, "-", "--psm", "6"]).text
        }

        /// A lower third of two lines, which is seen for a second, in the corner where it belongs.
        @Test(.turn(0, of: 3), arguments: Places.some(["", ":box=on"], every: 2))
        func aLowerThirdIsRead(box: String) throws {
            let out = folder / "out.mkv"
            try succeed(
                try inputs() + Self.lossless + [
                    "--overlay-text", "Ada Lovelace\\nMathematician@bottom-left:size=8%:from=0.4:to=1.4\(box)", out,
                ])
            for frame in [10, 34] {
                let words = try text(out, frame, crop: "iw/2:ih/3:0:2*ih/3", folder)
                #expect(words.contains("Ada Lovelace") && words.contains("Mathematician"), "\(frame): \(words)")
                let lines = words.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                #expect(lines.first == "Ada Lovelace", "\(lines)")
            }
            for frame in [9, 35] {
                #expect(try !text(out, frame, crop: "iw:ih:0:0", folder).contains("Lovelace"), "\(frame)")
            }
        }

        /// Where there is no font, nothing is made that lacks its texts.
        @Test func withoutFontsTextsAreRefused() throws {
            let (out, fonts) = (folder / "out.mkv", folder / "fonts.conf")
            try "<fontconfig></fontconfig>".write(to: fonts)
            let environment = ["FONTCONFIG_FILE": fonts]
            let words = try inputs() + Self.lossless + ["--overlay-text", "Ada@top", out]
            let run = try Tool.run(Places.program(), words, environment: environment)
            #expect(run.status == 69 && run.messages.contains("there is no font"), "\(run.story)")
            #expect(!FileManager.default.fileExists(atPath: out))
            let doctor = try Tool.succeed(Places.program(), ["doctor"], environment: environment)
            #expect(doctor.text.contains("there is no font") && doctor.text.contains("fonts-"), "\(doctor.story)")
        }

        /// Above the picture, a text with words in braces changes where the next clip is first seen.
        @Test(.turn(1, of: 2)) func wordsInBracesAreFilledIn() throws {
            let out = folder / "out.mkv"
            try succeed(
                "\(inputs()) \(Self.lossless) --overlay-text",
                "\("Clip {slide} of {slides}: {title}@top:size=8%" .replacingOccurrences(of: ": ", with: "\\: "))",
                "\(out)")
            for (frame, words) in [(0, "Clip 1 of 2"), (29, "Clip 1 of 2"), (30, "Clip 2 of 2"), (79, "Clip 2 of 2")] {
                let read = try text(out, frame, crop: "iw:ih/4:0:0", folder)
                #expect(read.contains(words) && read.contains(": overlay-"), "frame \(frame): \(read)")
            }
            let hashes = try Judge.frameHashes(out)
            #expect(Set(hashes[0..<30]).count == 1 && Set(hashes[50...]).count == 1)
        }

        /// Characters that mean something to the renderer of subtitles, and to filter graphs, are text.
        @Test func markupIsText() throws {
            let out = folder / "out.mkv"
            try succeed(
                try inputs() + Self.lossless + ["--overlay-text", "{ \\b1 } <i>100%</i> 'a', b@center:size=10%", out])
            let words = try text(out, 0, crop: "iw:ih/3:0:ih/3", folder)
            for word in ["b1", "<i>100%</i>", "a", "b"] { #expect(words.contains(word), "\(words)") }
        }

        /// The white of a text is that of the color asked for, in the frame's own codes; and it is half there at half opacity.
        @Test(.turn(1, of: 2)) func textHasItsColor() throws {
            for (opacity, expected) in [("1", 235.0), ("0.5", (235 + 125.9) / 2)] {
                let out = folder / "out.mkv"
                // A full block, which is as large as its line.
                try succeed(
                    try inputs() + Self.lossless + [
                        "-y", "--overlay-text",
                        "\u{2588}\u{2588}@center:size=40%:font=DejaVu Sans Mono:opacity=\(opacity)", out,
                    ])
                let luma = try Judge.frames(out, filter: "select=eq(n\\,0),crop=8:8:636:356", format: "yuv420p").prefix(
                    64)
                #expect(luma.allSatisfy { abs(Double($0) - expected) <= 1 }, "\(opacity): \(luma.map { $0 })")
            }
        }

        /// Where a slide is hidden, the numbers are those of the document.
        @Test(
            .turn(0, of: 2),
            .enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"))
        func slideNumbersCountHiddenSlides() throws {
            let members = DeckFiles.powerPoint([
                DeckFiles.slide(color: "400000"), "HIDDEN" + DeckFiles.slide(color: "004000"),
                DeckFiles.slide(color: "000040"),
            ])
            try DeckFiles.zip(members).write(to: folder / "deck.pptx")
            let out = folder / "out.mkv"
            let options = ["--hold", "20f", "--duration", "5f", "--size", "640x360", "--video-codec", "ffv1"]
            try succeed(
                ["deck", folder / "deck.pptx", out] + options + [
                    "--slide-numbers", "bottom-right:size=20%", "--overlay-text", "of {slides}@top-left:size=20%",
                ])
            for (frame, number) in [(10, "1"), (35, "3")] {
                #expect(
                    try text(out, frame, crop: "iw/4:ih/3:3*iw/4:2*ih/3", folder)
                        .trimmingCharacters(in: .whitespacesAndNewlines) == number, "frame \(frame)")
                #expect(try text(out, frame, crop: "iw/2:ih/3:0:0", folder).contains("of 3"))
            }
        }

        /// White numbers have a dark outline, without which nothing of them would be seen on a white slide.
        @Test func slideNumbersAreSeenOnWhite() throws {
            let slide = try picture("overlay-white.png", "white", "640x360")
            let out = folder / "out.mkv"
            try succeed(
                "deck \(slide) \(out) --hold 5f --size 640x360 --slide-numbers bottom-right:size=20% --video-codec ffv1"
            )
            let darkest = { (crop: String) in
                try Judge.frames(out, filter: "select=eq(n\\,0),crop=\(crop)", format: "gray").min()
            }
            #expect(try darkest("iw/2:ih/2:0:0") == 255, "the slide alone")
            #expect(try #require(try darkest("iw/2:ih/2:iw/2:ih/2")) < 64)
        }

        /// A slide that is held is drawn over once, and its repeated frames still cost next to nothing.
        @Test(.turn(0, of: 3)) func heldSlidesStayHeld() throws {
            let slides = try [3, 7].map { seed in
                try clips().make(
                    "overlay-noise-\(seed).png", "-f lavfi -i testsrc2=s=320x180:r=1:d=1",
                    "-vf noise=alls=12:all_seed=\(seed) -frames:v 1")
            }
            let logo = try picture("overlay-red.png", "red", "40x20")
            let options = ["--hold", "250f", "--duration", "10f", "--fps", "25", "--preset", "ultrafast"]
            var repeated: [Int] = []
            for (name, overlays) in [
                ("plain", []),
                ("drawn", ["--overlay", "\(logo)@top-right", "--slide-numbers", "bottom-right:size=10%"]),
            ] as [(String, [String])] {
                let out = folder / "\(name).mp4"
                try succeed(["deck"] + slides + [out] + options + overlays)
                let sizes = try Judge.fields(out, stream: "v", entries: "packet=size").compactMap { Int($0) }
                try #require(sizes.count == 500)
                // Too small to code a macroblock.
                repeated.append(sizes.count { $0 < 40 })
                let hashes = try Judge.frameHashes(out)
                for range in [20..<240, 280..<490] { #expect(Set(hashes[range]).count == 1, "\(name)") }
            }
            #expect(repeated[0] > 400 && repeated[1] >= repeated[0] - 5, "\(repeated)")
        }

        /// Segments that are rendered side by side, and parts of a timeline that are rendered as jobs, have the frames of a
        /// single run.
        @Test(.turn(0, of: 2)) func partsAreTheWhole() throws {
            let inputs = try inputs()
            let logo = try picture("overlay-red.png", "red", "40x20")
            let film = try clips().make(
                "overlay-parts-film.mkv", "-f lavfi -i testsrc2=s=320x240:r=30:d=2 -pix_fmt yuv420p -c:v ffv1")
            let overlays = [
                "--overlay", "\(logo)@top-right:from=0.6:layer=page", "--overlay", "\(film)@left:from=0.3:opacity=0.8",
                "--overlay", "\(film)@right:from=0.5:layer=page", "--overlay-text", "{slide}@bottom:box=on",
            ]
            let common = inputs + Self.lossless + ["--size", "320x180"] + overlays
            try succeed(common + ["--segments", "off", folder / "one.mkv"])
            try succeed(common + ["--segments", "25f", folder / "three.mkv"])
            let one = try Judge.frameHashes(folder / "one.mkv")
            #expect(one.count == 80)
            #expect(try Judge.frameHashes(folder / "three.mkv") == one)

            let project = """
                output: {size: 320x180, video-codec: ffv1}
                transition: flip=duration=20f
                clips: [\(inputs[0]), \(inputs[1])]
                overlays:
                  - {file: \(logo), place: top-right, from: 0.6, layer: page}
                  - {file: \(film), place: left, from: 0.3, opacity: 0.8}
                  - {file: \(film), place: right, from: 0.5, layer: page}
                  - {text: "{slide}", place: bottom, box: true}
                """
            try project.write(to: folder / "p.yaml")
            try succeed(["render", folder / "p.yaml", folder / "project.mkv"])
            #expect(try Judge.frameHashes(folder / "project.mkv") == one)
            try succeed(
                "render \(folder / "p.yaml") \(folder / "jobs.mkv") --engine local --job-dir \(folder / "jobs")",
                "--segments 25f")
            #expect(try Judge.frameHashes(folder / "jobs.mkv") == one)
        }
    }
}
