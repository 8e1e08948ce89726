import FlipBase
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The start of an element.
package struct XMLElement {
    /// The name without its prefix.
    package let name: String
    /// The URI of the element's namespace.
    package let space: String
    /// The attributes' values, by their names as written, with prefixes.
    package let attributes: [String: String]
    /// The depth in the document, from 1.
    package let depth: Int
    /// The line on which its tag ends, from 1.
    package let line: Int
    /// The URIs that each prefix stands for, the innermost last.
    fileprivate let spaces: [String: [String]]

    /// The value of an attribute without a prefix.
    package subscript(_ name: String) -> String? { attributes[name] }

    /// The value of an attribute in the namespace whose URI ends with `ending`, whatever its prefix is here.
    package func attribute(_ name: String, in ending: String) -> String? {
        for (key, value) in attributes {
            let parts = key.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[1] == name, spaces[String(parts[0])]?.last?.hasSuffix(ending) == true {
                return value
            }
        }
        return nil
    }
}

/// Receives the elements and text of a document while it is parsed. What a visitor has no method for is passed over.
package protocol XMLVisitor: AnyObject {
    func begin(_ element: XMLElement)
    func text(_ text: String)
    func end(_ name: String, depth: Int)
}

extension XMLVisitor {
    package func begin(_ element: XMLElement) {}
    package func text(_ text: String) {}
    package func end(_ name: String, depth: Int) {}
}

/// Parses an XML document once, from start to end, with Foundation's parser.
///
/// Anything that could make this endless or let it reach beyond the document is refused before it is parsed: encodings
/// other than UTF-8 and UTF-16, in which declarations can hide; document type declarations, and with them entities; and
/// elements with thousands of attributes, which parsers compare with each other.
package final class XMLScan: NSObject, XMLParserDelegate {
    private let visitor: any XMLVisitor
    private let clock: ReadingClock
    private var depth = 0
    private var spaces: [String: [String]] = [:]
    /// Whether the time is over.
    private var isLate = false
    /// Whether the outermost element has ended.
    private var isWhole = false

    private static let maximumDepth = 256

    /// The time limit for parsing all parts of a document: 60 s.
    package struct ReadingClock {
        private let end = ContinuousClock.now + .seconds(60)
        package init() {}

        /// Whether that time has passed.
        package var isOver: Bool { ContinuousClock.now > end }
    }

    private init(_ visitor: any XMLVisitor, _ clock: ReadingClock) { (self.visitor, self.clock) = (visitor, clock) }

    /// Parses `bytes`, a part of the file at `path`, and passes its elements to `visitor`.
    package static func read(
        _ bytes: Data, _ path: String, _ visitor: any XMLVisitor, _ clock: ReadingClock = ReadingClock()
    ) throws(MediaError) {
        let text = try text(bytes, path)
        let scan = XMLScan(visitor, clock)
        let parser = XMLParser(data: Data(text.utf8))
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = true
        parser.shouldReportNamespacePrefixes = true
        parser.delegate = scan
        // The parser doesn't report a document that ends too early.
        if parser.parse(), scan.isWhole { return }
        if scan.isLate { throw XMLCheck.refused(path, "it takes more than 60 s to read") }
        throw MediaError(.badInput, "cannot read '\(path)': a part of it is not well-formed XML")
    }

    // MARK: Checks before parsing

    /// The document as text without its XML declaration, which could mislead the parser about the encoding.
    package static func text(_ bytes: Data, _ path: String) throws(MediaError) -> Substring {
        let isWide = bytes.starts(with: [0xfe, 0xff]) || bytes.starts(with: [0xff, 0xfe])
        guard let all = String(data: bytes, encoding: isWide ? .utf16 : .utf8) else {
            throw XMLCheck.refused(path, "a part of it is neither UTF-8 nor UTF-16")
        }
        var text = all[...]
        if text.first == "\u{feff}" { text = text.dropFirst() }
        if text.hasPrefix("<?xml"), let end = text.range(of: "?>") {
            let declared = encoding(String(text[..<end.lowerBound]))
            guard declared.map({ ["utf-8", "utf8", "us-ascii", "utf-16"].contains($0) }) ?? true else {
                throw XMLCheck.refused(path, "a part of it is encoded in neither UTF-8 nor UTF-16")
            }
            text = text[end.upperBound...]
        }
        try XMLCheck.check(text, path)
        return text
    }

    /// The encoding that an XML declaration names, in lower case; nil if it names none.
    private static func encoding(_ declaration: String) -> String? {
        guard let word = declaration.range(of: "encoding") else { return nil }
        let value = declaration[word.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = value.first, "\"'".contains(quote) else { return "" }
        return value.dropFirst().prefix { $0 != quote }.lowercased()
    }

    // MARK: Parsing

    package func parser(_ parser: XMLParser, didStartMappingPrefix prefix: String, toURI uri: String) {
        spaces[prefix, default: []].append(uri)
    }

    package func parser(_ parser: XMLParser, didEndMappingPrefix prefix: String) { _ = spaces[prefix]?.popLast() }

    package func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        depth += 1
        isLate = isLate || clock.isOver
        if depth > Self.maximumDepth || isLate { return parser.abortParsing() }
        visitor.begin(
            XMLElement(
                name: name, space: namespaceURI ?? "", attributes: attributes, depth: depth, line: parser.lineNumber,
                spaces: spaces))
    }

    package func parser(_ parser: XMLParser, foundCharacters string: String) { visitor.text(string) }

    package func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?)
    {
        visitor.end(name, depth: depth)
        depth -= 1
        if depth == 0 { isWhole = true }
    }
}
