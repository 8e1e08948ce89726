import Foundation

/// How long text takes to say, in letters of plain words.
///
/// What is written shorter than it is spoken counts for more than a letter: "1999" is "nineteen ninety-nine", and in a web
/// address each letter, dot and slash is named. The weights were chosen with espeak-ng, which speaks letters at an even
/// pace; within a factor of two they do for any voice, since pauses settle the rest.
package enum SpokenLength {
    /// A digit by itself, or its share of a number in words.
    private static let digit = 6
    /// A character of an address: a letter's name has some three sounds, and "dot" and "slash" have more.
    private static let ofAddress = 4
    /// A capital of an abbreviation or a formula, such as "MS-DOS" or "NaCl": the letter's name.
    private static let capital = 3
    /// A sign with a name of its own, such as "percent".
    private static let sign = 6
    /// A character of an East Asian script, which is at least a syllable.
    private static let wide = 4

    private static let signs: Set<Character> = [
        "%", "‰", "€", "$", "£", "¥", "+", "=", "<", ">", "/", "#", "&", "@", "§", "°", "*", "^", "_", "~",
    ]

    /// The length of `text`, with one letter for the space after each word. Greater than 0 unless there is no word.
    package static func of(_ text: String) -> Int {
        text.split(whereSeparator: \.isWhitespace).reduce(0) { $0 + length(ofWord: $1) + 1 }
    }

    private static func length(ofWord word: Substring) -> Int {
        if isAddress(word) { return ofAddress * word.count }
        let letters = word.filter(\.isLetter)
        let isSpelled =
            letters.count > 1 && letters.allSatisfy(\.isUppercase)
            || word.contains(where: isDigit) && letters.contains(where: \.isUppercase)
        return word.reduce(0) { sum, character in
            if isDigit(character) { return sum + digit }
            if signs.contains(character) { return sum + sign }
            if CaptionText.isWide(character) { return sum + wide }
            return sum + (isSpelled && character.isUppercase ? capital : 1)
        }
    }

    /// Whether `word` is a web or mail address, which voices spell.
    private static func isAddress(_ word: Substring) -> Bool {
        word.contains("://") || word.lowercased().hasPrefix("www.") || word.contains("@") && word.contains(".")
    }

    private static func isDigit(_ character: Character) -> Bool {
        character.unicodeScalars.first?.properties.generalCategory == .decimalNumber
    }
}
