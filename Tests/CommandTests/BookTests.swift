import TestSupport
import Testing

extension CommandTests {
    /// Pages that are bound into a book, judged by what ffmpeg decodes.
    @Suite(.serialized) struct BookTests {
        private let folder = TemporaryFolder.make()

        /// A document of `count` pages. Those whose number `isWide` names are twice as wide as high, and the others half as
        /// wide.
        private func document(_ count: Int, isWide: (Int) -> Bool = { _ in false }) throws -> String {
            let path = folder / "pages.pdf"
            let pages = (1...count).map { number in
                isWide(number) ? "/CropBox [0 0 400 200]" : "/CropBox [0 0 100 200]"
            }
            // A frame around each page, and a cross, so that no two parts of it look alike.
            let content = "1 0.6 0.2 rg 10 10 30 60 re f 0.1 0.3 0.8 rg 50 100 40 80 re f 0 0 0 RG 3 w 4 4 92 192 re S"
            try DeckFiles.pdf(pages: pages, width: 400, height: 200, content: content).write(
                to: URL(fileURLWithPath: path))
            return path
        }

        private func plan(_ arguments: [String]) throws -> [String: Any] {
            try planJSON(arguments + [folder / "plan.mp4"])
        }

        /// The pages of each spread, as the plan names them.
        private func spreads(_ plan: [String: Any]) throws -> [String] {
            try #require(plan["inputs"] as? [[String: Any]]).map { input in
                let path = input["path"] as? String ?? ""
                return String(path.split(separator: "=").last ?? "")
            }
        }

        /// The pages of the spreads of a book of `count` pages, counted by hand: with a cover, page 1 is alone, and then two
        /// follow two.
        private static func expected(_ count: Int, _ form: String) -> [String] {
            if form == "pad" { return (1...count).map(String.init) }
            var (rest, spreads) = (Array(1...count), [String]())
            var room = form.contains("no-cover") ? 2 : 1
            while !rest.isEmpty {
                let seen = rest.prefix(room)
                spreads.append(seen.map(String.init).joined(separator: "-"))
                rest.removeFirst(seen.count)
                room = 2
            }
            return spreads
        }

        @Test(arguments: Places.some([1, 2, 3, 4, 300], every: 5)) func everyPageHasItsSpread(count: Int) throws {
            for (name, isWide) in [
                ("portrait", { _ in false }), ("landscape", { _ in true }), ("mixed", { $0 % 3 == 2 }),
            ]
                as [(String, (Int) -> Bool)]
            {
                let pages = try document(count, isWide: isWide)
                for form in name == "mixed" ? ["ltr", "rtl,no-cover"] : name == "landscape" ? ["pad"] : ["rtl"] {
                    let plan = try plan([pages, "--book", form, "--hold", "1", "--duration", "0.2"])
                    #expect(try spreads(plan) == Self.expected(count, form), "\(name), \(form)")
                    let output = plan["output"] as? [String: Any]
                    #expect(output?["width"] as? Int == 1920 && output?["height"] as? Int == 1080)
                    let seconds = (output?["seconds"] as? NSNumber)?.doubleValue
                    #expect(seconds == Double(Self.expected(count, form).count))
                }
            }
        }

        /// A spread at rest shows the pages as poppler draws them at that size, but for the gutter's shade.
        @Test(arguments: ["ltr", "rtl"]) func restingPagesArePopplers(form: String) throws {
            let pages = try document(5)
            try succeed(
                "\(pages) \(folder / "out.nut") --book \(form) --hold 0.4 --duration 0.2 --size 640x360",
                "--video-codec rawvideo --pix-fmt gbrp")
            // 0.78 of the frame's height is 280, and the pages are half as wide as high (EFFECTS 14).
            let (width, height, top) = (140, 280, 40)
            try Tool.succeed(
                "pdftoppm", "-f 2 -l 2 -scale-to-x \(width) -scale-to-y \(height) -cropbox \(pages)",
                "\(folder / "page")")
            let picture = folder / "page-2.ppm"
            // The second spread rests from 0.6 s on.
            let gutter = 9
            for (left, kept) in [(320 - width, 0), (320, gutter)] {
                let part = "crop=\(width - gutter):\(height):\(left + kept):\(top)"
                let seen = try Judge.frames(folder / "out.nut", filter: "select=eq(n\\,16),\(part)", format: "rgb24")
                let drawn = try Judge.frames(
                    picture, filter: "crop=\(width - gutter):\(height):\(kept):0", format: "rgb24")
                #expect(seen.count == 3 * (width - gutter) * height && seen == drawn, "\(form), from \(left) on")
            }
        }

        /// Pictures of one color each, two wide and three high, whose places tell their order.
        @Test(
            .turn(0, of: 2),
            arguments: Places.some(
                [
                    ("ltr", ["-1-", "2 3", "-4-"]), ("rtl", ["-1-", "3 2", "-4-"]), ("ltr,no-cover", ["1 2", "3 4"]),
                    ("rtl,no-cover", ["2 1", "4 3"]),
                ], every: 3))
        func picturesLieOnTheirSides(form: String, expected: [String]) throws {
            try DeckTests.pictures(4, folder, size: "200x300")
            try succeed(
                "\(folder.path) \(folder / "out.nut") --book \(form) --hold 0.4 --duration 0.2 --size 640x360",
                "--video-codec rawvideo --pix-fmt gbrp")
            let colors = try (1...4).map { number in
                try Judge.frames(folder / "00\(number).png", filter: "crop=1:1:0:0", format: "rgb24")
            }
            // Pages are 187 pixels wide, and beside the spine of an open book in the middle of the frame, they are shaded.
            let found = try expected.indices.map { index in
                try [180, 320, 460].map { x in
                    let pixel = try Judge.frames(
                        folder / "out.nut", filter: "select=eq(n\\,\(10 * index + 7)),crop=1:1:\(x):180",
                        format: "rgb24")
                    let number = colors.firstIndex(of: pixel).map { "\($0 + 1)" }
                    return number ?? (expected[index].contains(" ") && x == 320 ? " " : "-")
                }.joined()
            }
            #expect(found == expected)
        }

