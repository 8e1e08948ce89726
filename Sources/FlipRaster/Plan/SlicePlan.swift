import FlipGeometry

/// A part of a footprint along the motion axis that lies in one span and is drawn in one piece.
package struct Slice {
    /// The footprint's index in its grid.
    package var footprint: Int
    /// The slice's interval along the motion, in luma pixels.
    package var lower: Double
    package var upper: Double
    /// The slice's part of its footprint, in 1/65536; the weights of a footprint's slices add up to 65536.
    package var weight: UInt32
    /// An index into the span plan's spans.
    package var span: Int

    package init(footprint: Int, lower: Double, upper: Double, weight: UInt32, span: Int) {
        (self.footprint, self.lower, self.upper, self.weight) = (footprint, lower, upper, weight)
        self.span = span
    }
}

/// The slices into which the footprints of a grid along the motion axis are cut, and the runs of footprints that are
/// drawn together.
///
/// Most footprints are one slice. A footprint has several where spans meet, and where the texture of a steep sheet
/// would slide across the motion by more than `SceneSet.maxSlide` samples within it; its sample is then their weighted
/// mean. Up to this limit the slide is approximated by lengthening the footprint to the same variance (`ColumnLines`):
/// with a limit of 0.4, a footprint of one sample becomes at most sqrt(1 + 0.16) = 1.08 samples long.
struct SlicePlan: CustomStringConvertible {
    /// Consecutive footprints that are drawn alike.
    struct Run {
        enum Kind: Equatable {
            /// Footprints that lie completely in a span that shows one flat sheet; `layer` is an index into the span
            /// plan's layers. They have no slices.
            case flat(layer: Int)
            /// One slice per footprint, all in one span.
            case whole(span: Int)
            /// Several slices per footprint.
            case mixed
        }
        let kind: Kind
        var footprints: Range<Int>
        /// Indices into the plan's `slices`.
        var slices: Range<Int>
    }

    /// One line per run: its footprints, and how they are drawn.
    var description: String {
        runs.map { run in
            let kind =
                switch run.kind {
                case .flat: "copied"
                case .whole: "one slice each"
                case .mixed: "\(run.slices.count) slices"
                }
            return "\(run.footprints): \(kind)"
        }.joined(separator: "\n")
    }

    private(set) var slices: [Slice] = []
    private(set) var runs: [Run] = []

    /// The maximum number of slices into which one span's part of a footprint is cut.
    private static let maxSlices = 256

    /// Makes a new plan, of the footprints in `drawn`, in the same storage.
    mutating func plan(
        _ plan: SpanPlan, orientation: Orientation, along: Grid, across: Grid, drawn: Range<Int>
    ) {
        slices.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
        var index = drawn.lowerBound
        var span = 0
        while index < drawn.upperBound {
            let (lower, upper) = along.footprint(index)
            while span + 1 < plan.spans.count && plan.spans[span].upper <= lower { span += 1 }
            if let layer = SlicePlan.flatLayer(span, plan, orientation, pitch: along.pitch),
                plan.spans[span].lower <= lower
            {
                let inside = along.footprints(inside: plan.spans[span].lower, plan.spans[span].upper)
                if inside.contains(index) {
                    let footprints = index..<min(inside.upperBound, drawn.upperBound)
                    runs.append(Run(kind: .flat(layer: layer), footprints: footprints, slices: 0..<0))
                    index = footprints.upperBound
                    continue
                }
            }
            let first = slices.count
            var next = span
            while next < plan.spans.count && plan.spans[next].lower < upper {
                let from = max(plan.spans[next].lower, lower)
                let to = min(plan.spans[next].upper, upper)
                if to > from { cut(from, to, span: next, footprint: index, plan, across) }
                next += 1
            }
            weigh(first..<slices.count, width: upper - lower)
            extendRuns(with: index, slices: first..<slices.count)
            index += 1
        }
    }

    /// The layer of a flat sheet that is all a span shows and that has one shade per row; nil if there is none.
    private static func flatLayer(_ span: Int, _ plan: SpanPlan, _ orientation: Orientation, pitch: Double) -> Int? {
        guard let layer = plan.spans[span].layers.first else { return nil }
        let projection = plan.projection(ofLayer: layer)
        if !projection.isFlat { return nil }
        if projection.finish.uniformShade != nil { return layer }
        return orientation == .vertical && projection.finish.grain ?? .infinity >= pitch ? layer : nil
    }

    /// Cuts the part `lower...upper` of a footprint into as many slices as its steepest sheet or a sharp shadow needs.
    private mutating func cut(
        _ lower: Double, _ upper: Double, span: Int, footprint: Int, _ plan: SpanPlan, _ across: Grid
    ) {
        var slide = 0.0
        if plan.spans[span].showsBackground, let shadow = plan.softShadow, shadow.isSharp {
            slide = (upper - lower) / shadow.deviation
        }
        for layer in plan.spans[span].layers {
            let projection = plan.projection(ofLayer: layer)
            slide = max(slide, projection.slide(from: lower, to: upper) / across.pitch)
            if let grain = projection.finish.grain { slide = max(slide, plan.maxSlide * (upper - lower) / grain) }
        }
        let wanted = (slide / plan.maxSlide).rounded(.up)
        let parts = wanted < Double(SlicePlan.maxSlices) ? max(Int(wanted), 1) : SlicePlan.maxSlices
        let width = (upper - lower) / Double(parts)
        for part in 0..<parts {
            let start = lower + Double(part) * width
            slices.append(
                Slice(
                    footprint: footprint, lower: start, upper: part + 1 == parts ? upper : start + width, weight: 0,
                    span: span))
        }
    }

    /// Sets the weights of one footprint's slices. A single slice weighs 65536; several weigh at least 1 each, so that
    /// each weight fits 16 bits.
    private mutating func weigh(_ range: Range<Int>, width: Double) {
        var remaining = 65536
        for index in range {
            let after = range.upperBound - 1 - index
            let part = Int(((slices[index].upper - slices[index].lower) / width * 65536).rounded())
            let weight = after == 0 ? remaining : min(max(part, 1), remaining - after)
            slices[index].weight = UInt32(weight)
            remaining -= weight
        }
    }

    private mutating func extendRuns(with footprint: Int, slices range: Range<Int>) {
        let kind: Run.Kind = range.count == 1 ? .whole(span: slices[range.lowerBound].span) : .mixed
        if let last = runs.last, last.kind == kind {
            runs[runs.count - 1].footprints = last.footprints.lowerBound..<(footprint + 1)
            runs[runs.count - 1].slices = last.slices.lowerBound..<range.upperBound
        } else {
            runs.append(Run(kind: kind, footprints: footprint..<(footprint + 1), slices: range))
        }
    }
}
