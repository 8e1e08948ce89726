import FlipBase
import Foundation

/// Parts as a table: comma-separated values (RFC 4180), or tab-separated ones. It has a part in each row, in the order
/// start, end and label as LosslessCut exports them, or the columns that a first row names.
enum CutTable {
    /// The columns of a table, by their places in a row.
    private struct Columns {
        var file: Int?
        var start = 0
        var end: Int? = 1
        var title: Int? = 2

        static let files = ["file", "source", "filename", "path", "film"]
        static let starts = ["start", "in"]
        static let ends = ["end", "out"]
        static let titles = ["title", "label", "name"]

        init() {}

        /// The columns that `row` names; nil if it doesn't name any.
        init?(naming row: [String]) {
            let names = row.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            let place = { (words: [String]) in names.firstIndex(where: words.contains) }
            guard let start = place(Self.starts) else { return nil }
            (file, self.start, end, title) = (place(Self.files), start, place(Self.ends), place(Self.titles))
        }
    }

    static func read(_ text: String, into writer: CutWriter) throws(MediaError) {
        let isTabbed = URL(fileURLWithPath: writer.file.path).pathExtension.lowercased() == "tsv"
        let separator: Unicode.Scalar = isTabbed ? "\t" : usesSemicolons(text) ? ";" : ","
        var reader = RowReader(text, separator: separator, writer.file)
        var columns: Columns?
        while let (line, row) = try reader.next() {
            if row == [""] { continue }
            guard let known = columns else {
                columns = Columns(naming: row) ?? Columns()
                if columns?.file == nil, writer.base == nil {
                    throw writer.file.error(
                        line, "the table has no column 'file', so write film.mp4#cuts=\(writer.file.path)")
                }
                if Columns(naming: row) == nil { try add(row, columns ?? Columns(), line, to: writer) }
                continue
            }
            try add(row, known, line, to: writer)
        }
    }

    /// Whether the fields are separated by semicolons, as spreadsheets write them where decimal points are commas: the first
    /// row has one, and what comes before it is a time, a name of a column, or nothing.
    private static func usesSemicolons(_ text: String) -> Bool {
        guard let row = text.lines.first(where: { !$0.isEmpty }), let end = row.firstIndex(of: ";") else {
            return false
        }
        let first = row[..<end].drop { $0 == "\u{FEFF}" }.filter { $0 != "\"" && $0 != " " }
        return first.allSatisfy { $0.isLetter }
            || first.allSatisfy { $0.isNumber || ".,:".contains($0) } && first.count { $0 == "," } < 2
    }

    private static func add(_ row: [String], _ columns: Columns, _ line: Int, to writer: CutWriter) throws(MediaError) {
        let field = { (place: Int?) in place.flatMap { row.indices.contains($0) ? row[$0] : nil } ?? "" }
        // A comma in a time can't be a separator here, so it is a decimal comma.
        let time = { (place: Int?) in field(place).replacing(",", with: ".") }
        try writer.add(
            writer.film(field(columns.file), line: line), from: writer.time(time(columns.start), line: line),
            to: writer.time(time(columns.end), line: line), title: field(columns.title), line: line)
    }
}

/// Reads a table row by row (RFC 4180).
private struct RowReader {
    private let bytes: [UInt8]
    private let separator: UInt8
    private let file: ListFile
    private var position = 0
    private var line = 1

    private static let quote = UInt8(ascii: "\"")

    init(_ text: String, separator: Unicode.Scalar, _ file: ListFile) {
        bytes = Array(text.utf8)
        self.separator = UInt8(ascii: separator)
        self.file = file
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The next row and the line at which it begins; nil at the end.
    mutating func next() throws(MediaError) -> (line: Int, fields: [String])? {
        guard position < bytes.count else { return nil }
        let first = line
        var fields: [String] = []
        while true {
            fields.append(try field())
            guard fields.count <= 1000 else { throw file.error(first, "there are more than 1000 columns") }
            guard position < bytes.count else { return (first, fields) }
            let byte = bytes[position]
            position += 1
            if byte == separator { continue }
            if byte == 13, position < bytes.count, bytes[position] == 10 { position += 1 }
            line += 1
            return (first, fields)
        }
    }

    /// The field that begins here; what follows it is a separator or the row's end.
    private mutating func field() throws(MediaError) -> String {
        guard position < bytes.count, bytes[position] == Self.quote else {
            let start = position
            while position < bytes.count, !isEnd(bytes[position]) { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        let first = line
        var text: [UInt8] = []
        position += 1
        while true {
            guard position < bytes.count else { throw file.error(first, "a quotation mark is not closed") }
            let byte = bytes[position]
            position += 1
            if byte == 10 { line += 1 }
            if byte != Self.quote {
                text.append(byte)
            } else if position < bytes.count, bytes[position] == Self.quote {
                text.append(byte)
                position += 1
            } else {
                break
            }
        }
        guard position == bytes.count || isEnd(bytes[position]) else {
            throw file.error(line, "something follows a field in quotation marks")
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func isEnd(_ byte: UInt8) -> Bool { byte == separator || byte == 10 || byte == 13 }
}
