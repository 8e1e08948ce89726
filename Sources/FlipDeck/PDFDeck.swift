import FlipMedia
import Foundation

/// A PDF of slides: its pages' sizes and titles as poppler's programs tell them.
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
        let text: String
        do throws(MediaError) {
            text = try HelperProgram.pdfinfo.text(["-l", "-1", location], for: path)
        } catch {
            guard error.message.contains("Incorrect password") else { throw error }
            throw MediaError(
                .badInput,
                "'\(path)' can't be read without its password (save it without one first: qpdf --decrypt "
                    + "--password=... locked.pdf open.pdf)")
        }
        sizes = try Self.sizes(text, path)
    }

    /// Of each page; fewer, or none, where the text can't be read.
    func titles() -> [String?] { PageTitles.read(location, for: path) }

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
}
