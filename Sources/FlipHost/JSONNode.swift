import FlipBase

/// A JSON value, which is written without Foundation. The fields of an object are written in the order given.
package indirect enum JSONNode: Sendable {
    case text(String)
    case number(Double)
    case list([JSONNode])
    case object([(name: String, value: JSONNode)])

    /// The value as JSON text (RFC 8259), without line breaks.
    package var json: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): number.rounded() == number ? String(Int64(number)) : String(number)
        case .list(let list): "[" + list.map(\.json).joined(separator: ",") + "]"
        case .object(let fields):
            "{" + fields.map { Self.quoted($0.name) + ":" + $0.value.json }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\u{0}"..<" ": result += "\\u" + scalar.value.padded(to: 4, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension JSONNode: Encodable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text): try text.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .list(let list): try list.encode(to: encoder)
        case .object(let fields):
            var container = encoder.container(keyedBy: NamedKey.self)
            for field in fields { try container.encode(field.value, forKey: NamedKey(stringValue: field.name)) }
        }
    }
}
