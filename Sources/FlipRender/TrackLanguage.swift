import FlipMedia
import FlipGeometry
import Foundation

/// Names of languages as users and files give them.
enum TrackLanguage {
    /// The three-letter code of ISO 639-2 (T) for a code of two or three letters, such as "de", "deu" or "ger", whatever
    /// follows it after a dash; nil for an unknown one.
    static func code(_ text: String) -> String? {
        let word =
            text.lowercased().split(separator: "-", omittingEmptySubsequences: false).first.map(String.init) ?? ""
        guard (2...3).contains(word.count), word.allSatisfy({ $0.isASCII && $0.isLetter }),
            let known = TrackTags(language: word).languageCode
        else { return nil }
        return Locale.LanguageCode(known).identifier(.alpha3)
    }
}

extension OutputValue {
    /// Parses a language, and returns its three-letter code.
    package static func language(_ text: String) throws(OptionError) -> String {
        guard let code = TrackLanguage.code(text) else {
            throw OptionError("invalid language '\(text)' (expected a code such as de, deu or pt-BR)")
        }
        return code
    }
}
