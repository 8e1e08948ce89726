import FlipBase

/// Reads the effects of the pages of an OpenDocument presentation (ODF 1.2 part 1, 15.36 and 19.364, with SMIL 2.0): those of
/// the main sequence, by clicks.
enum OpenBuilds {
    /// - Returns: nil if the page has no effects.
    static func read(_ tree: MarkupTree, page: Int) -> Builds? {
        var builds = Builds()
        for node in tree.all("seq", in: page) {
            switch tree.attribute(local: "node-type", of: node) {
            case "main-sequence": read(tree, main: node, &builds)
            case "interactive-sequence" where hasEffects(tree, node): builds.losses.insert(.triggers)
            default: break
            }
        }
        for node in tree.all("par", in: page) {
            switch tree.attribute(local: "preset-class", of: node) {
            case "motion-path": builds.losses.insert(.paths)
            case "emphasis": builds.losses.insert(.emphasis)
            default: break
            }
        }
        return builds.clicks.joined().isEmpty && builds.losses.isEmpty ? nil : builds
    }

    private static func hasEffects(_ tree: MarkupTree, _ node: Int) -> Bool {
        tree.all("par", in: node).contains { effect in
            tree.attribute(local: "preset-class", of: effect).map(ODPDeck.effectClasses.contains) ?? false
        }
    }

    private static func read(_ tree: MarkupTree, main sequence: Int, _ builds: inout Builds) {
        for group in tree.children("par", of: sequence) {
            // LibreOffice writes "next", others as PowerPoint does.
            if ["next", "indefinite"].contains(tree.attribute(local: "begin", of: group)) { builds.click() }
            var moments = Builds.Moments()
            for node in tree.all("set", in: group)
            where tree.attribute(local: "attributeName", of: node) == "visibility" {
                guard let target = target(tree, node) else { continue }
                let (isLasting, time) = (lasts(tree, node), delay(tree, node, in: group))
                switch tree.attribute(local: "to", of: node) {
                case "visible":
                    moments.add([target], .show, at: time)
                    let length = seconds(tree.attribute(local: "dur", of: node))
                    if !isLasting { moments.add([target], .hide, at: time + length) }
                case "hidden" where isLasting: moments.add([target], .hide, at: time)
                default: break
                }
            }
            builds.add(moments)
        }
    }

    /// How long after the beginning of `group` a node within it begins, in seconds.
    private static func delay(_ tree: MarkupTree, _ node: Int, in group: Int) -> Double {
        var (sum, place) = (0.0, node)
        while place != group, let parent = tree[place].parent {
            sum += seconds(tree.attribute(local: "begin", of: place))
            place = parent
        }
        return sum
    }

    private static func seconds(_ text: String?) -> Double { text.flatMap { Double($0.prefix { $0 != "s" }) } ?? 0 }

    /// Whether what a node sets stays when the node's time is over.
    private static func lasts(_ tree: MarkupTree, _ node: Int) -> Bool {
        switch tree.attribute(local: "fill", of: node) {
        case "hold", "freeze": true
        case "remove": false
        default: tree.attribute(local: "dur", of: node).map { $0 == "indefinite" } ?? true
        }
    }

    /// What a node concerns, which it may leave to the nodes around it.
    private static func target(_ tree: MarkupTree, _ node: Int) -> Builds.Target? {
        var place: Int? = node
        while let index = place {
            if let id = tree.attribute(local: "targetElement", of: index) {
                let parts: [String: Builds.Target.Part] = ["text": .text, "background": .background]
                let part = tree.attribute(local: "sub-item", of: index).flatMap { parts[$0] }
                return Builds.Target(shape: id, part: part ?? .whole)
            }
            place = tree[index].parent
        }
        return nil
    }
}
