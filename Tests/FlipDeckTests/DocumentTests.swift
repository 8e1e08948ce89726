import FlipDeck
import FlipGeometry
import FlipMedia
import FlipRender
import Foundation
import TestSupport
import Testing

@Suite struct DocumentTests {
    // MARK: PDF

    @Test func pagesSayHowLongTheyStayAndHowTheyCome() {
        let pdf = DeckFiles.pdf(pages: [
            "/Dur 2.5 /Trans << /S /Push /D 1.5 /Di 180 >>", "", "/Dur 3 /Trans << /Type /Trans /S /Dissolve >>",
        ])
        let pages = PDFDocument(bytes: [UInt8](pdf)).pages()
        #expect(pages.map(\.seconds) == [Rational(5, 2), nil, Rational(3)])
        #expect(
            pages.map(\.transition) == [
                NamedTransition(name: "Push", duration: Rational(3, 2), direction: .left), nil,
                NamedTransition(name: "Dissolve"),
            ])
    }

    /// Cut off anywhere, and with every byte in turn replaced: whatever comes of it, it comes to an end.
    @Test func damagedDocumentsTellWhatTheyCan() {
        let pdf = [UInt8](DeckFiles.pdf(pages: ["/Dur 2", "/Dur 3 /Trans << /S /Push >>"]))
        for length in pdf.indices { #expect(PDFDocument(bytes: Array(pdf[..<length])).pages().count <= 2) }
        for place in pdf.indices {
            for byte: UInt8 in [0, UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["), UInt8(ascii: "9")] {
                var damaged = pdf
                damaged[place] = byte
                #expect(PDFDocument(bytes: damaged).pages().count <= 4)
            }
        }
    }

    @Test func treesWithoutEndAndDeepNestingComeToAnEnd() {
        let circle =
            "1 0 obj << /Pages 2 0 R >> endobj 2 0 obj << /Kids [2 0 R 2 0 R 1 0 R] >> endobj trailer << /Root 1 0 R >>"
        #expect(PDFDocument(bytes: Array(circle.utf8)).pages().count <= 1)
        let deep = "1 0 obj " + String(repeating: "[", count: 100_000) + String(repeating: "<<", count: 100_000)
        #expect(PDFDocument(bytes: Array(deep.utf8)).pages().isEmpty)
        let huge = "1 0 obj << /Dur 1e99 /X 99999999999999999999999 >> endobj trailer << /Root 1 0 R >>"
        #expect(PDFDocument(bytes: Array(huge.utf8)).pages().count <= 1)
    }

    @Test func titlesAreTheFirstLinesThatAreNotOnEveryPage() {
        let text = "Me\nA talk\nHello\n\u{0C}Me\nA talk\n• Plan\n1\n\u{0C}Me\nA talk\n\n 2 \nEnd\u{0C}Me\nA talk\u{0C}"
        #expect(PDFDeck.titles(in: text) == ["Hello", "Plan", "End", "Me", nil])
        #expect(PDFDeck.titles(in: "One\nx\u{0C}One\n\u{0C}").prefix(2) == ["One", "One"])
    }

    // MARK: PowerPoint

    private func deck(_ members: [DeckFiles.Member]) throws -> [SlideFacts] {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pptx").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try DeckFiles.zip(members).write(to: URL(fileURLWithPath: path))
        return try PPTXDeck(path: path).facts
    }

    private func title(_ text: String) -> String {
        #"<p:cSld><p:spTree><p:sp><p:nvPr><p:ph type="body"/></p:nvPr><a:t>no</a:t></p:sp><p:sp><p:nvPr><p:ph type="title"/>"#
            + "</p:nvPr><p:txBody><a:p><a:r><a:t>\(text)</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld>"
    }

    @Test func slidesSayTheirTitleTimeAndTransition() throws {
        let curl = """
            <mc:AlternateContent><mc:Choice Requires="p15"><p:transition spd="slow" advTm="2500" p14:dur="1250">
            <p15:prstTrans prst="pageCurlDouble" invX="1"/></p:transition></mc:Choice>
            <mc:Fallback><p:transition spd="slow" advTm="9000"><p:fade/></p:transition></mc:Fallback></mc:AlternateContent>
            """.replacingOccurrences(of: "\n", with: "")
        let facts = try deck(
            DeckFiles.powerPoint([
                title("Hello &amp; welcome") + curl, "HIDDEN" + title("Secret"),
                title("Push") + #"<p:transition advTm="0"><p:push dir="u"/></p:transition>"#, "<p:cSld/>",
            ]))
        #expect(
            facts == [
                fact("Hello & welcome", Rational(5, 2), "pageCurlDouble", Rational(5, 4), .right),
                fact("Push", nil, "push", Rational(1, 4), .up), SlideFacts(),
            ])
    }

    private func fact(
        _ title: String, _ seconds: Rational?, _ name: String, _ duration: Rational, _ direction: SlideDirection
    ) -> SlideFacts {
        var facts = SlideFacts()
        facts.title = title
        facts.seconds = seconds
        facts.transition = NamedTransition(name: name, duration: duration, direction: direction)
        return facts
    }

    @Test func hostileArchivesAreRefused() throws {
        let good = DeckFiles.zip(DeckFiles.powerPoint([title("x")]))
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pptx").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for length in stride(from: 0, to: good.count, by: 7) {
            try good.prefix(length).write(to: URL(fileURLWithPath: path))
            #expect(throws: MediaError.self) { try PPTXDeck(path: path) }
        }
        let entities = #"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><p:sld>&b;</p:sld>"#
        #expect(throws: MediaError.self) {
            try deck(
                Array(DeckFiles.powerPoint([""]).prefix(2)) + [.init("ppt/slides/slide1.xml", Data(entities.utf8))])
        }
        let deep = String(repeating: "<a>", count: 5000) + String(repeating: "</a>", count: 5000)
        #expect(throws: MediaError.self) { try deck(DeckFiles.powerPoint([deep])) }
    }

    // MARK: Transitions

    @Test func everyNameOfTheTableIsDrawn() throws {
        var seen: Set<String> = []
        for row in TransitionNames.all {
            for name in row.names {
                #expect(seen.insert(name).inserted, "\(name) is there twice")
                for direction: SlideDirection? in [nil, .left, .right, .up, .down] {
                    let transition = NamedTransition(name: name, duration: Rational(2), direction: direction)
                    let spec = try #require(
                        TransitionNames.spec(transition, duration: .standard, overlap: .play), "\(name)")
                    #expect((spec.look == nil) == (row.kind == .cut))
                    guard let look = spec.look, let direction, row.isDirected else { continue }
                    #expect(look.look.orientation == ([.left, .right].contains(direction) ? .horizontal : .vertical))
                    #expect(spec.duration == .seconds(Rational(2)))
                }
            }
        }
        #expect(
            TransitionNames.spec(NamedTransition(name: "vortex"), duration: .standard, overlap: .play) == nil,
            "what is not in the table is the look asked for")
    }
}
