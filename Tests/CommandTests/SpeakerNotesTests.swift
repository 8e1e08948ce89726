import TestSupport
import Testing

extension CommandTests {
    /// The notes of slides, as text files and as captions.
    @Suite(.serialized) struct SpeakerNotesTests {
        let folder = TemporaryFolder.make()
        private static let notes: [String?] = [
            "Welcome to this lecture, in which we shall see how pages turn. It has three parts.\nThe first is \u{201c}Größe\u{201d} & <more>.",
            nil, "Short.",
        ]

        private func deck(_ notes: [String?] = Self.notes) throws -> String {
            try NoteSlides.pdf(notes).write(to: folder / "deck.pdf")
            return folder / "deck.pdf"
        }

        private func text(_ path: String) throws -> String { try String(contentsOf: path) }

        private static let quick = ["--size", "64x36", "--preset", "ultrafast", "--hold", "4", "--transition", "cut"]

        /// Notes in annotations are used as captions and no longer drawn as icons; other annotations are.
        @Test func iconsOfNotesAreNotDrawn() throws {
            let note = "<< /Type /Annot /Subtype /Text /Rect [20 120 40 140] /Contents (Say this.) /C [1 1 0] >>"
            let mark =
                "<< /Type /Annot /Subtype /Highlight /Rect [100 60 200 90] /C [1 0 0] "
                + "/QuadPoints [100 90 200 90 100 60 200 60] >>"
            let deck = folder / "annotated.pdf"
            try DeckFiles.pdf(pages: ["/Annots [4 0 R 5 0 R]"], objects: [note, mark]).write(to: deck)
            // The icon lies 40 to 60 pixels from the top and 20 to 40 from the left, and the mark in the middle.
            let white = { (path: String, crop: String) in
                try Judge.frames(path, filter: "select='eq(n,0)',crop=\(crop)", format: "gray").allSatisfy { $0 > 250 }
            }
            for (options, hasIcon) in [([], true), (["--captions-from", "notes"], false)] {
                let out = folder / "\(hasIcon).mkv"
                try succeed(["deck", deck, out, "--size", "320x180", "--video-codec", "ffv1", "--hold", "1"] + options)
                #expect(try white(out, "24:24:18:38") != hasIcon)
                #expect(try !white(out, "60:16:120:98"))
            }
        }

        @Test func notesAreWrittenAsTheyAre() throws {
            let deck = try deck()
            let command = ["deck", deck, folder / "out.mp4", "--notes-out", folder / "notes"] + Self.quick
            let run = try succeed(command)
            #expect(CommandTests.warnings(run).isEmpty, "\(run.story)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder / "notes").sorted()
            #expect(names == ["01.txt", "02.txt", "03.txt"])
            for (name, text) in zip(names, Self.notes) {
                #expect(try self.text(folder / "notes/\(name)") == (text.map { $0 + "\n" } ?? ""))
            }
            #expect(try Judge.fields(folder / "out.mp4", stream: "s", entries: "stream=index").isEmpty)

            // Nothing is replaced, nor rendered, unless -y is given.
            try folder.remove("out.mp4")
            try "mine".write(to: folder / "notes/02.txt")
            try folder.remove("notes/01.txt")
            try expectExit(command, 73, saying: "notes/02.txt")
            #expect(try folder.names == ["deck.pdf", "notes"])
            #expect(try text(folder / "notes/02.txt") == "mine")
            try succeed(command + ["-y"])
            #expect(try text(folder / "notes/02.txt") == "")
            let file = try CommandTests.run(
                ["deck", deck, folder / "x.mp4", "--notes-out", folder / "notes/02.txt"] + Self.quick)
            #expect(file.status == 73 && file.messages.contains("is not a folder"), "\(file.story)")
            try expectExit(["deck", deck, folder / "x.mp4", "--notes-out", folder / "no/notes"] + Self.quick, 73)
            try expectExit(["plan", deck, folder / "x.mp4", "--notes-out", folder / "n"], 64, saying: "--notes-out")
            #expect(try folder.names == ["deck.pdf", "notes", "out.mp4"])
        }

        /// Notes that pdfpc keeps beside the PDF count instead of its annotations.
        @Test func notesOfThePresentersConsoleCount() throws {
            let deck = try deck()
            try #"{"pdfpcFormat": 2, "pages": [{"idx": 2, "note": "Other\n\nnotes"}]}"#.write(to: folder / "deck.pdfpc")
            try succeed(["deck", deck, folder / "out.mp4", "--notes-out", folder / "notes"] + Self.quick)
            #expect(try text(folder / "notes/03.txt") == "Other\nnotes\n")
            #expect(try text(folder / "notes/01.txt") == Self.notes[0].map { $0 + "\n" })
            try "[notes]".write(to: folder / "deck.pdfpc")
            let run = try succeed(["deck", deck, folder / "b.mp4", "--captions-from", "notes"] + Self.quick)
            #expect(run.messages.contains("deck.pdfpc is not a file of notes"), "\(run.story)")
        }

