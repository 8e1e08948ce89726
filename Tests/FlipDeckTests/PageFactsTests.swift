import FlipBase
import FlipDeck
import Foundation
import Testing

/// qpdf 11's JSON about pages (its manual, "qpdf JSON"), and what is read from it.
@Suite struct PageFactsTests {
    private let pages = Data(
        #"{"version": 2, "pages": [{"object": "3 0 R"}, {"object": "4 0 R"}, {"object": "9 0 R"}]}"#.utf8)

    private func objects(_ values: [String: String]) -> [String: Any] {
        let list = values.map { #""obj:\#($0.key)": {"value": \#($0.value)}"# }.joined(separator: ", ")
        return PageFacts.objects(
            in: Data(#"{"qpdf": [{"jsonversion": 2}, {\#(list), "trailer": {"value": {}}}]}"#.utf8))
    }

    @Test func pagesSayHowLongTheyStayAndHowTheyCome() {
        let names = PageFacts.pages(in: pages)
        #expect(names == ["3 0 R", "4 0 R", "9 0 R"])
        let objects = objects([
            "3 0 R": #"{"/Dur": 2.5, "/Trans": {"/S": "/Push", "/D": 1.5, "/Di": 180}}"#,
            "4 0 R": #"{"/Type": "/Page"}"#,
            "9 0 R": #"{"/Dur": 3, "/Trans": {"/Type": "/Trans", "/S": "/Dissolve"}}"#,
        ])
        let facts = PageFacts.facts(of: names, objects)
        #expect(facts.map(\.seconds) == [Rational(5, 2), nil, Rational(3)])
        #expect(
            facts.map(\.transition) == [
                NamedTransition(name: "Push", duration: Rational(3, 2), direction: .left), nil,
                NamedTransition(name: "Dissolve"),
            ])
    }

    /// The defaults of ISO 32000-1, table 162, and the values that are names.
    @Test func transitionsHaveTheDefaultsOfTheStandard() {
        let cases: [(String, NamedTransition)] = [
            (#""/Wipe""#, NamedTransition(name: "Wipe", direction: .right)),
            (#""/Fly", "/Di": "/None""#, NamedTransition(name: "Fly")),
            (#""/Push", "/Di": 45, "/M": "/O""#, NamedTransition(name: "Push")),
            (#""/Split""#, NamedTransition(name: "SplitIn", axis: .vertical)),
            (#""/Split", "/Dm": "/V", "/M": "/O""#, NamedTransition(name: "Split", axis: .horizontal)),
            (#""/Blinds""#, NamedTransition(name: "Blinds", axis: .vertical)),
            (#""/Box", "/M": "/O""#, NamedTransition(name: "Box")), (#""/Glitter""#, NamedTransition(name: "Glitter")),
        ]
        for (entries, expected) in cases {
            let objects = objects(["3 0 R": #"{"/Trans": {"/S": \#(entries)}}"#])
            #expect(PageFacts.facts(of: ["3 0 R"], objects).map(\.transition) == [expected], "\(entries)")
        }
        #expect(
            PageFacts.references(from: ["3 0 R"], objects(["3 0 R": #"{"/Trans": {"/Dm": "4 0 R", "/M": "5 0 R"}}"#]))
                == ["4 0 R", "5 0 R"])
    }

    @Test func whatPagesReferToIsLookedUp() {
        let names = PageFacts.pages(in: pages)
        var known = objects(["3 0 R": #"{"/Dur": "20 0 R", "/Trans": "21 0 R"}"#, "4 0 R": "{}"])
        #expect(PageFacts.references(from: names, known) == ["20 0 R", "21 0 R"])
        known.merge(objects(["20 0 R": "7", "21 0 R": #"{"/S": "22 0 R", "/D": 2}"#])) { $1 }
        #expect(PageFacts.references(from: names, known).subtracting(known.keys) == ["22 0 R"])
        known.merge(objects(["22 0 R": #""/Fade""#])) { $1 }
        let facts = PageFacts.facts(of: names, known)
        #expect(
            facts[0].seconds == Rational(7)
                && facts[0].transition == NamedTransition(name: "Fade", duration: Rational(2)))
    }

    /// A page that isn't found still counts as a page, so that no other page gets its time.
    @Test func aPageThatSaysNothingKeepsItsPlace() {
        let facts = PageFacts.facts(of: PageFacts.pages(in: pages), objects(["4 0 R": #"{"/Dur": 3}"#]))
        #expect(facts.map(\.seconds) == [nil, Rational(3), nil])
    }

    @Test(arguments: [
        "", "no", "[]", "{}", #"{"pages": {}}"#, #"{"pages": [3, null, {"object": 7}]}"#,
        #"{"qpdf": [{"obj:3 0 R": 3}, {"obj:3 0 R": {"value": {"/Dur": 1e99, "/Trans": "3 0 R"}}}]}"#,
        String(repeating: "[", count: 100_000),
    ]) func whatIsNoneOfThisSaysNothing(text: String) {
        let names = PageFacts.pages(in: Data(text.utf8)) + ["3 0 R"]
        let objects = PageFacts.objects(in: Data(text.utf8))
        _ = PageFacts.references(from: names, objects)
        #expect(PageFacts.facts(of: names, objects).allSatisfy { $0 == SlideFacts() })
    }
}

@Suite struct PageTitlesTests {
    private typealias Line = PageTitles.Line

    /// A page of lines below each other with the given heights.
    private func page(_ lines: (String, Double)...) -> [PageTitles.Line] {
        var top = 10.0
        return lines.map { text, height in
            defer { top += height * 1.2 }
            return Line(text, top: top, bottom: top + height)
        }
    }

    @Test func titlesAreTheFirstLinesThatAreNotOnEveryPage() {
        let pages = [
            page(("Me", 8), ("A talk", 8), ("Hello", 8)), page(("Me", 8), ("A talk", 8), ("• Plan", 8), ("1", 8)),
            page(("Me", 8), ("A talk", 8), (" 2 ", 8), ("End", 8)), page(("Me", 8), ("A talk", 8)), [],
        ]
        #expect(PageTitles.titles(of: pages) == ["Hello", "Plan", "End", "Me", nil])
        #expect(PageTitles.titles(of: [page(("One", 9), ("x", 9)), page(("One", 9))]) == ["One", "One"])
    }

    @Test func titlesOfSeveralLinesAreWhole() {
        let pages = [
            page(("Generating standing and", 20), ("propagating waves", 20), ("a", 12), ("b", 12)),
            // All lines have the same size, so nothing tells where the title ends.
            page(("Plan", 12), ("first", 12), ("second", 12)),
            // A heading far above a line of the same size is not the first of two title lines.
            [Line("Wide", top: 10, bottom: 30), Line("apart", top: 90, bottom: 110), Line("x", top: 130, bottom: 140)],
            page(("one", 20), ("two", 20), ("three", 20), ("four", 20), ("x", 8)),
        ]
        #expect(
            PageTitles.titles(of: pages) == [
                "Generating standing and propagating waves", "Plan", "Wide", "one two three",
            ])
    }

    @Test func linesAreReadFromWhatPopplerWrites() {
        let text = """
            <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/x.dtd"><html xmlns="http://www.w3.org/1999/xhtml">
            <head><title>A deck</title></head><body><doc><page width="362.8" height="272.1"><flow><block xMin="8.5">
            <line xMin="8.5" yMin="11.5" xMax="80.0" yMax="23.5"><word xMin="8.5">coe\u{fb03}cients</word>
            <word xMin="9">&amp;\u{1}more</word></line></block></flow></page><page width="1"></page><page width="1"><line></doc></body></html>
            """
        let pages = PageTitles.pages(in: text)
        #expect(pages == [[Line("coe\u{fb03}cients &more ", top: 11.5, bottom: 23.5)], [], []])
        #expect(PageTitles.titles(of: pages) == ["coefficients &more", nil, nil])
    }

    @Test(arguments: [
        ("Veri\u{fb01}cation", "Verification"), ("x² + ½", "x² + ½"),
        ("two\nlines\r\n and\ttabs", "two lines and tabs"),
        ("a\u{1b}[31mred", "a [31mred"), ("\u{202e}evil\u{ad}er", "eviler"), (" \u{7} ", nil), ("e\u{301}", "é"),
        // Forms of letters as PDF files have them (Unicode, UnicodeData.txt): wide, of formulas, Arabic, Kangxi radicals,
        // roman numerals and digraphs.
        ("Ｐｌａｎ ９", "Plan 9"), ("𝑂(𝐧²)", "O(n²)"), ("\u{fee1}\u{fe8e}", "ما"), ("\u{2f08}\u{2f00}", "人一"),
        ("Part Ⅳ", "Part IV"), ("ĳs", "ijs"), ("Acme™ ①", "Acme™ ①"),
    ]) func chaptersAreCalledByWhatCanBeShown(text: String, title: String?) {
        #expect(ChapterTitle.text(text) == title)
    }
}
