import FlipGeometry

/// What all threads read while a frame of floats is drawn.
struct FloatFrame {
    let plan: FramePlan
    let from: FloatPicture
    let to: FloatPicture
    let into: FloatPicture
    let colors: FloatColors

    func source(_ picture: Picture) -> FloatPicture { picture == .outgoing ? from : to }
}

/// Composes sheets over each other in pixels of floats, with the buffers of one thread.
final class FloatComposer {
    private let kernels: KernelTable
    private var columns: [FloatColumns] = []
    private var rows: [FloatRow] = []
    private var strips: [any FloatStrip] = []
    private let tile = Scratch<FloatPixel>()
    private let line = Scratch<FloatPixel>()
    private let over = Scratch<FloatPixel>()
    private let sums = Scratch<FloatPixel>()
    /// The soft shadow's profile across the motion.
    private let profile = Scratch<Double>()

    /// The slices that are drawn together: their rows are whole cache lines, and what is averaged for them fits a
    /// processor's own cache.
    private static let tileWidth = 16

    init(_ kernels: KernelTable) { self.kernels = kernels }

    /// Draws a job that composes sheets.
    func compose(_ job: Job, _ frame: FloatFrame) {
        let layout = frame.plan.layouts[job.layout]
        planShadow(layout, frame)
        switch job.kind {
        case .columns(let slices, _): drawColumns(slices, layout, frame)
        case .mixedColumns(let slices): drawMixedColumns(slices, layout, frame)
        case .rows(let slices, let footprints): drawRows(slices, footprints, layout, frame)
        case .flat, .crossFade, .ramp, .copy, .bent: preconditionFailure("no slices are composed for this")
        }
    }

    private func planShadow(_ layout: FramePlan.PlaneLayout, _ frame: FloatFrame) {
        guard let softShadow = frame.plan.spans.softShadow else { return }
        let profile = profile.reserve(layout.across.count)
        for index in 0..<layout.across.count {
            let (lower, upper) = layout.across.footprint(index)
            profile[index] = softShadow.across(lower, upper)
        }
    }

    // MARK: Motion along x

    private func drawColumns(_ range: Range<Int>, _ layout: FramePlan.PlaneLayout, _ frame: FloatFrame) {
        let (width, height) = (FloatComposer.tileWidth, layout.across.count)
        forEachTile(range, layout, frame) { slices, draw in
            let tile = tile.reserve(width * height)
            for index in slices.indices { draw(index, tile + index, width) }
            for row in 0..<height {
                frame.into.store(tile + row * width, count: slices.count, row: row, from: slices[0].footprint)
            }
        }
    }

    /// Draws footprints of several slices each: each pixel is the weighted sum of its slices.
    private func drawMixedColumns(_ range: Range<Int>, _ layout: FramePlan.PlaneLayout, _ frame: FloatFrame) {
        let all = layout.slices.slices
        let (first, height) = (all[range.lowerBound].footprint, layout.across.count)
        let width = all[range.upperBound - 1].footprint - first + 1
        let sums = sums.reserve(width * height)
        sums.update(repeating: .zero, count: width * height)
        let line = line.reserve(height)
        forEachTile(range, layout, frame) { slices, draw in
            for (index, slice) in slices.enumerated() {
                draw(index, line, 1)
                let weight = FloatComposer.weight(slice, layout)
                let sum = sums + (slice.footprint - first)
                for row in 0..<height { sum[row &* width] += line[row] * weight }
            }
        }
        for row in 0..<height { frame.into.store(sums + row * width, count: width, row: row, from: first) }
    }

    /// The slice's part of its footprint.
    private static func weight(_ slice: Slice, _ layout: FramePlan.PlaneLayout) -> Float {
        let (lower, upper) = layout.along.footprint(slice.footprint)
        return Float((slice.upper - slice.lower) / (upper - lower))
    }

    /// Calls `body` with parts of the slices in `range` that lie in one span, and with a function that draws one of them,
    /// by its number in the part, with pixels `stride` apart.
    private func forEachTile(
        _ range: Range<Int>, _ layout: FramePlan.PlaneLayout, _ frame: FloatFrame,
        _ body: (
            _ slices: UnsafeBufferPointer<Slice>,
            _ draw: (_ index: Int, _ target: UnsafeMutablePointer<FloatPixel>, _ stride: Int) -> Void
        ) -> Void
    ) {
        layout.slices.slices.withUnsafeBufferPointer { all in
            var start = range.lowerBound
            while start < range.upperBound {
                let span = all[start].span
                let last = min(start + MappedColumns.width, range.upperBound)
                let end = all[start..<last].firstIndex { $0.span != span } ?? last
                let planned = UnsafeBufferPointer(rebasing: all[start..<end])
                let projections = plan(planned, span, layout, frame)
                for first in Swift.stride(from: 0, to: planned.count, by: FloatComposer.tileWidth) {
                    let part = first..<min(first + FloatComposer.tileWidth, planned.count)
                    for (number, projection) in projections.enumerated() {
                        columns[number].fetch(part, of: frame.source(projection.picture))
                    }
                    body(UnsafeBufferPointer(rebasing: planned[part])) { index, target, stride in
                        strips.removeAll(keepingCapacity: true)
                        for number in projections.indices { strips.append(columns[number].strip(first + index)) }
                        composeStrips(planned[first + index], layout, frame, into: target, stride: stride)
                    }
                }
                start = end
            }
        }
    }

