import TestSupport
import Testing

extension CommandTests {
    /// Decks made from PDF and PowerPoint documents.
    @Suite(.serialized) struct DeckDocumentTests {
        let folder = TemporaryFolder.make()

        private func pdf(_ pages: [String], _ folder: TemporaryFolder, width: Int = 320) throws -> String {
            try DeckFiles.pdf(pages: pages, width: width).write(to: folder / "deck.pdf")
            return folder / "deck.pdf"
        }

        @Test(.needsMedia) func pagesAreDrawnAtTheOutputsSize() throws {
            let deck = try medium("pdf-slides-square-3pages.pdf")
            try succeed(
                "deck \(deck) \(folder / "out.nut") --hold 1f --transition cut --size 320x180 --background #ff0000",
                "--video-codec rawvideo --pix-fmt gbrp")
            try Tool.succeed("pdftoppm", "-cropbox -scale-to-x 180 -scale-to-y 180 \(deck) \(folder / "page")")
            let expected = try (1...3).flatMap { page in
                try Judge.frameHashes(folder / "page-\(page).ppm", pixelFormat: "gbrp", filter: "pad=320:180:70:0:red")
            }
            #expect(try Judge.frameHashes(folder / "out.nut") == expected)
            #expect(try Judge.chapters(folder / "out.nut").map(\.title).prefix(2) == ["Slide 1", "So what?"])
        }

        /// Rotated and cropped pages are shown upright and whole. Each corner has its own color, so that a page that is
        /// turned, squashed or cut off can be told.
        @Test func rotatedPagesAreShownUprightAndWhole() throws {
            let corners = """
                1 0 0 rg 0 0 100 60 re f 0 1 0 rg 250 0 70 50 re f 0 0 1 rg 0 100 40 80 re f 0 0 0 rg 300 160 20 20 re f
                """
            // At 72 dpi, a point is a pixel. A page cropped to half its size is drawn at 144 dpi.
            let crop = "/CropBox [120 60 280 150]"
            let pages = [
                ("", 72), ("/Rotate 90", 72), ("/Rotate 180", 72), ("/Rotate 270", 72), ("/Rotate -90", 72),
                (crop, 144), ("/Rotate 90 " + crop, 144), ("/Rotate 270 " + crop, 144),
            ]
            let deck = folder / "deck.pdf"
            try DeckFiles.pdf(pages: pages.map(\.0), content: corners).write(to: deck)
            try succeed(
                "deck \(deck) \(folder / "out.nut") --hold 1f --transition cut --size 320x320 --background #ff00ff",
                "--video-codec rawvideo --pix-fmt gbrp")
            let frames = try Judge.frameHashes(folder / "out.nut")
            #expect(frames.count == pages.count)
            for (index, page) in pages.enumerated() where index < frames.count {
                let number = "\(index + 1)"
                try Tool.succeed(
                    "pdftoppm", "-cropbox -r \(page.1) -f \(number) -l \(number) -singlefile \(deck) \(folder / number)"
                )
                let expected = try Judge.frameHashes(
                    folder / "\(number).ppm", pixelFormat: "gbrp", filter: "pad=320:320:-1:-1:magenta")
                #expect([frames[index]] == expected, "page \(number), \(page.0)")
            }
            // The frame has the aspect ratio of the first page as it is shown.
            let first = try JSONValue(succeed(["plan", deck + "#page=2", folder / "o.mp4", "--json"]).output)
            #expect(first.numbers(under: "width").contains(1080) && first.numbers(under: "height").contains(1920))
        }

        @Test func pagesKeepTheirOwnTimesUnlessOthersAreGiven() throws {
            let deck = try pdf(
                ["/Dur 1", "/Dur 2 /Trans << /S /Push /D 0.4 >>", "/Trans << /S /R >>", "/Trans << /S /Swirl >>"],
                folder
            )
            let plan = { (options: [String]) throws -> JSONValue in
                try JSONValue(succeed(["plan", deck, folder / "o.mp4", "--json"] + options).output)
            }
            let own = try plan(["--slide-transitions", "from-deck", "--style", "card", "--duration", "0.6"])
            let object = try #require(own.value as? [String: Any])
            let column = { (list: String, key: String) throws -> [String] in
                try #require(object[list] as? [[String: Any]]).map { "\($0[key] ?? "")" }
            }
            // Pages without a time are shown for 4 s. At 25 fps, the frames at which their transitions begin: after 1, 2 and 4 s.
            #expect(try column("inputs", "start") == ["0", "25", "75", "175"])
            #expect(try column("joins", "style") == ["push", "cut", "card"])
            #expect(try column("joins", "frames") == ["10", "0", "15"])
            #expect(own.numbers(under: "seconds") == [11])
            #expect(try plan(["--hold", "3"]).numbers(under: "seconds") == [12])
            #expect(try plan(["--hold", "3", "--size", "100x100"]).numbers(under: "width") == [100])
            let some = try JSONValue(succeed(["plan", deck + "#page=2-3", folder / "o.mp4", "--json"]).output)
            #expect(some.numbers(under: "seconds") == [6])
        }