        /// The slides come at 0, 4 and 8 s, or frames 0, 100 and 200.
        @Test(arguments: ["mkv", "mp4", "mov", "webm"]) func notesBecomeCaptions(container: String) throws {
            let out = folder / "out.\(container)"
            let options = Self.quick.filter { container != "webm" || !["--preset", "ultrafast"].contains($0) }
            let run = try succeed(["deck", try deck(), out, "--captions-from", "notes"] + options)
            let warnings = CommandTests.warnings(run)
            #expect(warnings.count == 1 && warnings[0].contains("slide 1 stays for too short"), "\(run.story)")
            let captions = try NoteSlides.captions(out)
            // The first sentence has 62 letters and takes two lines, "It has three parts." 19, the second paragraph 30.
            // With a letter for the space after each they share 4 s: 63, 20 and 31 of 114.
            try #require(captions.count == 4)
            let ends = [63, 83, 114].map { Double($0) / 114 * 4 }
            for (index, caption) in captions.prefix(3).enumerated() {
                #expect(abs(caption.start - (index == 0 ? 0 : ends[index - 1])) < 0.002, "\(caption)")
                #expect(abs(caption.end - ends[index]) < 0.002, "\(caption)")
            }
            #expect(abs(captions[3].start - 8) < 0.002 && abs(captions[3].end - 12) < 0.002, "\(captions[3])")
            let lines = captions[0].text.split(separator: "\n")
            #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 42 })
            #expect(lines.joined(separator: " ") == "Welcome to this lecture, in which we shall see how pages turn.")
            #expect(captions[1].text == "It has three parts." && captions[3].text == "Short.")
            #expect(captions[2].text.hasPrefix("The first is \u{201c}Größe\u{201d} &"))
            #expect(try Judge.complaints(out) == "")
        }

        /// With --burn-captions, the frames of slides with notes differ from those without the option, and no others.
        /// Pages that pdfpc hides are left out, as hidden slides are, and pages with notes beside the slides are hinted at.
        @Test func pagesThatThePresentersConsoleHidesAreLeftOut() throws {
            let deck = try deck(["One.", "Two.", "Three."])
            try #"{"pages": [{"idx": 1, "hidden": true}]}"#.write(to: folder / "deck.pdfpc")
            let run = try succeed(["deck", deck, folder / "out.mkv"] + Self.quick)
            #expect(run.messages.contains("slide 2 is hidden and left out"), "\(run.story)")
            #expect(try Judge.video(folder / "out.mkv").frameCount == 200)
            try DeckFiles.pdf(pages: ["", ""], width: 640).write(to: folder / "wide.pdf")
            let wide = try succeed(["plan", folder / "wide.pdf", folder / "o.mp4"])
            #expect(wide.text.contains("notes on second screen"), "\(wide.story)")
        }

        /// The captions in a file of their own are those in the video, and stay so where they are drawn.
        @Test(arguments: ["srt", "vtt"]) func captionsAreWritten(ending: String) throws {
            let deck = try deck(["One. Is 2 < 3 & 4 > 3?\nTwo.", nil, "Three."])
            let file = folder / "lines.\(ending)"
            let command = ["deck", deck, folder / "out.mkv", "--captions-out", file, "--captions-from", "notes"]
            try succeed(command + Self.quick)
            let (inside, beside) = try (NoteSlides.captions(folder / "out.mkv"), NoteSlides.captions(file))
            #expect(beside.map(\.text) == ["One. Is 2 < 3 & 4 > 3?", "Two.", "Three."] && inside.count == 3)
            #expect(zip(inside, beside).allSatisfy { abs($0.start - $1.start) < 0.002 && abs($0.end - $1.end) < 0.002 })
            #expect(try text(file).hasPrefix("WEBVTT") == (ending == "vtt"))
            #expect(try CommandTests.run(command + Self.quick).status == 73)
            try succeed(command + ["-y", "--burn-captions", "outline"] + Self.quick)
            #expect(try NoteSlides.captions(file) == beside)
            try expectExit(
                ["deck", deck, folder / "x.mkv", "--captions-out", file] + Self.quick, 64, saying: "by itself")
            try expectExit(
                ["deck", deck, folder / "x.mkv", "--captions-out", folder / "x.txt", "--captions-from", "notes"]
                    + Self.quick,
                64, saying: "FILE.vtt")
        }

