import FlipGeometry

/// A row's wide samples in each of a layout's planes. `BoxFilter` may set a few samples beyond its end.
struct RowLines {
    private let start: UnsafeMutablePointer<UInt16>
    private let stride: Int
    private let firstPlane: Int

    /// Makes room for `count` samples of each plane in `memory`.
    init(_ memory: Scratch<UInt16>, count: Int, planes: Range<Int>) {
        (stride, firstPlane) = (count + 2 * BoxFilter.lanes, planes.lowerBound)
        start = memory.reserve(stride * planes.count)
    }

    /// The samples of plane `index`.
    subscript(index: Int) -> UnsafeMutablePointer<UInt16> { start + (index - firstPlane) * stride }
}

/// Composes rows one at a time (motion along y).
final class RowComposer {
    /// Like `FramePlan.spans`, not checked for exclusive access.
    @exclusivity(unchecked) private var mapped: [MappedRow] = []
    private let kernels: KernelTable
    private let over = Scratch<UInt16>()
    /// The soft shadow's profile across the motion, one value per column.
    private let shadowProfile = Scratch<Double>()

    init(_ kernels: KernelTable) { self.kernels = kernels }

    /// Prepares for rows of planes with the given layout.
    func plan(_ layout: FramePlan.PlaneLayout, _ context: FrameContext) {
        for span in context.plan.spans.spans {
            while mapped.count < span.layers.count { mapped.append(MappedRow(kernels)) }
        }
        guard let softShadow = context.plan.spans.softShadow else { return }
        let profile = shadowProfile.reserve(layout.across.count)
        for column in 0..<layout.across.count {
            let (left, right) = layout.across.footprint(column)
            profile[column] = softShadow.across(left, right)
        }
    }

    /// Composes the whole row that `slice` shows in each plane of the layout.
    func compose(
        _ slice: Slice, _ layout: FramePlan.PlaneLayout, _ context: FrameContext, into lines: RowLines
    ) {
        let mapped = mapped
        var turned = 0
        var flat: Int?
        // Go from the nearest layer back until one covers the row.
        for layer in context.plan.spans.spans[slice.span].layers {
            let projection = context.plan.spans.projection(ofLayer: layer)
            if projection.isFlat {
                flat = layer
                break
            }
            let row = mapped[turned]
            row.plan(slice, of: projection, along: layout.along, across: layout.across)
            if row.columns.isEmpty { continue }
            turned += 1
            if row.isFull { break }
        }
        let rows = mapped[..<turned]
        for plane in layout.planes {
            for row in rows {
                row.fetch(
                    context.source(row.picture, plane: plane), depth: context.format.depth,
                    context.colors(plane: plane))
            }
            draw(rows, over: flat, slice, plane: plane, layout, context, into: lines[plane])
        }
    }

    /// Draws turned sheets, the nearest one first, over the flat sheet of layer `flat` or over the background.
    private func draw(
        _ rows: ArraySlice<MappedRow>, over flat: Int?, _ slice: Slice, plane: Int, _ layout: FramePlan.PlaneLayout,
        _ context: FrameContext, into line: UnsafeMutablePointer<UInt16>
    ) {
        let count = layout.across.count
        if let flat {
            let projection = context.plan.spans.projection(ofLayer: flat)
            drawFlat(projection, slice, plane: plane, context, into: line, count: count)
        } else if rows.last?.isFull != true {
            if let row = rows.first, rows.count == 1, !context.showsShadow(plane: plane) {
                drawAlone(row, on: context.background[plane: plane], into: line, count: count)
                return
            }
            drawBackground(slice, plane: plane, layout, context, under: rows.first?.extent, into: line)
        }
        for index in rows.indices.reversed() {
            blend(rows[index], behind: index > 0 ? rows[index - 1] : nil, onto: line, count: count)
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
