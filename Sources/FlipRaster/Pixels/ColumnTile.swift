import FlipGeometry

/// Composes adjacent slices of one span, row by row (motion along x). Call `plan` once, then `fetch` and `compose` for
/// each plane.
final class ColumnTile {
    private struct Layer {
        let picture: Picture
        /// Index into `mapped`; nil for a flat sheet.
        let mapped: Int?
        /// The index of the group of `count` entries of `keep`, `shaded` and `bias` that shades a flat sheet; nil for a
        /// sheet that is turned or has no shade.
        let shading: Int?
    }

    private var count = 0
    private var slices = UnsafeBufferPointer<Slice>(start: nil, count: 0)
    // Like `FramePlan.spans`, what is read for each row isn't checked for exclusive access.
    @exclusivity(unchecked) private var layers: [Layer] = []
    private var showsBackground = false
    private var across = Grid(.vertical, plane: 0, format: PictureFormat(components: .gray), extent: 1)
    @exclusivity(unchecked) private var softShadow: SoftShadow?
    private let shadowProfile = Scratch<Double>()

    @exclusivity(unchecked) private var mapped: [MappedColumns] = []
    private let keep = Scratch<UInt16>()
    private let shaded = Scratch<Double>()
    private let bias = Scratch<UInt16>()
    private let covered = Scratch<UInt16>()

    private var plane = 0
    private let kernels: KernelTable

    init(_ kernels: KernelTable) { self.kernels = kernels }

    /// Prepares for slices that all lie in `span`.
    func plan(
        _ slices: UnsafeBufferPointer<Slice>, span: SpanPlan.Span, _ layout: FramePlan.PlaneLayout,
        _ context: FrameContext
    ) {
        let plan = context.plan
        self.slices = slices
        count = slices.count
        across = layout.across
        showsBackground = span.showsBackground
        layers.removeAll(keepingCapacity: true)
        // Reserve everything at once, because growing a buffer discards its contents.
        keep.reserve(span.layers.count * count)
        shaded.reserve(span.layers.count * count)
        covered.reserve(count)
        var used = 0
        var shadings = 0
        for index in span.layers {
            let projection = plan.spans.projection(ofLayer: index)
            if projection.isFlat {
                let isShaded = projection.finish.uniformShade != 0
                layers.append(Layer(picture: projection.picture, mapped: nil, shading: isShaded ? shadings : nil))
                if isShaded { planShading(projection, slot: shadings) }
                shadings += isShaded ? 1 : 0
            } else {
                if used == mapped.count { mapped.append(MappedColumns(kernels)) }
                mapped[used].plan(
                    slices, of: projection, along: layout.along, across: layout.across, depth: context.format.depth)
                layers.append(Layer(picture: projection.picture, mapped: used, shading: nil))
                used += 1
            }
        }
        softShadow = showsBackground ? plan.spans.softShadow : nil
        if let softShadow {
            let profile = shadowProfile.reserve(count)
            for (column, slice) in slices.enumerated() { profile[column] = softShadow.along(slice.lower, slice.upper) }
        }
    }

    private func planShading(_ surface: Projection, slot: Int) {
        let keep = keep.start + slot * count
        let shaded = shaded.start + slot * count
        for (column, slice) in slices.enumerated() {
            let a = surface.shade(at: (slice.lower + slice.upper) / 2)
            keep[column] = Wide.keep(shade: a)
            shaded[column] = a
        }
    }

    /// Prepares for plane `index`.
    func fetch(plane index: Int, _ context: FrameContext) {
        plane = index
        for layer in layers {
            guard let slot = layer.mapped else { continue }
            mapped[slot].fetch(
                context.source(layer.picture, plane: index), depth: context.format.depth, context.colors(plane: index))
        }
        let shadings = layers.count { $0.shading != nil }
        let bias = bias.reserve(shadings * count)
        let shaded = shaded.reserve(shadings * count)
        for column in 0..<(shadings * count) {
            bias[column] = Wide.tint(context.shadow[plane: index], shade: shaded[column])
        }
    }

