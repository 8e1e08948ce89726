import FlipBase
import FlipFiles
import FlipRender
import Foundation

/// Reads what a PowerPoint file (ECMA-376) says of its slides. Their pictures come from LibreOffice.
package struct PPTXDeck {
    /// The facts of all slides in order, hidden ones included.
    package private(set) var facts: [SlideFacts] = []
    /// The fonts that the theme and the slides name.
    package private(set) var fonts: Set<String> = []
    /// The language of the notes, or else of the slides, as a three-letter code; nil if it isn't known.
    package var language: String? { languages.notes.most ?? languages.slides.most }
    private var languages = (slides: TextLanguages(), notes: TextLanguages())
    /// What LibreOffice reads in place of the parts of the same names: slides without the icons of narrations, and pages for the
    /// steps of slides.
    package private(set) var replaced: [String: Data] = [:]
    /// Whether there were too many steps for all slides to have them.
    private(set) var isCut = false
    /// The names of the slides' parts.
    private var slides: [String] = []

    /// The names of the parts that are read.
    private static let patterns = [
        "[[]Content_Types].xml", "ppt/presentation.xml", "ppt/_rels/presentation.xml.rels", "ppt/slides/*.xml",
        "ppt/slides/_rels/*.rels",
        "ppt/theme/theme1.xml",
    ]

    /// The names of the parts with notes.
    private static let notesPattern = "ppt/notesSlides/*.xml"

    /// - Parameters:
    ///   - hasSteps: whether slides have pages for their steps.
    ///   - showsHidden: whether hidden slides have pages.
    package init(path: String, needsNotes: Bool, hasSteps: Bool, showsHidden: Bool) throws(MediaError) {
        let patterns = Self.patterns + (needsNotes ? [Self.notesPattern] : [])
        let parts = try PackedParts.read(path, patterns)
        try self.init(parts: parts, path: path)
        if hasSteps { try addSteps(parts, path, showsHidden: showsHidden) }
    }

    /// Adds pages for the steps of slides.
    package mutating func addSteps(_ parts: [String: Data], _ path: String, showsHidden: Bool) throws(MediaError) {
        let shown = zip(slides, facts).map { part, facts in
            SlideSteps.Slide(
                part: part, content: replaced[part] ?? parts[part] ?? Data(), isShown: showsHidden || !facts.isHidden,
                builds: facts.builds)
        }
        let steps = try SlideSteps(shown, parts, path, XMLScan.ReadingClock())
        isCut = steps.isCut
        replaced.merge(steps.parts) { $1 }
        for (index, steps) in steps.steps.enumerated() { facts[index].steps = steps }
    }

    /// - Parameter parts: the file's parts by name.
    package init(parts: [String: Data], path: String) throws(MediaError) {
        guard let main = parts["ppt/presentation.xml"] else {
            throw MediaError(.badInput, "'\(path)' is no PowerPoint file: there is no ppt/presentation.xml in it")
        }
        let clock = XMLScan.ReadingClock()
        let list = SlideList()
        try XMLScan.read(main, path, list, clock)
        guard list.slides.count <= PDFDeck.maximumPages else {
            throw MediaError(.badInput, "'\(path)' has more than \(PDFDeck.maximumPages) slides")
        }
        let relations = try Relation.read(parts["ppt/_rels/presentation.xml.rels"], path, clock)
        let targets = Dictionary(relations.map { ($0.id, $0.target) }) { $1 }
        if let theme = parts["ppt/theme/theme1.xml"] {
            let reader = SlideReader()
            try XMLScan.read(theme, path, reader, clock)
            fonts = reader.fonts
        }
        // A part that several entries refer to is read once.
        var known: [String: SlideFacts] = [:]
        for id in list.slides {
            let part = targets[id].map(Self.part) ?? ""
            slides.append(part)
            if let same = known[part] {
                facts.append(same)
                continue
            }
            let slide = try readFacts(of: part, parts, path, clock)
            known[part] = slide
            facts.append(slide)
        }
    }

    /// The name of the part that `target` refers to: absolute if it begins with a slash, else relative to ppt/.
    private static func part(_ target: String) -> String {
        target.hasPrefix("/") ? String(target.dropFirst()) : "ppt/" + target
    }

    /// The facts of the slide in `part`; empty if there is no such part.
    private mutating func readFacts(
        of part: String, _ parts: [String: Data], _ path: String, _ clock: XMLScan.ReadingClock
    ) throws(MediaError) -> SlideFacts {
        guard let slide = parts[part] else { return SlideFacts() }
        let reader = SlideReader()
        try XMLScan.read(slide, path, reader, clock)
        fonts.formUnion(reader.fonts)
        languages.slides.add(reader.languages)
        var facts = reader.facts
        facts.title = reader.title
        let related = try Relation.read(parts[Relation.part(for: part)], path, clock)
        let pictures = SlideMediaReader()
        try XMLScan.read(slide, path, pictures, clock)
        facts.media = Self.placed(Self.media(related, isNarrated: reader.isNarrated), pictures, related)
        let icons = Set(pictures.pictures.filter(pictures.isNarration).map(\.shape))
        if !icons.isEmpty || facts.isAnimated, let tree = try MarkupTree(slide, path, clock) {
            if facts.isAnimated { facts.builds = SlideBuilds.read(tree) }
            // PowerPoint hides the loudspeakers of recorded narrations, and LibreOffice draws them.
            let drawn = tree.all("pic").filter { picture in
                tree.child("nvPicPr", "cNvPr", of: picture).flatMap { tree.attribute("id", of: $0) }.map(icons.contains)
                    ?? false
            }
            if !drawn.isEmpty, PackedParts.isPlain(part) {
                replaced[part] = Data(tree.replacing(drawn.map { (tree[$0].range, "") }).utf8)
            }
        }
        facts.notes = try readNotes(related, parts, path, clock)
        // Comments have had this name in two schemas, of 2006 and of 2018.
        facts.hasComments = related.contains { $0.type.hasSuffix("/comments") }
        if let id = reader.sound { facts.sound = Self.sound(related.first { $0.id == id }) }
        return facts
    }

    /// The notes among the relationships of a slide; nil if there are none, or their part was not wanted.
    private mutating func readNotes(
        _ relations: [Relation], _ parts: [String: Data], _ path: String, _ clock: XMLScan.ReadingClock
    ) throws(MediaError) -> String? {
        let notes = relations.first { !$0.isExternal && $0.type.hasSuffix("/notesSlide") }
        guard let target = notes?.target else { return nil }
        let name = target.hasPrefix("../") ? "ppt/" + target.dropFirst(3) : Self.part(target)
        guard let part = parts[name] else { return nil }
        let reader = NotesReader()
        try XMLScan.read(part, path, reader, clock)
        languages.notes.add(reader.languages)
        return reader.notes
    }

    /// The sound that `relation` of a slide refers to; nil unless it is a file among the presentation's media.
    private static func sound(_ relation: Relation?) -> SlideSound? {
        relation.flatMap(mediaPart).map { SlideSound(part: $0) }
    }

    /// The name of the part that `relation` of a slide refers to; nil unless it is among the presentation's media and can
    /// be taken out.
    private static func mediaPart(_ relation: Relation) -> String? {
        guard !relation.isExternal,
            let folder = ["../media/", "/ppt/media/"].first(where: { relation.target.hasPrefix($0) })
        else { return nil }
        let name = "ppt/media/" + relation.target.dropFirst(folder.count)
        return PackedParts.isPlain(name) ? name : nil
    }

    /// `media` with the uses that the slide's pictures make of them.
    private static func placed(
        _ media: [SlideMedia], _ pictures: SlideMediaReader, _ relations: [Relation]
    ) -> [SlideMedia] {
        var media = media
        for picture in pictures.pictures {
            let related = [picture.embedded, picture.link].compactMap { id in relations.first { $0.id == id } }
            guard let relation = related.first(where: { !$0.isExternal }) ?? related.first else { continue }
            let kind: SlideMedia.Kind =
                picture.isFilm ? .film : pictures.isNarration(picture) ? .narration : .sound
            var item = SlideMedia(kind: kind, name: SlideMedia.lastName(relation.target))
            item.use = pictures.use(of: picture)
            item.lies(in: mediaPart(relation), isOutside: relation.isExternal)
            if let place = media.firstIndex(where: { $0.name == item.name && $0.use == nil }) {
                media[place] = item
            } else if media.count < PackedParts.maximumMedia {
                media.append(item)
            }
        }
        return media
    }

    /// The films, sounds and linked pictures that a slide refers to, each once.
    private static func media(_ relations: [Relation], isNarrated: Bool) -> [SlideMedia] {
        var media: [SlideMedia] = []
        for relation in relations {
            guard let kind = SlideMedia.Kind(relation, isNarrated: isNarrated) else { continue }
            let item = SlideMedia(
                kind: kind, name: kind == .linkedPicture ? relation.target : SlideMedia.lastName(relation.target))
            // PowerPoint lists a film twice: for versions before 2010 and for those since.
            if !media.contains(where: { $0.name == item.name }) { media.append(item) }
        }
        return media
    }
}

