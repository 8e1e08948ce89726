import FlipBase
import FlipFiles
import Foundation

/// The copy of a PowerPoint file in which a slide has a page for each of its steps.
struct SlideSteps {
    /// A slide in the presentation's order.
    struct Slide {
        /// The name of the slide's part, and its content for LibreOffice.
        var part: String
        var content: Data
        /// Whether the slide gets pages.
        var isShown: Bool
        /// Its effects; nil for none.
        var builds: Builds?
    }

    /// The parts to add, or to put in the place of those of the same names; empty if no slide has steps.
    private(set) var parts: [String: Data] = [:]
    /// For each slide, the page among its own that shows it after each click; empty for slides of one picture.
    private(set) var steps: [[Int]]
    /// Whether there were too many steps for all slides to have them.
    private(set) var isCut = false

    static let typesPart = "[Content_Types].xml"
    static let mainPart = "ppt/presentation.xml"
    static let relationsPart = "ppt/_rels/presentation.xml.rels"

    /// - Parameter archive: the file's parts by name.
    init(_ slides: [Slide], _ archive: [String: Data], _ path: String, _ clock: XMLScan.ReadingClock) throws(MediaError)
    {
        steps = slides.map { _ in [] }
        guard slides.contains(where: { $0.isShown && $0.builds?.isPlain == false }),
            let main = try Self.tree(archive[Self.mainPart], path, clock),
            let relations = try Self.tree(archive[Self.relationsPart], path, clock),
            let types = try Self.tree(archive[Self.typesPart], path, clock)
        else { return }
        // Sections list the slides again.
        let entries = main.child("sldIdLst", of: 0).map { main.children("sldId", of: $0) } ?? []
        guard entries.count == slides.count else { return }
        var budget = StepBudget()
        var (added, ids): ([Page], [[(range: Range<Int>, text: String)]]) = ([], [])
        for (index, slide) in slides.enumerated() {
            // What fields with the slide's number show; nil as long as LibreOffice counts to the same number.
            let number = budget.pages == 0 ? nil : index + 1
            let builds = slide.isShown && PackedParts.isPlain(slide.part) ? slide.builds : nil
            let pictures = builds.flatMap { $0.isPlain ? nil : $0.pictures }
            if let pictures, budget.hasRoom(for: pictures.states.count, of: slide.content.count), !clock.isOver,
                let tree = try MarkupTree(slide.content, path, clock)
            {
                let picture = SlidePicture(tree)
                steps[index] = pictures.steps
                var words = ""
                for (page, state) in pictures.states.enumerated() {
                    let text = picture.text(state, number: budget.pages + page == 0 ? nil : index + 1)
                    let name = "step\(added.count + 1)"
                    added.append(Page(name: name, slide: slide.part, content: Data(text.utf8)))
                    words += Self.entry(main, entries[index], id: Self.firstID + added.count, relation: "r" + name)
                }
                ids.append([(main[entries[index]].range, words)])
                budget.add(pictures.states.count, of: slide.content.count)
            } else {
                if pictures != nil { isCut = true }
                if let number, slide.content.range(of: Data("slidenum".utf8)) != nil,
                    let tree = try MarkupTree(slide.content, path, clock),
                    let text = SlidePicture(tree).text(number: number), PackedParts.isPlain(slide.part)
                {
                    parts[slide.part] = Data(text.utf8)
                }
            }
        }
        guard !added.isEmpty else { return }
        parts[Self.mainPart] = Data(main.replacing(ids.flatMap { $0 }).utf8)
        try write(added, relations, types, archive, path, clock)
    }

    /// Adds the parts of pages, and the entries that name them.
    private mutating func write(
        _ added: [Page], _ relations: MarkupTree, _ types: MarkupTree, _ archive: [String: Data], _ path: String,
        _ clock: XMLScan.ReadingClock
    ) throws(MediaError) {
        for page in added {
            parts["ppt/slides/\(page.name).xml"] = page.content
            parts["ppt/slides/_rels/\(page.name).xml.rels"] = try Self.relations(of: page.slide, archive, path, clock)
        }
        let type = Relation.base + "/slide"
        parts[Self.relationsPart] = Self.adding(
            added.map { page in
                "<\(relations[0].prefix)Relationship Id=\"r\(page.name)\" Type=\"\(type)\" Target=\"slides/\(page.name).xml\"/>"
            }, to: relations)
        let slideType = "application/vnd.openxmlformats-officedocument.presentationml.slide+xml"
        parts[Self.typesPart] = Self.adding(
            added.map { page in
                "<\(types[0].prefix)Override PartName=\"/ppt/slides/\(page.name).xml\" ContentType=\"\(slideType)\"/>"
            }, to: types)
    }

    /// A page of the copy.
    private struct Page {
        /// The name of its part, without folder and extension.
        var name: String
        /// The name of the part of the slide that it shows.
        var slide: String
        var content: Data
    }

    /// The first ID of the added pages. IDs of slides are below 2^31 (ECMA-376 19.7.13).
    private static let firstID = 2_000_000_000

    private static func tree(
        _ part: Data?, _ path: String, _ clock: XMLScan.ReadingClock
    ) throws(MediaError) -> MarkupTree? {
        guard let part else { return nil }
        return try MarkupTree(part, path, clock)
    }

    /// An entry of the list of slides like `entry`, for another page.
    private static func entry(_ main: MarkupTree, _ entry: Int, id: Int, relation: String) -> String {
        let words = main.attributes(of: entry).map { name, value in
            name == "id"
                ? " id=\"\(id)\"" : name.hasSuffix(":id") ? " \(name)=\"\(relation)\"" : " \(name)=\"\(value)\""
        }
        return "<\(main[entry].name)\(words.joined())/>"
    }

    /// The document with `elements` at the end of its outermost one.
    private static func adding(_ elements: [String], to tree: MarkupTree) -> Data {
        let text = tree.text(0..<tree.bytes.count)
        guard let end = text.range(of: "</", options: .backwards) else { return Data(tree.bytes) }
        return Data((text[..<end.lowerBound] + elements.joined() + text[end.lowerBound...]).utf8)
    }

    /// The relationships of the slide in `part` without those of which each belongs to one slide, such as its notes.
    private static func relations(
        of part: String, _ archive: [String: Data], _ path: String, _ clock: XMLScan.ReadingClock
    ) throws(MediaError) -> Data? {
        guard let tree = try tree(archive[Relation.part(for: part)], path, clock) else { return nil }
        let own = tree.all("Relationship").filter { index in
            let type = tree.attribute("Type", of: index) ?? ""
            return type.hasSuffix("/notesSlide") || type.lowercased().contains("comment")
        }
        return Data(tree.replacing(own.map { (tree[$0].range, "") }).utf8)
    }
}
