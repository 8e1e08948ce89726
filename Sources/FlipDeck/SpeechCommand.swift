import FlipGeometry

/// A command that turns text into speech, as the user writes it: `espeak-ng -w {out} -f {in}`.
package struct SpeechCommand: Sendable, Equatable {
    /// The program's name or path, and its arguments, in which places for files are not filled in yet.
    package let words: [String]

    /// Places in arguments: the file with the text, the audio file to write, the slide's number, and the text's language.
    private static let (input, output, slide, language) = ("{in}", "{out}", "{slide}", "{language}")

    /// Reads the words as a shell would, with quotes and backslashes, but without variables and patterns.
    package init(parsing text: String) throws(OptionError) {
        words = try Self.words(of: text)
        guard let program = words.first, !program.isEmpty else {
            throw OptionError("--speak needs a command (such as 'espeak-ng -w {out} -f {in}')")
        }
        guard !program.contains("{"), words.dropFirst().contains(where: { $0.contains(Self.output) }) else {
            throw OptionError("the command of --speak doesn't say where its audio goes (put {out} in its arguments)")
        }
    }

    /// The program's name, for messages.
    var name: String { words[0].split(separator: "/").last.map(String.init) ?? words[0] }

    /// Whether the command gets the number of the slide, so that equal notes may be spoken differently.
    var usesNumber: Bool { words.contains { $0.contains(Self.slide) } }

    /// Whether the command says which language is spoken.
    var usesLanguage: Bool { words.contains { $0.contains(Self.language) } }

    /// The words with the paths of both files, the slide's number and the language in their places.
    func words(input: String, output: String, slide: Int, language: String) -> [String] {
        [words[0]]
            + words.dropFirst().map { word in
                // One pass, so that paths are never searched for places.
                var rest = word[...]
                var filled = ""
                let places = [
                    (Self.input, input), (Self.output, output), (Self.slide, "\(slide)"), (Self.language, language),
                ]
                while !rest.isEmpty {
                    if let (place, value) = places.first(where: { rest.hasPrefix($0.0) }) {
                        filled += value
                        rest = rest.dropFirst(place.count)
                    } else {
                        filled.append(rest.removeFirst())
                    }
                }
                return filled
            }
    }

    /// Throws if `character`, which `rest` follows, has a meaning for shells: it would become a part of an argument, and might be
    /// spoken.
    private static func checkPlain(_ character: Character, _ rest: Substring, isQuoted: Bool) throws(OptionError) {
        let isExpansion = character == "`" || character == "$" && (rest.first.map { "({".contains($0) } ?? false)
        guard isExpansion || !isQuoted && "|<>;&".contains(character) else { return }
        let sign = character == "$" ? "$\(rest.first ?? "(")" : "\(character)"
        throw OptionError(
            "the command of --speak is not run by a shell, so \(sign) has no meaning in it (put it in a script, or write "
                + "sh -c '...')")
    }

    /// The words of a command line (POSIX.1-2017, Shell Command Language 2.2).
    private static func words(of text: String) throws(OptionError) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var rest = text[...]
        while let character = rest.popFirst() {
            switch (quote, character) {
            case ("'", "'"), ("\"", "\""): quote = nil
            case ("'", _): word?.append(character)
            case ("\"", "\\"):
                if let next = rest.first, "\"\\$`".contains(next) {
                    word?.append(rest.removeFirst())
                } else {
                    word?.append("\\")
                }
            case ("\"", _):
                try checkPlain(character, rest, isQuoted: true)
                word?.append(character)
            case (_, "'"), (_, "\""):
                quote = character
                word = word ?? ""
            case (_, "\\"):
                if let next = rest.popFirst() { word = (word ?? "") + String(next) }
            case _ where character.isWhitespace:
                if let whole = word { words.append(whole) }
                word = nil
            default:
                try checkPlain(character, rest, isQuoted: false)
                word = (word ?? "") + String(character)
            }
        }
        if let quote {
            throw OptionError(
                "the command of --speak has no closing \(quote) (as in --speak \"tts --voice 'A b' {out}\")")
        }
        if let word { words.append(word) }
        return words
    }
}
