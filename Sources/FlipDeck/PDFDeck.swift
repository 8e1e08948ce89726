import FlipBase
import FlipFiles
import Foundation

/// A PDF of slides, with the sizes and titles of its pages as poppler's programs report them.
package struct PDFDeck: Sendable {
    /// The path of the document that the user gave, for messages.
    let path: String
    /// The path at which programs open the PDF.
    let location: String
    /// The title and the author that the document states, as tags of a film.
    var tags: [String: String]
    /// The size of each page in points, with its rotation applied.
    let sizes: [(width: Rational, height: Rational)]
    /// Keeps a converted or unlocked document on the disk; nil if the user's document is read itself.
    let keeper: NamelessFile?
    /// Whether the document needed the password.
    let wasLocked: Bool

    /// The maximum number of pages, or slides, of a document.
    static let maximumPages = 10_000

    /// - Parameters:
    ///   - converted: the PDF made from the document at `path`; nil if that is the PDF.
    ///   - password: tried if the document needs one.
    init(path: String, converted: NamelessFile? = nil, password: Password? = nil) throws(MediaError) {
        self.path = path
        // A name that begins with a dash would be taken for an option.
        let own = converted?.location ?? (path.hasPrefix("/") ? path : "./" + path)
        let text: String
        if let open = try Self.facts(own, path) {
            (keeper, location, text, wasLocked) = (converted, own, open, false)
        } else {
            guard let password else { throw Self.locked(path) }
            let copy = try password.unlocked(own, for: path)
            guard let open = try Self.facts(copy.location, path) else { throw Self.locked(path) }
            (keeper, location, text, wasLocked) = (copy, copy.location, open, true)
        }
        let facts = PDFInfo(text)
        sizes = try Self.sizes(facts.pages, path)
        tags = DocumentTags.tags(title: facts.title, author: facts.author)
    }

    /// The same deck without the icons of the annotations `icons`, which are objects by reference, as qpdf's JSON has them.
    func hiding(_ icons: [String: [String: Any]]) throws(MediaError) -> PDFDeck {
        if icons.isEmpty { return self }
        let changes = icons.map { name, annotation in
            // The flag for hidden annotations (ISO 32000-1, table 165).
            ("obj:" + name, ["value": annotation.merging(["/F": 2]) { $1 }])
        }
        let update: [[String: Any]] = [["jsonversion": 2], Dictionary(uniqueKeysWithValues: changes)]
        let (list, copy) = try (NamelessFile(), NamelessFile())
        guard let text = try? JSONSerialization.data(withJSONObject: ["qpdf": update]) else { return self }
        try list.append(Array(text))
        try HelperProgram.qpdf.run(
            [
                "--no-warn", "--warning-exit-0", "--deterministic-id", location, "--update-from-json=" + list.location,
                "-",
            ], for: path, into: copy)
        return PDFDeck(self, readingFrom: copy)
    }

    private init(_ deck: PDFDeck, readingFrom copy: NamelessFile) {
        (path, tags, sizes, wasLocked) = (deck.path, deck.tags, deck.sizes, deck.wasLocked)
        (keeper, location) = (copy, copy.location)
    }

    /// A warning if all pages have twice the width of slides, as those of beamer have with "show notes on second screen"; nil
    /// otherwise.
    var secondScreenWarning: String? {
        let shapes = [
            Rational(4, 3), Rational(16, 9), Rational(16, 10), Rational(14, 9), Rational(3, 2), Rational(5, 4),
        ]
        let isTwice = { (size: (width: Rational, height: Rational)) in
            let shape = (size.width / size.height).doubleValue / 2
            return shapes.contains { abs(shape / $0.doubleValue - 1) < 0.005 }
        }
        guard sizes.count > 1, sizes.allSatisfy(isTwice) else { return nil }
        return
            "\(path): its pages are twice as wide as slides are, and shown whole; if one half has notes (beamer's 'show notes on "
            + "second screen'), make a PDF without them"
    }

    private static func locked(_ path: String) -> MediaError {
        MediaError(.badInput, "'\(path)' can't be read without its password (give it with --password-file)")
    }

    /// What pdfinfo says of all pages; nil if the document needs a password.
    private static func facts(_ location: String, _ path: String) throws(MediaError) -> String? {
        do throws(MediaError) {
            return try HelperProgram.pdfinfo.text(["-l", "-1", location], for: path)
        } catch {
            guard error.message.contains("Incorrect password") else { throw error }
            return nil
        }
    }

    /// The title of each page, or nil. There are fewer, or none, if the PDF's text can't be read.
    /// - Parameter pages: the pages, from 1, that are looked at; nil for all.
    func titles(of pages: [Int]?) -> [String?] { PageTitles.read(location, for: path, pages: pages) }

    /// The sizes in lines such as "Page    1 size:  453.54 x 255.12 pts (A4)", turned by "Page    1 rot:   90".
    private static func sizes(_ lines: [Substring], _ path: String) throws(MediaError) -> [(
        width: Rational, height: Rational
    )] {
        var sizes: [(width: Rational, height: Rational)] = []
        for line in lines where line.hasPrefix("Page ") {
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

    /// A length in points; nil unless it is between a hundredth of a point and a hundred times the largest page of PDF
    /// 1.7.
    private static func points(_ text: Substring) -> Rational? {
        guard let value = Double(text), value >= 0.01, value <= 1_440_000 else { return nil }
        return Rational(Int((value * 1000).rounded()), 1000)
    }
}
