import TestSupport
import Testing

extension CommandTests {
    /// The page with a deck's pictures, text and notes.
    @Suite(.serialized) struct TranscriptTests {
        let folder = TemporaryFolder.make()
        private static let quick = ["--size", "320x180", "--preset", "ultrafast", "--crf", "10", "--fps", "10"]

        /// What Python's parser finds on a page: the headings, the links, the pictures' alternative texts, the paragraphs, and the
        /// tags that aren't closed in order. The pictures are written beside the page.
        private static let reader = """
            import base64, html.parser, json, sys
            class Reader(html.parser.HTMLParser):
                def __init__(self):
                    super().__init__()
                    self.found = {'h2': [], 'p': [], 'title': [], 'href': [], 'alt': [], 'wrong': [], 'lang': []}
                    self.open, self.text = [], ''
                def handle_starttag(self, tag, attributes):
                    a = dict(attributes)
                    if tag not in ('meta', 'img'): self.open.append(tag)
                    if tag == 'html': self.found['lang'].append(a.get('lang', ''))
                    if tag == 'a': self.found['href'].append(a['href'])
                    if tag == 'img':
                        kind, data = a['src'].split(',')
                        assert kind == 'data:image/jpeg;base64'
                        open(sys.argv[2] + '/picture%d.jpg' % len(self.found['alt']), 'wb').write(base64.b64decode(data, validate=True))
                        self.found['alt'].append(a['alt'])
                    self.text = ''
                def handle_endtag(self, tag):
                    if not self.open or self.open.pop() != tag: self.found['wrong'].append(tag)
                    if tag in self.found: self.found[tag].append(self.text)
                def handle_data(self, data): self.text += data
            reader = Reader()
            reader.feed(open(sys.argv[1], encoding='utf-8').read())
            reader.close()
            reader.found['wrong'] += reader.open
            print(json.dumps(reader.found))
            """

        private func read(_ page: String) throws -> [String: [String]] {
            let run = try Tool.succeed("python3", ["-c", Self.reader, page, folder.path])
            return try #require(JSONSerialization.jsonObject(with: run.output) as? [String: [String]])
        }

        @Test(.enabled(if: Places.has("python3"), "needs Python")) func slidesAreReadAndLinked() throws {
            try NoteSlides.pdf(["Say <this> & \"that\".\nThen more.", nil]).write(to: folder / "notes.pdf")
            let content = "BT /F1 24 Tf 20 100 Td (Text & <b>) Tj ET"
            let font = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
            try DeckFiles.pdf(pages: [font], content: content).write(to: folder / "text.pdf")
            let photo = folder / "a & b.png"
            try Tool.ffmpeg("-f lavfi -i testsrc2=s=320x180:r=1:d=1 -frames:v 1 \(photo)")
            let (film, page) = (folder / "my film.mp4", folder / "page.html")
            try succeed(
                ["deck", folder / "notes.pdf", photo, folder / "text.pdf", film, "--transcript", page, "--hold", "1.5"]
                    + ["--duration", "0.5", "--fade-out", "0.3", "--metadata", "title=A <title>"] + Self.quick)
            let found = try read(page)
            #expect(found["wrong"] == [] && found["title"] == ["A <title>"], "\(found)")
            let chapters = try Judge.chapters(film)
            #expect(found["h2"] == zip(1..., chapters).map { "\($0). \($1.title)" }, "\(found)")
            #expect(found["alt"] == chapters.map(\.title) && chapters[2].title == "a & b", "\(found)")
            // A chapter begins with the transition to its slide, as a link does; each slide has two links.
            let links = (found["href"] ?? []).map { $0.split(separator: "#t=") }
            #expect(Set(links.map { String($0[0]) }) == ["./my%20film.mp4"])
            #expect(links.map { Double($0[1]) } == chapters.flatMap { [$0.start, $0.start] })
            let paragraphs = found["p"] ?? []
            for text in ["Say <this> & \"that\".", "Then more.", "Text & <b>"] { #expect(paragraphs.contains(text)) }
            // The pictures are those of the film, right before it goes on to the next slide.
            for (index, chapter) in chapters.enumerated() {
                // The film fades at its end.
                let next = index + 1 < chapters.count ? chapter.end : chapter.end - 0.3
                try Tool.ffmpeg("-ss \(next - 0.15) -i \(film) -frames:v 1 -y \(folder / "frame.png")")
                let psnr = try Judge.psnr(folder / "picture\(index).jpg", folder / "frame.png")
                #expect(chapter.start < next && psnr[0] > 30, "slide \(index): \(psnr)")
            }
        }

        @Test func mistakesAreSaidBeforeTheVideoIsMade() throws {
            try NoteSlides.pdf(["One.", nil]).write(to: folder / "deck.pdf")
            let (deck, film, page) = (folder / "deck.pdf", folder / "o.mp4", folder / "page.html")
            try "old".write(to: page)
            let rows: [(words: [String], status: Int32, says: String)] = [
                ([film, "--transcript", page], 73, "page.html"),
                ([film, "--transcript", folder / "page.txt"], 64, "FILE.html"),
                (["-", "--format", "matroska", "--transcript", folder / "new.html"], 64, "file"),
                ([folder / "%d.png", "--transcript", folder / "new.html"], 64, "file"),
                (
                    [
                        film, "--captions-from", "notes", "--captions-out", folder / "x.srt", "--report",
                        folder / "new.html",
                    ] + ["--transcript", folder / "new.html"], 64, "both"
                ),
            ]
            for row in rows { try expectExit(["deck", deck] + row.words, row.status, saying: row.says) }
            #expect(try folder.names == ["deck.pdf", "page.html"])
            #expect(try String(contentsOf: page) == "old")
            // One slide, and a page that takes the place of another.
            try succeed(["deck", deck + "#page=1", film, "--transcript", page, "-y"] + Self.quick)
            #expect(try String(contentsOf: page).contains("<p dir=\"auto\">One.</p>"))
        }
    }
}