    /// Composes each row of the slices and calls `body` with it, as wide samples.
    func compose(
        _ context: FrameContext, into line: UnsafeMutablePointer<UInt16>,
        _ body: (_ row: Int, _ line: UnsafeMutablePointer<UInt16>) -> Void
    ) {
        // Rows that the nearest sheet covers completely need nothing else.
        let nearest = layers.first.flatMap { $0.mapped.map { mapped[$0] } }
        let full = nearest?.lines.fullRows ?? 0..<0
        let before = full.isEmpty ? 0..<across.count : 0..<full.lowerBound
        for row in before {
            compose(row, context, into: line)
            body(row, line)
        }
        if full.isEmpty { return }
        nearest?.forEachLine(full, body)
        for row in full.upperBound..<across.count {
            compose(row, context, into: line)
            body(row, line)
        }
    }

    private func compose(_ row: Int, _ context: FrameContext, into line: UnsafeMutablePointer<UInt16>) {
        // Go from the nearest layer back until one covers the row.
        var base = 0
        while base < layers.count {
            guard let slot = layers[base].mapped, !mapped[slot].lines.fullRows.contains(row) else { break }
            base += 1
        }
        if base < layers.count {
            draw(layers[base], row, context, into: line)
        } else {
            drawBackground(row, context, into: line)
        }
        while base > 0 {
            base -= 1
            guard let slot = layers[base].mapped, mapped[slot].lines.touchedRows.contains(row) else { continue }
            let front = layers[..<base].last { layer in
                layer.mapped.map { mapped[$0].lines.touchedRows.contains(row) } ?? false
            }
            mapped[slot].lines.coverage(
                ofRow: row, behind: front?.mapped.map { mapped[$0].lines }, count: count, into: covered.start)
            mapped[slot].forEachLine(row..<(row + 1)) { _, over in
                Wide.blend(over, coverage: covered.start, onto: line, count: count, depth: context.blendDepth)
            }
        }
    }

    private func draw(_ layer: Layer, _ row: Int, _ context: FrameContext, into line: UnsafeMutablePointer<UInt16>) {
        if let slot = layer.mapped {
            mapped[slot].forEachLine(row..<(row + 1)) { _, composed in line.update(from: composed, count: count) }
            return
        }
        let source = context.source(layer.picture, plane: plane)
        let samples = source.base + row * source.stride
        let first = slices[0].footprint
        if slices[count - 1].footprint - first == count - 1 {
            Wide.load(samples, from: first, count: count, depth: context.format.depth, into: line)
        } else {
            for (column, slice) in slices.enumerated() {
                Wide.load(samples, from: slice.footprint, count: 1, depth: context.format.depth, into: line + column)
            }
        }
        guard let slot = layer.shading else { return }
        Wide.shade(line, keep: keep.start + slot * count, bias: bias.start + slot * count, count: count)
    }

    private func drawBackground(_ row: Int, _ context: FrameContext, into line: UnsafeMutablePointer<UInt16>) {
        let color = context.background[plane: plane]
        line.update(repeating: color, count: count)
        let shadow = context.shadow[plane: plane]
        guard let softShadow, context.showsShadow(plane: plane) else { return }
        let (lower, upper) = across.footprint(row)
        let profile = shadowProfile.start
        if softShadow.isSharp {
            let page = layers.compactMap(\.mapped).first
            for column in 0..<count {
                let extent = page.map { mapped[$0].lines.extent(ofColumn: column) }
                let a = softShadow.shade(along: profile[column], lower, upper, page: extent)
                line[column] = Wide.mix(color, shadow, a)
            }
        } else {
            Wide.mix(color, shadow, profile, times: softShadow.across(lower, upper), count: count, into: line)
        }
    }
}
