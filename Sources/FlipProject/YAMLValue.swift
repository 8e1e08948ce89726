import FlipBase
import FlipFiles
import FlipGeometry
import FlipRender
import Foundation
import Yams

/// A value of a YAML file, with its location. Its accessors throw errors that begin with `file:line:column`.
package struct YAMLValue: Sendable {
    package enum Content: Sendable {
        /// Text; if it is quoted, it is never null, a number or a Boolean.
        case scalar(String, isQuoted: Bool)
        case list([YAMLValue])
        case map([(key: String, location: TextLocation, value: YAMLValue)])
    }

    package let location: TextLocation
    package let content: Content

    /// - Parameters:
    ///   - start: the location of the document's first character.
    ///   - depth: the nesting depth of the value, from 1.
    init(_ node: Node, _ start: TextLocation, depth: Int) throws(MediaError) {
        let location = YAMLValue.location(of: node, start)
        guard depth <= YAMLDocument.maximumDepth else {
            throw location.error("lists and maps are more than \(YAMLDocument.maximumDepth) deep")
        }
        self.location = location
        switch node {
        case .scalar(let scalar):
            try YAMLValue.check(scalar.tag, location)
            let isPlain = scalar.style == .plain || scalar.style == .any
            content = .scalar(scalar.string, isQuoted: !isPlain)
        case .sequence(let sequence):
            try YAMLValue.check(sequence.tag, location)
            content = .list(
                try sequence.map { node throws(MediaError) in try YAMLValue(node, start, depth: depth + 1) })
        case .mapping(let mapping):
            try YAMLValue.check(mapping.tag, location)
            content = .map(
                try mapping.map { pair throws(MediaError) in
                    let location = YAMLValue.location(of: pair.key, start)
                    guard case .scalar(let key) = pair.key else { throw location.error("keys have to be words") }
                    return (key.string, location, try YAMLValue(pair.value, start, depth: depth + 1))
                })
        case .alias: throw location.error("aliases are not supported; write the value out")
        }
    }

    /// One JSON value (RFC 8259), such as a line of a file, read like the same value in YAML.
    /// - Parameter line: the number of the value's first line in the file, from 1.
    package static func json(_ data: Data, path: String, line: Int) throws(MediaError) -> YAMLValue {
        try YAMLValue(JSONText.parse(data, path: path, firstLine: line))
    }

    private init(_ json: JSONText) throws(MediaError) {
        location = json.location
        switch json.content {
        case .null: content = .scalar("null", isQuoted: false)
        case .flag(let value): content = .scalar(value ? "true" : "false", isQuoted: false)
        case .number(let value):
            // Whole numbers stay whole, as far as a Double holds them exactly.
            let isWhole = value.rounded() == value && abs(value) < 1e15
            content = .scalar(isWhole ? "\(Int(value))" : "\(value)", isQuoted: false)
        case .text(let text): content = .scalar(text, isQuoted: true)
        case .list(let items):
            content = .list(try items.map { item throws(MediaError) in try YAMLValue(item) })
        case .object(let values):
            var entries: [(key: String, location: TextLocation, value: YAMLValue)] = []
            var seen: Set<String> = []
            for (key, location) in json.keys {
                guard seen.insert(key).inserted else {
                    throw location.error("the key '\(key.prefix(80))' is there twice")
                }
                if let value = values[key] { entries.append((key, location, try YAMLValue(value))) }
            }
            content = .map(entries)
        }
    }

    private static func location(of node: Node, _ start: TextLocation) -> TextLocation {
        guard let mark = node.mark else { return start }
        return TextLocation(path: start.path, line: start.line + mark.line - 1, column: mark.column)
    }

    /// Throws if the value has a tag such as `!!binary` or `!include`.
    private static func check(_ tag: Tag, _ location: TextLocation) throws(MediaError) {
        let name = tag.description
        guard name.isEmpty || name == Tag.Name.str.rawValue else {
            throw location.error("tags (\(name)) are not supported")
        }
    }

    package func error(_ text: String) -> MediaError { location.error(text) }

    /// What the value is, for messages: "a map", "a list", "nothing" or the text in quotes.
    package var kind: String {
        switch content {
        case .scalar(let text, let isQuoted): isNull(text, isQuoted) ? "nothing" : "'\(text.prefix(80))'"
        case .list: "a list"
        case .map: "a map"
        }
    }

    private func isNull(_ text: String, _ isQuoted: Bool) -> Bool { !isQuoted && ["", "~", "null"].contains(text) }

    // MARK: Accessors

    /// The entries of a map. Throws if a key is not one of `keys`.
    package func map(_ keys: [String]) throws(MediaError) -> YAMLMap {
        guard case .map(let entries) = content else {
            throw error("expected a map with \(keys.joined(separator: ", ")), not \(kind)")
        }
        for entry in entries where !keys.contains(entry.key) {
            throw entry.location.error(
                "unknown key '\(entry.key.prefix(80))'\(Suggestion.question(for: entry.key, among: keys)) (expected "
                    + "\(keys.joined(separator: ", ")))")
        }
        return YAMLMap(location: location, entries: entries)
    }

    /// The items of a list.
    package func list() throws(MediaError) -> [YAMLValue] {
        guard case .list(let items) = content else { throw error("expected a list, not \(kind)") }
        return items
    }

    /// Text that is not empty.
    package func text() throws(MediaError) -> String {
        guard case .scalar(let text, let isQuoted) = content, !text.isEmpty, !isNull(text, isQuoted) else {
            throw error("expected text, not \(kind)")
        }
        return text
    }

    /// `true` or `false`.
    package func flag() throws(MediaError) -> Bool {
        guard case .scalar(let text, false) = content, let value = ["true": true, "false": false][text] else {
            throw error("expected true or false, not \(kind)")
        }
        return value
    }

    /// A whole number in `range`.
    package func whole(in range: ClosedRange<Int>) throws(MediaError) -> Int {
        guard case .scalar(let text, false) = content, let value = Int(text), range.contains(value) else {
            throw error("expected a whole number \(range.lowerBound)...\(range.upperBound), not \(kind)")
        }
        return value
    }

    /// A number in `range`.
    package func number(in range: ClosedRange<Double>) throws(MediaError) -> Double {
        guard case .scalar(let text, false) = content, let value = Double(text), range.contains(value) else {
            throw error("expected a number \(range.lowerBound)...\(range.upperBound), not \(kind)")
        }
        return value
    }

    /// A time in seconds, from 0 to 30 days: `9`, `2.5`, `1:30` or `0:01:30.5`.
    package func seconds() throws(MediaError) -> Rational {
        guard case .scalar(let text, _) = content, let value = Rational(playTime: text), value <= Rational(30 * 86400)
        else {
            throw error("expected a time such as 2.5, 1:30 or 0:01:30.5, 0 or more and at most 30 days, not \(kind)")
        }
        return value
    }

    /// What `read` makes of the text. Its errors are thrown with the value's location.
    package func reading<Value>(_ read: (String) throws(OptionError) -> Value) throws(MediaError) -> Value {
        let text = try text()
        do {
            return try read(text)
        } catch {
            throw self.error(error.description)
        }
    }
}

/// The entries of a map whose keys are all known.
package struct YAMLMap: Sendable {
    package let location: TextLocation
    package let entries: [(key: String, location: TextLocation, value: YAMLValue)]

    /// The value of `key`; nil if it is missing.
    package subscript(key: String) -> YAMLValue? { entries.first { $0.key == key }?.value }

    /// The value of `key`. Throws if it is missing.
    package func required(_ key: String) throws(MediaError) -> YAMLValue {
        if let value = self[key] { return value }
        throw location.error("'\(key)' is missing")
    }

    /// The location of `key`, or that of the map if the key is missing.
    package func location(of key: String) -> TextLocation { entries.first { $0.key == key }?.location ?? location }
}
