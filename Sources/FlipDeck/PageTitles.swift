import FlipFiles
import Foundation

/// Finds the titles of a PDF's pages by the positions and heights of their lines, which poppler's pdftotext reports.
package enum PageTitles {
    /// A line of a page.
    package struct Line: Equatable {
        package var text: String
        /// The distance in points from the top of the page to the line's upper edge, and to its lower edge.
        package var top: Double
        package var bottom: Double
        var height: Double { bottom - top }

        package init(_ text: String, top: Double, bottom: Double) {
            (self.text, self.top, self.bottom) = (text, top, bottom)
        }
    }

    /// The title of each page; empty if the text can't be read, since a deck doesn't need titles.
    /// - Parameter numbers: the pages, from 1, that are looked at, where others repeat what is on these; nil for all.
    static func read(_ location: String, for path: String, pages numbers: [Int]?) -> [String?] {
        guard let text = try? HelperProgram.pdftotext.text(["-q", "-bbox-layout", location, "-"], for: path) else {
            return []
        }
        var pages = pages(in: text)
        // Lines with words have them as they stand on the page, from left to right; plain text has them as they are read.
        if pages.contains(where: { $0.contains { isRightToLeft($0.text) } }),
            let plain = try? HelperProgram.pdftotext.text(["-q", location, "-"], for: path)
        {
            pages = ordered(pages, like: plain)
        }
        guard let numbers, numbers.count < pages.count, numbers.allSatisfy({ (1...pages.count).contains($0) }) else {
            return titles(of: pages)
        }
        var titles = [String?](repeating: nil, count: pages.count)
        for (number, title) in zip(numbers, Self.titles(of: numbers.map { pages[$0 - 1] })) {
            titles[number - 1] = title
        }
        return titles
    }

    // MARK: Reading order

    /// `pages` with the characters of right-to-left lines in the order in which they are read: that of the lines in
    /// `plain`, pdftotext's plain text, which have the same characters. Lines that aren't found there stay as they are.
    package static func ordered(_ pages: [[Line]], like plain: String) -> [[Line]] {
        let texts = plain.split(separator: "\u{c}", omittingEmptySubsequences: false)
        return pages.enumerated().map { index, lines in
            guard index < texts.count, lines.contains(where: { isRightToLeft($0.text) }) else { return lines }
            let known = Dictionary(texts[index].split(whereSeparator: \.isNewline).map { (letters($0), $0) }) {
                first, _ in
                first
            }
            return lines.map { line in
                guard isRightToLeft(line.text), let read = known[letters(line.text)] else { return line }
                return Line(spaced(read), top: line.top, bottom: line.bottom)
            }
        }
    }

    /// `text` with the space after words from left to right that poppler puts before them: it writes "A \u{202a} b\u{202c}C" for
    /// "A b C".
    private static func spaced(_ text: Substring) -> String {
        var result = ""
        var moved = false
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if last?.value == 0x202a { moved = scalar == " " }
            if scalar.value == 0x202c, moved {
                result += " "
                moved = false
            }
            result.unicodeScalars.append(scalar)
            last = scalar
        }
        return result
    }

    /// The characters of a line but for spaces and invisible ones, sorted.
    private static func letters(_ line: some StringProtocol) -> [UInt32] {
        line.unicodeScalars.filter { !$0.properties.isWhitespace && $0.properties.generalCategory != .format }
            .map(\.value).sorted()
    }

    /// Whether `text` has characters of a right-to-left script: Hebrew, Arabic and others beside them in Unicode.
    private static func isRightToLeft(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfefc, 0x10800...0x10fff, 0x1e800...0x1efff: true
            default: false
            }
        }
    }

    // MARK: Lines

    /// The lines of each page in the output of `pdftotext -bbox-layout`. Pages are parsed one by one, because parsers
    /// refuse very long documents; a page that can't be parsed has no lines.
    package static func pages(in text: String) -> [[Line]] {
        let clock = XMLScan.ReadingClock()
        return text.components(separatedBy: "<page ").dropFirst().prefix(PDFDeck.maximumPages).map { part in
            guard let end = part.range(of: "</page>") else { return [] }
            // Characters that XML doesn't allow may come from the document.
            let body = part[..<end.upperBound].unicodeScalars.filter {
                $0.value >= 32 || "\t\n\r".unicodeScalars.contains($0)
            }
            let reader = LineReader()
            let page = Data(("<page " + String(String.UnicodeScalarView(body))).utf8)
            guard (try? XMLScan.read(page, "", reader, clock)) != nil else { return [] }
            return reader.lines
        }
    }

    private final class LineReader: XMLVisitor {
        var lines: [Line] = []
        private var line: Line?
        private var isWord = false

        func begin(_ element: XMLElement) {
            switch element.name {
            case "line":
                guard let top = element["yMin"].flatMap(Double.init), let bottom = element["yMax"].flatMap(Double.init)
                else { return }
                line = Line("", top: top, bottom: bottom)
            case "word": isWord = true
            default: break
            }
        }

        func text(_ text: String) {
            guard isWord, let count = line?.text.count, count < 1000 else { return }
            line?.text += text.prefix(1000)
        }

        func end(_ name: String, depth: Int) {
            switch name {
            case "word":
                isWord = false
                line?.text += " "
            case "line":
                if let line, lines.count < 1000 { lines.append(line) }
                line = nil
            default: break
            }
        }
    }

    // MARK: Titles

    /// The maximum number of lines of a title.
    private static let maxLines = 3

    /// The title of each page: the first line that isn't on half of the pages, as running heads are, and the lines
    /// below it that continue it at the same height. The title is a single line unless the page has smaller text, too.
    package static func titles(of pages: [[Line]]) -> [String?] {
        // LibreOffice writes the bullets of lists before their lines.
        let marks = CharacterSet.whitespaces.union(CharacterSet(charactersIn: "•◦▪▶►–"))
        let pages = pages.map { lines in
            lines.map { Line($0.text.trimmingCharacters(in: marks), top: $0.top, bottom: $0.bottom) }
                .filter { $0.text.contains(where: \.isLetter) }
        }
        var counts: [String: Int] = [:]
        for lines in pages { for text in Set(lines.map(\.text)) { counts[text, default: 0] += 1 } }
        return pages.map { lines in
            let own = lines.firstIndex { pages.count < 4 || 2 * counts[$0.text, default: 0] < pages.count }
            guard let first = own ?? lines.indices.first else { return nil }
            let size = lines[first].height
            guard lines.contains(where: { $0.height < 0.95 * size }) else {
                return ChapterTitle.text(lines[first].text)
            }
            var last = first
            while last + 1 < min(lines.count, first + maxLines), lines[last + 1].isLike(lines[first]),
                lines[last + 1].top - lines[last].bottom < size / 2, lines[last + 1].top > lines[last].top
            { last += 1 }
            return ChapterTitle.text(lines[first...last].map(\.text).joined(separator: " "))
        }
    }
}

