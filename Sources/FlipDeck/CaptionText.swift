/// Splits text into captions that can be read: sentences, and of long ones parts, of at most two lines.
package enum CaptionText {
    /// The maximum width of a line, in letters; those of East Asian scripts count twice.
    package static let lineWidth = 42
    /// The maximum number of lines of a caption.
    private static let lines = 2

    /// The paragraphs of `text`, which are its lines, without empty ones. Each is a list of groups of sentences: short
    /// sentences that fit a line together are one group, and a longer sentence is a group by itself.
    package static func paragraphs(of text: String) -> [[[String]]] {
        text.split(whereSeparator: \.isNewline).compactMap { paragraph in
            var groups: [[String]] = []
            var room = 0
            for sentence in split(String(paragraph)) {
                let size = width(sentence) + 1
                if groups.isEmpty || size > room {
                    groups.append([sentence])
                    room = lineWidth + 1 - size
                } else {
                    groups[groups.count - 1].append(sentence)
                    room -= size
                }
            }
            return groups.isEmpty ? nil : groups
        }
    }

    /// The captions for `sentence`, in order. Their lines have about equal lengths.
    package static func captions(for sentence: String) -> [String] {
        let words = sentence.split(whereSeparator: \.isWhitespace).flatMap { pieces(of: String($0)) }
        let count = wrapped(words, lineWidth).count
        guard count > 0 else { return [] }
        let parts = (count + lines - 1) / lines
        // Several captions are full, so that they last equally long, and the narrowest lines have the most even lengths.
        let most = parts == 1 ? count : parts * lines
        let width = (1...lineWidth).first { wrapped(words, $0).count <= most } ?? lineWidth
        let rows = wrapped(words, width)
        return (0..<parts).map { part in
            rows[part * rows.count / parts..<(part + 1) * rows.count / parts].joined(separator: "\n")
        }
    }

    // MARK: Sentences

    /// Abbreviations after which a sentence goes on, even if a capital letter follows.
    private static let abbreviations: Set<String> = [
        "dr", "mr", "mrs", "ms", "prof", "st", "vs", "fig", "eq", "no", "vol", "cf", "approx", "bzw", "ca", "nr", "hr",
        "fr", "abb", "vgl", "mme", "sr", "sra",
    ]
    private static let ends: Set<Character> = [".", "!", "?", "…"]
    /// The ends of sentences in scripts without spaces.
    private static let wideEnds: Set<Character> = ["。", "！", "？"]
    private static let closers: Set<Character> = ["\"", "'", "”", "’", "»", "«", ")", "]", "」", "』", "）"]

    /// The sentences of a paragraph.
    private static func split(_ paragraph: String) -> [String] {
        let characters = Array(paragraph)
        var sentences: [String] = []
        var start = 0
        var index = 0
        while index < characters.count {
            let character = characters[index]
            index += 1
            guard ends.contains(character) || wideEnds.contains(character) else { continue }
            let end = index - 1
            while index < characters.count,
                closers.contains(characters[index]) || ends.contains(characters[index])
                    || wideEnds.contains(characters[index])
            { index += 1 }
            let next = characters[index...].firstIndex { !$0.isWhitespace }
            guard let next else { break }
            if !wideEnds.contains(character) {
                // A small letter after the period goes on with the sentence, as in "e.g. this".
                guard next > index, !characters[next].isLowercase else { continue }
                if character == ".", isAbbreviation(characters[start..<end]) { continue }
            }
            sentences.append(String(characters[start..<index]))
            start = next
            index = next
        }
        if start < characters.count { sentences.append(String(characters[start...])) }
        return sentences.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.filter { !$0.isEmpty }
    }

    /// Whether the last word, which a period follows, is an abbreviation or an initial.
    private static func isAbbreviation(_ text: ArraySlice<Character>) -> Bool {
        let start = text.lastIndex { $0.isWhitespace || $0 == "(" }.map { $0 + 1 } ?? text.startIndex
        let word = String(text[start...])
        // Single letters, "U.S" and "z.B".
        if !word.isEmpty, word.split(separator: ".").allSatisfy({ $0.count == 1 && $0.first?.isLetter == true }) {
            return word != "I"
        }
        return abbreviations.contains(word.lowercased())
    }

    // MARK: Lines

    /// Lines of at most `width`, as few as possible. A line with a single word may be wider.
    private static func wrapped(_ words: [String], _ width: Int) -> [String] {
        var rows: [String] = []
        var room = 0
        for word in words {
            let size = self.width(word)
            if !rows.isEmpty, size + 1 <= room {
                rows[rows.count - 1] += " " + word
                room -= size + 1
            } else {
                rows.append(word)
                room = width - size
            }
        }
        return rows
    }

    /// The signs after which an address or the name of a file can go on in the next line.
    private static let joints: Set<Character> = ["/", "?", "&", "=", "-", "_", ".", "\\", "@", "#"]

    /// `word` cut into pieces that fit a line: after a sign if there is one, else where the line is full.
    private static func pieces(of word: String) -> [String] {
        var pieces: [String] = []
        var rest = Substring(word)
        while width(rest) > lineWidth {
            var room = lineWidth
            let line = rest.prefix { character in
                room -= width(of: character)
                return room >= 0
            }
            let end = line.lastIndex(where: joints.contains).map { line.index(after: $0) } ?? line.endIndex
            pieces.append(String(rest[..<end]))
            rest = rest[end...]
        }
        return pieces + [String(rest)]
    }

    /// The width of `text` in letters; characters of East Asian scripts count twice.
    package static func width(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width(of: $1) } }

    private static func width(of character: Character) -> Int { isWide(character) ? 2 : 1 }

    /// Whether East Asian scripts draw the character as wide as two letters (Unicode Standard Annex 11).
    static func isWide(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
