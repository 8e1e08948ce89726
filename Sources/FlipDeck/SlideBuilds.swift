import FlipBase

/// Reads the effects of a PowerPoint slide (ECMA-376 19.5): those of its main sequence, by clicks.
struct SlideBuilds {
    private(set) var builds = Builds()
    private let tree: MarkupTree
    /// The clicks that last take a part from a chart or diagram, by its target.
    private var lastParts: [Builds.Target: Int] = [:]

    /// - Returns: nil if the slide has no effects.
    static func read(_ tree: MarkupTree) -> Builds? {
        guard let timing = tree.all("timing").first else { return nil }
        var reader = SlideBuilds(tree: tree)
        for sequence in tree.all("cTn", in: timing) {
            switch tree.attribute("nodeType", of: sequence) {
            case "mainSeq": reader.read(main: sequence)
            case "interactiveSeq" where reader.hasEffects(sequence): reader.builds.losses.insert(.triggers)
            default: break
            }
        }
        reader.readRecording()
        let isEmpty = reader.builds.clicks.joined().isEmpty && reader.builds.losses.isEmpty
        return isEmpty ? nil : reader.builds
    }

    private init(tree: MarkupTree) { self.tree = tree }

    /// The classes of effects that change what is seen. Others play films or sounds.
    private static let classes: Set<String> = ["entr", "exit", "emph", "path"]

    private func hasEffects(_ index: Int) -> Bool {
        tree.all("cTn", in: index).contains {
            tree.attribute("presetClass", of: $0).map(Self.classes.contains) ?? false
        }
    }

    /// Reads the main sequence: each of its groups waits for a click, unless it begins with the sequence.
    private mutating func read(main sequence: Int) {
        guard let list = tree.child("childTnLst", of: sequence) else { return }
        var next = Builds.Moments()
        for group in tree.children("par", of: list) {
            guard let node = tree.child("cTn", of: group) else { continue }
            if waits(node) { builds.click() }
            var moments = next
            next = Builds.Moments()
            for effect in effects(in: node) { read(effect: effect, of: node, &moments, next: &next) }
            builds.add(moments)
        }
        for (target, click) in lastParts { builds.clicks[click].append(Builds.Effect(target: target, change: .hide)) }
    }

    /// Whether a group of the main sequence begins with a click rather than with the sequence (19.5.25).
    private func waits(_ node: Int) -> Bool {
        let conditions = tree.child("stCondLst", of: node).map { tree.children("cond", of: $0) } ?? []
        return !conditions.contains { tree.attribute("evt", of: $0) == "onBegin" }
            && conditions.contains { tree.attribute("delay", of: $0) == "indefinite" }
    }

    /// The nodes of single effects within a group: the innermost that say what they are.
    private func effects(in group: Int) -> [Int] {
        let named = tree.all("cTn", in: group).filter { tree.attribute("presetClass", of: $0) != nil }
        return named.isEmpty ? [group] : named
    }

    /// Reads an effect of a group.
    /// - Parameter next: gets what happens with the next click.
    private mutating func read(
        effect: Int, of group: Int, _ moments: inout Builds.Moments, next: inout Builds.Moments
    ) {
        let kind = tree.attribute("presetClass", of: effect)
        if kind == "path" { builds.losses.insert(.paths) }
        if kind == "mediacall",
            let shape = tree.all("spTgt", in: effect).first.flatMap({ tree.attribute("spid", of: $0) })
        {
            builds.started[shape] = builds.started[shape] ?? builds.clicks.count - 1
        }
        var isShown = false
        for behavior in tree.all("cBhvr", in: effect) {
            let (targets, isPart) = targets(of: behavior)
            guard !targets.isEmpty, let change = change(behavior) else { continue }
            let node = tree.child("cTn", of: behavior)
            if isPart, change != .show {
                if change == .hide, kind == "exit" { lastParts[targets[0]] = builds.clicks.count - 1 }
                continue
            }
            isShown = true
            let time = node.map { delay(of: $0, in: group) } ?? 0
            switch node.flatMap({ tree.attribute("masterRel", of: $0) }) {
            case "nextClick": next.add(targets, change, at: -1)
            case "sameClick", "lastClick": moments.add(targets, change, at: .infinity)
            default:
                moments.add(targets, change, at: time)
                if change == .show, !lasts(node) { moments.add(targets, .hide, at: time + duration(of: node)) }
            }
        }
        if kind == "emph", !isShown { builds.losses.insert(.emphasis) }
    }

