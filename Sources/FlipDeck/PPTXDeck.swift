import FlipMedia
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// What a PowerPoint file (ECMA-376) says of its slides; their pictures come from LibreOffice.
package struct PPTXDeck {
    /// Of the slides that are shown, in order.
    package private(set) var facts: [SlideFacts] = []

    package init(path: String) throws(MediaError) {
        let archive = try ZipArchive(path: path)
        guard let main = try archive.file("ppt/presentation.xml") else {
            throw MediaError(.badInput, "'\(path)' is no PowerPoint file: there is no ppt/presentation.xml in it")
        }
        let order = try XMLScan(main, path).elements.filter { $0.name == "sldId" }.compactMap { $0.attributes["r:id"] }
        guard order.count <= PDFDeck.maximumPages else {
            throw MediaError(.badInput, "'\(path)' has more than \(PDFDeck.maximumPages) slides")
        }
        let relations = try archive.file("ppt/_rels/presentation.xml.rels").map { bytes throws(MediaError) in
            try XMLScan(bytes, path).elements
        }
        var targets: [String: String] = [:]
        for relation in relations ?? [] { targets[relation.attributes["Id"] ?? ""] = relation.attributes["Target"] }
        for id in order {
            guard let target = targets[id], let slide = try archive.file(Self.place(target)) else { continue }
            let scan = try XMLScan(slide, path)
            // LibreOffice leaves hidden slides out.
            if ["0", "false"].contains(scan.elements.first?.attributes["show"]) { continue }
            facts.append(Self.facts(scan))
        }
    }

    /// Targets are relative to ppt/, or begin with a slash.
    private static func place(_ target: String) -> String {
        target.hasPrefix("/") ? String(target.dropFirst()) : "ppt/" + target
    }

    static func facts(_ scan: XMLScan) -> SlideFacts {
        var facts = SlideFacts()
        facts.title = scan.title
        // mc:AlternateContent has the newer form first, and then one for older programs.
        let transitions = scan.elements.indices.filter { scan.elements[$0].name == "transition" }
        guard let first = transitions.first else { return facts }
        let attributes = scan.elements[first].attributes
        if let time = attributes["advTm"].flatMap(Int.init), (1...86_400_000).contains(time) {
            facts.seconds = Rational(time, 1000)
        }
        let kind = scan.elements.indices.contains(first + 1) ? scan.elements[first + 1] : nil
        guard let kind, kind.depth == scan.elements[first].depth + 1 else { return facts }
        var transition = NamedTransition(name: kind.attributes["prst"] ?? kind.name)
        if let time = attributes["p14:dur"].flatMap(Int.init), (1...60_000).contains(time) {
            transition.duration = Rational(time, 1000)
        } else {
            // ECMA-376 19.7.33 has no seconds for them; these are PowerPoint's.
            transition.duration =
                ["slow": Rational(3, 4), "med": Rational(1, 2), "fast": Rational(1, 4)][attributes["spd"] ?? "fast"]
        }
        transition.direction = SlideDirection(
            powerPoint: kind.attributes["dir"], inverted: kind.attributes["invX"] == "1")
        facts.transition = transition
        return facts
    }
}

extension SlideDirection {
    /// "l" is to the left, as is what says nothing; `invX` turns it round.
    fileprivate init(powerPoint text: String?, inverted: Bool) {
        switch text {
        case "r": self = .right
        case "u": self = .up
        case "d": self = .down
        default: self = inverted ? .right : .left
        }
    }
}

/// The elements of an XML document one after another, and a slide's title. Documents that declare entities are refused, so
/// that none is expanded.
final class XMLScan: NSObject, XMLParserDelegate {
    struct Element: Equatable {
        /// Without its prefix.
        var name: String
        var attributes: [String: String]
        var depth: Int
    }
    private(set) var elements: [Element] = []
    /// The text of the title's placeholder; nil where there is none.
    var title: String? {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : String(words.prefix(200))
    }

    private var depth = 0
    private var text = ""
    /// Depth of the shape that is read, and whether it is the title's.
    private var shape: Int?
    private var isTitle = false
    private var readsText = false

    private static let maximumDepth = 256

    init(_ bytes: [UInt8], _ path: String) throws(MediaError) {
        super.init()
        let broken = MediaError(.badInput, "cannot read '\(path)': a part of it is no sound XML")
        // Entities can only be declared there. In UTF-16, which no program writes, this is not found, and neither is it read.
        let isDeclaring = bytes.indices.dropLast(2).contains {
            bytes[$0] == 60 && bytes[$0 + 1] == 33 && bytes[$0 + 2] == 68
        }
        guard bytes.first == UInt8(ascii: "<") || bytes.starts(with: [0xef, 0xbb, 0xbf]), !isDeclaring else {
            throw broken
        }
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        parser.delegate = self
        guard parser.parse() else { throw broken }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        depth += 1
        if depth > Self.maximumDepth { return parser.abortParsing() }
        let local = name.split(separator: ":").last.map(String.init) ?? name
        switch local {
        case "sp": shape = depth
        case "ph" where shape != nil && title == nil: isTitle = ["title", "ctrTitle"].contains(attributes["type"])
        case "t": readsText = isTitle
        case "br" where isTitle: text += " "
        default: break
        }
        elements.append(Element(name: local, attributes: attributes, depth: depth))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if readsText { text += string }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        if name.hasSuffix(":t") { readsText = false }
        if name.hasSuffix(":p"), isTitle { text += " " }
        if shape == depth {
            shape = nil
            isTitle = false
        }
        depth -= 1
    }
}
