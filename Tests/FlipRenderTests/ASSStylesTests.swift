import FlipRender
import Testing

/// Headers of ASS, as Aegisub and ffmpeg write them.
@Suite struct ASSStylesTests {
    private func header(_ styles: [String], width: Int = 384, end: String) -> [UInt8] {
        let lines =
            ["[Script Info]", "ScriptType: v4.00+", "PlayResX: \(width)", "", "[V4+ Styles]", "Format: Name, Fontname"]
            + styles.map { "Style: \($0)" } + ["", "[Events]", "Format: Layer, Start, End", ""]
        return Array(lines.joined(separator: end).utf8)
    }

    private func text(_ headers: [[UInt8]]) -> [String]? {
        ASSStyles.merged(headers).map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) }
    }

    @Test(arguments: [("\n", "\n"), ("\r\n", "\r\n"), ("\n", "\r\n"), ("\r\n", "\n")])
    func stylesOfAllFilesAreKept(first: String, second: String) {
        let merged = text([header(["Default,Sans"], end: first), header(["Default,Sans", "Sign,Serif"], end: second)])
        #expect(merged?.filter { $0.hasPrefix("Style:") } == ["Style: Default,Sans", "Style: Sign,Serif"])
        #expect(merged?.last == "Format: Layer, Start, End")
    }

    @Test(arguments: ["\n", "\r\n"]) func contradictionsAreSeen(end: String) {
        #expect(text([header(["Default,Sans"], end: end), header(["Default,Serif"], end: end)]) == nil)
        #expect(text([header(["A,Sans"], end: end), header(["B,Sans"], width: 1280, end: end)]) == nil)
    }
}
