import FlipBase
import FlipFiles
import Foundation

/// The copy of an OpenDocument presentation in which a slide has a page for each of its steps, for LibreOffice to draw.
struct OpenSteps {
    /// The parts to put in the place of those of the same names; empty if no slide has steps.
    private(set) var parts: [String: Data] = [:]
    /// The effects of each slide; nil for none.
    private(set) var builds: [Builds?] = []
    /// For each slide, the page among its own that shows it after each click; empty for slides of one picture.
    private(set) var steps: [[Int]] = []
    private(set) var isCut = false

    private let tree: MarkupTree
    /// The master pages, and those of them that show the numbers of slides.
    private let styles: MarkupTree?
    private var numbered: [String: Int] = [:]
    /// The elements by their IDs, which some programs give to elements of several slides.
    private var ids: [String: [Int]] = [:]
    private var bareStyles: [String: String] = [:]

    private typealias Edit = (range: Range<Int>, text: String)

    /// The names of the style of hidden text and of added master pages begin with this.
    private static let prefix = "fliptransition-"
    private static let bare = prefix + "bare-"

    /// - Parameters:
    ///   - archive: the parts content.xml and styles.xml.
    ///   - shown: for each slide, whether it gets pages.
    /// - Returns: nil if the document is too large, or isn't one.
    init?(_ archive: [String: Data], _ path: String, shown: [Bool]) throws(MediaError) {
        let clock = XMLScan.ReadingClock()
        guard let content = archive["content.xml"], let tree = try MarkupTree(content, path, clock) else { return nil }
        self.tree = tree
        styles = try archive["styles.xml"].flatMap { part throws(MediaError) in try MarkupTree(part, path, clock) }
        let slides = tree.all("presentation").first.map { tree.children("page", of: $0) } ?? []
        guard slides.count == shown.count else { return nil }
        builds = slides.map { OpenBuilds.read(tree, page: $0) }
        steps = slides.map { _ in [] }
        for master in styles?.all("master-page") ?? [] where styles?.all("page-number", in: master).isEmpty == false {
            styles?.attribute(local: "name", of: master).map { numbered[$0] = master }
        }
        guard zip(builds, shown).contains(where: { $0?.isPlain == false && $1 }) else { return }
        for index in tree.elements.indices {
            for (name, value) in tree.attributes(of: index) where name.hasSuffix(":id") {
                ids[value, default: []].append(index)
            }
        }
        bareStyles = findBareStyles()
        write(slides, shown, clock)
    }

    private mutating func write(_ slides: [Int], _ shown: [Bool], _ clock: XMLScan.ReadingClock) {
        var (edits, masters): ([Edit], String) = ([], "")
        var budget = StepBudget()
        for (index, slide) in slides.enumerated() {
            let pictures = shown[index] ? builds[index].flatMap { $0.isPlain ? nil : $0.pictures } : nil
            let size = tree[slide].range.count
            guard let pictures, budget.hasRoom(for: pictures.states.count, of: size), !clock.isOver else {
                if pictures != nil { isCut = true }
                if budget.pages > 0 {
                    let words = page(slide, nil, number: index + 1, isFirst: true, &masters)
                    edits.append((tree[slide].range, words))
                }
                continue
            }
            steps[index] = pictures.steps
            var words = ""
            for (number, state) in pictures.states.enumerated() {
                let shift = budget.pages + number
                words += page(slide, state, number: shift == 0 ? nil : index + 1, isFirst: number == 0, &masters)
            }
            edits.append((tree[slide].range, words))
            budget.add(pictures.states.count, of: size)
        }
        if let list = tree.all("automatic-styles").first {
            let place = tree[list].head.upperBound
            let added = Self.hiddenStyle + bareStyles.sorted { $0.key < $1.key }.map(\.value).joined()
            edits.append(tree[list].isEmpty ? (tree[list].range, filled(list, added)) : (place..<place, added))
        }
        parts["content.xml"] = Data(tree.replacing(edits).utf8)
        guard !masters.isEmpty, let styles, let list = styles.all("master-styles").first else { return }
        let place = styles[list].head.upperBound
        parts["styles.xml"] = Data(styles.replacing([(place..<place, masters)]).utf8)
    }

    private func filled(_ list: Int, _ added: String) -> String {
        "<\(tree[list].name)>\(added)</\(tree[list].name)>"
    }

    private static let space = "urn:oasis:names:tc:opendocument:xmlns"
    /// The style of text that isn't there yet. Transparent white stands for no color in LibreOffice, which draws it black.
    private static let hiddenStyle = """
        <style:style xmlns:style="\(space):style:1.0" xmlns:fo="\(space):xsl-fo-compatible:1.0" \
        xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0" style:name="\(prefix)hidden" \
        style:family="text"><style:text-properties fo:color="#000000" loext:opacity="0%" \
        style:text-underline-style="none" style:text-line-through-style="none" fo:text-shadow="none" \
        fo:background-color="transparent"/></style:style>
        """

    // MARK: Backgrounds

