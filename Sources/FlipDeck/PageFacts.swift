import FlipBase
import FlipFiles
import FlipGeometry
import FlipRender
import Foundation

/// Reads how long the pages of a PDF stay and which transitions lead to them, `/Dur` and `/Trans` (ISO 32000-1 12.4.4),
/// and their notes, with qpdf: first the references of the pages, then these objects, then the objects that they refer to.
package enum PageFacts {
    /// What is read of a document.
    struct Reading {
        /// The facts of each page.
        var facts: [SlideFacts]
        /// The annotations whose contents are used as notes and that are drawn as icons, by reference.
        var icons: [String: [String: Any]]
        /// The language as a three-letter code; nil if the document states none.
        var language: String?
    }

    /// - Throws: `missingCodec` if qpdf isn't installed, `badInput` if it can't read the document.
    static func read(_ location: String, for path: String, needsNotes: Bool = false) throws(MediaError) -> Reading {
        let list = try ask(["--json-key=pages"], location, path)
        let pages = pages(in: list)
        var objects: [String: Any] = [:]
        var wanted = Set(pages + [trailer])
        // Three rounds are enough: for the pages, for their durations and transitions, and for the values in
        // transitions. Annotations may take two more: for their list, themselves, and what is in them.
        for _ in 0..<5 where !wanted.isEmpty {
            let words = wanted.sorted().map {
                "--json-object=" + $0.split(separator: " ").prefix(2).joined(separator: ",")
            }
            // More words than this may be too many for a command line.
            for start in stride(from: 0, to: words.count, by: maximumWords) {
                let part = Array(words[start..<min(start + maximumWords, words.count)])
                let found = Self.objects(in: try ask(["--json-key=qpdf"] + part, location, path))
                objects.merge(found) { first, _ in first }
            }
            wanted = references(from: pages, objects, needsNotes: needsNotes).subtracting(objects.keys)
        }
        let facts = zip(facts(of: pages, objects), labels(in: list)).map { facts, label in
            var facts = facts
            facts.label = label
            if !needsNotes { facts.notes = nil }
            return facts
        }
        return Reading(
            facts: facts, icons: needsNotes ? noteIcons(on: pages, objects) : [:], language: language(in: objects))
    }

    /// qpdf's name for the dictionary that refers to the catalog (ISO 32000-1 7.5.5).
    private static let trailer = "trailer"

    /// The number of objects that are asked for at once.
    private static let maximumWords = 20_000

    private static func ask(_ words: [String], _ location: String, _ path: String) throws(MediaError) -> Data {
        let options = ["--json=2", "--no-warn", "--warning-exit-0"]
        return Data(try HelperProgram.qpdf.text(options + words + [location], for: path).utf8)
    }

    // MARK: Reading

    /// The references of the pages' objects in order, such as "3 0 R".
    package static func pages(in json: Data) -> [String] {
        let pages = root(of: json)["pages"] as? [Any] ?? []
        return pages.prefix(PDFDeck.maximumPages).map { ($0 as? [String: Any])?["object"] as? String ?? "" }
    }

    /// The labels of the pages as readers show them (ISO 32000-1 12.4.2): a prefix, and a number in one of several styles.
    package static func labels(in json: Data) -> [String?] {
        let pages = root(of: json)["pages"] as? [Any] ?? []
        return pages.prefix(PDFDeck.maximumPages).map { page in
            guard let label = (page as? [String: Any])?["label"] as? [String: Any] else { return nil }
            let number = (label["/S"] as? String).map { "\($0) \(label["/St"] as? Int ?? 1)" } ?? ""
            return (label["/P"] as? String ?? "") + number
        }
    }

    /// The values of the objects, by reference, and that of the trailer.
    package static func objects(in json: Data) -> [String: Any] {
        var objects: [String: Any] = [:]
        for part in root(of: json)["qpdf"] as? [Any] ?? [] {
            for (name, object) in part as? [String: Any] ?? [:] where name.hasPrefix("obj:") || name == trailer {
                let name = name == trailer ? name : String(name.dropFirst(4))
                objects[name] = (object as? [String: Any])?["value"]
            }
        }
        return objects
    }

    private static func root(of json: Data) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] ?? [:]
    }

    /// The references in pages, their transitions and annotations, and in the texts of these if notes are needed, and those
    /// that lead to the document's language, as far as these are among `objects`.
    package static func references(
        from pages: [String], _ objects: [String: Any], needsNotes: Bool = false
    ) -> Set<String> {
        var found: Set<String> = []
        let note = { (value: Any?) in
            if let text = value as? String, text.hasSuffix(" 0 R"), text.first?.isNumber == true { found.insert(text) }
        }
        for page in pages {
            let page = objects[page] as? [String: Any]
            note(page?["/Dur"])
            note(page?["/Trans"])
            let transition = resolve(page?["/Trans"], objects) as? [String: Any]
            for key in ["/S", "/D", "/Di", "/Dm", "/M"] { note(transition?[key]) }
            annotationReferences(of: page, objects, withTexts: needsNotes).forEach(note)
        }
        note((objects[trailer] as? [String: Any])?["/Root"])
        note(catalog(in: objects)?["/Lang"])
        return found
    }

    private static func catalog(in objects: [String: Any]) -> [String: Any]? {
        resolve((objects[trailer] as? [String: Any])?["/Root"], objects) as? [String: Any]
    }

    /// The language of the document's text (ISO 32000-1 14.9.2.2) as a three-letter code; nil if it isn't stated.
    package static func language(in objects: [String: Any]) -> String? {
        (resolve(catalog(in: objects)?["/Lang"], objects) as? String).flatMap(text).flatMap(TextLanguages.code)
    }

    /// The facts of each page; empty for a page that isn't among `objects`.
    package static func facts(of pages: [String], _ objects: [String: Any]) -> [SlideFacts] {
        pages.map { name in
            let page = objects[name] as? [String: Any]
            var facts = SlideFacts()
            facts.notes = notes(of: page, objects)
            addAnnotations(of: page, objects, to: &facts)
            if let seconds = number(page?["/Dur"], objects), seconds > .zero { facts.seconds = seconds }
            if let transition = resolve(page?["/Trans"], objects) as? [String: Any],
                let name = resolve(transition["/S"], objects) as? String, name.hasPrefix("/")
            {
                facts.transition = named(String(name.dropFirst()), transition, objects)
            }
            return facts
        }
    }

    /// The transition called `name`, with the defaults of ISO 32000-1, table 162: /M is inward, /Dm horizontal lines, and
    /// /Di from left to right.
    private static func named(
        _ name: String, _ transition: [String: Any], _ objects: [String: Any]
    ) -> NamedTransition {
        let word = { (key: String) in resolve(transition[key], objects) as? String }
        let isInward = ["Split", "Box"].contains(name) && word("/M") != "/O"
        let fliesOut = name == "Fly" && word("/M") == "/O"
        var named = NamedTransition(
            name: isInward ? name + "In" : fliesOut ? name + "Out" : name, duration: number(transition["/D"], objects))
        if ["Split", "Blinds"].contains(name) {
            named.axis = word("/Dm") == "/V" ? .horizontal : .vertical
        } else if ["Wipe", "Fly", "Push", "Cover", "Uncover"].contains(name), word("/Di") != "/None" {
            named.direction = SlideDirection(degrees: number(transition["/Di"], objects) ?? .zero)
        }
        return named
    }

    static func resolve(_ value: Any?, _ objects: [String: Any]) -> Any? {
        guard let name = value as? String, name.hasSuffix(" R") else { return value }
        return objects[name]
    }

    /// A number rounded to a thousandth, which is precise enough for times and angles; nil if there is none, or none
    /// within 1e9.
    private static func number(_ value: Any?, _ objects: [String: Any]) -> Rational? {
        guard let number = resolve(value, objects) as? NSNumber, abs(number.doubleValue) < 1e9 else { return nil }
        return Rational(Int((number.doubleValue * 1000).rounded()), 1000)
    }
}

extension SlideDirection {
    /// The direction for `/Di`, in degrees counterclockwise from left-to-right. Nil for other values.
    init?(degrees: Rational) {
        switch degrees {
        case Rational(0): self = .right
        case Rational(90): self = .up
        case Rational(180): self = .left
        case Rational(270): self = .down
        default: return nil
        }
    }
}
