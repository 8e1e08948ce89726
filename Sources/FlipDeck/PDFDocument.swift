import FlipMedia
import Foundation

/// The pages of a PDF as far as poppler's programs don't tell of them: `/Dur` and `/Trans` (ISO 32000-1 12.4.4).
///
/// Objects are found by looking for them rather than by the cross-reference table, which serves damaged files, too; of
/// those with one number the last is the one that holds (ISO 32000-1 7.5.6). Encrypted documents tell nothing.
package struct PDFDocument {
    private var objects: [Int: PDFObject] = [:]
    private var root: PDFObject?

    /// Bytes of a document, and of all its object streams together.
    private static let maximumSize = 1 << 30
    private static let maximumStreams = 256 << 20
    /// Levels of the page tree.
    private static let maximumDepth = 32

    init(path: String, name: String) throws(MediaError) {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe),
            data.count <= Self.maximumSize
        else { throw MediaError(.missingInput, "cannot read '\(name)'") }
        self.init(bytes: [UInt8](data))
    }

    package init(bytes: [UInt8]) {
        var reader = PDFReader(bytes)
        var left = Self.maximumStreams
        while let word = reader.findObject() {
            switch word {
            case .trailer(let trailer): root = trailer["Root"] ?? root
            case .object(let number, let value, let stream):
                objects[number] = value
                guard let stream, case .name(let type)? = value["Type"] else { continue }
                if type == "XRef" { root = value["Root"] ?? root }
                guard type == "ObjStm", case .name("FlateDecode")? = value["Filter"], value["DecodeParms"] == nil,
                    let content = Inflater.inflate(bytes[stream...], hasHeader: true, limit: left)
                else { continue }
                left -= content.count
                readObjects(in: content, value)
            }
        }
    }

    /// An object stream (ISO 32000-1 7.5.7): pairs of number and offset, then the objects.
    private mutating func readObjects(in content: [UInt8], _ head: PDFObject) {
        guard let first = head["First"]?.integer, let count = head["N"]?.integer, (0...content.count).contains(first)
        else { return }
        var pairs = PDFReader(content)
        for _ in 0..<min(count, content.count) {
            guard let number = pairs.value()?.integer, let offset = pairs.value()?.integer, offset >= 0,
                offset < content.count - first
            else { return }
            var reader = PDFReader(content, at: first + offset)
            if let value = reader.value() { objects[number] = value }
        }
    }

    /// What each page says, in order.
    package func pages() -> [SlideFacts] {
        var facts: [SlideFacts] = []
        var seen: Set<Int> = []
        collect(resolve(root)?["Pages"], 0, &seen, &facts)
        return facts
    }

    private func collect(_ node: PDFObject?, _ depth: Int, _ seen: inout Set<Int>, _ facts: inout [SlideFacts]) {
        // A tree that is its own child has no end.
        if case .reference(let number)? = node, !seen.insert(number).inserted { return }
        guard depth < Self.maximumDepth, facts.count < PDFDeck.maximumPages, let page = resolve(node) else { return }
        if case .array(let kids)? = resolve(page["Kids"]) {
            for kid in kids { collect(kid, depth + 1, &seen, &facts) }
            return
        }
        var fact = SlideFacts()
        if let seconds = resolve(page["Dur"])?.number, seconds > .zero { fact.seconds = seconds }
        if let transition = resolve(page["Trans"]), case .name(let name)? = resolve(transition["S"]) {
            fact.transition = NamedTransition(
                name: name, duration: resolve(transition["D"])?.number,
                direction: SlideDirection(degrees: resolve(transition["Di"])?.integer))
        }
        facts.append(fact)
    }

    private func resolve(_ object: PDFObject?) -> PDFObject? {
        guard case .reference(let number)? = object else { return object }
        guard let value = objects[number] else { return nil }
        // References to references don't exist.
        if case .reference = value { return nil }
        return value
    }
}

extension SlideDirection {
    /// Of `/Di`, counter-clockwise from left to right; 315 is from the top left.
    init?(degrees: Int?) {
        switch degrees {
        case 0: self = .right
        case 90: self = .up
        case 180: self = .left
        case 270, 315: self = .down
        default: return nil
        }
    }
}
