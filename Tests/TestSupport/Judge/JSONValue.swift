import Foundation

/// JSON from another program, whose structure tests do not rely on: they ask only whether a fact occurs in it.
package struct JSONValue {
    package let value: Any

    package init(_ data: Data) throws {
        value = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    }

    package init(_ text: String) throws { try self.init(Data(text.utf8)) }

    /// Every number under `key`, at any depth.
    package func numbers(under key: String) -> [Double] {
        all(under: key).compactMap { ($0 as? NSNumber)?.doubleValue ?? ($0 as? String).flatMap(Double.init) }
    }

    /// Every ratio ("34000/50000") under `key`, at any depth.
    package func ratios(under key: String) -> [Double] {
        all(under: key).compactMap { value in
            let parts = (value as? String ?? "").split(separator: "/").compactMap { Double($0) }
            return parts.count == 2 && parts[1] != 0 ? parts[0] / parts[1] : nil
        }
    }

    /// Every string at any depth, including keys.
    package var strings: [String] { JSONValue.strings(value) }

    /// Every number at any depth.
    package var numbers: [Double] { JSONValue.numbers(value) }

    private func all(under key: String) -> [Any] {
        func visit(_ value: Any) -> [Any] {
            if let object = value as? [String: Any] {
                return object.flatMap { ($0.key == key ? [$0.value] : []) + visit($0.value) }
            }
            return (value as? [Any])?.flatMap(visit) ?? []
        }
        return visit(value)
    }

    private static func strings(_ value: Any) -> [String] {
        if let object = value as? [String: Any] { return object.flatMap { [$0.key] + strings($0.value) } }
        if let array = value as? [Any] { return array.flatMap(strings) }
        return (value as? String).map { [$0] } ?? []
    }

    private static func numbers(_ value: Any) -> [Double] {
        if let object = value as? [String: Any] { return object.values.flatMap(numbers) }
        if let array = value as? [Any] { return array.flatMap(numbers) }
        return (value as? NSNumber).map { [$0.doubleValue] } ?? []
    }
}