extension SlideMedia.Kind {
    /// The kind that the last component of the relationship's type stands for; ".../media" is a film or a sound. Nil
    /// for relationships to anything else.
    fileprivate init?(_ relation: Relation, isNarrated: Bool) {
        switch relation.type.split(separator: "/").last {
        case "video": self = .film
        case "audio": self = isNarrated ? .narration : .sound
        case "media":
            self = SlideMedia.isSound(relation.target) ? (isNarrated ? .narration : .sound) : .film
        case "image" where relation.isExternal: self = .linkedPicture
        default: return nil
        }
    }
}

/// A relationship from a part to another part or to a file (ECMA-376-2, 9.3).
struct Relation {
    var id: String
    var type: String
    var target: String
    var isExternal: Bool

    /// The maximum number of relationships that are read of a part; further ones are ignored.
    private static let most = 10_000

    /// What the URIs of the types begin with.
    static let base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    /// The name of the part with the relationships of the part called `name` (ECMA-376-2, 9.3.4).
    static func part(for name: String) -> String {
        let names = name.split(separator: "/")
        return (names.dropLast() + ["_rels", "\(names.last ?? "").rels"]).joined(separator: "/")
    }

    static func read(_ part: Data?, _ path: String, _ clock: XMLScan.ReadingClock) throws(MediaError) -> [Relation] {
        guard let part else { return [] }
        let list = RelationList()
        try XMLScan.read(part, path, list, clock)
        return list.relations
    }

    private final class RelationList: XMLVisitor {
        var relations: [Relation] = []
        func begin(_ element: XMLElement) {
            guard element.name == "Relationship", relations.count < Relation.most, let id = element["Id"],
                let target = element["Target"]
            else { return }
            relations.append(
                Relation(
                    id: id, type: element["Type"] ?? "", target: target, isExternal: element["TargetMode"] == "External"
                ))
        }
    }
}

/// Reads the relationship IDs of the slides, in their order in the presentation.
private final class SlideList: XMLVisitor {
    var slides: [String] = []
    func begin(_ element: XMLElement) {
        guard element.name == "sldId", slides.count <= PDFDeck.maximumPages,
            let id = element.attribute("id", in: "/relationships")
        else { return }
        slides.append(id)
    }
}
