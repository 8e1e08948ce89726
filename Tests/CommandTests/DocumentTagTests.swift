import TestSupport
import Testing

extension CommandTests {
    /// What documents say of themselves, as ffprobe finds it in the video.
    @Suite(.serialized) struct DocumentTagTests {
        let folder = TemporaryFolder.make()
        private static let quick = ["--size", "64x36", "--preset", "ultrafast", "--hold", "0.2", "--transition", "cut"]

        /// A PDF of one page with a note.
        private func pdf(_ name: String, _ folder: TemporaryFolder, info: String, catalog: String = "") throws -> String
        {
            let note = "/Annots [<< /Type /Annot /Subtype /Text /F 2 /Rect [0 0 0 0] /Contents (Say this.) >>]"
            try DeckFiles.pdf(pages: [note], catalog: catalog, info: info).write(to: folder / name)
            return folder / name
        }

        static func tags(_ path: String) throws -> [String: String] {
            let format = try Judge.probe(path, ["-show_format"])["format"] as? [String: Any]
            let tags = format?["tags"] as? [String: String] ?? [:]
            return Dictionary(tags.map { ($0.key.lowercased(), $0.value) }) { $1 }
        }

        @Test(arguments: ["mkv", "mp4", "mov", "webm"]) func titleAndAuthorBecomeTags(container: String) throws {
            // "Größe (2)" as UTF-16, and a title and an author as text.
            let deck = try pdf(
                "deck.pdf", folder,
                info: #"/Title <FEFF0047007200F600DF006500200028003200290020> /Author (Ada \(UCL\)) /Subject (x)"#)
            let options = Self.quick.filter { container != "webm" || !["--preset", "ultrafast"].contains($0) }
            let out = folder / "out.\(container)"
            try succeed(["deck", deck, out] + options)
            let found = try Self.tags(out)
            #expect(found["title"] == "Größe (2)" && found["artist"] == "Ada (UCL)", "\(found)")
            #expect(found["subject"] == nil)
        }

        /// What the user gives goes before it, and documents that disagree are like clips that disagree.
        @Test func tagsAreReplacedRemovedAndDisputed() throws {
            let waves = try pdf("waves.pdf", folder, info: "/Title (Waves) /Author (Ada)")
            let fields = try pdf("fields.pdf", folder, info: "/Title (Fields) /Author (Ada)")
            let junk = try pdf("junk.pdf", folder, info: "/Title (Microsoft Word - x.doc) /Author (user)")
            let out = folder / "out.mkv"
            for (inputs, title, artist) in [
                ([waves, "--metadata", "title=Mine"], "Mine", "Ada"), ([waves, "--metadata", "title="], nil, "Ada"),
                ([waves, fields], nil, "Ada"), ([waves, junk], "Waves", "Ada"), ([junk], nil, nil),
            ] as [([String], String?, String?)] {
                try succeed(["deck"] + inputs + [out, "-y"] + Self.quick)
                let found = try Self.tags(out)
                #expect(found["title"] == title && found["artist"] == artist, "\(inputs): \(found)")
            }
            // A project shows the same, and a picture has no tags.
            try succeed(["export", waves, folder / "p.yaml", "-o", "x.mkv"] + Self.quick)
            try succeed(["render", folder / "p.yaml", folder / "r.mkv"])
            #expect(try Self.tags(folder / "r.mkv")["title"] == "Waves")
        }

        /// A title that looks like what poppler writes of a page adds no page.
        @Test func aTitleIsNoPage() throws {
            let deck = try pdf("deck.pdf", folder, info: #"/Title (Waves\nPage    2 size:  90 x 90 pts)"#)
            let plan = try succeed(["plan", deck, folder / "o.mkv"])
            #expect(plan.text.contains("deck.pdf#page=1") && !plan.text.contains("#page=2"), "\(plan.story)")
        }

        @Test func theLanguageIsThatOfCaptionsAndNarration() throws {
            let german = try pdf("german.pdf", folder, info: "/Title (a)", catalog: "/Lang (de-DE)")
            let french = try pdf("french.pdf", folder, info: "/Title (a)", catalog: "/Lang (fr)")
            let silent = try pdf("silent.pdf", folder, info: "/Title (a)")
            let (speech, music) = (folder / "1.wav", folder / "music.wav")
            for path in [speech, music] { try Tool.ffmpeg("-f lavfi -i sine=d=0.3:r=48000 \(path)") }
            let (out, captions) = (folder / "out.mkv", ["--captions-from", "notes"])
            for (options, expected) in [
                ([german, "--narration", speech] + captions, ["deu", "deu"]),
                ([german, "--narration", speech, "--language", "it"] + captions, ["ita", "ita"]),
                // Music is in no language.
                ([german, "--music", music] + captions, ["und", "deu"]),
                ([german, german] + captions, ["deu"]), ([german, french] + captions, ["und"]),
                ([german, silent] + captions, ["und"]), ([silent] + captions, ["und"]),
            ] {
                try succeed(["deck"] + options + [out, "-y"] + Self.quick)
                #expect(try Judge.languagesBesideVideo(out) == expected, "\(options.dropFirst())")
            }
        }

        /// LibreOffice passes on what a PowerPoint file says, and the runs of its text tell the language.
        @Test(.enabled(if: Places.has("soffice"), "needs LibreOffice")) func powerPointsPropertiesArrive() throws {
            let relation =
                #"<Relationship Id="n" Type="\#(DeckFiles.relationType("notesSlide"))" Target="../notesSlides/notesSlide1.xml"/>"#
            let notes = #"<a:p><a:r><a:rPr lang="de-AT"/><a:t>Servus miteinander.</a:t></a:r></a:p>"#
            let members = DeckFiles.powerPoint(
                [DeckFiles.slide(color: "3060c0")], relations: [1: relation],
                properties: "<dc:title>Größen &amp; Töne</dc:title><dc:creator>Ada</dc:creator>")
            let deck = folder / "deck.pptx"
            try DeckFiles.zip(members + [DeckFiles.powerPointNotes(1, notes)]).write(to: deck)
            let out = folder / "out.mkv"
            try succeed(["deck", deck, out, "--captions-from", "notes"] + Self.quick)
            let found = try Self.tags(out)
            #expect(found["title"] == "Größen & Töne" && found["artist"] == "Ada", "\(found)")
            #expect(try Judge.languagesBesideVideo(out) == ["deu"])
        }
    }
}
