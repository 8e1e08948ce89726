import FlipBase

/// Writes a PowerPoint slide as it looks at one of its steps, for LibreOffice to draw: without the shapes that aren't there yet,
/// and with the paragraphs that aren't there yet in their places, but transparent.
struct SlidePicture {
    private let tree: MarkupTree
    /// The elements of shapes by their IDs. Newer and older forms of a shape have the same.
    private var shapes: [String: [Int]] = [:]
    /// The prefix of DrawingML's elements.
    private let drawing: String

    private typealias Edit = (range: Range<Int>, text: String)

    init(_ tree: MarkupTree) {
        self.tree = tree
        drawing = (tree.all("bodyPr") + tree.all("off")).first.map { String(tree[$0].prefix) } ?? "a:"
        for properties in tree.all("cNvPr") {
            guard let id = tree.attribute("id", of: properties), let head = tree[properties].parent,
                let shape = tree[head].parent
            else { continue }
            shapes[id, default: []].append(shape)
        }
    }

    /// The slide in `state`, without its effects.
    /// - Parameter number: what fields with the slide's number show; nil leaves them as they are.
    func text(_ state: Builds.State, number: Int?) -> String {
        var edits: [Edit] = tree.all("timing").map { (tree[$0].range, "") }
        var runs: [Int: RunLook] = [:]
        for target in state.hidden {
            for shape in shapes[target.shape] ?? [] {
                switch target.part {
                case .whole: edits.append((whole(shape), ""))
                case .background: edits += bare(shape)
                case .text, .paragraph: for place in paragraphs(of: shape, target.part) { runs[place] = .hidden }
                }
            }
        }
        for (target, looks) in state.looks {
            for shape in shapes[target.shape] ?? [] {
                let places = paragraphs(of: shape, target.part)
                for place in places where runs[place] != .hidden {
                    runs[place] = (runs[place] ?? RunLook()).with(looks)
                }
                if target.part == .whole || target.part == .background {
                    edits += painted(shape, looks, places.isEmpty)
                }
            }
        }
        for (place, look) in runs { edits += changed(paragraph: place, look) }
        if let number { edits += numbered(number) }
        return tree.replacing(edits)
    }

    /// The slide as it is, but for what fields with the slide's number show; nil if it has none.
    func text(number: Int) -> String? {
        let edits = numbered(number)
        return edits.isEmpty ? nil : tree.replacing(edits)
    }

    // MARK: Shapes

    /// The range of a shape, with the alternatives that it is one of (ECMA-376-3, 9.2).
    private func whole(_ shape: Int) -> Range<Int> {
        if let choice = tree[shape].parent, ["Choice", "Fallback"].contains(tree[choice].local),
            let alternatives = tree[choice].parent
        {
            return tree[alternatives].range
        }
        return tree[shape].range
    }

    private static let fills: Set<Substring> = ["noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill"]
    private static let surfaces: Set<Substring> = fills.union(["ln", "effectLst", "effectDag", "scene3d", "sp3d"])

    /// Takes the fill, the outline and the shadow from a shape.
    private func bare(_ shape: Int) -> [Edit] {
        guard let properties = tree.child("spPr", of: shape) else { return [] }
        let nothing = "<\(drawing)noFill/><\(drawing)ln><\(drawing)noFill/></\(drawing)ln><\(drawing)effectLst/>"
        return [rebuilt(properties, without: Self.surfaces, nothing, after: ["xfrm", "custGeom", "prstGeom"])]
    }

    /// Gives a shape the colors that effects of emphasis have given it.
    /// - Parameter isPlain: whether it has no text, so that what dims it dims its fill.
    private func painted(_ shape: Int, _ looks: [String: String], _ isPlain: Bool) -> [Edit] {
        guard let properties = tree.child("spPr", of: shape) else { return [] }
        var (without, added): (Set<Substring>, String) = ([], "")
        if let color = looks["fillcolor"] ?? (isPlain ? looks["ppt_c"] : nil) {
            without = Self.fills
            added += filled(color)
        }
        if let color = looks["stroke.color"] {
            let line = tree.child("ln", of: properties)
            let whole = line.map { rebuilt($0, without: Self.fills, filled(color), after: []).text }
            if without.isEmpty {
                // The fill stays before the outline.
                added = (tree[properties].children.filter { Self.fills.contains(tree[$0].local) }).map(own).joined()
                without = Self.fills
            }
            without.insert("ln")
            added += whole ?? "<\(drawing)ln>\(filled(color))</\(drawing)ln>"
        }
        return added.isEmpty
            ? [] : [rebuilt(properties, without: without, added, after: ["xfrm", "custGeom", "prstGeom"])]
    }

    private func filled(_ color: String) -> String { "<\(drawing)solidFill>\(color)</\(drawing)solidFill>" }

    private func own(_ index: Int) -> String { tree.text(tree[index].range) }

    /// An element without some of its children, and with `added` after those named `after`, which come first.
    private func rebuilt(_ index: Int, without: Set<Substring>, _ added: String, after: Set<Substring>) -> Edit {
        let kept = tree[index].children.filter { !without.contains(tree[$0].local) }
        let first = kept.filter { after.contains(tree[$0].local) }.map(own).joined()
        let rest = kept.filter { !after.contains(tree[$0].local) }.map(own).joined()
        return (tree[index].range, element(index, first + added + rest))
    }

