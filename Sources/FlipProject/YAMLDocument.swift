import FlipMedia
import Foundation
import Yams

/// A YAML file that people write and anybody may send: read within bounds of size, depth and time, every value with its
/// place. Aliases are refused, since a few lines of them stand for more than memory holds; so are custom tags.
package enum YAMLDocument {
    /// Bytes of a file; longer ones are no manifests.
    package static let maximumSize = 4 << 20
    /// Lists and maps within each other.
    package static let maximumDepth = 32

    /// The document at `path`, "-" being standard input. Throws `missingInput` where it can't be read and `badInput` where
    /// it is no YAML within the bounds.
    package static func read(path: String) throws(MediaError) -> YAMLValue {
        let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let file, let data = try? file.read(upToCount: maximumSize + 1) ?? Data() else {
            throw MediaError(.missingInput, "cannot read '\(path)' (is it there, and readable?)")
        }
        return try parse(data, path: path == "-" ? "standard input" : path)
    }

    /// The one document in `data`.
    /// - Parameters:
    ///   - path: what errors call the file.
    ///   - firstLine: the number of its first line, from 1; for documents that are lines of a file.
    package static func parse(_ data: Data, path: String, firstLine: Int = 1) throws(MediaError) -> YAMLValue {
        let start = YAMLPlace(path: path, line: firstLine, column: 1)
        guard data.count <= maximumSize else {
            throw start.error("the file is longer than \(maximumSize >> 20) MiB")
        }
        guard !data.contains(0), let text = String(data: data, encoding: .utf8) else {
            throw start.error("the file is not UTF-8 text")
        }
        if let alias = AliasScan.firstAlias(in: data) {
            let place = YAMLPlace(path: path, line: firstLine + alias.line - 1, column: alias.column)
            throw place.error("aliases (*\(alias.name)) are not taken; write the value out")
        }
        let node: Node?
        do {
            node = try Parser(yaml: text, encoding: .utf8).singleRoot()
        } catch let error as YamlError {
            throw failure(error, start)
        } catch {
            throw start.error("this is no YAML")
        }
        guard let node else { throw start.error("the file is empty") }
        return try YAMLValue(node, start, depth: 1)
    }

    /// What the parser says, without the lines of the file that it quotes.
    private static func failure(_ error: YamlError, _ start: YAMLPlace) -> MediaError {
        func at(_ mark: Mark, _ text: String) -> MediaError {
            YAMLPlace(path: start.path, line: start.line + mark.line - 1, column: mark.column).error(text)
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

/// Where something stands in a file.
package struct YAMLPlace: Sendable, Hashable {
    package var path: String
    /// From 1.
    package var line: Int
    /// In characters, from 1.
    package var column: Int

    package init(path: String, line: Int, column: Int) {
        self.path = path
        self.line = line
        self.column = column
    }

    /// `file:line:column: text`.
    package func sentence(_ text: String) -> String { "\(path):\(line):\(column): \(text)" }

    package func error(_ text: String, kind: MediaError.Kind = .badInput) -> MediaError {
        MediaError(kind, sentence(text))
    }
}

/// Looks for aliases without building anything of them: parsers compare keys by all that they stand for.
private enum AliasScan {
    /// The first `*name` that has an `&name` somewhere; places count from 1. Text in which both are no more than words is
    /// taken for it as well.
    static func firstAlias(in data: Data) -> (name: String, line: Int, column: Int)? {
        let anchors = Set(marks("&", in: data).map(\.name))
        return anchors.isEmpty ? nil : marks("*", in: data).first { anchors.contains($0.name) }
    }

    /// The names behind `sign` where a token may begin.
    private static func marks(_ sign: Unicode.Scalar, in data: Data) -> [(name: String, line: Int, column: Int)] {
        let sign = UInt8(ascii: sign)
        var found: [(String, Int, Int)] = []
        var (line, column) = (1, 0)
        var before = UInt8(ascii: " ")
        var index = data.startIndex
        while index < data.endIndex {
            let byte = data[index]
            index += 1
            // Continued UTF-8 characters are no columns.
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

    private static func isName(_ byte: UInt8) -> Bool {
        byte > 32 && !"[]{},".utf8.contains(byte)
    }
}