        @Test(.turn(1, of: 2), .needsMedia) func filmsStandAmongSlides() throws {
            let deck = try pdf(["", ""], folder)
            let film = try clips().flashAndClick("deck-film.mp4", seconds: 3, events: [1])
            try succeed(
                "deck \(deck) \(film) \(deck + "#page=1") \(folder / "out.mp4") --hold 2 --duration 0.5",
                "--preset ultrafast")
            let video = try Judge.video(folder / "out.mp4")
            // The deck takes its 30 fps from the video, whose last 0.5 s (15 frames) overlap with the next slide.
            #expect(video.frameCount == 60 + 60 + 90 - 15 + 60)
            #expect(try Judge.flashes(folder / "out.mp4", width: video.width, height: video.height).contains(120 + 30))
            try expectClicks(Sound(folder / "out.mp4"), [5])
        }

        @Test func hostileDocumentsAreRefused() throws {
            let good = try Data(contentsOf: pdf(["", ""], folder))
            let bomb = try DeckFiles.zip([.zeros("ppt/presentation.xml", length: 40_000_000)])
            let locked = Data([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) + Data(count: 4096)
            for (name, data, word) in [
                ("cut.pdf", good.prefix(60), "pdfinfo cannot read"),
                ("text.pdf", Data("no slides".utf8), "pdfinfo cannot read"),
                ("empty.pdf", Data(), "pdfinfo cannot read"), ("bomb.pptx", bomb, "larger than 16 MiB"),
                ("text.pptx", Data("no slides".utf8), "not a zip archive"), ("locked.pptx", locked, "password"),
                ("other.pptx", DeckFiles.zip([.init("a.txt", "a")]), "no PowerPoint file"),
                ("cut.pptx", DeckFiles.zip(DeckFiles.powerPoint(["<a/>"])).prefix(900), "cut.pptx"),
            ] {
                try data.write(to: folder / name)
                let run = try expectExit(["deck", folder / name, folder / "out.mp4"], 65, saying: word, name, lines: 1)
                #expect(run.peakMemory < 300 << 20, "\(name): \(run.peakMemory >> 20) MiB")
            }
            // To fill the frame, a page of 1 x 180 points would be drawn at 16384x2949120 pixels.
            try DeckFiles.pdf(pages: [""], width: 1).write(to: folder / "tall.pdf")
            let tall = try run("deck \(folder / "tall.pdf") \(folder / "out.mp4") --fit crop --size 16384x16384")
            #expect(tall.status == 65 && tall.messages.contains("--max-pixels"), "\(tall.story)")
            #expect(try !folder.names.contains("out.mp4"))
        }

        @Test func transitionsThatAreNotKnownAreSaidOnce() throws {
            let swirl = "/Trans << /S /Swirl >>"
            let deck = try pdf([swirl, swirl, "/Trans << /S /Fade >>", "/Trans << /S /Spiral >>", swirl], folder)
            let run = try succeed(["plan", deck, folder / "o.mp4", "--slide-transitions", "from-deck"])
            let said = run.text.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
            #expect(said.count == 1 && said[0].contains("Swirl (slides 2 and 5), Spiral (slide 4)"), "\(run.text)")
            let plain = try succeed(["plan", deck, folder / "o.mp4"])
            #expect(plain.messages.isEmpty && !plain.text.contains("warning"), "nobody asked for them")
        }

        @Test func transitionsWithoutACounterpartAreSaidOnce() throws {
            let fly = "/Trans << /S /Fly >>"
            let deck = try pdf([fly, fly, "/Trans << /S /Blinds >>", "/Trans << /S /Glitter >>", fly], folder)
            let run = try succeed(["plan", deck, folder / "o.mp4", "--slide-transitions", "from-deck"])
            let said = run.text.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
            #expect(
                said.count == 1 && said[0].contains("Fly as slide (slides 2 and 5), Glitter as dissolve (slide 4)"),
                "\(run.text)")
        }

