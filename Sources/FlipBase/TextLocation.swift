/// A position in a file.
package struct TextLocation: Sendable, Hashable {
    package var path: String
    /// The line, from 1.
    package var line: Int
    /// The column in characters, from 1.
    package var column: Int

    package init(path: String, line: Int, column: Int) { (self.path, self.line, self.column) = (path, line, column) }

    /// The sentence `file:line:column: text`.
    package func sentence(_ text: String) -> String { "\(path):\(line):\(column): \(text)" }

    package func error(_ text: String, kind: MediaError.Kind = .badInput) -> MediaError {
        MediaError(kind, sentence(text))
    }
}
