import FlipBase
import Testing

@Suite struct TextTests {
    @Test(arguments: [
        ("a\nb\n", ["a", "b", ""]), ("a\r\nb\r\n", ["a", "b", ""]), ("a\rb", ["a", "b"]), ("a\n\r\nb", ["a", "", "b"]),
        ("a\u{2028}b\u{0B}c", ["a\u{2028}b\u{0B}c"]), ("", [""]),
    ]) func linesEndAsAnySystemEndsThem(text: String, lines: [String]) {
        #expect(text.lines.map { String($0) } == lines)
    }

    /// Markup is escaped even where a combining mark makes it part of another character.
    @Test func markupIsEscaped() {
        #expect("a & b < c > \"d\"".xmlEscaped == "a &amp; b &lt; c &gt; &quot;d&quot;")
        #expect("<\u{301}\r\n\t".xmlEscaped == "&lt;\u{301}&#13;&#10;&#9;")
        #expect("p\u{e9}ch\u{e9}'s".xmlEscaped == "p\u{e9}ch\u{e9}'s")
    }

    @Test func manyErrorsAreOneSentence() {
        let errors = (1...22).map { MediaError(.badInput, "error \($0)") }
        #expect(Array(errors.prefix(2)).messages == "error 1; error 2")
        #expect(Array(errors.prefix(20)).messages.hasSuffix("error 19; error 20"))
        #expect(errors.messages.hasSuffix("error 20; and 2 more"))
    }
}
