import FlipFiles
import FlipRender

/// The languages of a PowerPoint presentation's text, as its runs state them for the spelling checker (ECMA-376 21.1.2.3.9).
struct TextLanguages {
    /// The number of letters in each language, by its name in the file.
    private var letters: [String: Int] = [:]
    /// The name of the language of the run being read; nil if it states none.
    private var run: String?
    private var readsText = false

    /// The maximum number of names that are told apart; text in further ones isn't counted.
    static let maximumNames = 100
    /// Codes for text in no language, in several, or in one that isn't known.
    private static let unknown: Set<String> = ["und", "zxx", "mul", "mis"]

    /// The three-letter code of the language that `tag` names, such as "de-DE"; nil if it names none.
    static func code(_ tag: String) -> String? {
        guard let code = try? OutputValue.language(tag), !unknown.contains(code) else { return nil }
        return code
    }

    /// The language of most letters, if it is that of more than half of them; nil otherwise.
    var most: String? {
        var sums: [String: Int] = [:]
        for (name, count) in letters { if let code = Self.code(name) { sums[code, default: 0] += count } }
        guard let most = sums.max(by: { $0.value < $1.value }) else { return nil }
        return 2 * most.value > sums.values.reduce(0, +) ? most.key : nil
    }

    mutating func begin(_ element: XMLElement) {
        switch element.name {
        case "r", "fld": run = nil
        case "rPr": run = element["lang"]
        case "t": readsText = true
        default: break
        }
    }

    mutating func text(_ text: String) {
        guard readsText, let run else { return }
        add(text.count { $0.isLetter }, in: run)
    }

    mutating func end(_ name: String) { if name == "t" { readsText = false } }

    mutating func add(_ others: TextLanguages) { for (name, count) in others.letters { add(count, in: name) } }

    private mutating func add(_ count: Int, in name: String) {
        guard letters.count < Self.maximumNames || letters[name] != nil else { return }
        letters[name, default: 0] += count
    }
}

/// Reads the languages that an OpenDocument file names: that of the document (ODF 1.2 part 1, 4.3.2.15), and those of styles
/// of text.
final class OpenLanguage: XMLVisitor {
    /// The document's, as a three-letter code; nil if it isn't stated.
    var stated: String? { TextLanguages.code(words) }
    /// The styles', as three-letter codes.
    var ofStyles: Set<String> { Set(names.compactMap(TextLanguages.code)) }
    private var names: Set<String> = []
    private var words = ""
    private var readsWords = false

    func begin(_ element: XMLElement) {
        readsWords = element.name == "language" && element.space.hasSuffix("/dc/elements/1.1/")
        guard element.name == "text-properties",
            let name = element.attribute("language", in: ":xsl-fo-compatible:1.0"),
            names.count < TextLanguages.maximumNames
        else { return }
        names.insert(name)
    }

    func text(_ text: String) { if readsWords, words.utf8.count < 100 { words += text } }

    func end(_ name: String, depth: Int) { readsWords = false }
}
