import FlipBase
import Foundation

/// A value of a JSON file, with its location. Besides JSON itself (RFC 8259), `NaN` and positive or negative `Infinity`
/// and `Inf` are accepted, which Python's and OpenTimelineIO's writers produce. If asked for, JSON5 is read as well:
/// comments, keys without quotes, texts in single quotes, and commas after the last item.
package struct JSONText: Sendable {
    package enum Content: Sendable {
        case null
        case flag(Bool)
        /// May be infinite or NaN.
        case number(Double)
        case text(String)
        case list([JSONText])
        case object([String: JSONText])
    }

    package let location: TextLocation
    package let content: Content
    /// The keys of an object in file order, duplicates included.
    package var keys: [(key: String, location: TextLocation)] = []

    /// The largest file, in bytes.
    package static let maximumSize = 32 << 20
    /// The maximum number of values in a file.
    package static let maximumCount = 1_000_000
    /// The deepest nesting of lists and objects.
    package static let maximumDepth = 256

    /// Reads the document at `path`; "-" is standard input.
    package static func read(path: String, copy: String? = nil) throws(MediaError) -> JSONText {
        let data = try InputDocument.read(path, copy: copy, atMost: maximumSize, takesStandardInput: true)
        return try parse(data, path: path == "-" ? "standard input" : path)
    }

    /// - Parameters:
    ///   - firstLine: the number of the first line in the file, from 1, for documents that are lines of a file.
    ///   - allowsJSON5: whether the document may be JSON5.
    ///   - count: the maximum number of values.
    package static func parse(
        _ data: Data, path: String, firstLine: Int = 1, allowsJSON5: Bool = false,
        maximumCount count: Int = maximumCount
    ) throws(MediaError) -> JSONText {
        let start = TextLocation(path: path, line: firstLine, column: 1)
        guard data.count <= maximumSize else { throw start.error("the file is longer than \(maximumSize >> 20) MiB") }
        guard String(data: data, encoding: .utf8) != nil else { throw start.error("the file is not UTF-8 text") }
        var parser = JSONParser(Array(data), path, line: firstLine, allowsJSON5: allowsJSON5, maximumCount: count)
        return try parser.document()
    }

    package func error(_ text: String) -> MediaError { location.error(text) }

    // MARK: Accessors

    /// The value of `key`; nil if it is missing or null, or if this is not an object.
    package subscript(key: String) -> JSONText? {
        guard case .object(let entries) = content, let value = entries[key], !value.isNull else { return nil }
        return value
    }

    package var isNull: Bool {
        if case .null = content { return true }
        return false
    }

    package var text: String? {
        if case .text(let text) = content { return text }
        return nil
    }

    /// The number; nil for other values, and for numbers that aren't finite.
    package var number: Double? {
        if case .number(let value) = content, value.isFinite { return value }
        return nil
    }

    package var flag: Bool? {
        if case .flag(let value) = content { return value }
        return nil
    }

    /// The items of a list; empty for other values.
    package var items: [JSONText] {
        if case .list(let items) = content { return items }
        return []
    }

    /// The keys and values of an object, sorted by key; empty for other values.
    package var entries: [(key: String, value: JSONText)] {
        guard case .object(let entries) = content else { return [] }
        return entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
