import FlipFiles
import Foundation

/// The notes of a PDF's pages: their text annotations (ISO 32000-1 12.5.6.4), as pdfcomment and other packages of LaTeX
/// write them.
extension PageFacts {
    /// The maximum number of annotations that are looked at on a page.
    private static let maximumAnnotations = 1000

    /// The references in the annotations of `page`, as far as these are among `objects`.
    /// - Parameter withTexts: whether the contents of notes are needed.
    static func annotationReferences(of page: [String: Any]?, _ objects: [String: Any], withTexts: Bool) -> [Any?] {
        guard let page else { return [] }
        let entries = annotations(of: page, objects)
        let kinds = entries.map { (resolve($0, objects) as? [String: Any])?["/Subtype"] }
        guard withTexts else { return [page["/Annots"]] + entries.map { Optional($0) } + kinds }
        let texts = entries.map { resolve($0, objects) as? [String: Any] }.filter { isNote($0, objects) }
        return [page["/Annots"]] + entries.map { Optional($0) } + kinds + texts.map { $0?["/Contents"] }
    }

    /// Adds what the annotations of `page` are besides notes: links, films and sounds (ISO 32000-1 table 169, and
    /// ISO 32000-2 13.7 for rich media).
    static func addAnnotations(of page: [String: Any]?, _ objects: [String: Any], to facts: inout SlideFacts) {
        guard let page else { return }
        for entry in annotations(of: page, objects) {
            let annotation = resolve(entry, objects) as? [String: Any]
            switch resolve(annotation?["/Subtype"], objects) as? String {
            case "/Link": facts.hasLinks = true
            case "/Screen", "/RichMedia", "/Movie", "/Sound": facts.hasMediaAnnotations = true
            default: break
            }
        }
    }

    /// The notes of `page`: the contents of its annotations, in order; nil if it has none.
    static func notes(of page: [String: Any]?, _ objects: [String: Any]) -> String? {
        guard let page else { return nil }
        let texts = annotations(of: page, objects).compactMap { entry -> String? in
            guard let annotation = resolve(entry, objects) as? [String: Any], isNote(annotation, objects) else {
                return nil
            }
            return (resolve(annotation["/Contents"], objects) as? String).flatMap(text)
        }
        return NotesText.cleaned(texts.joined(separator: "\n"))
    }

    /// The annotations on `pages` that are drawn as icons of notes, by reference, as far as they have any.
    package static func noteIcons(on pages: [String], _ objects: [String: Any]) -> [String: [String: Any]] {
        var icons: [String: [String: Any]] = [:]
        for page in pages {
            guard let page = objects[page] as? [String: Any] else { continue }
            for case let name as String in annotations(of: page, objects) {
                guard let annotation = objects[name] as? [String: Any],
                    resolve(annotation["/Subtype"], objects) as? String == "/Text"
                else { continue }
                icons[name] = annotation
            }
        }
        return icons
    }

    private static func annotations(of page: [String: Any], _ objects: [String: Any]) -> ArraySlice<Any> {
        (resolve(page["/Annots"], objects) as? [Any] ?? []).prefix(maximumAnnotations)
    }

    /// Whether the annotation's contents are a note. What `/FreeText` shows is on the page itself, unless it has a
    /// window that pops up.
    private static func isNote(_ annotation: [String: Any]?, _ objects: [String: Any]) -> Bool {
        switch resolve(annotation?["/Subtype"], objects) as? String {
        case "/Text": true
        case "/FreeText": annotation?["/Popup"] != nil
        default: false
        }
    }

    /// The text of a string in qpdf's JSON: "u:" and the text. Strings that are not text begin with "b:".
    static func text(_ string: String) -> String? { string.hasPrefix("u:") ? String(string.dropFirst(2)) : nil }
}

/// The file in which the presenter's console pdfpc keeps notes, beside the PDF: `slides.pdfpc` for `slides.pdf`.
package enum PDFPCFile {
    /// The largest file, in bytes.
    private static let maximumSize = 4 << 20

    /// The path of the file for the PDF at `path`; nil if there is none.
    package static func path(beside path: String) -> String? {
        guard path.lowercased().hasSuffix(".pdf") else { return nil }
        let place = String(path.dropLast(4)) + ".pdfpc"
        return FileManager.default.isReadableFile(atPath: place) ? place : nil
    }

    /// The paths of the files for the PDFs among `words`, which name inputs of a deck.
    package static func paths(beside words: [String]) -> [String] {
        words.compactMap { path(beside: DocumentPart($0).path) }
    }

    /// What the file says of the pages, by their numbers from 1.
    package struct Pages: Equatable {
        /// The notes of pages that have any, without Markdown, in which pdfpc has them written.
        package var notes: [Int: String] = [:]
        /// The pages that are left out of the talk.
        package var hidden: Set<Int> = []

        package init(notes: [Int: String] = [:], hidden: Set<Int> = []) { (self.notes, self.hidden) = (notes, hidden) }
    }

    /// The pages in pdfpc's present format, which is JSON; nil if the bytes are not in it.
    package static func pages(in bytes: Data) -> Pages? {
        guard bytes.count <= maximumSize,
            let root = (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any],
            let pages = root["pages"] as? [[String: Any]]
        else { return nil }
        let isPlain = root["disableMarkdown"] as? Bool ?? false
        var found = Pages()
        for page in pages {
            guard let index = page["idx"] as? Int, (0..<PDFDeck.maximumPages).contains(index) else { continue }
            if page["hidden"] as? Bool ?? false { found.hidden.insert(index + 1) }
            guard let note = (page["note"] as? String).flatMap(NotesText.cleaned),
                let text = isPlain ? note : NotesText.cleaned(MarkdownText.plain(note))
            else { continue }
            found.notes[index + 1] = text
        }
        return found
    }

    /// What the file beside the PDF at `path` says; nothing if there is none, and nil if it can't be read.
    static func read(beside path: String) -> Pages? {
        guard let place = self.path(beside: path) else { return Pages() }
        return (try? InputDocument.read(place, atMost: maximumSize)).flatMap(pages(in:))
    }
}