    /// Prepares `columns` for slices of one span; returns what they show, nearest first.
    private func plan(
        _ slices: UnsafeBufferPointer<Slice>, _ span: Int, _ layout: FramePlan.PlaneLayout, _ frame: FloatFrame
    ) -> [Projection] {
        let projections = frame.plan.spans.spans[span].layers.map { frame.plan.spans.projection(ofLayer: $0) }
        while columns.count < projections.count { columns.append(FloatColumns(kernels)) }
        for (number, projection) in projections.enumerated() {
            columns[number].plan(slices, of: projection, layout, frame.colors)
        }
        return projections
    }

    // MARK: Motion along y

    private func drawRows(
        _ range: Range<Int>, _ footprints: Range<Int>, _ layout: FramePlan.PlaneLayout, _ frame: FloatFrame
    ) {
        let count = layout.across.count
        let (line, sums) = (line.reserve(count), sums.reserve(count))
        var next = range.lowerBound
        for footprint in footprints {
            let start = next
            while next < range.upperBound && layout.slices.slices[next].footprint == footprint { next += 1 }
            for index in start..<next {
                let slice = layout.slices.slices[index]
                let isAlone = next - start == 1
                composeRow(slice, layout, frame, into: isAlone ? sums : line)
                if isAlone { break }
                let weight = FloatComposer.weight(slice, layout)
                if index == start {
                    for x in 0..<count { sums[x] = line[x] * weight }
                } else {
                    for x in 0..<count { sums[x] += line[x] * weight }
                }
            }
            frame.into.store(sums, count: count, row: footprint, from: 0)
        }
    }

    private func composeRow(
        _ slice: Slice, _ layout: FramePlan.PlaneLayout, _ frame: FloatFrame,
        into line: UnsafeMutablePointer<FloatPixel>
    ) {
        strips.removeAll(keepingCapacity: true)
        for (number, layer) in frame.plan.spans.spans[slice.span].layers.enumerated() {
            let projection = frame.plan.spans.projection(ofLayer: layer)
            if number == rows.count { rows.append(FloatRow(kernels)) }
            rows[number].plan(slice, of: projection, layout, frame.colors, frame.source(projection.picture))
            strips.append(rows[number])
            if FloatComposer.isFull(rows[number].extent, layout) { break }
        }
        composeStrips(slice, layout, frame, into: line, stride: 1)
    }

    // MARK: Sheets over each other

    private static func isFull(
        _ extent: (lower: Double, upper: Double), _ layout: FramePlan.PlaneLayout
    ) -> Bool { extent.lower <= 0 && extent.upper >= layout.across.extent }

    /// Composes `strips`, the nearest first, over the background.
    private func composeStrips(
        _ slice: Slice, _ layout: FramePlan.PlaneLayout, _ frame: FloatFrame,
        into target: UnsafeMutablePointer<FloatPixel>, stride: Int
    ) {
        let base = strips.firstIndex { FloatComposer.isFull($0.extent, layout) }
        if let base {
            strips.removeSubrange((base + 1)...)
        }
        strips.removeAll { $0.touched.isEmpty }
        if base != nil, let last = strips.popLast() {
            last.draw(last.touched, into: target, stride: stride)
        } else {
            drawBackground(slice, layout, frame, into: target, stride: stride)
        }
        for index in strips.indices.reversed() {
            blend(strips[index], behind: index > 0 ? strips[index - 1] : nil, layout, onto: target, stride: stride)
        }
    }

    /// The output pixels that a sheet covers completely.
    private static func inside(_ strip: any FloatStrip, _ layout: FramePlan.PlaneLayout) -> Range<Int> {
        layout.across.footprints(inside: strip.extent.lower, strip.extent.upper).clamped(to: strip.touched)
    }

    private func blend(
        _ strip: any FloatStrip, behind front: (any FloatStrip)?, _ layout: FramePlan.PlaneLayout,
        onto target: UnsafeMutablePointer<FloatPixel>, stride: Int
    ) {
        let (extent, touched) = (strip.extent, strip.touched)
        let inside = FloatComposer.inside(strip, layout)
        strip.draw(inside, into: target, stride: stride)
        let over = over.reserve(layout.across.count)
        func blendEdge(_ edge: Range<Int>) {
            strip.draw(edge, into: over, stride: 1)
            for index in edge {
                let footprint = layout.across.footprint(index)
                let part =
                    front.map { Coverage.part(extent, behind: $0.extent, footprint) }
                    ?? Coverage.part(extent, footprint)
                let under = target[index &* stride]
                target[index &* stride] = under + (over[index] - under) * Float(part)
            }
        }
        blendEdge(touched.lowerBound..<inside.lowerBound)
        blendEdge(inside.upperBound..<touched.upperBound)
    }

    /// Draws the background where the nearest sheet leaves any of it.
    private func drawBackground(
        _ slice: Slice, _ layout: FramePlan.PlaneLayout, _ frame: FloatFrame,
        into target: UnsafeMutablePointer<FloatPixel>, stride: Int
    ) {
        let count = layout.across.count
        let covered = strips.first.map { FloatComposer.inside($0, layout) } ?? 0..<0
        let free = covered.isEmpty ? [0..<count] : [0..<covered.lowerBound, covered.upperBound..<count]
        let color = frame.colors.background
        guard let softShadow = frame.plan.spans.softShadow else {
            for part in free { for index in part { target[index &* stride] = color } }
            return
        }
        var shadow = frame.colors.shadow * color.w
        shadow.w = color.w
        let along = softShadow.along(slice.lower, slice.upper)
        let page = strips.first?.extent
        for index in free.joined() {
            var shade = min(along * profile.start[index], 1)
            if softShadow.isSharp {
                let (lower, upper) = layout.across.footprint(index)
                shade = softShadow.shade(along: along, lower, upper, page: page)
            }
            target[index &* stride] = color + (shadow - color) * Float(shade)
        }
    }
}
