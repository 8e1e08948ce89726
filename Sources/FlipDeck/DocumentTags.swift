import FlipBase

/// The title and the author that a document states, as far as they say something, as tags of a film.
package enum DocumentTags {
    /// - Returns: `title` and `artist`, without what a program wrote by itself.
    package static func tags(title: String?, author: String?) -> [String: String] {
        var tags: [String: String] = [:]
        tags["title"] = title.flatMap(ChapterTitle.text).flatMap { isMade($0, titles) || isFileName($0) ? nil : $0 }
        tags["artist"] = author.flatMap(ChapterTitle.text).flatMap { isMade($0, authors) ? nil : $0 }
        return tags
    }

    /// Whether `text` is one of `words`, or one with a number after it, as in "Presentation1".
    private static func isMade(_ text: String, _ words: Set<String>) -> Bool {
        let word = text.lowercased()
        if words.contains(word) { return true }
        guard let last = word.last(where: { !$0.isNumber && $0 != " " }), last != word.last,
            let end = word.lastIndex(of: last)
        else { return false }
        return words.contains(String(word[...end]))
    }

    /// Whether `title` is the name of the file that a program printed, as in "Microsoft Word - talk.doc" and "talk.dvi".
    private static func isFileName(_ title: String) -> Bool {
        let word = title.lowercased()
        if ["microsoft word - ", "microsoft powerpoint - "].contains(where: word.hasPrefix) { return true }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 && endings.contains(String(parts[parts.count - 1]))
    }

    /// The extensions of files that titles are the names of: those of decks, and of what is printed as PDF.
    private static let endings = Set(
        Deck.documentEndings + [
            "doc", "docx", "dvi", "htm", "html", "indd", "md", "odt", "ps", "qxd", "qxp", "rtf", "tex",
        ])

    /// Titles that programs give in the languages that they speak, in lower case.
    private static let titles: Set<String> = [
        "untitled", "untitled document", "untitled presentation", "unbenannt", "unbenanntes dokument", "sans titre",
        "sin título", "senza titolo", "sem título", "naamloos", "bez tytułu", "без названия", "無題", "无标题", "제목 없음",
        "title", "no title", "no slide title", "slide", "folie", "about:blank", "document", "dokument",
        "presentation", "präsentation", "présentation", "presentación", "presentazione", "apresentação",
        "powerpoint presentation", "powerpoint-präsentation", "présentation powerpoint", "presentación de powerpoint",
        "presentazione standard di powerpoint", "presentazione di powerpoint", "apresentação do powerpoint",
        "powerpoint-presentatie", "powerpoint-presentation", "powerpoint-præsentation", "powerpoint-presentasjon",
        "powerpoint-esitys", "prezentacja programu powerpoint", "prezentace aplikace powerpoint", "powerpoint sunusu",
        "powerpoint-bemutató", "prezentare powerpoint", "презентация powerpoint", "презентація powerpoint",
        "powerpoint プレゼンテーション", "powerpoint 演示文稿", "powerpoint 簡報", "powerpoint 프레젠테이션",
    ]

    /// Names of authors that programs give, in lower case.
    private static let authors: Set<String> = [
        "user", "unknown", "author", "admin", "administrator", "anonymous", "owner", "root", "microsoft office user",
        "microsoft account", "windows user", "python-docx", "benutzer", "utilisateur", "usuario",
    ]
}

/// What poppler's pdfinfo prints of a document: what the document states, as in "Title: Waves", then what poppler found.
package struct PDFInfo {
    package private(set) var title: String?
    package private(set) var author: String?
    /// The lines that poppler wrote of the pages, none of which can come from the document.
    package private(set) var pages: [Substring] = []

    /// The names of the lines with what a document states, and of poppler's own lines that follow, in their order.
    private static let names = [
        "Title", "Subject", "Keywords", "Author", "Creator", "Producer", "CreationDate", "ModDate", "Custom Metadata",
        "Metadata Stream", "Tagged", "UserProperties", "Suspects", "Form", "JavaScript", "Pages",
    ]

    package init(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline)
        // A document's words may have line breaks, and may look like any line. Poppler's own come after all of them.
        let end = lines.lastIndex { $0.hasPrefix("Encrypted:") } ?? lines.startIndex
        pages = Array(lines[end...])
        var (name, values): (String?, [String: String]) = (nil, [:])
        for line in lines[..<end] {
            if let next = Self.names.first(where: { line.hasPrefix($0 + ":") }), values[next] == nil {
                name = next
                values[next] = String(line.dropFirst(next.count + 1))
            } else if let name {
                values[name]? += " " + line
            }
        }
        (title, author) = (values["Title"], values["Author"])
    }
}
