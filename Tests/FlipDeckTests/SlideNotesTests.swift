import FlipBase
import FlipDeck
import FlipGeometry
import TestSupport
import Testing

/// What is read of the notes of slides.
@Suite struct SlideNotesTests {
    private let slide = DeckFiles.slide(color: "ff0000")

    private func relation(_ target: String) -> String {
        #"<Relationship Id="n" Type="\#(DeckFiles.relationType("notesSlide"))" Target="\#(target)"/>"#
    }

    /// The notes of each slide, by the relationships of the slides and not by the names of the parts.
    @Test func powerPointsNotesAreThoseOfTheBody() throws {
        let members =
            DeckFiles.powerPoint(
                [slide, slide, slide],
                relations: [
                    1: relation("../notesSlides/notesSlide2.xml"), 3: relation("/ppt/notesSlides/notesSlide1.xml"),
                ])
            + [
                DeckFiles.powerPointNotes(1, "<a:p><a:r><a:t>Third.</a:t></a:r></a:p>"),
                DeckFiles.powerPointNotes(
                    2,
                    """
                    <a:p><a:r><a:t>One </a:t></a:r><a:r><a:rPr b="1"/><a:t>para\ngraph &amp; more.</a:t></a:r></a:p><a:p/>
                    <a:p><a:r><a:t>Two<!-- x --></a:t></a:r><a:br/><a:r><a:t>lines</a:t></a:r>
                    <a:fld id="{1}" type="slidenum"><a:t>7</a:t></a:fld></a:p>
                    """),
            ]
        let notes = try PPTXDeck(parts: DeckFiles.parts(members), path: "deck.pptx").facts.map(\.notes)
        #expect(notes == ["One para graph & more.\nTwo\nlines", nil, "Third."])
    }

    @Test func aPowerPointFileWithoutItsNotesHasNone() throws {
        let members = DeckFiles.powerPoint([slide], relations: [1: relation("../notesSlides/notesSlide1.xml")])
        #expect(try PPTXDeck(parts: DeckFiles.parts(members), path: "deck.pptx").facts.map(\.notes) == [nil])
    }

    @Test func openDocumentsNotesAreThoseOfTheirFrame() throws {
        let notes = DeckFiles.openDocumentNotes(
            """
            <text:p>One  <text:span>para</text:span>graph,<text:s/>and\n <text:s text:c="3"/>more.</text:p><text:p/>
            <text:list><text:list-item><text:p>An item<text:line-break/>in two lines</text:p></text:list-item></text:list>
            """)
        let content = DeckFiles.openDocument([notes, "", "HIDDEN" + DeckFiles.openDocumentNotes("<text:p>H</text:p>")])
        let parts = DeckFiles.parts(content)
        let facts = try ODPDeck(content: parts["content.xml"], path: "deck.odp").facts
        #expect(facts.map(\.notes) == ["One paragraph, and more.\nAn item\nin two lines", nil, "H"])
        #expect(facts.map(\.isHidden) == [false, false, true])
    }

