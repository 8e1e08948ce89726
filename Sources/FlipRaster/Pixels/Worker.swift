import FlipGeometry

/// Draws jobs, with the buffers of one thread.
final class Worker: @unchecked Sendable {
    /// Draws what isn't composed.
    let memoryRows: MemoryRows
    /// Room for a row that is read but not used.
    let spareRow = Scratch<UInt8>()
    private let kernels: KernelTable
    private let tile: ColumnTile
    private let rows: RowComposer
    private let bent: BentComposer
    private let line = Scratch<UInt16>()
    private let groups: SliceGroups
    private let sums = Scratch<UInt32>()

    init(_ kernels: KernelTable) {
        self.kernels = kernels
        memoryRows = MemoryRows(kernels)
        tile = ColumnTile(kernels)
        groups = SliceGroups(kernels)
        rows = RowComposer(kernels)
        bent = BentComposer(kernels)
    }

    /// Draws a job that composes sheets, into the planes of the context.
    func compose(_ job: Job, _ context: FrameContext) {
        let layout = context.plan.layouts[job.layout]
        switch job.kind {
        case .flat, .crossFade, .ramp, .copy: preconditionFailure("only what is composed passes through planes")
        case .columns(let slices, let span): drawColumns(slices, span, layout, context)
        case .mixedColumns(let slices): drawMixedColumns(slices, layout, context)
        case .bent(let rows):
            if let plan = context.plan.bent { bent.draw(rows, layout: job.layout, plan, context) }
        case .rows(let run, let footprints): drawRows(run, footprints, layout, context)
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
                let (store, first) = (context.store(plane: plane), slices[0].footprint)
                tile.compose(context, into: line) { row, line in
                    store.prefetch(count: slices.count, row: row + Prefetch.storedRowsAhead, from: first)
                    store(line, count: slices.count, row: row, from: first, kernels)
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
                    tile.compose(context, into: line) { row, line in groups.add(line, to: planeSums + row &* width) }
                }
                start = end
            }
            for plane in layout.planes {
                let store = context.store(plane: plane)
                let planeSums = sums + (plane - layout.planes.lowerBound) * width * height
                for row in 0..<height {
                    Wide.narrow(planeSums + row * width, count: width, into: line)
                    store(line, count: width, row: row, from: first, kernels)
                }
            }
        }
    }

    // MARK: Motion along y

    private func drawRows(
        _ run: Range<Int>, _ footprints: Range<Int>, _ layout: FramePlan.PlaneLayout, _ context: FrameContext
    ) {
        let count = layout.across.count
        let lines = RowLines(line, count: count, planes: layout.planes)
        rows.plan(layout, context)
        var next = run.lowerBound
        for footprint in footprints {
            let start = next
            while next < run.upperBound && layout.slices.slices[next].footprint == footprint { next += 1 }
            if next - start == 1 {
                rows.compose(layout.slices.slices[start], layout, context, into: lines)
            } else {
                mix(start..<next, layout, context, into: lines)
            }
            for plane in layout.planes {
                context.store(plane: plane)(lines[plane], count: count, row: footprint, from: 0, kernels)
            }
        }
    }

    /// Composes each slice of a row; each sample is the weighted sum of its slices.
    private func mix(
        _ slices: Range<Int>, _ layout: FramePlan.PlaneLayout, _ context: FrameContext, into lines: RowLines
    ) {
        let count = layout.across.count
        let sums = sums.reserve(count * layout.planes.count)
        sums.update(repeating: 0, count: count * layout.planes.count)
        func sum(_ plane: Int) -> UnsafeMutablePointer<UInt32> {
            sums + (plane - layout.planes.lowerBound) * count
        }
        for slice in layout.slices.slices[slices] {
            rows.compose(slice, layout, context, into: lines)
            for plane in layout.planes {
                kernels.accumulate(lines[plane], UInt16(clamping: slice.weight), count, sum(plane))
            }
        }
        for plane in layout.planes { Wide.narrow(sum(plane), count: count, into: lines[plane]) }
    }
}
