import Foundation

/// Text without the marks of Markdown, as it is read aloud.
package enum MarkdownText {
    /// The lines of `text` without marks of headings, lists, quotations and code, and without rules; links and pictures are
    /// replaced by their texts, and emphasis is left out.
    package static func plain(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).compactMap(line)
            .joined(separator: "\n")
    }

    /// A line without marks; nil for a line of marks only.
    private static func line(_ text: Substring) -> String? {
        let shown = text.trimmingCharacters(in: .whitespaces)
        if shown.hasPrefix("```") || shown.hasPrefix("~~~") { return nil }
        if shown.count >= 3, let mark = shown.first, "-*_".contains(mark), shown.allSatisfy({ $0 == mark || $0 == " " })
        {
            return nil
        }
        return hidingEscapes(shown).replacing(/^(#{1,6} +|> ?|[-*+] +)+/, with: "")
            .replacing(/!?\[([^\]]*)\]\([^)]*\)/, with: { $0.output.1 })
            .replacing(/`([^`]+)`/, with: { $0.output.1 })
            .replacing(/\*{1,3}(\S|\S[^*]*?\S)\*{1,3}/, with: { $0.output.1 })
            .replacing(
                /(^|[^\p{L}\p{N}_])_{1,3}(\S|\S[^_]*?\S)_{1,3}(?![\p{L}\p{N}_])/,
                with: { "\($0.output.1)\($0.output.2)" }
            )
            .replacing(/[\u{E000}-\u{E07F}]/, with: { Self.shifted($0.output, by: -0xE000) })
    }

    /// `text` with private characters in place of escaped punctuation, which marks nothing.
    private static func hidingEscapes(_ text: String) -> String {
        text.replacing(/\\([\\`*_{}\[\]()#+.!>-])/, with: { shifted($0.output.1, by: 0xE000) })
    }

    /// `text` with each scalar moved by `offset`; those that don't exist then are left out.
    private static func shifted(_ text: Substring, by offset: Int) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.compactMap { Unicode.Scalar(UInt32(Int($0.value) + offset)) }))
    }
}