    /// The objects in qpdf's JSON of a page with annotations: directly, in a list, and with texts of their own.
    @Test func pagesNotesAreTheirTextAnnotations() {
        let values = [
            "3 0 R": #"{"/Annots": [{"/Subtype": "/Text", "/Contents": "u:One\rTwo"}, {"/Subtype": "/Link"}]}"#,
            "4 0 R": #"{"/Annots": "20 0 R"}"#, "20 0 R": #"["21 0 R", "22 0 R", "23 0 R"]"#,
            "21 0 R": #"{"/Subtype": "/FreeText", "/Contents": "u:on the page"}"#,
            "22 0 R": #"{"/Subtype": "/FreeText", "/Popup": "9 0 R", "/Contents": "u:pops up"}"#,
            "23 0 R": #"{"/Subtype": "/Text", "/Contents": "24 0 R"}"#, "24 0 R": #""u:elsewhere""#,
            "5 0 R": #"{"/Annots": [{"/Subtype": "/Text", "/Contents": "b:00ff"}, 7, null]}"#,
        ]
        let list = values.map { #""obj:\#($0.key)": {"value": \#($0.value)}"# }.joined(separator: ", ")
        let all = PageFacts.objects(in: Data(#"{"qpdf": [{"jsonversion": 2}, {\#(list)}]}"#.utf8))
        let pages = ["3 0 R", "4 0 R", "5 0 R"]
        #expect(PageFacts.facts(of: pages, all).map(\.notes) == ["One\nTwo", "pops up\nelsewhere", nil])
        // What is needed next is asked for, and nothing that is not.
        var known = all.filter { pages.contains($0.key) }
        for next in [["20 0 R"], ["21 0 R", "22 0 R", "23 0 R"], ["24 0 R"], []] as [Set<String>] {
            #expect(PageFacts.references(from: pages, known, needsNotes: true).subtracting(known.keys) == next)
            known.merge(all.filter { next.contains($0.key) }) { $1 }
        }
        // Without a need for notes, their texts are not asked for.
        known["24 0 R"] = nil
        #expect(PageFacts.references(from: pages, known).subtracting(known.keys).isEmpty)
    }

    @Test func notesOfThePresentersConsoleAreRead() {
        let text =
            #"{"pdfpcFormat": 2, "pages": [{"idx": 0, "note": "A\n\nB "}, {"idx": 2, "label": "3"}, {"idx": 3, "note": "C"}]}"#
        #expect(PDFPCFile.pages(in: Data(text.utf8)) == PDFPCFile.Pages(notes: [1: "A\nB", 4: "C"]))
        for other in ["", "[notes]\n### 1\nA", "[]", #"{"pages": 3}"#] {
            #expect(PDFPCFile.pages(in: Data(other.utf8)) == nil, "\(other)")
        }
        #expect(
            PDFPCFile.pages(in: Data(#"{"pages": [{"idx": -1, "note": "x"}, {"idx": "1"}]}"#.utf8)) == PDFPCFile.Pages()
        )
    }

    /// pdfpc's notes are Markdown unless the file says that they aren't, and its hidden pages are hidden.
    @Test func whatThePresentersConsoleSaysOfPagesIsRead() {
        let pages = #""pages": [{"idx": 0, "note": "First **note**."}, {"idx": 1, "hidden": true}]"#
        let plain = PDFPCFile.Pages(notes: [1: "First note."], hidden: [2])
        #expect(PDFPCFile.pages(in: Data("{\(pages)}".utf8)) == plain)
        let raw = PDFPCFile.pages(in: Data("{\"disableMarkdown\": true, \(pages)}".utf8))
        #expect(raw?.notes == [1: "First **note**."])
    }

    @Test(arguments: [
        ("# Head\n\n- one *two*\n* three __four__", "Head\n\none two\nthree four"),
        ("2 * 3 * 4 and a_b_c", "2 * 3 * 4 and a_b_c"),
        ("see [the page](https://x.org/a) and `code`", "see the page and code"),
        ("> said\n---\n```\nx\n```", "said\nx"),
        (#"a \*star\* and _this_, **that**"#, "a *star* and this, that"), ("1. first", "1. first"),
        ("![a picture](b.png)", "a picture"),
    ]) func marksOfMarkdownAreLeftOut(text: String, plain: String) {
        #expect(MarkdownText.plain(text) == plain)
    }
}

@Suite struct SpeechCommandTests {
    @Test(arguments: [
        ("tts -o {out} {in}", ["tts", "-o", "{out}", "{in}"]),
        ("  tts\t'a b'  \"c \\\" d\" e\\ f '' {out}", ["tts", "a b", "c \" d", "e f", "", "{out}"]),
        (#"tts "\n" '\n' --x="{out}".wav"#, ["tts", #"\n"#, #"\n"#, "--x={out}.wav"]),
        ("tts $HOME * '`id` ; $(x) >' \\| {out}", ["tts", "$HOME", "*", "`id` ; $(x) >", "|", "{out}"]),
    ]) func wordsAreThoseOfAShell(text: String, words: [String]) throws {
        #expect(try SpeechCommand(parsing: text).words == words)
    }

    /// No shell runs the command, so these would be words to speak.
    @Test(arguments: [
        #"tts -w {out} "$(cat {in})""#, "tts -w {out} `cat {in}`", "cat {in} | tts {out}", "tts {in} > {out}",
        "tts {out} < {in}", "tts {out}; rm {in}", "tts {in} {out} &", "tts -w {out} ${TEXT}",
    ]) func whatOnlyShellsUnderstandIsRefused(text: String) {
        let error = #expect(throws: OptionError.self) { try SpeechCommand(parsing: text) }
        #expect(error?.description.contains("is not run by a shell") == true, "\(text)")
    }

    @Test(arguments: ["", "  ", "tts", "tts {in}", "{out}", "tts 'a {out}", "tts \"{out}", "'' {out}"])
    func whatIsNoCommandIsRefused(text: String) {
        #expect(throws: (any Error).self) { try SpeechCommand(parsing: text) }
    }
}
