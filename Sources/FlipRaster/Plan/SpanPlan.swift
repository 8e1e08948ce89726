import FlipGeometry

/// Which panels are seen where: the frame cut along the motion axis into spans, each with one stack of panels. The
/// same for all planes, and printable.
struct SpanPlan: CustomStringConvertible {
    /// An interval along the motion axis in which the same panels lie over each other.
    struct Span {
        let lower: Double
        let upper: Double
        /// Indices into `projections`, nearest first; nothing lies behind one that covers the breadth.
        let layers: [Int]
        /// Whether the background can be seen behind the last layer.
        let showsBackground: Bool

        fileprivate func hasSameStack(as other: Span) -> Bool {
            layers == other.layers && showsBackground == other.showsBackground
        }
    }

    let projections: [Projection]
    /// Painted over the background.
    let softShadow: SoftShadow?
    private(set) var spans: [Span] = []

    /// Intervals narrower than this, in luma pixels, are not seen.
    private static let narrowest = 1e-9

    init(_ scene: Scene) {
        softShadow = scene.softShadow
        projections = scene.panels.map { Projection($0, scene: scene) }
        var cuts = [0, scene.length]
        for projection in projections where SpanPlan.isSeen(projection) {
            cuts += [projection.lower, projection.upper]
        }
        cuts.sort()
        for (lower, upper) in zip(cuts, cuts.dropFirst()) where upper - lower > SpanPlan.narrowest {
            append(stack(lower, upper))
        }
    }

    /// Whether a panel is wide enough to make cuts; one that is not must not be found between others' cuts either.
    private static func isSeen(_ projection: Projection) -> Bool { projection.upper - projection.lower > narrowest }

    /// The panels seen between two neighbouring cuts. Panels don't pass through each other, so their order is the
    /// same all over the interval.
    private func stack(_ lower: Double, _ upper: Double) -> Span {
        let middle = (lower + upper) / 2
        let present = projections.indices.filter {
            SpanPlan.isSeen(projections[$0]) && projections[$0].lower < middle && projections[$0].upper > middle
        }
        let nearestFirst = present.sorted { left, right in
            let (a, b) = (projections[left], projections[right])
            if a.panel.rank != b.panel.rank { return a.panel.rank > b.panel.rank }
            return a.height(middle) > b.height(middle)
        }
        let covering = nearestFirst.firstIndex {
            projections[$0].spansBreadth(at: lower) && projections[$0].spansBreadth(at: upper)
                && projections[$0].panel.cornerRadius == (0, 0)
        }
        return Span(
            lower: lower, upper: upper,
            layers: Array(nearestFirst.prefix(covering.map { $0 + 1 } ?? nearestFirst.count)),
            showsBackground: covering == nil)
    }

    /// Adds `span`, as part of the one before where nothing changes between them.
    private mutating func append(_ span: Span) {
        if let previous = spans.last, previous.hasSameStack(as: span) {
            spans[spans.count - 1] = Span(
                lower: previous.lower, upper: span.upper, layers: span.layers, showsBackground: span.showsBackground)
        } else {
            spans.append(span)
        }
    }

    /// One line a span: the interval, then what is seen there, nearest first.
    var description: String {
        spans.map { span in
            let names = span.layers.map { index in
                let panel = projections[index].panel
                return (panel.picture == .outgoing ? "A" : "B") + (panel.isFlat ? " flat" : " turned")
            }
            let stack = names + (span.showsBackground ? ["background"] : [])
            return "\(span.lower)...\(span.upper): " + stack.joined(separator: " over ")
        }.joined(separator: "\n")
    }
}