    /// The element with other contents and, as far as they are given, other attributes.
    private func element(
        _ index: Int, _ content: String, without dropped: Set<String> = [], _ set: [(String, String)] = []
    ) -> String {
        let kept = tree.attributes(of: index).filter { own in
            !dropped.contains(own.name) && !set.contains { $0.0 == own.name }
        }
        let words = (kept.map { ($0.name, $0.value) } + set).map { name, value in
            " \(name)=\"\(value.replacing("\"", with: "&quot;"))\""
        }
        return "<\(tree[index].name)\(words.joined())>\(content)</\(tree[index].name)>"
    }

    // MARK: Text

    /// The paragraphs of a shape's text that `part` names.
    private func paragraphs(of shape: Int, _ part: Builds.Target.Part) -> [Int] {
        guard part != .background, let body = tree.child("txBody", of: shape) else { return [] }
        let all = tree.children("p", of: body)
        guard case .paragraph(let number) = part else { return all }
        return number < all.count ? [all[number]] : []
    }

    /// Gives the runs of a paragraph another look. A bullet follows the first of them.
    private func changed(paragraph: Int, _ look: RunLook) -> [Edit] {
        var edits: [Edit] = []
        for run in tree[paragraph].children {
            switch tree[run].local {
            case "r", "fld": edits += changed(run: run, look)
            // Formulas have colors of their own.
            case "AlternateContent", "m": if look.isHidden { edits.append((tree[run].range, "")) }
            default: break
            }
        }
        if look.isHidden { edits += [withoutBullet(paragraph)].compactMap(\.self) }
        return edits
    }

    private static let bulletColors: Set<Substring> = ["buClr", "buClrTx"]

    /// A paragraph's bullet with the color of its text; a picture becomes a space.
    private func withoutBullet(_ paragraph: Int) -> Edit? {
        let follows = "<\(drawing)buClrTx/>"
        guard let properties = tree.child("pPr", of: paragraph) else {
            guard !tree[paragraph].isEmpty else { return nil }
            let place = tree[paragraph].head.upperBound
            return (place..<place, "<\(drawing)pPr>\(follows)</\(drawing)pPr>")
        }
        var edit = rebuilt(
            properties, without: Self.bulletColors.union(["buBlip"]), follows, after: ["lnSpc", "spcBef", "spcAft"])
        if tree.child("buBlip", of: properties) != nil, let end = edit.text.range(of: "</", options: .backwards) {
            edit.text.insert(contentsOf: "<\(drawing)buChar char=\"\u{a0}\"/>", at: end.lowerBound)
        }
        return edit
    }

    private static let hiddenKept: Set<Substring> = ["latin", "ea", "cs", "sym", "rtl"]

    private func changed(run: Int, _ look: RunLook) -> [Edit] {
        if tree[run].isEmpty { return [] }
        let properties = tree.child("rPr", of: run)
        let children = properties.map { tree[$0].children } ?? []
        var content: String
        if look.isHidden {
            // Not white, which LibreOffice takes for no color if it is transparent.
            let kept = children.filter { Self.hiddenKept.contains(tree[$0].local) }.map(own).joined()
            content =
                filled("<\(drawing)srgbClr val=\"000000\"><\(drawing)alpha val=\"0\"/></\(drawing)srgbClr>") + kept
        } else if let color = look.color {
            let rest = children.filter { !Self.fills.contains(tree[$0].local) }
            let lines = rest.filter { tree[$0].local == "ln" }.map(own).joined()
            content = lines + filled(color) + rest.filter { tree[$0].local != "ln" }.map(own).joined()
        } else {
            content = children.map(own).joined()
        }
        if let properties {
            let dropped: Set<String> = look.isHidden ? ["u", "strike"] : []
            return [(tree[properties].range, element(properties, content, without: dropped, look.attributes))]
        }
        let words = look.attributes.map { " \($0)=\"\($1)\"" }.joined()
        let place = tree[run].head.upperBound
        return [(place..<place, "<\(drawing)rPr\(words)>\(content)</\(drawing)rPr>")]
    }

    // MARK: Numbers

    /// Turns fields with the slide's number into text, since LibreOffice numbers the pages of the copy.
    private func numbered(_ number: Int) -> [Edit] {
        tree.all("fld").filter { tree.attribute("type", of: $0) == "slidenum" && !tree[$0].isEmpty }.flatMap { field in
            let prefix = tree[field].prefix
            var edits: [Edit] = [
                (tree[field].head, "<\(prefix)r>"),
                (tree.closeTag(of: field)..<tree[field].range.upperBound, "</\(prefix)r>"),
            ]
            // A field has properties of a paragraph, and a run has none.
            for child in tree[field].children where tree[child].local != "rPr" {
                edits.append((tree[child].range, tree[child].local == "t" ? "<\(prefix)t>\(number)</\(prefix)t>" : ""))
            }
            return edits
        }
    }
}

/// What effects do to the look of text.
private struct RunLook: Equatable {
    var isHidden = false
    /// A color as DrawingML has it.
    var color: String?
    /// The attributes of runs that are set.
    var marks: [String: String] = [:]

    static let hidden = RunLook(isHidden: true)

    var attributes: [(String, String)] { marks.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// The look with the properties that effects have set.
    func with(_ looks: [String: String]) -> RunLook {
        var look = self
        look.color = looks["style.color"] ?? looks["ppt_c"] ?? color
        for (name, attribute, on, off) in [
            ("style.fontWeight", "b", "1", "0"), ("style.fontStyle", "i", "1", "0"),
            ("style.textDecorationUnderline", "u", "sng", "none"),
        ] {
            guard let value = looks[name] else { continue }
            look.marks[attribute] = ["normal", "false", "none"].contains(value) ? off : on
        }
        return look
    }
}
