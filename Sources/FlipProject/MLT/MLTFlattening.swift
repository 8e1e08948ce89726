import FlipBase
import FlipMedia

/// Finds out what is seen, or what is heard, in each frame of a project. Whatever isn't certain is left to melt.
struct MLTFlattening {
    /// What is asked for: pictures or sound.
    enum Aspect {
        case picture
        case sound

        /// The value of `hide` with which a track has no part in it.
        var hidden: String { self == .picture ? "video" : "audio" }

        func isChanged(by service: String) -> Bool {
            self == .picture ? MLTServices.changesPicture(service) : MLTServices.changesSound(service)
        }
    }

    let aspect: Aspect
    let rate: Rational
    let media: MLTMedia
    /// The services of the document by their IDs.
    let services: [String: MLTNode]
    /// How many more spans may be looked at: documents can name one playlist any number of times in another.
    private let budget: Budget

    private final class Budget { var left = 500_000 }

    init(_ aspect: Aspect, _ document: MLTNode, rate: Rational, media: MLTMedia) {
        (self.aspect, self.rate, self.media) = (aspect, rate, media)
        budget = Budget()
        var services: [String: MLTNode] = [:]
        Self.collect(document, &services)
        self.services = services
    }

    private static let kinds: Set<String> = ["producer", "chain", "playlist", "tractor", "multitrack"]

    private static func collect(_ node: MLTNode, _ services: inout [String: MLTNode]) {
        for child in node.children {
            if let id = child.id, kinds.contains(child.name) { services[id] = child }
            collect(child, &services)
        }
    }

    func spend(_ count: Int, on node: MLTNode) throws(MediaError) {
        budget.left -= count + 1
        if budget.left < 0 { throw node.error("the project repeats its parts too often") }
    }

    // MARK: Times

    /// A time of `node`, in frames; nil if it isn't set.
    func time(_ name: String, of node: MLTNode) throws(MediaError) -> Int? {
        guard let text = node.value(name), !text.isEmpty else { return nil }
        guard let frames = MLTTime.frames(text, rate: rate) else {
            throw node.error("\(node.title) has no usable \(name) ('\(text.prefix(40))')")
        }
        return frames
    }

    /// The frames of a service that are shown where nobody asks for others.
    func extent(of node: MLTNode, depth: Int = 0) throws(MediaError) -> Range<Int> {
        try spend(1, on: node)
        guard depth < 64 else { throw node.error("the project is nested more than 64 deep") }
        let start = max(try time("in", of: node) ?? 0, 0)
        if let out = try time("out", of: node), out >= start { return start..<out + 1 }
        switch node.name {
        case "playlist":
            var count = 0
            for child in node.children { count += try length(of: child, depth: depth) }
            return start..<max(count, start)
        case "tractor", "multitrack":
            var end = start
            for track in tracks(of: node) {
                if let service = service(of: track) {
                    end = max(end, try cut(of: track, service, depth: depth).count)
                }
            }
            return start..<end
        default:
            if let length = try time("length", of: node), length > 0 { return start..<max(length, start) }
            if MLTServices.filmProducers.contains(node.service), let path = node["resource"] {
                return start..<max(try media.length(path), start)
            }
            return start..<max(15_000, start)
        }
    }

    /// The frames of the whole project. Kdenlive's reach to the end of what is on its tracks; its background is 20 minutes longer.
    func shownExtent(of main: MLTNode) throws(MediaError) -> Range<Int> {
        let whole = try extent(of: main)
        guard services["black_track"] != nil, services["main_bin"] != nil, main.name == "tractor" else { return whole }
        var end = 0
        for track in tracks(of: main) where track.attributes["producer"] != "black_track" {
            if let service = service(of: track) { end = max(end, try contentEnd(of: service)) }
        }
        return end == 0 ? whole : whole.clamped(to: whole.lowerBound..<max(end, whole.lowerBound + 1))
    }

    /// The end of the contents of a track, which may itself consist of tracks that state none.
    private func contentEnd(of node: MLTNode, depth: Int = 0) throws(MediaError) -> Int {
        guard node.name == "tractor", depth < 64 else { return try extent(of: node).upperBound }
        var end = 0
        for track in tracks(of: node) where track.attributes["producer"] != "black_track" {
            if let service = service(of: track) { end = max(end, try contentEnd(of: service, depth: depth + 1)) }
        }
        return end
    }

    /// The number of frames that a child of a playlist takes.
    private func length(of child: MLTNode, depth: Int) throws(MediaError) -> Int {
        switch child.name {
        case "blank": return max(try time("length", of: child) ?? 0, 0)
        case "entry": return try used(by: child, depth: depth).count * (try repeats(child))
        default: return 0
        }
    }

    private func repeats(_ entry: MLTNode) throws(MediaError) -> Int {
        min(max(try time("repeat", of: entry) ?? 1, 1), 10_000)
    }