        /// Times and chapters count spreads.
        @Test func spreadsCountAsSlides() throws {
            let pages = try document(4)
            try DeckTests.write("1\n3\n-\n", folder / "times.txt")
            try succeed(
                "\(pages) \(folder / "out.mp4") --book ltr --timings \(folder / "times.txt") --hold 2 --duration 0.4",
                "--size 320x180 --preset ultrafast")
            let chapters = try Judge.chapters(folder / "out.mp4")
            #expect(chapters.map(\.start) == [0, 1, 4] && chapters.last?.end == 6, "\(chapters)")
            try DeckTests.write("1\n1\n1\n1\n", folder / "times.txt")
            try expectExit(
                "plan \(pages) \(folder / "no.mp4") --book ltr --timings \(folder / "times.txt")", 65,
                saying: "only 3 slides")
        }

        /// A spread stays for the times of both its pages, and has the transition after the second one.
        @Test func spreadsHaveWhatTheirPagesHave() throws {
            try DeckTests.pictures(4, folder, size: "200x300")
            let pictures = (1...4).map { folder / "00\($0).png" }
            let timed = zip(pictures, 1...4).map { "\($0)#t=\($1)" }
            let starts = { (plan: [String: Any]) in
                (plan["chapters"] as? [[String: Any]])?.compactMap { ($0["start"] as? NSNumber)?.doubleValue }
            }
            #expect(try starts(plan(["deck"] + timed + ["--book", "ltr"])) == [0, 1, 6])
            // Page 2 has a time, and page 3 an own transition, narration and title.
            let speech = try clips().tone("slide-project-speech", frequency: 300, seconds: 2)
            try DeckTests.write(
                """
                book: ltr
                output: {chapters: true}
                clips:
                  - {file: 001.png, hold: 1}
                  - {file: 002.png, transition: fold}
                  - {file: 003.png, narration: \(speech), title: Third, transition: cut}
                  - {file: 004.png, hold: 2}
                """, folder / "book.yaml")
            let own = try plan([folder / "book.yaml"])
            #expect(starts(own) == [0, 1, 3])
            let joins = (own["joins"] as? [[String: Any]])?.map { $0["style"] as? String }
            #expect(joins == ["bound-book", "cut"])
            let titles = (own["chapters"] as? [[String: Any]])?.map { $0["title"] as? String }
            #expect(titles == ["Spread 1", "Third", "Spread 3"])
            let warnings = own["warnings"] as? [String] ?? []
            #expect(warnings.contains { $0.contains("002.png") && $0.contains("is beside it") }, "\(warnings)")
        }

        @Test func aProjectHasABook() throws {
            let pages = try document(4)
            try succeed("export deck \(pages) \(folder / "book.yaml") --book rtl,no-cover --hold 1")
            #expect(try String(contentsOf: folder / "book.yaml").contains("book: \"rtl,no-cover\""))
            #expect(try spreads(plan([folder / "book.yaml"])) == ["1-2", "3-4"])
        }

        @Test func whatDoesNotFitIsRefused() throws {
            let pages = try document(4)
            let film = try clips().flashAndClick("deck-film.mp4", seconds: 3, events: [1])
            for (words, reason) in [
                ([pages, "--book", "left"], "invalid book 'left'"), ([pages, "--look", "ltr"], "unknown look 'ltr'"),
                ([pages, "--book", "desk"], "invalid book 'desk'"), ([pages, film, "--book", "ltr"], "is a film"),
                ([pages, "--book", "ltr", "--style", "fold"], "no style fold"),
                ([pages, "--book", "ltr", "--still-motion", "kenburns"], "lies still"),
                ([pages, "--book", "ltr", "--pull-back", "0.8"], "a book has no pull-back 0.8"),
                ([pages, "--book", "ltr", "--direction", "backward"], "a book has no direction backward"),
                ([pages, "--book", "ltr", "--shadow-color", "red"], "a book has no shadow-color"),
                ([pages, "--book", "ltr", "--background", "#00000080"], "transparent"),
                ([pages, "--book", "ltr", "--size", "16x16"], "no room in 16x16"),
                ([pages, "--book", "ltr", "--slide-transitions", "from-deck"], "turns its own pages"),
            ] { try expectExit(["plan"] + words + [folder / "no.mp4"], 64, saying: reason) }
        }

        /// Frames as low as they may be, and odd ones.
        @Test(arguments: [("pad", "2000x24"), ("ltr", "161x121"), ("rtl,no-cover", "121x161")])
        func framesOfAnySizeHaveRoom(form: String, size: String) throws {
            let pages = try document(3) { _ in form == "pad" }
            try succeed(
                "\(pages) \(folder / "out.mkv") --book \(form) --hold 0.4 --duration 0.2 --size \(size)",
                "--pix-fmt yuv444p")
            #expect(try Judge.complaints(folder / "out.mkv") == "")
        }

        /// A page with 40 pages stays small enough to be sent.
        @Test(.turn(1, of: 2)) func aPageToSendHasABook() throws {
            let run = try succeed("preview \(document(40)) --book ltr --export \(folder / "page.html")")
            #expect(run.messages.contains("20 joins"), "\(run.story)")
            #expect(try Data(contentsOf: folder / "page.html").count <= 20 << 20)
        }
    }
}
