import FlipBase
import FlipFiles
import Foundation

/// A well-formed XML document as a tree of elements that know where they stand in it, so that parts of it can be changed while
/// everything else stays as it is, byte for byte.
struct MarkupTree {
    struct Element {
        /// The name as written, with its prefix.
        var name: String
        /// The bytes of the start tag, and of all of the element.
        var head: Range<Int>
        var range: Range<Int>
        var parent: Int?
        var children: [Int] = []

        /// The name without its prefix.
        var local: Substring { name.lastIndex(of: ":").map { name[name.index(after: $0)...] } ?? name[...] }
        /// The prefix with its colon; empty for none.
        var prefix: Substring { name.lastIndex(of: ":").map { name[...$0] } ?? "" }
        /// Whether it is a tag without contents.
        var isEmpty: Bool { head == range }
    }

    let bytes: [UInt8]
    /// The elements in the order in which they begin; the first one is the outermost.
    private(set) var elements: [Element] = []

    /// The maximum number of elements, which take some hundred bytes each.
    private static let most = 200_000

    /// - Throws: `badInput` if `part`, a part of the file at `path`, is not well-formed, or refused by `XMLScan`.
    /// - Returns: nil if it has too many elements.
    init?(_ part: Data, _ path: String, _ clock: XMLScan.ReadingClock) throws(MediaError) {
        try XMLScan.read(part, path, IdleVisitor(), clock)
        bytes = Array(try XMLScan.text(part, path).utf8)
        guard scan() else { return nil }
    }

    /// Finds all elements; false if there are too many of them.
    private mutating func scan() -> Bool {
        var open: [Int] = []
        var position = 0
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            if let skipped = Self.skipped.first(where: { bytes[start...].starts(with: $0.start) }) {
                position = end(of: skipped.end, from: start + skipped.start.count)
            } else if bytes[start...].starts(with: Array("</".utf8)) {
                position = end(of: Array(">".utf8), from: start)
                guard let last = open.popLast() else { return false }
                elements[last].range = elements[last].range.lowerBound..<position
            } else {
                position = endOfTag(from: start)
                guard elements.count < Self.most else { return false }
                let name = bytes[(start + 1)..<position].prefix { !" \t\r\n/>".utf8.contains($0) }
                let index = elements.count
                elements.append(
                    Element(
                        name: String(decoding: name, as: UTF8.self), head: start..<position, range: start..<position,
                        parent: open.last))
                if let parent = open.last { elements[parent].children.append(index) }
                if bytes[position - 2] != UInt8(ascii: "/") { open.append(index) }
            }
        }
        return open.isEmpty && !elements.isEmpty
    }

    /// What has no elements in it: how it begins and how it ends.
    private static let skipped: [(start: [UInt8], end: [UInt8])] =
        [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")].map { (Array($0.utf8), Array($1.utf8)) }

    /// The place after the next `mark`; the end of the document if there is none.
    private func end(of mark: [UInt8], from start: Int) -> Int {
        var place = start
        while place + mark.count <= bytes.count {
            if bytes[place] == mark[0], bytes[place...].starts(with: mark) { return place + mark.count }
            place += 1
        }
        return bytes.count
    }

    /// The place after the tag that begins at `start`.
    private func endOfTag(from start: Int) -> Int {
        var quote: UInt8?
        for place in start..<bytes.count {
            let byte = bytes[place]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return place + 1
            }
        }
        return bytes.count
    }

    // MARK: Looking up

    subscript(_ index: Int) -> Element { elements[index] }

    /// The bytes of a range as text.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The elements within `index`, or in the whole document, that have this local name, in order.
    func all(_ local: String, in index: Int = 0) -> [Int] {
        // What lies within an element follows it.
        var found: [Int] = []
        var next = index + 1
        while next < elements.count, elements[next].range.lowerBound < elements[index].range.upperBound {
            if elements[next].local == local { found.append(next) }
            next += 1
        }
        return found
    }

    /// The children of `index` that have this local name.
    func children(_ local: String, of index: Int) -> [Int] {
        elements[index].children.filter { elements[$0].local == local }
    }

    /// The child at the end of a path of local names; nil if there is none.
    func child(_ path: String..., of index: Int) -> Int? {
        path.reduce(Optional(index)) { place, name in place.flatMap { children(name, of: $0).first } }
    }

    /// The value of an attribute as it is written, with the name as it is written; nil if there is none.
    func attribute(_ name: String, of index: Int) -> String? { attributes(of: index).first { $0.name == name }?.value }

    /// The value of an attribute, whatever its prefix is.
    func attribute(local name: String, of index: Int) -> String? {
        attributes(of: index).first { $0.name.split(separator: ":").last.map(String.init) == name }?.value
    }

    /// The attributes in order, as they are written.
    func attributes(of index: Int) -> [(name: String, value: String)] {
        let head = elements[index].head
        var rest = bytes[head].dropFirst(1 + elements[index].name.utf8.count)
        var found: [(String, String)] = []
        let isSpace = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
        while true {
            rest = rest.drop(while: isSpace)
            let name = rest.prefix { $0 != UInt8(ascii: "=") && !isSpace($0) && $0 != UInt8(ascii: ">") }
            rest = rest.dropFirst(name.count).drop { isSpace($0) || $0 == UInt8(ascii: "=") }
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                return found
            }
            let value = rest.dropFirst().prefix { $0 != quote }
            rest = rest.dropFirst(value.count + 2)
            found.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
    }

    /// The place of an element's end tag.
    func closeTag(of index: Int) -> Int {
        let range = elements[index].range
        if elements[index].isEmpty { return range.upperBound }
        return bytes[range].lastIndex(of: UInt8(ascii: "<")) ?? range.upperBound
    }

    /// The document with other text in the place of some of its ranges, and before them where a range is empty. Of ranges
    /// within each other, the outer one counts, and of equal ones the first.
    func replacing(_ edits: [(range: Range<Int>, text: String)]) -> String {
        part(0..<bytes.count, replacing: edits)
    }

    /// The same of a part of the document, in which all the ranges lie.
    func part(_ whole: Range<Int>, replacing edits: [(range: Range<Int>, text: String)]) -> String {
        let ordered = edits.enumerated().sorted {
            let (one, other) = ($0.element.range, $1.element.range)
            if one.lowerBound != other.lowerBound { return one.lowerBound < other.lowerBound }
            if one.isEmpty != other.isEmpty { return one.isEmpty }
            return one.upperBound == other.upperBound ? $0.offset < $1.offset : one.upperBound > other.upperBound
        }
        var (result, position) = ("", whole.lowerBound)
        for (range, text) in ordered.map(\.element) where range.lowerBound >= position {
            result += self.text(position..<range.lowerBound) + text
            position = range.upperBound
        }
        return result + text(position..<whole.upperBound)
    }
}

/// Reads a document only to see whether it can be read.
private final class IdleVisitor: XMLVisitor {}
