import FlipBase

/// What is refused in an XML document before it is parsed.
package enum XMLCheck {
    /// The maximum number of attributes of an element, counted by their equals signs.
    private static let maximumAttributes = 10_000

    package static func refused(_ path: String, _ reason: String) -> MediaError {
        MediaError(.badInput, "cannot read '\(path)': \(reason), which is refused")
    }

    /// Throws if `text`, a part of the file at `path`, has zero bytes, a document type declaration, an element with more
    /// than 10,000 attributes, or a processing instruction without content, which ends the process inside of
    /// FoundationXML (Swift 6.3).
    package static func check(_ text: Substring, _ path: String) throws(MediaError) {
        var (equals, last, beforeLast): (Int, UInt8, UInt8) = (0, 0, 0)
        // Where the count is in a tag: every "<" begins one, wherever it stands, so nothing before it can hide attributes.
        // A tag ends with the first ">" outside of its quotes, and comments and CDATA have no attributes.
        var (isInTag, quote): (Bool, UInt8?) = (false, nil)
        // Whether a processing instruction has begun and has nothing but its name so far.
        var isBareInstruction = false
        for byte in text.utf8 {
            switch byte {
            case 0: throw refused(path, "a part of it contains zero bytes")
            case UInt8(ascii: "<"):
                (equals, isInTag, quote) = (0, true, nil)
                isBareInstruction = false
            case UInt8(ascii: "?") where last == UInt8(ascii: "<"): isBareInstruction = true
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                isBareInstruction = false
            case UInt8(ascii: ">") where last == UInt8(ascii: "?") && isBareInstruction:
                throw refused(path, "a part of it has a processing instruction without content")
            case UInt8(ascii: "!") where last == UInt8(ascii: "<"): isInTag = false
            case UInt8(ascii: ">") where quote == nil: isInTag = false
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                if quote == byte { quote = nil } else if isInTag, quote == nil { quote = byte }
            case UInt8(ascii: "=") where isInTag && quote == nil: equals += 1
            // Only <!DOCTYPE begins with these characters.
            case UInt8(ascii: "D") where last == UInt8(ascii: "!") && beforeLast == UInt8(ascii: "<"):
                throw refused(path, "a part of it declares a document type")
            default: break
            }
            guard equals <= maximumAttributes else {
                throw refused(path, "an element in it has more than \(maximumAttributes) attributes")
            }
            (beforeLast, last) = (last, byte)
        }
    }
}
