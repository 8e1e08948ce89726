import FlipBase
import FlipFiles
import Foundation

/// An element of an MLT XML document with everything in it.
struct MLTNode: Sendable {
    var name: String
    var attributes: [String: String] = [:]
    /// The values of the `property` elements, in their order.
    private(set) var properties: [(name: String, value: String)] = []
    /// All other elements in it.
    var children: [MLTNode] = []
    var location: TextLocation

    init(_ name: String, at location: TextLocation) { (self.name, self.location) = (name, location) }

    /// The property of this name; nil if it isn't set. Of several, the last counts.
    subscript(_ name: String) -> String? {
        get { properties.last { $0.name == name }?.value }
        set {
            properties.removeAll { $0.name == name }
            if let newValue { properties.append((name, newValue)) }
        }
    }

    /// Adds a property as a document does, where the last of the same name counts.
    fileprivate mutating func add(_ name: String, _ value: String) { properties.append((name, value)) }

    mutating func removeProperties(where isUnwanted: (String) -> Bool) { properties.removeAll { isUnwanted($0.name) } }

    /// The value of an attribute, or else of the property of that name.
    func value(_ name: String) -> String? { attributes[name] ?? self[name] }

    /// Whether the property or attribute is a number other than 0, as MLT reads it.
    func flag(_ name: String) -> Bool {
        value(name).flatMap { Double($0.prefix { !$0.isWhitespace }) }.map { $0 != 0 } ?? false
    }

    var id: String? { attributes["id"] }

    /// The name of the service; empty if MLT is to find one that can read the resource.
    var service: String { self["mlt_service"] ?? "" }

    /// What messages call it, such as "producer 'clip1'".
    var title: String { name + (id.map { " '\($0.prefix(60))'" } ?? "") }

    func children(_ name: String) -> [MLTNode] { children.filter { $0.name == name } }

    func error(_ text: String, kind: MediaError.Kind = .badInput) -> MediaError { location.error(text, kind: kind) }

    // MARK: Writing

    /// The element as XML.
    var xml: String {
        var text = ""
        write(into: &text)
        return text
    }

    private func write(into text: inout String) {
        text += "<\(name)"
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) { text += " \(key)=\"\(value.xmlEscaped)\"" }
        text += ">"
        for (name, value) in properties {
            text += "<property name=\"\(name.xmlEscaped)\">\(value.xmlEscaped)</property>\n"
        }
        for child in children { child.write(into: &text) }
        text += "</\(name)>\n"
    }
}

extension MLTNode {
    /// The maximum size of a document in bytes, and of the number of its elements.
    private static let maximumSize = 64 << 20
    private static let maximumCount = 2_000_000

    /// Reads the document at `path`.
    /// - Parameter copy: the path of a copy of the file, which is read in its place; nil for the file itself.
    static func read(path: String, copy: String? = nil) throws(MediaError) -> MLTNode {
        let data = try InputDocument.read(path, copy: copy, atMost: maximumSize, takesStandardInput: true)
        guard !data.starts(with: [0x80]) else {
            throw MediaError(
                .badInput,
                "'\(path)' is a Python pickle, which can run programs, so it is not read (export it from Flowblade as MLT XML)"
            )
        }
        guard data.count <= maximumSize else {
            throw XMLCheck.refused(path, "it is longer than \(maximumSize >> 20) MiB")
        }
        return try parse(data, path: path)
    }

    /// - Parameter path: what messages call the document.
    static func parse(_ data: Data, path: String) throws(MediaError) -> MLTNode {
        let builder = Builder(path, limit: maximumCount)
        try XMLScan.read(data, path, builder)
        guard let root = builder.root else { throw XMLCheck.refused(path, "it has more than \(maximumCount) elements") }
        return root
    }

    /// Puts elements together.
    private final class Builder: XMLVisitor {
        private let path: String
        private var left: Int
        /// The elements that have begun and not ended.
        private var open: [MLTNode] = []
        /// The text of the property that is being read.
        private var words = ""
        private(set) var root: MLTNode?

        init(_ path: String, limit: Int) { (self.path, left) = (path, limit) }

        func begin(_ element: XMLElement) {
            left -= 1
            if left < 0 { return }
            var node = MLTNode(element.name, at: TextLocation(path: path, line: element.line, column: 1))
            node.attributes = element.attributes
            open.append(node)
            words = ""
        }

        func text(_ text: String) { if open.last?.name == "property" { words += text } }

        func end(_ name: String, depth: Int) {
            if left < 0 { return }
            guard let node = open.popLast() else { return }
            guard var parent = open.popLast() else {
                root = node
                return
            }
            if node.name == "property" {
                parent.add(node.attributes["name"] ?? "", words)
                words = ""
            } else {
                parent.children.append(node)
            }
            open.append(parent)
        }
    }
}
