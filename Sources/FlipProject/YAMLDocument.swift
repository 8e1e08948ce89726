import FlipBase
import FlipFiles
import Foundation
import Yams

/// Reads YAML files, which may be hostile, within limits of size and depth, and records the location of every value.
/// Aliases are refused, since a few lines of them can stand for more than memory holds; so are custom tags.
package enum YAMLDocument {
    /// The largest file, in bytes.
    package static let maximumSize = 4 << 20
    /// The deepest nesting of lists and maps.
    package static let maximumDepth = 32

    /// Reads the document at `path`; "-" is standard input.
    /// - Throws: `missingInput` if it can't be read, `badInput` if it is no YAML within the limits.
    package static func read(path: String, copy: String? = nil) throws(MediaError) -> YAMLValue {
        let data = try InputDocument.read(path, copy: copy, atMost: maximumSize, takesStandardInput: true)
        return try parse(data, path: path == "-" ? "standard input" : path)
    }

    /// The one document in `data`.
    /// - Parameters:
    ///   - path: the name of the file in errors.
    ///   - firstLine: the number of the first line in the file, from 1, for documents that are lines of a file.
    package static func parse(_ data: Data, path: String, firstLine: Int = 1) throws(MediaError) -> YAMLValue {
        let start = TextLocation(path: path, line: firstLine, column: 1)
        guard data.count <= maximumSize else { throw start.error("the file is longer than \(maximumSize >> 20) MiB") }
        guard !data.contains(0), let text = String(data: data, encoding: .utf8) else {
            throw start.error("the file is not UTF-8 text")
        }
        if let alias = AliasScan.firstAlias(in: data) {
            let location = TextLocation(path: path, line: firstLine + alias.line - 1, column: alias.column)
            throw location.error("aliases (*\(alias.name)) are not supported; write the value out")
        }
        let node: Node?
        do {
            node = try Parser(yaml: text, encoding: .utf8).singleRoot()
        } catch let error as YamlError {
            throw failure(error, start, in: text)
        } catch {
            throw start.error("this is no YAML")
        }
        guard let node else { throw start.error("the file is empty") }
        return try YAMLValue(node, start, depth: 1)
    }

    /// The parser's error, without the lines of the file that it quotes.
    private static func failure(_ error: YamlError, _ start: TextLocation, in document: String) -> MediaError {
        let lines = document.lines
        func at(_ mark: Mark, _ text: String) -> MediaError {
            let line = lines.indices.contains(mark.line - 1) ? lines[mark.line - 1] : ""
            let hasTab = line.prefix { $0.isWhitespace }.contains("\t")
            let text = hasTab ? "the line is indented with a tab, which YAML does not allow (use spaces)" : text
            return TextLocation(path: start.path, line: start.line + mark.line - 1, column: mark.column).error(text)
        }
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            return at(mark, [context?.text, problem].compactMap { $0 }.joined(separator: ", "))
        case .duplicatedKeysInMapping(let duplicates, let context):
            return at(context.mark, "the key '\(duplicates.first ?? "")' is there twice")
        case .reader(let problem, _, _, _): return start.error(problem)
        case .memory, .no, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            return start.error("the file can't be read as YAML")
        }
    }
}

/// Finds aliases without resolving them: a parser compares keys by all that they stand for, which may take forever.
private enum AliasScan {
    /// The first `*name` for which there is an `&name`. Line and column count from 1. Text in which both are only words
    /// is refused as well.
    static func firstAlias(in data: Data) -> (name: String, line: Int, column: Int)? {
        let anchors = Set(marks("&", in: data).map(\.name))
        return anchors.isEmpty ? nil : marks("*", in: data).first { anchors.contains($0.name) }
    }

    /// The names behind `sign` wherever a token may begin, with their lines and columns.
    private static func marks(_ sign: Unicode.Scalar, in data: Data) -> [(name: String, line: Int, column: Int)] {
        let sign = UInt8(ascii: sign)
        var found: [(String, Int, Int)] = []
        var (line, column) = (1, 0)
        var before = UInt8(ascii: " ")
        var index = data.startIndex
        while index < data.endIndex {
            let byte = data[index]
            index += 1
            // UTF-8 continuation bytes don't count as columns.
            if byte & 0xC0 != 0x80 { column += 1 }
            if byte == sign, isBefore(before) {
                let name = data[index...].prefix(while: isName)
                if !name.isEmpty { found.append((String(decoding: name, as: UTF8.self), line, column)) }
            }
            if byte == UInt8(ascii: "\n") { (line, column) = (line + 1, 0) }
            before = byte
        }
        return found
    }

    private static func isBefore(_ byte: UInt8) -> Bool {
        byte <= 32 || byte >= 128 || ":[{,-?\"'}]".utf8.contains(byte)
    }

    private static func isName(_ byte: UInt8) -> Bool { byte > 32 && !"[]{},".utf8.contains(byte) }
}
