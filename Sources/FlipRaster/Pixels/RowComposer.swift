import FlipGeometry

/// Composes rows one at a time (motion along y).
final class RowComposer {
    private var mapped: [MappedRow] = []
    private let kernels: KernelTable
    private let over = Scratch<UInt16>()
    /// The soft shadow's profile across the motion, one value per column.
    private let shadowProfile = Scratch<Double>()

    init(_ kernels: KernelTable) { self.kernels = kernels }

    /// Prepares for rows of planes with the given layout.
    func plan(_ layout: FramePlan.PlaneLayout, _ context: FrameContext) {
        guard let softShadow = context.plan.spans.softShadow else { return }
        let profile = shadowProfile.reserve(layout.across.count)
        for column in 0..<layout.across.count {
            let (left, right) = layout.across.footprint(column)
            profile[column] = softShadow.across(left, right)
        }
    }

    /// Composes the whole row of plane `index` that `slice` shows, and writes it to `line` as wide samples.
    func compose(
        _ slice: Slice, plane index: Int, _ layout: FramePlan.PlaneLayout, _ context: FrameContext,
        into line: UnsafeMutablePointer<UInt16>
    ) {
        let span = context.plan.spans.spans[slice.span]
        let count = layout.across.count
        var turned = 0
        var hasBase = false
        // Go from the nearest layer back until one covers the row.
        for layer in span.layers {
            let projection = context.plan.spans.projection(ofLayer: layer)
            if projection.isFlat {
                drawFlat(projection, slice, plane: index, context, into: line, count: count)
                hasBase = true
                break
            }
            if turned == mapped.count { mapped.append(MappedRow(kernels)) }
            let row = mapped[turned]
            row.plan(slice, of: projection, along: layout.along, across: layout.across)
            if row.columns.isEmpty { continue }
            row.fetch(
                context.source(projection.picture, plane: index), depth: context.format.depth,
                context.colors(plane: index))
            turned += 1
            hasBase = row.isFull
            if hasBase { break }
        }
        if turned == 1 && !hasBase && !context.showsShadow(plane: index) {
            drawAlone(mapped[0], on: context.background[plane: index], into: line, count: count)
            return
        }
        if !hasBase {
            drawBackground(slice, plane: index, layout, context, under: turned > 0 ? mapped[0].extent : nil, into: line)
        }
        for index in (0..<turned).reversed() {
            blend(mapped[index], behind: index > 0 ? mapped[index - 1] : nil, onto: line, count: count)
        }
    }

    private func drawFlat(
        _ surface: Projection, _ slice: Slice, plane index: Int, _ context: FrameContext,
        into line: UnsafeMutablePointer<UInt16>, count: Int
    ) {
        let source = context.source(surface.picture, plane: index)
        Wide.load(
            source.base + slice.footprint * source.stride, from: 0, count: count, depth: context.format.depth,
            into: line)
        let a = surface.shade(at: (slice.lower + slice.upper) / 2)
        if a == 0 { return }
        let keep = Wide.keep(shade: a)
        let bias = Wide.tint(context.shadow[plane: index], shade: a)
        for x in 0..<count { line[x] = Wide.scale(line[x], keep) &+ bias }
    }

    /// Draws a single sheet on a plain background.
    private func drawAlone(_ row: MappedRow, on color: UInt16, into line: UnsafeMutablePointer<UInt16>, count: Int) {
        row.draw(into: line)
        line.update(repeating: color, count: row.columns.lowerBound)
        (line + row.columns.upperBound).update(repeating: color, count: count - row.columns.upperBound)
        let interior = row.interior
        func shade(_ edge: Range<Int>) {
            for column in edge { line[column] = Wide.blend(color, line[column], row.coverage(ofColumn: column)) }
        }
        shade(row.columns.lowerBound..<interior.lowerBound)
        shade(interior.upperBound..<row.columns.upperBound)
    }

    /// Draws a sheet over `line`, without blending where it covers a footprint completely.
    private func blend(
        _ row: MappedRow, behind front: MappedRow?, onto line: UnsafeMutablePointer<UInt16>, count: Int
    ) {
        if row.isFull {
            row.draw(into: line)
            return
        }
        let over = over.reserve(BoxFilter.padded(count) + BoxFilter.lanes)
        row.draw(into: over)
        let interior = row.interior
        (line + interior.lowerBound).update(from: over + interior.lowerBound, count: interior.count)
        func blendEdge(_ edge: Range<Int>) {
            for column in edge {
                line[column] = Wide.blend(line[column], over[column], row.coverage(ofColumn: column, behind: front))
            }
        }
        blendEdge(row.columns.lowerBound..<interior.lowerBound)
        blendEdge(interior.upperBound..<row.columns.upperBound)
    }

    private func drawBackground(
        _ slice: Slice, plane index: Int, _ layout: FramePlan.PlaneLayout, _ context: FrameContext,
        under page: (lower: Double, upper: Double)?, into line: UnsafeMutablePointer<UInt16>
    ) {
        let count = layout.across.count
        let color = context.background[plane: index]
        line.update(repeating: color, count: count)
        let shadow = context.shadow[plane: index]
        guard let softShadow = context.plan.spans.softShadow, context.showsShadow(plane: index) else { return }
        let strength = softShadow.along(slice.lower, slice.upper)
        if softShadow.isSharp {
            for column in 0..<count {
                let (left, right) = layout.across.footprint(column)
                line[column] = Wide.mix(color, shadow, softShadow.shade(along: strength, left, right, page: page))
            }
        } else {
            Wide.mix(color, shadow, shadowProfile.start, times: strength, count: count, into: line)
        }
    }
}
