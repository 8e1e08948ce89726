/// The words of a command line, written as in a shell: text is split at its spaces, and what is interpolated stays whole.
///
/// `"-i \(path) -t \(seconds)s"` are four words, whatever the path contains. An interpolated array stands for its elements.
package struct Words: ExpressibleByStringInterpolation, Sendable {
    package let list: [String]

    package init(stringLiteral text: String) { list = text.split(separator: " ").map(String.init) }

    package init(stringInterpolation text: StringInterpolation) { list = text.list }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var list: [String] = []
        /// Whether what follows belongs to the last word.
        private var isOpen = false

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ text: String) {
            for (index, part) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { isOpen = false }
                if !part.isEmpty { append(String(part)) }
            }
        }

        package mutating func appendInterpolation(_ value: some LosslessStringConvertible) { append(value.description) }

        package mutating func appendInterpolation(_ words: some Sequence<String>) {
            list += words
            isOpen = false
        }

        private mutating func append(_ text: String) {
            if isOpen { list[list.count - 1] += text } else { list.append(text) }
            isOpen = true
        }
    }
}

extension [Words] {
    /// The words of all, one after another.
    package var list: [String] { flatMap(\.list) }
}
