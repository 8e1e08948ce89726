import FlipBase
import FlipFiles
import Foundation

/// A PDF of slides, with the sizes and titles of its pages as poppler's programs report them.
package struct PDFDeck: Sendable {
    /// The path of the document that the user gave, for messages.
    let path: String
    /// The path at which programs open the PDF.
    let location: String
    /// The size of each page in points, with its rotation applied.
    let sizes: [(width: Rational, height: Rational)]
    /// Keeps a converted document on the disk; nil if the user's document is the PDF.
    let keeper: NamelessFile?

    /// The maximum number of pages, or slides, of a document.
    static let maximumPages = 10_000

    /// - Parameter converted: the PDF made from the document at `path`; nil if that is the PDF.
    init(path: String, converted: NamelessFile? = nil) throws(MediaError) {
        self.path = path
        keeper = converted
        // A name that begins with a dash would be taken for an option.
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

    /// The title of each page, or nil. There are fewer, or none, if the PDF's text can't be read.
    func titles() -> [String?] { PageTitles.read(location, for: path) }

    /// The sizes in lines such as "Page    1 size:  453.54 x 255.12 pts (A4)", turned by "Page    1 rot:   90".
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

    /// A length in points; nil unless it is between a hundredth of a point and a hundred times the largest page of PDF
    /// 1.7.
    private static func points(_ text: Substring) -> Rational? {
        guard let value = Double(text), value >= 0.01, value <= 1_440_000 else { return nil }
        return Rational(Int((value * 1000).rounded()), 1000)
    }
}
