import TestSupport
import Testing

extension CommandTests {
    /// What documents have and videos can't have is said, once.
    @Suite(.serialized) struct DeckRemarkTests {
        let folder = TemporaryFolder.make()
        private static let quick = ["--hold", "1", "--size", "64x36", "--transition", "cut", "--preset", "ultrafast"]

        private func plan(_ deck: String, _ options: [String] = []) throws -> (remarks: [String], warnings: [String]) {
            let plan = try planJSON([deck, "o.mp4"] + Self.quick + options)
            return (try #require(plan["remarks"] as? [String]), try #require(plan["warnings"] as? [String]))
        }

        @Test func annotationsOfPagesAreSaid() throws {
            let annotation = { (kind: String) in "<< /Type /Annot /Subtype /\(kind) /Rect [0 0 9 9] >>" }
            let link = annotation("Link")
            try DeckFiles.pdf(
                pages: [
                    "", "/Annots [\(link) \(link)]", "/Annots [9 0 R]", "/Annots [\(annotation("RichMedia"))]",
                    "/Annots 10 0 R", "/Annots [\(annotation("Square"))]",
                ], objects: [annotation("Screen"), "[\(link) \(annotation("Movie"))]"]
            ).write(to: folder / "deck.pdf")
            let deck = folder / "deck.pdf"
            let (remarks, warnings) = try plan(deck)
            #expect(remarks == ["\(deck): slides 2 and 5 have links, which a video can't have"])
            #expect(
                warnings == [
                    "\(deck): slides 3, 4 and 5 have films or sounds as annotations of the PDF, which are not played"
                ])
            // Parts of a document share a sentence.
            let parts = try succeed("plan \(deck + "#page=1-2") \(deck + "#page=5-6") o.mp4 --verbose \(Self.quick)")
            #expect(parts.text.components(separatedBy: "have links").count == 2, "\(parts.text)")
            // Links are nothing to be strict about, and no news for everyone who makes a video.
            let linked = ["deck", deck + "#page=1-2", folder / "out.mp4", "-y", "--strict"] + Self.quick
            let run = try succeed(linked)
            #expect(!run.messages.contains("links"), "\(run.messages)")
            let verbose = try succeed(linked + ["--verbose"])
            #expect(verbose.messages.contains("slide 2 has links"), "\(verbose.messages)")
            try expectExit(["deck", deck, folder / "no.mp4", "--strict"] + Self.quick, 65, saying: "as annotations")
        }

        @Test(.enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"))
        func linksAndCommentsOfSlidesAreSaid() throws {
            let text = { (run: String) in
                """
                <p:sp><p:nvSpPr><p:cNvPr id="7" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r>\
                <a:rPr>\(run)</a:rPr><a:t>text</a:t></a:r></a:p></p:txBody></p:sp>
                """
            }
            let relation = { (kind: String, target: String, more: String) in
                #"<Relationship Id="h" Type="\#(DeckFiles.relationType(kind))" Target="\#(target)" \#(more)/>"#
            }
            let slide = { (shapes: String) in DeckFiles.slide(color: "808080", shapes: shapes) }
            let members = DeckFiles.powerPoint(
                [
                    slide(text(#"<a:hlinkClick r:id="h"/>"#)), slide(""), slide(text("")),
                    slide(text(#"<a:hlinkClick r:id="" action="ppaction://hlinkshowjump?jump=nextslide"/>"#)),
                ],
                relations: [
                    1: relation("hyperlink", "https://example.org/", #"TargetMode="External""#),
                    3: relation("comments", "../comments/comment1.xml", ""),
                ])
            let deck = folder / "deck.pptx"
            try DeckFiles.zip(members).write(to: deck)
            let found = try plan(deck)
            #expect(
                found.remarks == [
                    "\(deck): slides 1 and 4 have links, which a video can't have",
                    "\(deck): slide 3 has comments, which are not shown",
                ])
            #expect(found.warnings.isEmpty, "\(found.warnings)")

            let open = folder / "deck.odp"
            let frame = { (text: String) in
                #"<draw:frame svg:width="8cm" svg:height="4cm" svg:x="2cm" svg:y="3cm"><draw:text-box>\#(text)</draw:text-box></draw:frame>"#
            }
            try DeckFiles.zip(
                DeckFiles.openDocument([
                    frame("<text:p>plain</text:p>"),
                    frame(#"<text:p><text:a xlink:href="https://example.org/">a</text:a></text:p>"#),
                    "<office:annotation><text:p>a comment</text:p></office:annotation>",
                    DeckFiles.openDocumentNotes(
                        #"<text:p><text:a xlink:href="https://example.org/">a</text:a></text:p>"#),
                ])
            ).write(to: open)
            #expect(
                try plan(open).remarks == [
                    "\(open): slide 2 has links, which a video can't have",
                    "\(open): slide 3 has comments, which are not shown",
                ])
        }

        /// A page's font and text, as entries of its dictionary and objects of the file.
        private func page(_ text: String, font: String = "Helvetica", object: Int) -> (entry: String, object: String) {
            let content = "BT /F1 24 Tf 20 100 Td (\(text)) Tj ET"
            return (
                "/Contents \(object) 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /TrueType /BaseFont /\(font) "
                    + "/Encoding /WinAnsiEncoding >> >> >>",
                "<< /Length \(content.utf8.count) >> stream\n\(content)\nendstream"
            )
        }

        /// Builds of a slide are pages with one label (ISO 32000-1 12.4.2) and one title: they have one chapter, and all
        /// keep their numbers.
        @Test(arguments: [[], ["--hold", "1"]]) func buildsShareAChapter(options: [String]) throws {
            let titles = ["Alpha", "Beta", "Beta", "Beta", "Gamma", "Delta", "Delta"]
            let pages = titles.enumerated().map { page($1, object: titles.count + 3 + $0) }
            // Labels 1, 2, 2, 3, 3, and then none of their own: 1, 2.
            let labels = "/PageLabels << /Nums [0 << /P (1) >> 1 << /P (2) >> 3 << /P (3) >> 5 << /S /D >>] >>"
            try DeckFiles.pdf(pages: pages.map(\.entry), catalog: labels, objects: pages.map(\.object)).write(
                to: folder / "deck.pdf")
            let deck = folder / "deck.pdf"
            let own = options.isEmpty ? ["--timings", folder / "times.txt"] : options
            try "1\n1\n1\n1\n1\n1\n1\n".write(to: folder / "times.txt")
            let size = ["--size", "64x36", "--transition", "cut", "--preset", "ultrafast"]
            try succeed(["deck", deck, folder / "out.mkv"] + own + size)
            try succeed(["export", deck, folder / "cues.txt"] + own + size)
            let chapters = try Judge.chapters(folder / "out.mkv")
            #expect(chapters.map(\.title) == ["Alpha", "Beta", "Beta", "Gamma", "Delta", "Delta"])
            #expect(chapters.map(\.start) == [0, 1, 3, 4, 5, 6] && chapters.last?.end == 7)
            let cues = try String(contentsOf: folder / "cues.txt")
            #expect(cues.contains("# 3  Beta  starts 0:02.000") && cues.contains("# 7  Delta"), "\(cues)")
        }

        /// Without labels, pages that follow each other with one title share a chapter, and later ones have their own.
        @Test func pagesOfOneTitleShareAChapter() throws {
            let titles = ["Alpha", "Beta", "Beta", "Gamma", "Alpha"]
            let pages = titles.enumerated().map { page($1, object: titles.count + 3 + $0) }
            try DeckFiles.pdf(pages: pages.map(\.entry), objects: pages.map(\.object)).write(to: folder / "deck.pdf")
            let plan = try succeed(["plan", folder / "deck.pdf", "o.mp4", "--json"] + Self.quick)
            let chapters = (try JSONValue(plan.output).value as? [String: Any])?["chapters"] as? [[String: Any]] ?? []
            #expect(chapters.map { $0["title"] as? String } == ["Alpha", "Beta", "Gamma", "Alpha"])
            #expect(chapters.map { ($0["start"] as? NSNumber)?.doubleValue } == [0, 1, 3, 4])
        }

        /// Fonts that aren't there are named, and those that every reader replaces alike are not.
        @Test(.enabled(if: Places.has("fc-match"), "needs fontconfig")) func fontsThatAreMissingAreSaid() throws {
            let pages = [
                page("One", font: "NoSuchFaceAtAll-Bold", object: 6), page("Two", font: "Helvetica-Bold", object: 7),
                page("Three", font: "NoSuchFaceAtAll", object: 8),
            ]
            try DeckFiles.pdf(pages: pages.map(\.entry), objects: pages.map(\.object)).write(to: folder / "deck.pdf")
            let deck = folder / "deck.pdf"
            let said = try plan(deck).warnings
            #expect(
                said == [
                    "\(deck): the font NoSuchFaceAtAll is neither stored in the file nor installed, so another takes its place "
                        + "(export it with its fonts, or install it)"
                ])
            #expect(try plan(deck + "#page=2").warnings == said, "the whole document is examined")
        }

        @Test(.enabled(if: Places.has("soffice") && Places.has("fc-match"), "needs LibreOffice and fontconfig"))
        func fontsThatSlidesNameAndAreMissingAreSaid() throws {
            let installed = try Tool.succeed("fc-list", [":", "family"]).text.split(separator: "\n")[0].prefix {
                $0 != ","
            }
            let text = { (font: String) in
                """
                <p:sp><p:nvSpPr><p:cNvPr id="7" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r>\
                <a:rPr><a:latin typeface="\(font)"/></a:rPr><a:t>text</a:t></a:r></a:p></p:txBody></p:sp>
                """
            }
            let fonts = ["No Such Face", String(installed), "+mn-lt", "Another Face, Not There", "Wingdings"]
            let members = DeckFiles.powerPoint(
                fonts.map { DeckFiles.slide(color: "ffffff", shapes: text($0) + text("No Such Face")) })
            let deck = folder / "deck.pptx"
            try DeckFiles.zip(members).write(to: deck)
            #expect(
                try plan(deck).warnings == [
                    "\(deck): the fonts Another Face, Not There and No Such Face aren't installed, so others take their place, "
                        + "and text may wrap differently (install them, or export a PDF file with its fonts)"
                ])
        }

        /// Carlito has the widths of Calibri's characters, so where it isn't installed, its package in Debian is named.
        @Test(.enabled(if: Places.has("soffice") && Places.has("fc-match"), "needs LibreOffice and fontconfig"))
        func aFontOfTheSameWidthsIsNamed() throws {
            let text = """
                <p:sp><p:nvSpPr><p:cNvPr id="7" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r>\
                <a:rPr><a:latin typeface="Calibri"/></a:rPr><a:t>text</a:t></a:r></a:p></p:txBody></p:sp>
                """
            let members = DeckFiles.powerPoint([DeckFiles.slide(color: "ffffff", shapes: text)])
            let deck = folder / "deck.pptx"
            try DeckFiles.zip(members).write(to: deck)
            let installed = try Tool.succeed("fc-list", [":", "family"]).text
            let isReplaced = installed.contains("Calibri") || installed.contains("Carlito")
            let warnings = try plan(deck).warnings
            #expect(warnings.count == (isReplaced ? 0 : 1), "\(warnings)")
            #expect(
                warnings.allSatisfy { $0.contains("the font Calibri isn't") && $0.contains("fonts-crosextra-carlito") },
                "\(warnings)")
        }
    }
}