        /// Notes that nobody can read in time are warned of, and slides stay long enough if asked to.
        @Test func slidesStayLongEnoughToReadTheirNotes() throws {
            // 300 letters take 20 s at 15 a second; 75 take 5 s.
            let notes = [
                String(repeating: "letter ", count: 42) + "letter", String(repeating: "x", count: 75), "Short.", nil,
            ]
            let deck = try deck(notes)
            let options = ["--captions-from", "notes", "--transition", "cut", "--size", "64x36"]
            let fast = try CommandTests.run(["plan", deck, folder / "o.mkv"] + options)
            #expect(
                fast.text.contains("slide 1 stays for too short a time") && fast.text.contains("75 letters a second")
                    && fast.text.contains("--hold notes"), "\(fast.story)")
            let slow = try CommandTests.run(["plan", deck, folder / "o.mkv", "--hold", "notes"] + options)
            #expect(slow.status == 0 && !slow.text.contains("too short"), "\(slow.story)")
            try succeed(["export", deck, folder / "times.txt", "--hold", "notes"] + options)
            let lines = try text(folder / "times.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(lines.map { $0.prefix { $0 != " " } } == ["20", "5", "4", "4"], "\(lines)")
        }

        @Test func notesAreDrawn() throws {
            let deck = try deck()
            let options = [
                "--size", "320x180", "--hold", "2", "--transition", "cut", "--video-codec", "ffv1", "--captions-from",
                "notes",
            ]
            try succeed(["deck", deck, folder / "soft.mkv"] + options)
            try succeed(["deck", deck, folder / "hard.mkv", "--burn-captions", "outline"] + options)
            let (soft, hard) = try (Judge.frameHashes(folder / "soft.mkv"), Judge.frameHashes(folder / "hard.mkv"))
            try #require(soft.count == 150 && hard.count == 150)
            #expect(soft.indices.filter { soft[$0] == hard[$0] } == Array(50..<100))
            #expect(try Judge.fields(folder / "hard.mkv", stream: "s", entries: "stream=index").isEmpty)
            let plan = try succeed(["plan", deck, folder / "x.mkv", "--captions-from", "notes"])
            #expect(plan.text.contains("of the slides' notes"), "\(plan.text)")
        }

        @Test func whatIsAskedForInVainIsSaid() throws {
            let empty = try deck([nil, nil])
            let run = try succeed(["deck", empty, folder / "out.mp4", "--captions-from", "notes"] + Self.quick)
            #expect(run.messages.contains("no slide that is shown has notes"), "\(run.story)")
            try expectExit(["deck", empty, folder / "s.mp4", "--captions-from", "notes", "--strict"] + Self.quick, 65)
            let avi = try succeed("deck \(deck()) \(folder / "out.avi") --captions-from notes --size 64x36 --hold 1")
            #expect(avi.messages.contains("the slides' notes: left out"), "\(avi.story)")
            try expectExit(["deck", empty, folder / "x.mp4", "--captions-from", "title"], 64, saying: "expected notes")
            #expect(try folder.names == ["deck.pdf", "out.avi", "out.mp4"])
        }

        /// Slides of PowerPoint and OpenDocument: hidden ones count, and have no file.
        @Test(
            .enabled(if: Places.has("soffice"), "needs LibreOffice"),
            arguments: Places.some(["pptx", "odp"], every: 2))
        func officeNotesAreWrittenAsTheyAre(ending: String) throws {
            let texts = ["First & \u{201c}foremost\u{201d}.", "Not seen.", "Two\nparagraphs."]
            let xml = { (text: String, tag: (String) -> String) in
                text.replacing("&", with: "&amp;").split(separator: "\n").map { tag(String($0)) }.joined()
            }
            let members: [DeckFiles.Member]
            if ending == "pptx" {
                let slide = DeckFiles.slide(color: "ff0000")
                let relation = { (number: Int) in
                    #"<Relationship Id="n" Type="\#(DeckFiles.relationType("notesSlide"))" Target="../notesSlides/notesSlide\#(number).xml"/>"#
                }
                members =
                    DeckFiles.powerPoint(
                        [slide, "HIDDEN" + slide, slide, slide],
                        relations: [1: relation(3), 2: relation(1), 4: relation(2)])
                    + zip([3, 1, 2], texts).map { number, text in
                        DeckFiles.powerPointNotes(number, xml(text) { "<a:p><a:r><a:t>\($0)</a:t></a:r></a:p>" })
                    }
            } else {
                let notes = texts.map { DeckFiles.openDocumentNotes(xml($0) { "<text:p>\($0)</text:p>" }) }
                members = DeckFiles.openDocument([notes[0], "HIDDEN" + notes[1], "", notes[2]])
            }
            let deck = folder / "deck.\(ending)"
            try DeckFiles.zip(members).write(to: deck)
            let out = folder / "out.mkv"
            try succeed("deck \(deck) \(out) --notes-out \(folder / "notes") --captions-from notes \(Self.quick)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder / "notes").sorted()
            #expect(names == ["01.txt", "03.txt", "04.txt"])
            let written = try names.map { try text(folder / "notes/\($0)") }
            #expect(written == [texts[0] + "\n", "", texts[2] + "\n"])
            // The slides 1, 3 and 4 come at 0, 4 and 8 s.
            let captions = try NoteSlides.captions(out)
            #expect(captions.first == NoteSlides.Caption(start: 0, end: 4, text: texts[0]))
            #expect(captions.count == 3)
            #expect(captions.dropFirst().first?.start == 8 && captions.last?.end == 12)
        }
    }
}
