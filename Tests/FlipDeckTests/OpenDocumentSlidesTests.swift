import FlipBase
import FlipDeck
import Foundation
import Testing

/// What OpenDocument presentations say of their slides.
@Suite struct OpenDocumentSlidesTests {
    private func facts(_ styles: String, _ pages: String) throws -> [SlideFacts] {
        let oasis = "urn:oasis:names:tc:opendocument:xmlns"
        let spaces = ["office", "style", "presentation", "text"].map { "xmlns:\($0)=\"\(oasis):\($0):1.0\"" }
            .joined(separator: " ")
        let text =
            "<office:document-content \(spaces) xmlns:draw=\"\(oasis):drawing:1.0\">\(styles)\(pages)</office:document-content>"
        return try ODPDeck(content: Data(text.utf8), path: "deck.odp").facts
    }

    /// Slides that come by themselves say when (ODF 1.2, 20.223 and 20.227; XML Schema part 2, 3.2.6).
    @Test func slidesKeepTheirTimes() throws {
        let cases: [(String, Rational?)] = [
            (#"presentation:transition-type="automatic" presentation:duration="PT6S""#, Rational(6)),
            (#"presentation:transition-type="automatic" presentation:duration="PT00H01M04.5S""#, Rational(129, 2)),
            (#"presentation:transition-type="manual" presentation:duration="PT6S""#, nil),
            (#"presentation:duration="PT6S""#, nil),
            (#"presentation:transition-type="automatic" presentation:duration="PT0S""#, nil),
            (#"presentation:transition-type="automatic" presentation:duration="P1D""#, nil),
            (#"presentation:transition-type="automatic" presentation:duration="PT1e9S""#, nil),
        ]
        let styles = cases.enumerated().map {
            "<style:style style:name=\"s\($0)\"><style:drawing-page-properties \($1.0)/></style:style>"
        }
        let pages = cases.indices.map { "<draw:page draw:style-name=\"s\($0)\"/>" }
        let found = try facts(styles.joined(), pages.joined())
        #expect(found.map(\.seconds) == cases.map(\.1))
    }

    /// The title is the text of the frame that the file marks as such, and not that of the list below it.
    @Test func titlesAreThoseThatTheFileMarks() throws {
        let frame = { (kind: String, text: String) in
            "<draw:frame presentation:class=\"\(kind)\"><draw:text-box><text:p>\(text)</text:p></draw:text-box></draw:frame>"
        }
        let notes = "<presentation:notes>\(frame("title", "wrong"))\(frame("notes", "A note."))</presentation:notes>"
        let found = try facts(
            "",
            "<draw:page>\(frame("outline", "Effects"))\(frame("title", "WHAT CAN<text:line-break/>IT DO?"))\(notes)</draw:page>"
                + "<draw:page>\(frame("outline", "Effects"))</draw:page>")
        #expect(found.map(\.title) == ["WHAT CAN IT DO?", nil])
        #expect(found.map(\.notes) == ["A note.", nil])
    }
}
