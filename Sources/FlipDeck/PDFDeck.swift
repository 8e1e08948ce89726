import FlipMedia
import Foundation

/// A PDF of slides: its pages' sizes and titles as poppler's programs tell them, and times and transitions from its pages.
package struct PDFDeck: Sendable {
    /// As the user knows it.
    let path: String
    /// As the programs know it.
    let location: String
    /// Points, as shown, of each page.
    let sizes: [(width: Rational, height: Rational)]
    /// Keeps a converted document on the disk.
    let keeper: NamelessFile?

    /// Pages of a document; a longer one is no deck.
    static let maximumPages = 10_000

    /// - Parameter converted: the document where it was made from the one at `path`.
    init(path: String, converted: NamelessFile? = nil) throws(MediaError) {
        self.path = path
        keeper = converted
        // A name that begins with a dash would be an option.
        location = converted?.location ?? (path.hasPrefix("/") ? path : "./" + path)
        let text = try HelperProgram.pdfinfo.text(["-l", "-1", location], for: path)
        sizes = try Self.sizes(text, path)
    }

    /// What there is to know of each page.
    func facts() -> [SlideFacts] {
        var facts = (try? PDFDocument(path: location, name: path).pages()) ?? []
        facts =
            Array(facts.prefix(sizes.count)) + Array(repeating: SlideFacts(), count: max(0, sizes.count - facts.count))
        for (index, title) in titles().enumerated() where index < facts.count { facts[index].title = title }
        return facts
    }

    /// "Page    1 size:  453.54 x 255.12 pts (A4)", "Page    1 rot:   90".
    private static func sizes(_ text: String, _ path: String) throws(MediaError) -> [(
        width: Rational, height: Rational
    )] {
        var sizes: [(width: Rational, height: Rational)] = []
        for line in text.split(separator: "\n") where line.hasPrefix("Page ") {
            let words = line.split(separator: " ")
            if words.count >= 6, words[2] == "size:", let width = points(words[3]), let height = points(words[5]) {
                sizes.append((width, height))
            } else if words.count == 4, words[2] == "rot:", let turn = Int(words[3]), [90, 270].contains(turn),
                let last = sizes.last
            {
                sizes[sizes.count - 1] = (last.height, last.width)
            }
        }
        guard !sizes.isEmpty else { throw MediaError(.badInput, "'\(path)' has no pages that can be shown") }
        guard sizes.count <= maximumPages else {
            throw MediaError(
                .badInput, "'\(path)' has \(sizes.count) pages, more than the \(maximumPages) that are allowed")
        }
        return sizes
    }

    /// Between a hundredth of a point and a hundred times the largest page that PDF 1.7 knows.
    private static func points(_ text: Substring) -> Rational? {
        guard let value = Double(text), value >= 0.01, value <= 1_440_000 else { return nil }
        return Rational(Int((value * 1000).rounded()), 1000)
    }

    // MARK: Titles

    /// The first line of each page that isn't on half of the others as well, as running heads are.
    private func titles() -> [String?] {
        // A deck without titles is a deck all the same.
        guard let text = try? HelperProgram.pdftotext.text(["-q", location, "-"], for: path) else { return [] }
        return Self.titles(in: text)
    }

    /// - Parameter text: of all pages, each ended by a form feed.
    package static func titles(in text: String) -> [String?] {
        // LibreOffice writes the marks of lists before their lines.
        let marks = CharacterSet.whitespaces.union(CharacterSet(charactersIn: "•◦▪▶►–"))
        let pages = text.split(separator: "\u{0C}", omittingEmptySubsequences: false).map { page in
            page.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: marks) }
                .filter { $0.contains(where: \.isLetter) }
        }
        var counts: [String: Int] = [:]
        for page in pages { for line in Set(page) { counts[line, default: 0] += 1 } }
        return pages.map { page in
            let title = page.first { pages.count < 4 || 2 * counts[$0, default: 0] < pages.count } ?? page.first
            return title.map { String($0.prefix(200)) }
        }
    }
}