    /// The styles of the shapes of which only the text is there at times, by their names, without fill, outline and shadow.
    private func findBareStyles() -> [String: String] {
        let targets = builds.flatMap { $0?.clicks.joined().map(\.target) ?? [] }
        let shapes = targets.filter { $0.part == .background }.flatMap { ids[$0.shape] ?? [] }
        let names = Set(shapes.compactMap { tree.attribute(local: "style-name", of: $0) })
        var styles: [String: String] = [:]
        for style in tree.all("automatic-styles").flatMap({ tree.children("style", of: $0) }) {
            guard let name = tree.attribute(local: "name", of: style), names.contains(name),
                let properties = tree.child("graphic-properties", of: style)
            else { continue }
            let head = tree.text(tree[style].head).replacing(":name=\"\(name)\"", with: ":name=\"\(Self.bare)\(name)\"")
            var words = tree.text(tree[properties].head).replacing(/\sdraw:(?:fill|stroke|shadow)="[^"]*"/, with: "")
            let place = words.index(words.endIndex, offsetBy: tree[properties].isEmpty ? -2 : -1)
            words.insert(contentsOf: #" draw:fill="none" draw:stroke="none" draw:shadow="hidden""#, at: place)
            styles[name] = tree.part(
                tree[style].range, replacing: [(tree[style].head, head), (tree[properties].head, words)])
        }
        return styles
    }

    /// The shape without its background. Shapes without a style of their own keep it.
    private func bare(_ shape: Int) -> [Edit] {
        guard let name = tree.attribute(local: "style-name", of: shape), bareStyles[name] != nil else { return [] }
        let head = tree.text(tree[shape].head)
        return [(tree[shape].head, head.replacing(/\s(?:draw|presentation):style-name="/) { $0.0 + Self.bare })]
    }

    // MARK: Pages

    /// A page of the copy, without effects and notes.
    /// - Parameters:
    ///   - state: what is to be seen; nil for all.
    ///   - number: the slide's number where LibreOffice counts to another one.
    ///   - isFirst: whether it is the first page of its slide, which keeps the name.
    private func page(
        _ slide: Int, _ state: Builds.State?, number: Int?, isFirst: Bool, _ masters: inout String
    ) -> String {
        var edits: [Edit] = []
        for child in tree[slide].children where ["par", "notes"].contains(tree[child].local) {
            edits.append((tree[child].range, ""))
        }
        for target in state?.hidden ?? [] {
            let place = ids[target.shape]?.first { tree[slide].range.contains(tree[$0].range.lowerBound) }
            if let place { edits += hidden(place, target.part) }
        }
        var head = tree.text(tree[slide].head)
        if !isFirst { head = head.replacing(/\s\w+:(?:name|id)="[^"]*"/, with: "") }
        if let number {
            for field in tree.all("page-number", in: slide) { edits.append((tree[field].range, "\(number)")) }
            if let master = tree.attribute(local: "master-page-name", of: slide), let index = numbered[master] {
                let name = "\(Self.prefix)\(number)-\(master)"
                if !masters.contains("\"\(name)\"") { masters += copy(index, name, number) }
                head = head.replacing("master-page-name=\"\(master)\"", with: "master-page-name=\"\(name)\"")
            }
        }
        edits.append((tree[slide].head, head))
        return tree.part(tree[slide].range, replacing: edits)
    }

    /// The master page with another name, and with a number in place of its fields.
    private func copy(_ master: Int, _ name: String, _ number: Int) -> String {
        guard let styles else { return "" }
        let old = styles.attribute(local: "name", of: master) ?? ""
        let head = styles.text(styles[master].head).replacing(":name=\"\(old)\"", with: ":name=\"\(name)\"")
        let fields = styles.all("page-number", in: master).map { (styles[$0].range, "\(number)") }
        return styles.part(styles[master].range, replacing: [(styles[master].head, head)] + fields)
    }

    private func hidden(_ place: Int, _ part: Builds.Target.Part) -> [Edit] {
        let isParagraph = ["p", "h"].contains(tree[place].local)
        switch part {
        case .whole where !isParagraph: return [(tree[place].range, "")]
        case .background: return bare(place)
        default:
            let paragraphs = isParagraph ? [place] : tree.all("p", in: place) + tree.all("h", in: place)
            return paragraphs.flatMap { paragraph in
                withoutBullet(paragraph)
                    + ([paragraph] + tree.all("span", in: paragraph) + tree.all("a", in: paragraph)).flatMap(
                        hidden(textOf:))
            }
        }
    }

    /// Makes an item of a list that a paragraph begins a header, which has no bullet and stays in its place.
    private func withoutBullet(_ paragraph: Int) -> [Edit] {
        guard let item = tree[paragraph].parent, tree[item].local == "list-item", tree[item].children.first == paragraph
        else { return [] }
        let name = "\(tree[item].prefix)list-header"
        let head = tree.text(tree[item].head).dropFirst(1 + tree[item].name.utf8.count)
        return [
            (tree[item].head, "<\(name)\(head)"), (tree.closeTag(of: item)..<tree[item].range.upperBound, "</\(name)>"),
        ]
    }

    /// Puts what is directly in an element into spans of hidden text. Spans within it have looks of their own.
    private func hidden(textOf element: Int) -> [Edit] {
        if tree[element].isEmpty { return [] }
        let prefix = tree[element].prefix
        let open = "<\(prefix)span \(prefix)style-name=\"\(Self.prefix)hidden\">"
        var edits: [Edit] = []
        var start = tree[element].head.upperBound
        let close = tree.closeTag(of: element)
        for child in tree[element].children where ["span", "a"].contains(tree[child].local) {
            edits += wrapped(start..<tree[child].range.lowerBound, open, "</\(prefix)span>")
            start = tree[child].range.upperBound
        }
        return edits + wrapped(start..<close, open, "</\(prefix)span>")
    }

    private func wrapped(_ range: Range<Int>, _ open: String, _ close: String) -> [Edit] {
        let text = tree.text(range)
        return text.isEmpty ? [] : [(range, open + text + close)]
    }
}
