import FlipBase
import Testing

@Suite struct TextTests {
    @Test(arguments: [
        ("a\nb\n", ["a", "b", ""]), ("a\r\nb\r\n", ["a", "b", ""]), ("a\rb", ["a", "b"]), ("a\n\r\nb", ["a", "", "b"]),
        ("a\u{2028}b\u{0B}c", ["a\u{2028}b\u{0B}c"]), ("", [""]),
    ]) func linesEndAsAnySystemEndsThem(text: String, lines: [String]) {
        #expect(text.lines.map { String($0) } == lines)
    }
}
