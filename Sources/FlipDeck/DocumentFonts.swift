import FlipBase
import FlipFiles

/// The fonts that documents ask for and fontconfig doesn't have: LibreOffice and poppler draw others in their place without
/// saying so.
enum DocumentFonts {
    /// A warning of fonts that the document at `path` names; nil if all are there, or if fontconfig's programs aren't.
    static func warning(_ path: String, named fonts: Set<String>) -> String? {
        // LibreOffice has the characters of these in its own OpenSymbol.
        let symbols: Set<String> = ["wingdings", "webdings", "symbol"]
        let letters = fonts.filter { name in !symbols.contains { name.lowercased().hasPrefix($0) } }
        guard let (names, isOne) = words(InstalledFonts.missing(letters)) else { return nil }
        return
            "\(path): \(names) \(isOne ? "isn't" : "aren't") installed, so \(isOne ? "another takes its" : "others take their") place, and text may wrap "
            + "differently (install \(isOne ? "it" : "them"), or export a PDF file with its fonts\(standIns(letters)))"
    }

    /// Debian's packages of free fonts whose characters have the widths of those of Microsoft's.
    private static let sameWidths = ["Calibri": "fonts-crosextra-carlito", "Cambria": "fonts-crosextra-caladea"]

    /// The end of a sentence about fonts of the same widths; empty if none are known.
    static func standIns(_ fonts: Set<String>) -> String {
        let known = sameWidths.filter { fonts.contains($0.key) }.sorted { $0.key < $1.key }
        return known.map { "; Debian's package \($0.value) has a font of \($0.key)'s widths" }.joined()
    }

    /// A warning of fonts that the PDF at `location` doesn't store.
    static func warning(_ path: String, pdf location: String) -> String? {
        guard let text = try? HelperProgram.pdffonts.text([location], for: path, limit: 4 << 20),
            let (names, isOne) = words(InstalledFonts.missing(unstored(in: text)))
        else { return nil }
        return
            "\(path): \(names) \(isOne ? "is" : "are") neither stored in the file nor installed, so \(isOne ? "another takes its" : "others take their") place "
            + "(export it with its fonts, or install \(isOne ? "it" : "them"))"
    }

    /// The subject of a sentence, and whether it is a single font; nil for none.
    private static func words(_ fonts: [String]) -> (text: String, isOne: Bool)? {
        guard let last = fonts.last else { return nil }
        let names = fonts.map { String($0.prefix(80)) }
        if names.count == 1 { return ("the font \(last)", true) }
        return ("the fonts \(names.dropLast().joined(separator: ", ")) and \(last)", false)
    }

    /// The names of fonts in the table that pdffonts prints whose data are not in the file. Every reader has stand-ins for
    /// the fonts that PDF calls standard (ISO 32000-1 9.6.2.2).
    static func unstored(in table: String) -> Set<String> {
        let standard: Set<Substring> = ["Helvetica", "Times", "Courier", "Symbol", "ZapfDingbats"]
        // Name, type, encoding, whether it is stored, whether it is a subset, whether it has Unicode, and the object: two
        // numbers, or "[none]".
        let families = table.split(separator: "\n").dropFirst(2).compactMap { line -> Substring? in
            let words = line.split(separator: " ")
            let answers = words.dropLast(words.last == "[none]" ? 1 : 2).suffix(3)
            guard words.count >= 6, answers.first == "no" else { return nil }
            return (words[0].split(separator: "+").last ?? words[0]).prefix { $0 != "," && $0 != "-" }
        }
        return Set(families.filter { !standard.contains($0) }.map { String($0) })
    }
}
