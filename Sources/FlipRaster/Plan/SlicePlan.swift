import FlipGeometry

/// A part of a footprint along the motion axis that lies in one span and is drawn at one go.
struct Slice {
    /// The footprint's index in its grid.
    var footprint: Int
    /// The interval in luma pixels.
    var lower: Double
    var upper: Double
    /// The slice's part of its footprint in 1/65536; the slices of a footprint add up to 65536.
    var weight: UInt32
    /// Index of the span.
    var span: Int
}

/// The footprints of a grid along the motion axis cut into slices, and the runs of them that can be drawn together.
///
/// Most footprints are one slice. Where spans meet, and where a steep panel would slide across the motion by more than
/// `SlicePlan.longestSlide` samples within a footprint, there are several, and their mean is the sample.
struct SlicePlan {
    /// Consecutive footprints that are drawn alike.
    struct Run {
        enum Kind {
            /// One slice a footprint, all in one span.
            case whole(span: Int)
            /// Footprints of several slices.
            case mixed
        }
        let kind: Kind
        let footprints: Range<Int>
        /// Indices into `slices`.
        let slices: Range<Int>
    }

    private(set) var slices: [Slice] = []
    private(set) var runs: [Run] = []

    /// Samples across the motion by which the texture may slide within a slice.
    private static let longestSlide = 0.4
    /// The most slices that one span's part of a footprint is cut into.
    private static let mostSlices = 256

    init(_ plan: SpanPlan, along: Grid, across: Grid) {
        slices.reserveCapacity(along.count + 64)
        var span = 0
        for index in 0..<along.count {
            let (lower, upper) = along.footprint(index)
            while span + 1 < plan.spans.count && plan.spans[span].upper <= lower { span += 1 }
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
        }
    }

    /// Adds the part `lower...upper` of a footprint in as many slices as its steepest panel needs.
    private mutating func cut(
        _ lower: Double, _ upper: Double, span: Int, footprint: Int, _ plan: SpanPlan, _ across: Grid
    ) {
        var slide = 0.0
        if plan.spans[span].showsBackground, let shadow = plan.softShadow, shadow.isSharp {
            slide = (upper - lower) / shadow.deviation
        }
        for layer in plan.spans[span].layers {
            slide = max(slide, plan.projections[layer].slide(from: lower, to: upper) / across.pitch)
        }
        let parts = min(max(Int((slide / SlicePlan.longestSlide).rounded(.up)), 1), SlicePlan.mostSlices)
        let width = (upper - lower) / Double(parts)
        for part in 0..<parts {
            let start = lower + Double(part) * width
            slices.append(
                Slice(
                    footprint: footprint, lower: start, upper: part + 1 == parts ? upper : start + width, weight: 0,
                    span: span))
        }
    }

    /// Gives the slices of one footprint their weights.
    private mutating func weigh(_ range: Range<Int>, width: Double) {
        var remaining: UInt32 = 65536
        for index in range {
            let isLast = index + 1 == range.upperBound
            let part = UInt32(((slices[index].upper - slices[index].lower) / width * 65536).rounded())
            slices[index].weight = isLast ? remaining : min(part, remaining)
            remaining -= slices[index].weight
        }
    }

    private mutating func extendRuns(with footprint: Int, slices range: Range<Int>) {
        let isWhole = range.count == 1
        let span = slices[range.lowerBound].span
        if let last = runs.last {
            switch last.kind {
            case .whole(span) where isWhole, .mixed where !isWhole:
                runs[runs.count - 1] = Run(
                    kind: last.kind, footprints: last.footprints.lowerBound..<(footprint + 1),
                    slices: last.slices.lowerBound..<range.upperBound)
                return
            case .whole, .mixed: break
            }
        }
        runs.append(
            Run(kind: isWhole ? .whole(span: span) : .mixed, footprints: footprint..<(footprint + 1), slices: range))
    }
}
