import Foundation

/// What benchmarks leave: tables for the page, and JSON for programs.
package enum Output {
    /// A table in Markdown.
    package static func table(_ head: [String], _ lines: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + lines).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }

    /// A cell with `digits` decimals; empty where there is no value.
    package static func text(_ value: Double?, _ digits: Int) -> String {
        value.map { String(format: "%.\(digits)f", $0) } ?? ""
    }

    /// Writes `value` as JSON, where a path was given.
    package static func write(_ value: some Encodable, to path: String?) throws {
        guard let path else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(value).write(to: URL(fileURLWithPath: path))
    }

    /// Tells the user what comes next, beside the tables.
    package static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