    /// The frames of its producer that an entry shows.
    private func used(by entry: MLTNode, depth: Int) throws(MediaError) -> Range<Int> {
        guard let service = service(of: entry) else { return 0..<0 }
        let start = try time("in", of: entry)
        let out = try time("out", of: entry)
        if let start, let out { return max(start, 0)..<max(out + 1, start, 0) }
        let whole = try extent(of: service, depth: depth + 1)
        let first = max(start ?? whole.lowerBound, 0)
        return first..<max(out.map { $0 + 1 } ?? whole.upperBound, first)
    }

    /// The frames of `service` that a track shows from its own beginning on: those that it names, or all from the first on.
    func cut(of track: MLTNode, _ service: MLTNode, depth: Int) throws(MediaError) -> Range<Int> {
        if track.name == "track", track.attributes["in"] != nil || track.attributes["out"] != nil {
            return try used(by: track, depth: depth)
        }
        return 0..<max(try extent(of: service, depth: depth + 1).upperBound, 0)
    }

    /// The service that an entry or a track shows, named or in it.
    func service(of node: MLTNode) -> MLTNode? {
        if Self.kinds.contains(node.name) { return node }
        if let name = node.attributes["producer"] { return services[name] }
        return node.children.first { Self.kinds.contains($0.name) }
    }

    func tracks(of node: MLTNode) -> [MLTNode] {
        let inner = node.children("multitrack").first
        let all = (inner ?? node).children
        return all.filter {
            $0.name == "track" || (inner != nil || node.name == "multitrack") && Self.kinds.contains($0.name)
        }
    }

    // MARK: Lanes

    /// What is seen or heard of a service in `frames`, counted as its own.
    func lane(of node: MLTNode, _ frames: Range<Int>, depth: Int = 0) throws(MediaError) -> MLTLane {
        guard depth < 64 else { throw node.error("the project is nested more than 64 deep") }
        var lane: MLTLane
        switch node.name {
        case "playlist": lane = try playlist(node, depth: depth).slice(frames)
        case "tractor", "multitrack": lane = try tractor(node, frames, depth: depth)
        default: lane = MLTLane(try producer(node, frames), count: frames.count)
        }
        if node.name == "playlist" || node.name == "tractor", (try time("in", of: node) ?? 0) > 0, depth > 0 {
            lane = lane.changing(in: 0..<lane.count) {
                $0.isNothing ? $0 : .other("\(node.title) begins within itself")
            }
        }
        try spend(lane.spans.count, on: node)
        return try filtered(lane, by: node, from: frames.lowerBound)
    }

    private func playlist(_ node: MLTNode, depth: Int) throws(MediaError) -> MLTLane {
        var lane = MLTLane()
        for child in node.children {
            switch child.name {
            case "blank": lane.append(.nothing, count: max(try time("length", of: child) ?? 0, 0))
            case "entry":
                let frames = try used(by: child, depth: depth)
                guard let service = service(of: child), !frames.isEmpty else { continue }
                let part = try filtered(
                    try self.lane(of: service, frames, depth: depth + 1), by: child, from: frames.lowerBound)
                for _ in 0..<(try repeats(child)) {
                    try spend(part.spans.count, on: child)
                    lane.append(part)
                }
            default: break
            }
            guard lane.count <= MLTTime.limit else { throw node.error("\(node.title) is too long") }
        }
        return lane
    }

    /// The lane under the filters of `node`.
    /// - Parameter start: the frame of `node` with which the lane begins.
    func filtered(_ lane: MLTLane, by node: MLTNode, from start: Int) throws(MediaError) -> MLTLane {
        var lane = lane
        for filter in node.children where ["filter", "link"].contains(filter.name) && !filter.flag("disable") {
            let service = filter.service
            guard filter.name == "link" || aspect.isChanged(by: service), !Self.isIdle(filter) else { continue }
            let (first, last) = (try time("in", of: filter) ?? 0, try time("out", of: filter) ?? 0)
            let active =
                first == 0 && last == 0 ? start..<start + lane.count : first..<(last == 0 ? .max : max(last + 1, first))
            let own =
                max(active.lowerBound - start, 0)..<max(active.upperBound.minus(start), active.lowerBound - start, 0)
            lane = lane.changing(in: own) { $0.isNothing ? $0 : .other("filter \(service)") }
        }
        return lane
    }

    /// Whether the filter's settings leave everything as it is.
    private static func isIdle(_ filter: MLTNode) -> Bool {
        guard filter.service == "volume", filter["normalise"] == nil else { return false }
        let level = filter["level"].flatMap { Double($0) }
        let gain = filter["gain"].flatMap { Double($0) }
        return (level == 0 && gain == nil) || (gain == 1 && level == nil)
    }
}
