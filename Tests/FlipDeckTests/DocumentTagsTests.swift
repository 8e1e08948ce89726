import FlipDeck
import TestSupport
import Testing

/// What a film keeps of what its documents say of themselves.
@Suite struct DocumentTagsTests {
    @Test func titlesAndAuthorsAreKeptInOneLine() {
        #expect(
            DocumentTags.tags(title: "  Waves\nand \u{fb01}elds ", author: "Ada Lovelace, Émilie du Châtelet")
                == ["title": "Waves and fields", "artist": "Ada Lovelace, Émilie du Châtelet"])
        #expect(DocumentTags.tags(title: nil, author: nil).isEmpty)
        #expect(DocumentTags.tags(title: " \u{200b}\n", author: "").isEmpty)
    }

    @Test(arguments: [
        "PowerPoint Presentation", "PowerPoint-Präsentation", "Présentation PowerPoint", "untitled", "Untitled 2",
        "Presentation1", "Folie 1", "Microsoft Word - x.doc", "Microsoft PowerPoint - Lecture 3", "talk.dvi",
        "My talk (final).PPTX", "about:blank",
    ])
    func titlesOfProgramsAreLeftOut(title: String) {
        #expect(DocumentTags.tags(title: title, author: "Ada") == ["artist": "Ada"])
    }

    @Test(arguments: [
        "Why PowerPoint presentations fail", "2024", "1984", "Untitled works of Rothko", "node.js for everyone",
        "Version 2.0", "Presentation skills", "Q", "…",
    ])
    func titlesOfPeopleAreKept(title: String) {
        #expect(DocumentTags.tags(title: title, author: nil) == ["title": title])
    }

    @Test(arguments: ["user", "Administrator", "Microsoft Office User", "User 1"])
    func authorsOfProgramsAreLeftOut(author: String) {
        #expect(DocumentTags.tags(title: "Waves", author: author) == ["title": "Waves"])
    }

    /// Poppler's output: what the document states comes first, and can look like anything.
    @Test func onlyPopplersOwnLinesTellOfPages() {
        let info = PDFInfo(
            """
            Title:           Waves
            Page    1 size: 9 x 9 pts
            Encrypted:       no
            Author:          Ada
            Pages:           1
            Encrypted:       no
            Page    1 size:  320 x 180 pts
            Page    1 rot:   0

            """)
        #expect(info.author?.trimmingCharacters(in: .whitespaces).hasPrefix("Ada") == true)
        #expect(info.title?.contains("Waves") == true)
        #expect(
            info.pages.filter { $0.hasPrefix("Page ") } == ["Page    1 size:  320 x 180 pts", "Page    1 rot:   0"])
        let plain = PDFInfo("Subject: x\nAuthor:          \nPages: 1\nEncrypted: no\nPage    1 size:  3 x 2 pts\n")
        #expect(plain.title == nil && DocumentTags.tags(title: plain.title, author: plain.author).isEmpty)
    }

    // MARK: Language

    private func run(_ text: String, _ language: String?) -> String {
        let properties = language.map { #"<a:rPr lang="\#($0)"/>"# } ?? "<a:rPr/>"
        return "<a:p><a:r>\(properties)<a:t>\(text)</a:t></a:r></a:p>"
    }

    private func language(slides: String, notes: String? = nil) throws -> String? {
        let relation = #"<Relationship Id="n" Type="\#(DeckFiles.relationType("notesSlide"))" "#
        var members = DeckFiles.powerPoint(
            ["<p:cSld><p:spTree><p:sp><p:txBody>\(slides)</p:txBody></p:sp></p:spTree></p:cSld>"],
            relations: notes == nil ? [:] : [1: relation + #"Target="../notesSlides/notesSlide1.xml"/>"#])
        if let notes { members.append(DeckFiles.powerPointNotes(1, notes)) }
        return try PPTXDeck(parts: DeckFiles.parts(members), path: "deck.pptx").language
    }

    @Test func powerPointsLanguageIsThatOfMostLetters() throws {
        // 5 letters against 4; digits and spaces count for nothing. Variants of a language count together.
        #expect(try language(slides: run("Hallo", "de-DE") + run("word 1 2 3 4", "en-US")) == "deu")
        #expect(try language(slides: run("aaa", "de-DE") + run("aaa", "de-AT") + run("bbbbb", "en-GB")) == "deu")
        // Not more than half; text without a language, or in none.
        #expect(try language(slides: run("Hallo", "de-DE") + run("words", "en-US")) == nil)
        #expect(try language(slides: run("Hallo", nil)) == nil)
        #expect(try language(slides: run("Hallo", "x-none") + run("0", "en-US")) == nil)
        #expect(try language(slides: "") == nil)
        // What a run says does not apply to the next one.
        #expect(try language(slides: run("ja", "de-DE") + run("Hello world", nil)) == "deu")
    }

    @Test func powerPointsNotesGoBeforeItsSlides() throws {
        let slides = run("Hello, this is English", "en-US")
        #expect(try language(slides: slides, notes: run("Bonjour", "fr-FR")) == "fra")
        #expect(try language(slides: slides, notes: run("Bonjour", nil)) == "eng")
    }

    private func openLanguage(meta: String = "", content: [String] = [], styles: [String] = []) throws -> String? {
        let oasis = "urn:oasis:names:tc:opendocument:xmlns"
        let spaces = #"xmlns:style="\#(oasis):style:1.0" xmlns:fo="\#(oasis):xsl-fo-compatible:1.0""#
        let properties = { (languages: [String]) in
            languages.map { #"<style:text-properties fo:language="\#($0)" \#(spaces)/>"# }.joined()
        }
        var parts = DeckFiles.parts(DeckFiles.openDocument([""]))
        let text = String(decoding: parts["content.xml"] ?? Data(), as: UTF8.self)
        parts["content.xml"] = Data(
            text.replacing("<office:automatic-styles>", with: "<office:automatic-styles>" + properties(content)).utf8)
        parts["styles.xml"] = Data("<s>\(properties(styles))</s>".utf8)
        parts["meta.xml"] = Data(
            #"<m xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>de</dc:title>\#(meta)</m>"#.utf8)
        return try ODPDeck(content: parts["content.xml"], others: parts, path: "deck.odp").language
    }

    @Test func anOpenDocumentsLanguageIsStatedOrThatOfAllStyles() throws {
        #expect(try openLanguage() == nil)
        #expect(try openLanguage(meta: "<dc:language>fr-CA</dc:language>", styles: ["en"]) == "fra")
        #expect(try openLanguage(content: ["none"], styles: ["de", "de", "zxx"]) == "deu")
        #expect(try openLanguage(content: ["en"], styles: ["de"]) == nil)
        #expect(try openLanguage(content: ["pl"]) == "pol")
    }

    @Test func aDamagedPartLeavesThePresentationReadable() throws {
        let parts = DeckFiles.parts(DeckFiles.openDocument([""]))
        let damaged = ["styles.xml": Data("<s".utf8), "meta.xml": Data([0xff])]
        let deck = try ODPDeck(content: parts["content.xml"], others: damaged, path: "deck.odp")
        #expect(deck.facts.count == 1 && deck.language == nil)
    }

    /// The catalog's entry (ISO 32000-1 14.9.2), found from the trailer in as many rounds as it takes.
    @Test func aPDFsLanguageIsThatOfItsCatalog() {
        let all = PageFacts.objects(
            in: Data(
                #"""
                {"qpdf": [{}, {"trailer": {"value": {"/Root": "1 0 R"}},
                "obj:1 0 R": {"value": {"/Lang": "7 0 R"}}, "obj:7 0 R": {"value": "u:pt-BR"}}]}
                """#.utf8))
        var known = all.filter { $0.key == "trailer" }
        for next in [["1 0 R"], ["7 0 R"], []] as [Set<String>] {
            #expect(PageFacts.references(from: [], known).subtracting(known.keys) == next)
            known.merge(all.filter { next.contains($0.key) }) { $1 }
        }
        #expect(PageFacts.language(in: known) == "por")
        for lang in [#""u:""#, #""b:00""#, "7", "null"] {
            let text = #"{"qpdf": [{}, {"trailer": {"value": {"/Root": {"/Lang": \#(lang)}}}}]}"#
            #expect(PageFacts.language(in: PageFacts.objects(in: Data(text.utf8))) == nil, "\(lang)")
        }
    }
}
