import Foundation

/// The output of benchmarks: tables for the documentation, and JSON for programs.
package enum Output {
    /// A Markdown table.
    package static func table(_ head: [String], _ lines: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + lines).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }

    /// A cell with `digits` decimals; empty if there is no value.
    package static func text(_ value: Double?, _ digits: Int) -> String {
        value.map { String(format: "%.\(digits)f", $0) } ?? ""
    }

    /// Writes `value` as JSON if a path is given.
    package static func write(_ value: some Encodable, to path: String?) throws {
        guard let path else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(value).write(to: URL(fileURLWithPath: path))
    }

    /// Prints a progress message to standard error, apart from the tables.
    package static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
