extension String {
    /// Creates the text of a C string buffer, up to the terminating 0.
    package init(buffer: [CChar]) {
        self.init(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The text with a space in place of each line break between its lines, for messages that are one line.
    package var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }

    /// The lines of a file or of a program's output, empty ones included, whether they end with LF, CR LF or CR. (CR LF is
    /// one `Character`, which is not equal to "\n", so `split(separator: "\n")` misses it.)
    package var lines: [Substring] {
        split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }

    /// The text with a lowercase first letter, for messages of the operating system at the end of a sentence.
    package var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

extension BinaryInteger {
    /// The number, which must not be negative, with zeros before it so that there are at least `digits` digits.
    package func padded(to digits: Int, radix: Int = 10) -> String {
        let text = String(self, radix: radix)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension String {
    /// The text as an attribute's value or the content of an element of XML, in which line breaks and tabs stay what they are.
    package var xmlEscaped: String {
        var result = ""
        // A character may consist of a markup character and combining ones, so each scalar counts on its own.
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\r", "\t": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
