import FlipFiles
import Foundation

/// The text of a slide's notes, while it is being read. What becomes of it is one line for each paragraph, without empty
/// ones.
struct NotesText {
    private var raw = ""

    /// The maximum number of bytes of a slide's notes: about an hour of speech.
    static let longest = 1 << 16

    /// The notes as lines of text, one for each paragraph or line; nil if there are none.
    var text: String? { Self.cleaned(raw) }

    /// Adds a part of a paragraph.
    mutating func add(_ text: String) {
        guard raw.utf8.count < Self.longest else { return }
        raw += text.prefix(Self.longest)
    }

    /// Ends the line.
    mutating func end() { if raw.utf8.count < Self.longest { raw += "\n" } }

    /// `text` without control characters, empty lines, and spaces around lines; nil if nothing is left.
    static func cleaned(_ text: String) -> String? {
        let lines = text.prefix(longest).split(whereSeparator: \.isNewline).map { line in
            let scalars = line.unicodeScalars.filter { $0 == "\t" || $0.properties.generalCategory != .control }
            return String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespaces)
        }
        let shown = lines.filter { !$0.isEmpty }
        return shown.isEmpty ? nil : shown.joined(separator: "\n")
    }
}

/// Reads the notes page of a PowerPoint slide (ECMA-376 13.3.5): the text of its body, and not the numbers, dates and
/// headings around it.
final class NotesReader: XMLVisitor {
    var notes: String? { collected.text }
    /// The languages of the notes.
    private(set) var languages = TextLanguages()

    private var collected = NotesText()
    /// The depth of the shape being read; nil outside of shapes.
    private var shape: Int?
    /// Whether that shape is the placeholder of the notes.
    private var isBody = false
    /// The depth of a field with a slide's number or a date; nil outside of these.
    private var field: Int?
    private var readsText = false

    func begin(_ element: XMLElement) {
        languages.begin(element)
        switch element.name {
        case "sp" where shape == nil: shape = element.depth
        case "ph" where shape != nil: isBody = element["type"] == "body"
        case "fld" where isBody:
            let type = element["type"] ?? ""
            if field == nil, type.hasPrefix("slidenum") || type.hasPrefix("datetime") { field = element.depth }
        case "t": readsText = isBody && field == nil
        case "br" where isBody: collected.end()
        default: break
        }
    }

    func text(_ text: String) {
        // Line breaks are elements; those in the XML are spaces.
        if !readsText { return }
        languages.text(text)
        collected.add(String(text.map { $0.isNewline ? " " : $0 }))
    }

    func end(_ name: String, depth: Int) {
        languages.end(name)
        if name == "t" { readsText = false }
        if name == "p", isBody { collected.end() }
        if field == depth { field = nil }
        guard shape == depth else { return }
        shape = nil
        isBody = false
    }
}

/// Reads the text of a frame of a page of an OpenDocument presentation (ODF 1.2, 9.1.5 and 19.389), which its class tells.
struct OpenText {
    /// The frame's class.
    private let kind: String
    /// Whether the frame lies on the page's own page of notes.
    private let isOnNotes: Bool
    private var raw = NotesText()
    /// The depths of the notes' element, of the frame with the text, and of the paragraph; nil outside of these.
    private var page: Int?
    private var frame: Int?
    private var paragraph: Int?
    /// Whether the last character of the paragraph is a space, after which further ones count for nothing (ODF 1.2,
    /// 6.1.2).
    private var isSpaced = true

    /// The speaker notes of a page.
    static let notes = OpenText("notes", onNotes: true)
    /// The title of a page.
    static let title = OpenText("title", onNotes: false)

    private init(_ kind: String, onNotes: Bool) { (self.kind, isOnNotes) = (kind, onNotes) }

    /// The text, a line for each paragraph; nil if there is none.
    var collected: String? { raw.text }
    /// Whether the element being read lies within the notes.
    var isInNotes: Bool { page != nil }

    mutating func begin(_ element: XMLElement) {
        if element.name == "notes", element.space.hasSuffix(":presentation:1.0") { page = page ?? element.depth }
        guard isInNotes == isOnNotes else { return }
        switch element.name {
        case "frame":
            if frame == nil, element.attribute("class", in: ":presentation:1.0") == kind { frame = element.depth }
        case "p", "h":
            guard frame != nil, paragraph == nil, element.space.hasSuffix(":text:1.0") else { break }
            paragraph = element.depth
            isSpaced = true
        case "s", "tab": if paragraph != nil { text(" ") }
        case "line-break":
            guard paragraph != nil else { break }
            raw.end()
            isSpaced = true
        default: break
        }
    }

    mutating func text(_ text: String) {
        guard paragraph != nil else { return }
        var plain = ""
        for character in text.prefix(NotesText.longest) {
            if !character.isWhitespace { plain.append(character) } else if !isSpaced { plain.append(" ") }
            isSpaced = character.isWhitespace
        }
        raw.add(plain)
    }

    mutating func end(depth: Int) {
        if paragraph == depth {
            paragraph = nil
            raw.end()
        }
        if frame == depth { frame = nil }
        if page == depth { page = nil }
    }
}
