/// The names of a tool's fields. The program's sentences name options as they are typed, `-y` or `--crf`, and an agent has
/// fields in their place, `overwrite` and `crf`.
struct FieldNames: Sendable {
    private let fields: [String: String]

    init(_ options: [ToolOption]) {
        fields = Dictionary(options.flatMap { option in option.typedNames.map { ($0, option.name) } }) { first, _ in
            first
        }
    }

    /// `sentence` with the fields' names. What is in quotes, such as a file's name, stays as it is.
    func replacing(in sentence: String) -> String {
        var (result, word) = ("", "")
        var isQuoted = false
        let characters = Array(sentence)
        for (index, character) in characters.enumerated() {
            if Self.isOfWord(character) {
                word.append(character)
                continue
            }
            result += isQuoted ? word : field(word)
            if character == "'" {
                // The apostrophe in can't is neither the beginning nor the end of a quotation.
                let endsHere = index + 1 == characters.count || !Self.isOfWord(characters[index + 1])
                isQuoted = isQuoted ? !endsHere : word.isEmpty
            }
            result.append(character)
            word = ""
        }
        return result + (isQuoted ? word : field(word))
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "-_./".contains(character)
    }

    /// The field's name if `word` is an option, without the period at the end of a sentence; otherwise `word`.
    private func field(_ word: String) -> String {
        let name = word.hasSuffix(".") ? String(word.dropLast()) : word
        return fields[name].map { $0 + word.dropFirst(name.count) } ?? word
    }
}