extension PageTitles.Line {
    fileprivate func isLike(_ other: Self) -> Bool { abs(height - other.height) < 0.05 * other.height }
}

/// Makes text fit for the title of a chapter.
package enum ChapterTitle {
    /// `text` in one line of at most 200 characters, without those that players can't show: letters in forms for
    /// typesetting become plain letters (NFKC), control characters become spaces, and invisible format characters are left
    /// out. Nil if nothing is left.
    package static func text(_ text: String) -> String? {
        var letters = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            // Soft hyphens, zero-width spaces and bidirectional formatting characters.
            case 0xad, 0x200b, 0xfeff, 0x202a...0x202e, 0x2066...0x2069: break
            case _ where isForm(scalar.value): letters += String(scalar).precomposedStringWithCompatibilityMapping
            default: letters.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
            }
        }
        let words = letters.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : String(words.prefix(200)).precomposedStringWithCanonicalMapping
    }

    /// Whether the character is a compatibility character that means the same as the letters it stands for. Others carry
    /// a meaning that NFKC loses, such as those of x², ½ and ™, and stay.
    private static func isForm(_ value: UInt32) -> Bool {
        switch value {
        // Digraphs, and roman numerals.
        case 0x132...0x133, 0x1c4...0x1cc, 0x1f1...0x1f3, 0x2160...0x217f: true
        // Radicals of Chinese characters, which PDF files have in place of the characters.
        case 0x2e80...0x2fdf: true
        // Ligatures and other presentation forms: Latin, Armenian, Hebrew, Arabic, and those of vertical text.
        case 0xfb00...0xfdff, 0xfe30...0xfe4f, 0xfe80...0xfefc: true
        // Wide and narrow forms, and the alphabets of formulas.
        case 0xff01...0xffef, 0x1d400...0x1d7ff: true
        default: false
        }
    }
}