        /// Object streams that nothing refers to don't each cost a copy of the rest of the file (300 GB in all here).
        @Test func manyObjectStreamsCostNoMoreThanTheirText() throws {
            let good = try Data(contentsOf: pdf(["/Dur 2", "/Dur 3"], folder))
            let stream = Data("9 0 obj<</Type/ObjStm/Filter/FlateDecode/N 0/First 0>>stream\n".utf8)
            let end = try #require(good.range(of: Data("startxref".utf8)))
            let many = good + Data((0..<100_000).flatMap { _ in stream }) + good[end.lowerBound...]
            try many.write(to: folder / "many.pdf")
            let run = try succeed(["plan", folder / "many.pdf", folder / "o.mp4", "--json"])
            #expect(try JSONValue(run.output).numbers(under: "seconds") == [5])
        }

        @Test func lockedDocumentsAreSaidToBe() throws {
            let deck = try pdf(["", ""], folder)
            try Tool.succeed("qpdf", ["--encrypt", "secret", "owner", "256", "--", deck, folder / "locked.pdf"])
            let locked = try expectExit(["deck", folder / "locked.pdf", folder / "out.mp4"], 65, saying: "password")
            #expect(!locked.messages.contains("Command Line Error"))
            // A document that only its author may change can be read by anybody, including its pages' durations.
            let timed = try pdf(["/Dur 2", "/Dur 5"], folder)
            try Tool.succeed("qpdf", ["--encrypt", "", "owner", "256", "--", timed, folder / "open.pdf"])
            let open = try succeed(["plan", folder / "open.pdf", folder / "o.mp4", "--json"])
            #expect(try JSONValue(open.output).numbers(under: "seconds") == [7])
        }

        @Test(arguments: [
            (["--hold", "-1"], 64, "hold"), (["--hold", "1000000000"], 64, "hold"),
            (["--pause", "1"], 64, "--narration"),
            (["--sound-gain", "3"], 64, "--sound"), (["--slide-transitions", "all"], 64, "given|from-deck"),
            (["--narration", "/nowhere"], 66, "/nowhere"), (["--timings", "/nowhere"], 66, "/nowhere"),
            (["--still-duration", "3"], 64, "--hold"), (["--music", "/nowhere"], 66, "/nowhere"),
        ]) func optionsThatMeanNothingAreRefused(options: [String], status: Int, word: String) throws {
            let run = try run(["deck", pdf(["", ""], folder), folder / "out.mp4"] + options)
            #expect(Int(run.status) == status && run.messages.contains(word), "\(run.story)")
            #expect(try !folder.names.contains("out.mp4"))
        }

        @Test func programsThatAreMissingAreNamed() throws {
            let (program, deck) = try (Places.program(), pdf(["/Dur 1", ""], folder))
            try DeckFiles.zip(DeckFiles.powerPoint(["<a/>"])).write(to: folder / "deck.pptx")
            let only = try TemporaryFolder()
            let deckRun = { (input: String, options: [String]) in
                try Tool.run(
                    "/usr/bin/env", ["PATH=" + only.path, program, "deck", input, folder / "out.mp4"] + options)
            }
            let offer = { (name: String) in
                let place = try Tool.succeed("sh", ["-c", "command -v \(name)"]).text
                try only.link(name, to: place.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            var run = try deckRun(deck, [])
            #expect(run.status == 69 && run.messages.contains("poppler-utils"), "\(run.story)")
            run = try deckRun(folder / "deck.pptx", [])
            #expect(run.status == 69 && run.messages.contains("libarchive-tools"), "\(run.story)")
            try offer("bsdtar")
            run = try deckRun(folder / "deck.pptx", [])
            #expect(run.status == 69 && run.messages.contains("libreoffice-impress"), "\(run.story)")
            // Pages are drawn without qpdf, and a warning names what it would have read, unless that isn't needed.
            for name in ["pdfinfo", "pdftotext", "pdftoppm"] { try offer(name) }
            let quick = ["--preset", "ultrafast", "--size", "64x36", "-y"]
            run = try deckRun(deck, quick)
            #expect(run.status == 0 && run.messages.contains("Debian's package qpdf"), "\(run.story)")
            run = try deckRun(deck, quick + ["--hold", "1"])
            #expect(run.status == 0 && !run.messages.contains("qpdf"), "\(run.story)")
            run = try deckRun(deck, quick + ["--strict"])
            #expect(run.status == 65 && run.messages.contains("Debian's package qpdf"), "\(run.story)")
        }
    }
}
