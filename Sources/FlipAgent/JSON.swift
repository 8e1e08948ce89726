import FlipBase

/// JSON to be written. Unlike a dictionary, an object keeps the order of its keys.
package enum JSON: Sendable {
    case null
    case flag(Bool)
    case whole(Int)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([(key: String, value: JSON)])
    /// JSON that is encoded already. White space between its values is left out: a message is one line.
    case encoded([UInt8])

    /// The value as UTF-8 on one line.
    package var bytes: [UInt8] {
        var result: [UInt8] = []
        append(to: &result)
        return result
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .flag(let value): bytes += (value ? "true" : "false").utf8
        case .whole(let value): bytes += "\(value)".utf8
        case .number(let value): bytes += Self.text(value).utf8
        case .text(let text): Self.append(text, to: &bytes)
        case .list(let items):
            bytes.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                item.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let entries):
            bytes.append(UInt8(ascii: "{"))
            for (index, entry) in entries.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(entry.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                entry.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .encoded(let text): Self.append(encoded: text, to: &bytes)
        }
    }

    /// JSON has neither infinities nor NaN.
    private static func text(_ value: Double) -> String {
        if let whole = Int(exactly: value) { return "\(whole)" }
        return value.isFinite ? "\(value)" : "null"
    }

    /// Appends JSON without white space outside of strings (RFC 8259, 2).
    private static func append(encoded text: [UInt8], to bytes: inout [UInt8]) {
        var (isString, isEscaped) = (false, false)
        for byte in text {
            if !isString, [9, 10, 13, 32].contains(byte) { continue }
            if byte == UInt8(ascii: "\""), !isEscaped { isString.toggle() }
            isEscaped = isString && byte == UInt8(ascii: "\\") && !isEscaped
            bytes.append(byte)
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 10: bytes += "\\n".utf8
            case 0..<32: bytes += ("\\u" + byte.padded(to: 4, radix: 16)).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// An object without the entries whose value is nil.
    package static func object(of entries: [(key: String, value: JSON?)]) -> JSON {
        .object(entries.compactMap { entry in entry.value.map { (entry.key, $0) } })
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .text(text) }
    package init(integerLiteral value: Int) { self = .whole(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
    package init(arrayLiteral items: JSON...) { self = .list(items) }
    package init(dictionaryLiteral entries: (String, JSON)...) { self = .object(entries.map { ($0.0, $0.1) }) }
}