    /// How long after the beginning of `group` a node within it begins, in milliseconds.
    private func delay(of node: Int, in group: Int) -> Double {
        var (sum, place) = (0.0, node)
        while place != group {
            if tree[place].local == "cTn", let list = tree.child("stCondLst", of: place) {
                let delays = tree.children("cond", of: list).compactMap { tree.attribute("delay", of: $0) }
                sum += delays.lazy.compactMap { Double($0) }.first ?? 0
            }
            guard let parent = tree[place].parent else { break }
            place = parent
        }
        return sum
    }

    private func duration(of node: Int?) -> Double {
        node.flatMap { tree.attribute("dur", of: $0) }.flatMap { Double($0) } ?? 0
    }

    /// Whether what a node sets stays when the node's time is over (19.7.29).
    private func lasts(_ node: Int?) -> Bool {
        guard let node else { return false }
        return ["hold", "freeze"].contains(tree.attribute("fill", of: node))
            || tree.attribute("dur", of: node) == "indefinite"
    }

    /// What a behavior changes for good; nil if that is nothing that a picture shows.
    private func change(_ behavior: Int) -> Builds.Change? {
        guard let parent = tree[behavior].parent, ["set", "animClr"].contains(tree[parent].local),
            let list = tree.child("attrNameLst", of: behavior),
            let name = tree.children("attrName", of: list).first.map({ content(of: $0) }),
            let value = tree.child("to", of: parent).flatMap({ tree[$0].children.first })
        else { return nil }
        let node = tree.child("cTn", of: behavior)
        let text = tree.attribute("val", of: value) ?? ""
        if name == "style.visibility" {
            if text == "hidden" { return lasts(node) ? .hide : nil }
            return text == "visible" ? .show : nil
        }
        let isTurnedBack = node.flatMap { tree.attribute("autoRev", of: $0) } == "1"
        guard lasts(node), !isTurnedBack else { return nil }
        switch name {
        case "style.color", "fillcolor", "stroke.color", "ppt_c":
            // A color, or the value that holds one.
            let color = tree[value].local == "clrVal" ? tree[value].children.first : value
            return color.map { .look(name, tree.text(tree[$0].range)) }
        case "style.fontWeight", "style.fontStyle", "style.textDecorationUnderline": return .look(name, text)
        default: return nil
        }
    }

    private func content(of index: Int) -> String {
        let (head, range) = (tree[index].head, tree[index].range)
        let inner = tree.text(head.upperBound..<max(head.upperBound, range.upperBound))
        return inner.prefix { $0 != "<" }.trimmingCharacters(in: .whitespaces)
    }

    /// What a behavior concerns (19.5.72), nothing for sounds and for the slide itself; and whether it is a part of something
    /// of which no parts can be shown.
    private mutating func targets(of behavior: Int) -> (targets: [Builds.Target], isPart: Bool) {
        guard let shape = tree.child("tgtEl", "spTgt", of: behavior), let id = tree.attribute("spid", of: shape) else {
            return ([], false)
        }
        guard let part = tree[shape].children.first else { return ([Builds.Target(shape: id)], false) }
        switch tree[part].local {
        case "bg": return ([Builds.Target(shape: id, part: .background)], false)
        case "txEl":
            guard let range = tree[part].children.first else {
                return ([Builds.Target(shape: id, part: .text)], false)
            }
            guard tree[range].local == "pRg", let first = tree.attribute("st", of: range).flatMap(Int.init),
                let last = tree.attribute("end", of: range).flatMap(Int.init), first >= 0, last >= first,
                last - first < Self.mostParagraphs
            else { return ([], false) }
            return ((first...last).map { Builds.Target(shape: id, part: .paragraph($0)) }, false)
        default:
            // Of charts and diagrams, the first part brings all, and the last takes all away.
            builds.losses.insert(.parts)
            return ([Builds.Target(shape: id)], true)
        }
    }

    /// The maximum number of paragraphs that an effect concerns.
    private static let mostParagraphs = 1000

    /// Reads when the clicks were recorded (MS-PPTX 2.3.3.31), in milliseconds.
    private mutating func readRecording() {
        let events = tree.all("triggerEvt").filter {
            ["onClick", "onNext"].contains(tree.attribute("type", of: $0))
        }
        builds.recorded = events.prefix(builds.clicks.count - 1).compactMap { event in
            guard
                let time = tree.attribute("time", of: event).flatMap({ Double($0.prefix { $0.isNumber || $0 == "." }) }
                ),
                time >= 0, time <= 86_400_000
            else { return nil }
            return Rational(Int(time.rounded()), 1000)
        }
    }
}
