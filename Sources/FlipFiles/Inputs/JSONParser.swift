import FlipBase
import Foundation

/// Parses JSON byte by byte.
struct JSONParser {
    private let bytes: [UInt8]
    private let path: String
    private let allowsJSON5: Bool
    private let maximumCount: Int
    private var position = 0
    private var line: Int
    private var lineStart = 0
    /// The number of values so far.
    private var count = 0

    init(_ bytes: [UInt8], _ path: String, line: Int, allowsJSON5: Bool, maximumCount: Int) {
        (self.allowsJSON5, self.maximumCount, self.bytes, self.path) = (allowsJSON5, maximumCount, bytes, path)
        self.line = line
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func document() throws(MediaError) -> JSONText {
        let value = try value(depth: 1)
        skipSpace()
        if position < bytes.count { throw error("something follows the JSON value") }
        return value
    }

    private var location: TextLocation { TextLocation(path: path, line: line, column: position - lineStart + 1) }

    private func error(_ text: String) -> MediaError { location.error(text) }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 10:
                line += 1
                lineStart = position + 1
            case 9, 13, 32: break
            case UInt8(ascii: "/") where allowsJSON5:
                guard skipComment() else { return }
                continue
            default: return
            }
            position += 1
        }
    }

    /// Skips a comment of JSON5 up to what ends it.
    /// - Returns: whether there is one.
    private mutating func skipComment() -> Bool {
        let sign = position + 1 < bytes.count ? bytes[position + 1] : 0
        switch sign {
        case UInt8(ascii: "/"):
            while position < bytes.count, bytes[position] != 10 { position += 1 }
        case UInt8(ascii: "*"):
            position += 2
            while position + 1 < bytes.count, bytes[position] != sign || bytes[position + 1] != UInt8(ascii: "/") {
                if bytes[position] == 10 { (line, lineStart) = (line + 1, position + 1) }
                position += 1
            }
            position = min(position + 2, bytes.count)
        default: return false
        }
        return true
    }

    /// Consumes `sign` if it comes next.
    /// - Returns: whether it did.
    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(MediaError) -> JSONText {
        skipSpace()
        let start = location
        guard depth <= JSONText.maximumDepth else {
            throw error("lists and objects are more than \(JSONText.maximumDepth) deep")
        }
        count += 1
        guard count <= maximumCount else { throw error("the file has more than \(maximumCount) values") }
        guard position < bytes.count else { throw error("the file ends where a value is expected") }
        switch bytes[position] {
        case UInt8(ascii: "{"):
            let (entries, keys) = try object(depth)
            return JSONText(location: start, content: .object(entries), keys: keys)
        case UInt8(ascii: "["): return JSONText(location: start, content: .list(try list(depth)))
        case UInt8(ascii: "\""): return JSONText(location: start, content: .text(try string()))
        case UInt8(ascii: "'") where allowsJSON5: return JSONText(location: start, content: .text(try string()))
        default: return JSONText(location: start, content: try word())
        }
    }

    private mutating func object(
        _ depth: Int
    ) throws(MediaError) -> (entries: [String: JSONText], keys: [(key: String, location: TextLocation)]) {
        position += 1
        var entries: [String: JSONText] = [:]
        var keys: [(String, TextLocation)] = []
        if take("}") { return (entries, keys) }
        repeat {
            skipSpace()
            if allowsJSON5, !keys.isEmpty, position < bytes.count, bytes[position] == UInt8(ascii: "}") { break }
            keys.append(("", location))
            let key = try name()
            keys[keys.count - 1].0 = key
            guard take(":") else { throw error("':' is expected") }
            entries[key] = try value(depth: depth + 1)
        } while take(",")
        guard take("}") else { throw error("',' or '}' is expected") }
        return (entries, keys)
    }

    private mutating func name() throws(MediaError) -> String {
        guard position < bytes.count else { throw error("a key is expected") }
        let quotes = allowsJSON5 ? "\"'" : "\""
        if quotes.utf8.contains(bytes[position]) { return try string() }
        let start = position
        while allowsJSON5, position < bytes.count, isWord(bytes[position]) || "_$".utf8.contains(bytes[position]) {
            position += 1
        }
        guard position > start else { throw error("a key is expected") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func list(_ depth: Int) throws(MediaError) -> [JSONText] {
        position += 1
        var items: [JSONText] = []
        if take("]") { return items }
        repeat {
            skipSpace()
            if allowsJSON5, !items.isEmpty, position < bytes.count, bytes[position] == UInt8(ascii: "]") { break }
            items.append(try value(depth: depth + 1))
        } while take(",")
        guard take("]") else { throw error("',' or ']' is expected") }
        return items
    }

    private mutating func string() throws(MediaError) -> String {
        let start = position
        let end = bytes[start]
        var isEscaped = false
        position += 1
        while position < bytes.count, bytes[position] != end {
            guard bytes[position] >= 32 else { throw error("the text is not closed") }
            if bytes[position] == UInt8(ascii: "\\") {
                isEscaped = true
                position += 1
            }
            position += 1
        }
        guard position < bytes.count else { throw error("the text is not closed") }
        position += 1
        let inner = bytes[start + 1..<position - 1]
        if !isEscaped { return String(decoding: inner, as: UTF8.self) }
        let quote = UInt8(ascii: "\"")
        let quoted = [quote] + (allowsJSON5 ? JSONParser.strict(inner) : Array(inner)) + [quote]
        // JSONSerialization decodes the escapes.
        let text = try? JSONSerialization.jsonObject(with: Data(quoted), options: .fragmentsAllowed) as? String
        guard let text else { throw error("the text has an invalid escape sequence") }
        return text
    }

    /// Text with the escapes of JSON5 that JSON lacks, and quotes without any, as JSON writes them.
    private static func strict(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var isEscaped = false
        for byte in text {
            if isEscaped {
                isEscaped = false
                switch byte {
                case UInt8(ascii: "'"): result.append(byte)
                case UInt8(ascii: "x"): result += Array("\\u00".utf8)
                case UInt8(ascii: "0"): result += Array("\\u0000".utf8)
                case UInt8(ascii: "v"): result += Array("\\u000b".utf8)
                default: result += [UInt8(ascii: "\\"), byte]
                }
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                if byte == UInt8(ascii: "\"") { result.append(UInt8(ascii: "\\")) }
                result.append(byte)
            }
        }
        return result
    }

    private mutating func word() throws(MediaError) -> JSONText.Content {
        let start = position
        while position < bytes.count, isWord(bytes[position]) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "NaN": return .number(.nan)
        case "Infinity", "Inf": return .number(.infinity)
        case "-Infinity", "-Inf": return .number(-.infinity)
        default:
            let isNumber = word.utf8.allSatisfy { (48...57).contains($0) || "+-.eE".utf8.contains($0) }
            guard isNumber, let number = Double(word) else {
                position = start
                throw error("this is no JSON")
            }
            return .number(number)
        }
    }

    private func isWord(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || "+-.".utf8.contains(byte)
    }
}
