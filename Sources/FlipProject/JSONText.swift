import FlipBase
import Foundation

/// A value of a JSON file, with its location. Besides JSON itself (RFC 8259), `NaN` and positive or negative `Infinity`
/// and `Inf` are accepted, which Python's and OpenTimelineIO's writers produce.
struct JSONText: Sendable {
    enum Content: Sendable {
        case null
        case flag(Bool)
        /// May be infinite or NaN.
        case number(Double)
        case text(String)
        case list([JSONText])
        case object([String: JSONText])
    }

    let location: TextLocation
    let content: Content
    /// The keys of an object in file order, duplicates included.
    var keys: [(key: String, location: TextLocation)] = []

    /// The largest file, in bytes.
    static let maximumSize = 32 << 20
    /// The maximum number of values in a file.
    static let maximumCount = 1_000_000
    /// The deepest nesting of lists and objects.
    static let maximumDepth = 256

    /// Reads the document at `path`; "-" is standard input.
    static func read(path: String, copy: String? = nil) throws(MediaError) -> JSONText {
        let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: copy ?? path)
        guard let file, let data = try? file.read(upToCount: maximumSize + 1) ?? Data() else {
            throw MediaError(.missingInput, "cannot read '\(path)' (is it there, and readable?)")
        }
        return try parse(data, path: path == "-" ? "standard input" : path)
    }

    /// - Parameter firstLine: the number of the first line in the file, from 1, for documents that are lines of a file.
    static func parse(_ data: Data, path: String, firstLine: Int = 1) throws(MediaError) -> JSONText {
        let start = TextLocation(path: path, line: firstLine, column: 1)
        guard data.count <= maximumSize else { throw start.error("the file is longer than \(maximumSize >> 20) MiB") }
        guard String(data: data, encoding: .utf8) != nil else { throw start.error("the file is not UTF-8 text") }
        var parser = JSONParser(Array(data), path, line: firstLine)
        return try parser.document()
    }

    func error(_ text: String) -> MediaError { location.error(text) }

    // MARK: Accessors

    /// The value of `key`; nil if it is missing or null, or if this is no object.
    subscript(key: String) -> JSONText? {
        guard case .object(let entries) = content, let value = entries[key], !value.isNull else { return nil }
        return value
    }

    var isNull: Bool {
        if case .null = content { return true }
        return false
    }

    var text: String? {
        if case .text(let text) = content { return text }
        return nil
    }

    /// The number; nil for other values, and for numbers that aren't finite.
    var number: Double? {
        if case .number(let value) = content, value.isFinite { return value }
        return nil
    }

    var flag: Bool? {
        if case .flag(let value) = content { return value }
        return nil
    }

    /// The items of a list; empty for other values.
    var items: [JSONText] {
        if case .list(let items) = content { return items }
        return []
    }

    /// The keys and values of an object, sorted by key; empty for other values.
    var entries: [(key: String, value: JSONText)] {
        guard case .object(let entries) = content else { return [] }
        return entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// Parses JSON byte by byte.
private struct JSONParser {
    private let bytes: [UInt8]
    private let path: String
    private var position = 0
    private var line: Int
    private var lineStart = 0
    /// The number of values so far.
    private var count = 0

    init(_ bytes: [UInt8], _ path: String, line: Int) {
        self.bytes = bytes
        self.path = path
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
            default: return
            }
            position += 1
        }
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
        guard count <= JSONText.maximumCount else {
            throw error("the file has more than \(JSONText.maximumCount) values")
        }
        guard position < bytes.count else { throw error("the file ends where a value is expected") }
        switch bytes[position] {
        case UInt8(ascii: "{"):
            let (entries, keys) = try object(depth)
            return JSONText(location: start, content: .object(entries), keys: keys)
        case UInt8(ascii: "["): return JSONText(location: start, content: .list(try list(depth)))
        case UInt8(ascii: "\""): return JSONText(location: start, content: .text(try string()))
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
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw error("a key is expected")
            }
            keys.append(("", location))
            let key = try string()
            keys[keys.count - 1].0 = key
            guard take(":") else { throw error("':' is expected") }
            entries[key] = try value(depth: depth + 1)
        } while take(",")
        guard take("}") else { throw error("',' or '}' is expected") }
        return (entries, keys)
    }

    private mutating func list(_ depth: Int) throws(MediaError) -> [JSONText] {
        position += 1
        var items: [JSONText] = []
        if take("]") { return items }
        repeat { items.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw error("',' or ']' is expected") }
        return items
    }

    private mutating func string() throws(MediaError) -> String {
        let start = position
        var isEscaped = false
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] >= 32 else { throw error("the text is not closed") }
            if bytes[position] == UInt8(ascii: "\\") {
                isEscaped = true
                position += 1
            }
            position += 1
        }
        guard position < bytes.count else { throw error("the text is not closed") }
        position += 1
        let quoted = bytes[start..<position]
        if !isEscaped { return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self) }
        // JSONSerialization decodes the escapes.
        let text = try? JSONSerialization.jsonObject(with: Data(quoted), options: .fragmentsAllowed) as? String
        guard let text else { throw error("the text has an invalid escape sequence") }
        return text
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
