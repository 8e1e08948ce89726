import FlipGeometry

/// Which sheets are seen where: the frame is cut along the motion axis into spans with one stack of sheets each. The
/// plan is the same for all planes and can be printed. Planning the next frame reuses the storage.
struct SpanPlan: CustomStringConvertible {
    /// An interval along the motion axis, in luma pixels, that has the same stack of sheets throughout.
    struct Span {
        let lower: Double
        var upper: Double
        /// The visible sheets as indices into the plan's `layers`, nearest first. The stack ends at the first sheet
        /// that covers the whole breadth.
        let layers: Range<Int>
        /// Whether the background can be seen behind the last layer.
        let showsBackground: Bool
    }

    private(set) var projections: [Projection] = []
    /// Indices into `projections`, one stack after the other.
    private(set) var layers: [Int] = []
    private(set) var spans: [Span] = []
    /// The shadow painted over the background, behind all sheets; nil if there is none.
    private(set) var softShadow: SoftShadow?
    /// The number of samples by which a sheet's texture may slide across the motion within a slice.
    private(set) var maxSlide = 0.0
    private var cuts: [Double] = []
    /// What the projections of a bent sheet refer to.
    private var bend: StraightBend?
    private var leaf: BoundLeaf?

    /// Intervals narrower than this, in luma pixels, are ignored. It is far less than 1/65536, the least weight of a
    /// slice, and far more than the rounding error of a position in the largest frame (16384 * 2^-52 = 4e-12).
    static let narrowest = 1e-9

    /// - Parameter slide: a limit to `maxSlide` besides the scene's own.
    mutating func plan(_ scene: Scene, slide: Double = .infinity) {
        softShadow = scene.softShadow
        maxSlide = min(scene.maxSlide, slide)
        projections.removeAll(keepingCapacity: true)
        layers.removeAll(keepingCapacity: true)
        spans.removeAll(keepingCapacity: true)
        cuts.removeAll(keepingCapacity: true)
        if let sheet = scene.bentSheet, let bend = sheet.bend {
            let straight = self.bend ?? StraightBend(sheet, bend, scene: scene)
            self.bend = straight
            straight.plan(sheet, bend, scene: scene)
            straight.append(scene, to: &projections)
        } else if let sheet = scene.bentSheet, let leaf = sheet.leaf {
            let bound = self.leaf ?? BoundLeaf(sheet, leaf, scene: scene)
            self.leaf = bound
            bound.plan(sheet, leaf, scene: scene)
            bound.append(scene, to: &projections)
        } else {
            for sheet in scene.sheets {
                if let plane = sheet.plane { projections.append(Projection(sheet, on: plane, scene: scene)) }
            }
        }
        cuts.append(0)
        cuts.append(scene.length)
        for projection in projections where SpanPlan.isSeen(projection) {
            cuts.append(projection.lower)
            cuts.append(projection.upper)
        }
        cuts.sort()
        for (lower, upper) in zip(cuts, cuts.dropFirst()) where upper - lower > SpanPlan.narrowest {
            append(stack(lower, upper))
        }
    }

    /// The projection of layer `layer`.
    func projection(ofLayer layer: Int) -> Projection { projections[layers[layer]] }

    /// Whether a sheet is wide enough to be drawn. One that isn't makes no cuts, so it must not enter a stack between
    /// the cuts of others either.
    private static func isSeen(_ projection: Projection) -> Bool { projection.upper - projection.lower > narrowest }

    /// The span between two neighboring cuts, with the sheets seen there. Sheets don't pass through each other, so
    /// their order is the same throughout the span.
    private mutating func stack(_ lower: Double, _ upper: Double) -> Span {
        let middle = (lower + upper) / 2
        let first = layers.count
        for (index, projection) in projections.enumerated()
        where SpanPlan.isSeen(projection) && projection.lower < middle && projection.upper > middle {
            var slot = layers.count
            while slot > first && isNearer(index, layers[slot - 1], at: middle) { slot -= 1 }
            layers.insert(index, at: slot)
        }
        let covering = layers[first...].firstIndex {
            projections[$0].spansBreadth(at: lower) && projections[$0].spansBreadth(at: upper)
                && projections[$0].hasSquareCorners
        }
        if let covering { layers.removeSubrange((covering + 1)...) }
        return Span(lower: lower, upper: upper, layers: first..<layers.count, showsBackground: covering == nil)
    }

    private func isNearer(_ index: Int, _ other: Int, at position: Double) -> Bool {
        let (a, b) = (projections[index], projections[other])
        if a.rank != b.rank { return a.rank > b.rank }
        return a.height(position) > b.height(position)
    }

    /// Adds `span`, or extends the previous span if both show the same.
    private mutating func append(_ span: Span) {
        if let previous = spans.last, previous.showsBackground == span.showsBackground,
            layers[previous.layers] == layers[span.layers]
        {
            spans[spans.count - 1].upper = span.upper
            layers.removeSubrange(span.layers)
        } else {
            spans.append(span)
        }
    }

    /// One line per span: the interval, then what is seen there, nearest first.
    var description: String {
        spans.map { span in
            let names = span.layers.map { layer in
                let projection = projection(ofLayer: layer)
                let name = projection.picture == .outgoing ? "A" : "B"
                return name + (projection.isFlat ? " flat" : projection.isOnCylinder ? " bent" : " turned")
            }
            let stack = names + (span.showsBackground ? ["background"] : [])
            return "\(SpanPlan.text(span.lower))...\(SpanPlan.text(span.upper)): " + stack.joined(separator: " over ")
        }.joined(separator: "\n")
    }

    /// A position rounded to a thousandth of a pixel.
    private static func text(_ position: Double) -> String { String((position * 1000).rounded() / 1000) }
}
