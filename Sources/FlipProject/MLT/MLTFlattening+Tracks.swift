import FlipBase

/// What tracks show over each other, or what is heard of them together.
extension MLTFlattening {
    /// A transition of a tractor, with its frames counted as the tractor's.
    struct Transition {
        let node: MLTNode
        let service: String
        let tracks: (a: Int, b: Int)
        let frames: Range<Int>
        /// Whether it leads from one clip to the next.
        var isMix: Bool { service == "luma" || service == "frei0r.fliptransition" }
    }

    private func transitions(of node: MLTNode) throws(MediaError) -> [Transition] {
        var result: [Transition] = []
        for child in node.children where child.name == "transition" && !child.flag("disable") {
            let (first, last) = (try time("in", of: child) ?? 0, try time("out", of: child) ?? 0)
            let isEndless = child.flag("always_active") || first == 0 && last == 0
            result.append(
                Transition(
                    node: child, service: child.service,
                    tracks: (try time("a_track", of: child) ?? 0, try time("b_track", of: child) ?? 1),
                    frames: isEndless ? Int.min..<Int.max : first..<max(last + 1, first)))
        }
        return result
    }

    func tractor(_ node: MLTNode, _ frames: Range<Int>, depth: Int) throws(MediaError) -> MLTLane {
        var lanes: [MLTLane] = []
        for track in tracks(of: node) {
            let hide = track.attributes["hide"] ?? ""
            guard hide != aspect.hidden, hide != "both", let service = service(of: track) else {
                lanes.append(MLTLane(.nothing, count: frames.count))
                continue
            }
            let cut = try cut(of: track, service, depth: depth)
            let shown = frames.clamped(to: 0..<cut.count)
            var lane = MLTLane(.nothing, count: shown.isEmpty ? frames.count : shown.lowerBound - frames.lowerBound)
            if !shown.isEmpty {
                let own = shown.lowerBound + cut.lowerBound..<shown.upperBound + cut.lowerBound
                lane.append(try self.lane(of: service, own, depth: depth + 1))
            }
            lane.append(.nothing, count: frames.count - lane.count)
            lane = try filtered(lane, by: track, from: frames.lowerBound)
            lanes.append(lane)
        }
        let transitions = try transitions(of: node)
        let ends = transitions.flatMap { [$0.frames.lowerBound, $0.frames.upperBound] }
            .filter { frames.contains($0) }.map { $0 - frames.lowerBound }
        let edges = Set(lanes.flatMap(\.edges) + ends + [0, frames.count]).filter { 0...frames.count ~= $0 }.sorted()
        try spend(edges.count * max(lanes.count, 1), on: node)
        var result = MLTLane()
        for (start, end) in zip(edges, edges.dropFirst()) {
            let contents = lanes.map { $0.content(at: start) }
            let place = frames.lowerBound + start
            let active = transitions.filter { $0.frames.contains(place) }
            result.append(
                aspect == .picture ? picture(contents, active, at: place) : sound(contents, active), count: end - start)
        }
        return result
    }

    private func sound(_ tracks: [MLTContent], _ transitions: [Transition]) -> MLTContent {
        let heard = tracks.indices.filter { !tracks[$0].isNothing }
        guard let only = heard.first else { return .nothing }
        if heard.count > 1 { return .other("\(heard.count) sounds at a time") }
        for transition in transitions where transition.service == "mix" {
            guard transition.tracks.a == only || transition.tracks.b == only else { continue }
            let adds = transition.node.flag("sum") && transition.node["start"] == nil
            if !adds { return .other("transition mix") }
        }
        return tracks[only]
    }

    private func picture(_ tracks: [MLTContent], _ transitions: [Transition], at place: Int) -> MLTContent {
        guard let top = tracks.lastIndex(where: { !$0.isNothing }) else { return .nothing }
        for transition in transitions where transition.service != "mix" {
            let (a, b) = transition.tracks
            guard tracks.indices.contains(b), !tracks[b].isNothing else { continue }
            // Transitions take place where both of their tracks show something.
            if tracks.indices.contains(a), tracks[a].isNothing, transition.isMix { continue }
            if Self.isPlainComposite(transition.node) { continue }
            if max(a, b) == top, tracks.indices.contains(a), transitions.filter({ $0.service != "mix" }).count == 1,
                tracks.indices.allSatisfy({ $0 == a || $0 == b || tracks[$0].isNothing }),
                let mix = mix(transition, from: tracks[a], to: tracks[b], at: place)
            {
                return .mix(mix)
            }
            return .other("transition \(transition.service)")
        }
        // Nothing shows through to it, or melt has to say what does.
        if case .clear = tracks[top], tracks.contains(where: { if case .clear = $0 { false } else { !$0.isNothing } }) {
            return .other("a transparent color")
        }
        return tracks[top]
    }

    /// Whether the transition lays the whole of one picture over another and changes nothing.
    private static func isPlainComposite(_ node: MLTNode) -> Bool {
        guard MLTServices.compositing.contains(node.service), node.service != "composite", node.service != "affine"
        else {
            return false
        }
        return node.properties.allSatisfy { name, value in
            if name.hasPrefix("kdenlive:") || name.hasPrefix("shotcut:") { return true }
            switch name {
            case "compositing", "distort", "rotate_center": return value == "0" || name == "rotate_center"
            case "0" where node.service == "frei0r.cairoblend": return value == "1"
            case "1" where node.service == "frei0r.cairoblend": return value == "normal"
            default: return neutralProperties.contains(name)
            }
        }
    }

    static let neutralProperties: Set<String> = [
        "a_track", "b_track", "always_active", "disable", "factory", "id", "in", "internal_added", "kdenlive_id",
        "mlt_service",
        "out", "threads", "version",
    ]
}
