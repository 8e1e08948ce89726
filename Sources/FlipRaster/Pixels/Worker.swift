import FlipGeometry

/// Draws jobs, with the buffers of one thread.
final class Worker: @unchecked Sendable {
    private let tile: ColumnTile
    private let rows: RowComposer
    private let line = Scratch<UInt16>()
    private let groups = SliceGroups()
    private let sums = Scratch<UInt32>()

    init(_ level: KernelLevel) {
        tile = ColumnTile(level)
        rows = RowComposer(level)
    }

    func draw(_ job: Job, _ context: FrameContext) {
        let layout = context.plan.layouts[job.layout]
        switch job.kind {
        case .flat(let layer, let bounds): Worker.drawFlat(layer, bounds, layout, context)
        case .columns(let slices, let span): drawColumns(slices, span, layout, context)
        case .mixedColumns(let slices): drawMixedColumns(slices, layout, context)
        case .rows(let run, let footprints): drawRows(run, footprints, layout, context)
        case .crossFade(let rows, let part): drawCrossFade(rows, part, layout, context)
        }
    }

    /// Draws a part of a flat panel, which needs no composing.
    static func drawFlat(
        _ layer: Int, _ bounds: Job.Bounds, _ layout: FramePlan.PlaneLayout, _ context: FrameContext
    ) {
        let panel = context.plan.spans.projection(ofLayer: layer).panel
        for plane in layout.planes {
            for row in bounds.rows {
                let a =
                    panel.shade.uniformValue
                    ?? panel.shade(layout.along.middle(row))
                context.drawFlat(panel, plane: plane, row: row, columns: bounds.columns, shade: a)
            }
        }
    }

    private func drawCrossFade(
        _ rows: Range<Int>, _ part: Double, _ layout: FramePlan.PlaneLayout, _ context: FrameContext
    ) {
        let mix = CrossFade(part: part, depth: context.format.depth)
        for plane in layout.planes {
            let (from, to, target) = (context.outgoing[plane], context.incoming[plane], context.target[plane])
            for row in rows {
                mix.draw(
                    from.base + row * from.stride, to.base + row * to.stride, into: target.base + row * target.stride,
                    count: target.width)
            }
        }
    }

    // MARK: Motion along x

    private func drawColumns(
        _ range: Range<Int>, _ span: Int, _ layout: FramePlan.PlaneLayout, _ context: FrameContext
    ) {
        layout.slices.slices.withUnsafeBufferPointer { all in
            let slices = UnsafeBufferPointer(rebasing: all[range])
            tile.plan(slices, span: context.plan.spans.spans[span], layout, context)
            let line = line.reserve(slices.count)
            for plane in layout.planes {
                tile.fetch(plane: plane, context)
                let target = context.target[plane]
                let (first, depth) = (slices[0].footprint, context.format.depth)
                tile.compose(context, into: line) { row, line in
                    Wide.store(
                        line, count: slices.count, depth: depth, into: target.base + row * target.stride, from: first)
                }
            }
        }
    }

    /// Draws footprints of several slices each: every slice is composed, and each sample is the weighted sum of its
    /// slices.
    private func drawMixedColumns(_ range: Range<Int>, _ layout: FramePlan.PlaneLayout, _ context: FrameContext) {
        layout.slices.slices.withUnsafeBufferPointer { all in
            let slices = UnsafeBufferPointer(rebasing: all[range])
            let first = slices[0].footprint
            let width = slices[slices.count - 1].footprint - first + 1
            let height = layout.across.count
            let line = line.reserve(max(slices.count, width))
            let sums = sums.reserve(width * height * layout.planes.count)
            sums.update(repeating: 0, count: width * height * layout.planes.count)
            var start = 0
            while start < slices.count {
                let span = slices[start].span
                let last = min(start + MappedColumns.width, slices.count)
                let end = slices[start..<last].firstIndex { $0.span != span } ?? last
                let part = UnsafeBufferPointer(rebasing: slices[start..<end])
                tile.plan(part, span: context.plan.spans.spans[span], layout, context)
                groups.plan(part, first: first)
                for plane in layout.planes {
                    let planeSums = sums + (plane - layout.planes.lowerBound) * width * height
                    tile.fetch(plane: plane, context)
                    tile.compose(context, into: line) { row, line in
                        groups.add(line, to: planeSums + row &* width)
                    }
                }
                start = end
            }
            for plane in layout.planes {
                let target = context.target[plane]
                let planeSums = sums + (plane - layout.planes.lowerBound) * width * height
                for row in 0..<height {
                    Wide.narrow(planeSums + row * width, count: width, into: line)
                    Wide.store(
                        line, count: width, depth: context.format.depth, into: target.base + row * target.stride,
                        from: first)
                }
            }
        }
    }

    // MARK: Motion along y

    private func drawRows(
        _ run: Range<Int>, _ footprints: Range<Int>, _ layout: FramePlan.PlaneLayout, _ context: FrameContext
    ) {
        let count = layout.across.count
        let line = line.reserve(count + 2 * BoxFilter.lanes)
        let sums = sums.reserve(count)
        rows.plan(layout, context)
        for plane in layout.planes {
            let target = context.target[plane]
            var next = run.lowerBound
            for footprint in footprints {
                let start = next
                while next < run.upperBound && layout.slices.slices[next].footprint == footprint { next += 1 }
                for index in start..<next {
                    let slice = layout.slices.slices[index]
                    rows.compose(slice, plane: plane, layout, context, into: line)
                    if next - start == 1 { break }
                    // Add up the slices with their weights.
                    let weight = UInt16(clamping: slice.weight)
                    if index == start {
                        Wide.beginSum(line, weight: weight, into: sums, count: count)
                    } else if index + 1 < next {
                        Wide.accumulate(line, weight: weight, onto: sums, count: count)
                    } else {
                        Wide.finishSum(sums, weight: weight, with: line, count: count)
                    }
                }
                Wide.store(
                    line, count: count, depth: context.format.depth, into: target.base + footprint * target.stride,
                    from: 0)
            }
        }
    }
}
