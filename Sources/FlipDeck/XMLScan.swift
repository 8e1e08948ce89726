import FlipMedia
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An element as it begins.
struct XMLElement {
    /// Without its prefix, and the namespace's URI.
    let name: String
    let space: String
    /// By their names as they are written.
    fileprivate let attributes: [String: String]
    /// From 1.
    let depth: Int
    fileprivate let spaces: [String: [String]]

    /// An attribute that has no prefix.
    subscript(_ name: String) -> String? { attributes[name] }

    /// An attribute of the namespace whose URI ends with `ending`, whichever prefix it has here.
    func attribute(_ name: String, in ending: String) -> String? {
        for (key, value) in attributes {
            let parts = key.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[1] == name, spaces[String(parts[0])]?.last?.hasSuffix(ending) == true {
                return value
            }
        }
        return nil
    }
}

/// What looks at a document while it is read, and keeps what it wants to know.
protocol XMLVisitor: AnyObject {
    func begin(_ element: XMLElement)
    func text(_ text: String)
    func end(_ name: String, depth: Int)
}

/// Reads an XML document once, from start to end, with Foundation's parser.
///
/// What could make that take for ever or reach further than the document is refused before it is parsed: other encodings than
/// UTF-8 and UTF-16, in which declarations can hide; declarations of a type, and so of entities; elements with thousands of
/// attributes, which parsers compare with each other.
final class XMLScan: NSObject, XMLParserDelegate {
    private let visitor: any XMLVisitor
    private let clock: ReadingClock
    private var depth = 0
    private var spaces: [String: [String]] = [:]
    private var isLate = false
    /// Whether the outermost element has ended.
    private var isWhole = false

    private static let maximumDepth = 256
    /// Of one element, counted by their equals signs.
    private static let maximumAttributes = 10_000

    /// How long the parts of a document may take to be read together: 60 s.
    struct ReadingClock {
        private let end = ContinuousClock.now + .seconds(60)
        var isOver: Bool { ContinuousClock.now > end }
    }

    private init(_ visitor: any XMLVisitor, _ clock: ReadingClock) {
        self.visitor = visitor
        self.clock = clock
    }

    /// Shows `visitor` the document in `bytes`, which are a part of the file at `path`.
    static func read(
        _ bytes: Data, _ path: String, _ visitor: any XMLVisitor, _ clock: ReadingClock = ReadingClock()
    ) throws(MediaError) {
        let text = try text(bytes, path)
        let scan = XMLScan(visitor, clock)
        let parser = XMLParser(data: Data(text.utf8))
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = true
        parser.shouldReportNamespacePrefixes = true
        parser.delegate = scan
        // What ends too early is no error to the parser.
        if parser.parse(), scan.isWhole { return }
        if scan.isLate { throw refused(path, "it takes more than 60 s to read") }
        throw MediaError(.badInput, "cannot read '\(path)': a part of it is no sound XML")
    }

    private static func refused(_ path: String, _ reason: String) -> MediaError {
        MediaError(.badInput, "cannot read '\(path)': \(reason), which is refused")
    }

    // MARK: What isn't parsed

    /// The document as text without its declaration, which can't mislead the parser then.
    private static func text(_ bytes: Data, _ path: String) throws(MediaError) -> Substring {
        let isWide = bytes.starts(with: [0xfe, 0xff]) || bytes.starts(with: [0xff, 0xfe])
        guard let all = String(data: bytes, encoding: isWide ? .utf16 : .utf8) else {
            throw refused(path, "a part of it is neither UTF-8 nor UTF-16")
        }
        var text = all[...]
        if text.first == "\u{feff}" { text = text.dropFirst() }
        if text.hasPrefix("<?xml"), let end = text.range(of: "?>") {
            let declared = encoding(String(text[..<end.lowerBound]))
            guard declared.map({ ["utf-8", "utf8", "us-ascii", "utf-16"].contains($0) }) ?? true else {
                throw refused(path, "a part of it is encoded in neither UTF-8 nor UTF-16")
            }
            text = text[end.upperBound...]
        }
        try check(text, path)
        return text
    }

    /// What an XML declaration says of the encoding, in lower case.
    private static func encoding(_ declaration: String) -> String? {
        guard let word = declaration.range(of: "encoding") else { return nil }
        let value = declaration[word.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = value.first, "\"'".contains(quote) else { return "" }
        return value.dropFirst().prefix { $0 != quote }.lowercased()
    }

    private static func check(_ text: Substring, _ path: String) throws(MediaError) {
        var (equals, last, beforeLast): (Int, UInt8, UInt8) = (0, 0, 0)
        for byte in text.utf8 {
            switch byte {
            case 0: throw refused(path, "a part of it has zeros for text")
            case UInt8(ascii: "<"): equals = 0
            case UInt8(ascii: "="): equals += 1
            // Only <!DOCTYPE begins so.
            case UInt8(ascii: "D") where last == UInt8(ascii: "!") && beforeLast == UInt8(ascii: "<"):
                throw refused(path, "a part of it declares a document type")
            default: break
            }
            guard equals <= maximumAttributes else {
                throw refused(path, "an element in it has more than \(maximumAttributes) attributes")
            }
            (beforeLast, last) = (last, byte)
        }
    }

    // MARK: Parsing

    func parser(_ parser: XMLParser, didStartMappingPrefix prefix: String, toURI uri: String) {
        spaces[prefix, default: []].append(uri)
    }

    func parser(_ parser: XMLParser, didEndMappingPrefix prefix: String) { _ = spaces[prefix]?.popLast() }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        depth += 1
        isLate = isLate || clock.isOver
        if depth > Self.maximumDepth || isLate { return parser.abortParsing() }
        visitor.begin(
            XMLElement(name: name, space: namespaceURI ?? "", attributes: attributes, depth: depth, spaces: spaces))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { visitor.text(string) }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        visitor.end(name, depth: depth)
        depth -= 1
        if depth == 0 { isWhole = true }
    }
}
