import FlipGeometry

/// The samples of a piece of a row with a bent sheet, as wide ones, in up to three planes: `BentRow` says what they see, and
/// the canvas has their values.
///
/// What shadows leave is in the buffers' `keep`.
final class BentCanvas {
    let kernels: KernelTable
    private let buffers: BentRowBuffers
    private let line = Scratch<UInt16>()
    private var layout: BentLayout
    /// The layout's planes, from its first one on.
    private let planes = Scratch<Plane>()
    private var depth = 8
    /// The planes' colors, from the layout's first plane on.
    private var colors: WideColors
    private var sums = SIMD4<Float>()

    init(_ kernels: KernelTable, _ buffers: BentRowBuffers, _ layout: BentLayout, _ context: FrameContext) {
        (self.kernels, self.buffers, self.layout) = (kernels, buffers, layout)
        colors = WideColors(layout.planes, context)
        line.reserve(3 * BentRowBuffers.capacity)
    }

    /// Prepares for rows of `layout`.
    func prepare(_ layout: BentLayout, _ context: FrameContext) {
        (self.layout, depth) = (layout, context.format.depth)
        colors = WideColors(layout.planes, context)
        let planes = planes.reserve(layout.planes.count)
        for (index, plane) in layout.planes.enumerated() {
            planes[index] = Plane(
                outgoing: context.outgoing[plane], incoming: context.incoming[plane], target: context.target[plane],
                store: context.store(plane: plane), background: context.background[plane: plane])
        }
    }

    /// A plane of the pictures and of the frame.
    private struct Plane: BitwiseCopyable {
        let outgoing: PlaneView
        let incoming: PlaneView
        let target: PlaneView
        let store: PlaneStore
        let background: UInt16
    }

    /// The piece's samples of plane `index`, numbered from the layout's first one on.
    private func line(_ index: Int) -> UnsafeMutablePointer<UInt16> { line.start + index * BentRowBuffers.capacity }

    @inline(__always)
    private func forEachPlane(_ body: (_ index: Int, _ line: UnsafeMutablePointer<UInt16>) -> Void) {
        for index in 0..<layout.planes.count { body(index, line(index)) }
    }

    /// The wide sample nearest to `value`, which may be slightly below 0 where a vanishing part was interpolated.
    @inline(__always)
    private static func nearest(_ value: Float) -> UInt16 { Wide.nearest(max(value, 0)) }

    // MARK: Pieces

    /// Sets `count` samples to the means of a picture over their windows.
    func average(_ count: Int, _ picture: Picture, _ windows: WindowPlaces, taps: Int) {
        forEachPlane { index, line in
            let source = view(picture, index)
            kernels.windows(
                source.base, source.stride, depth,
                WindowMeans.Windows(
                    columns: windows.columns, rows: windows.rows, places: windows.places,
                    weights: layout.footprints.start, taps: taps, count: count),
                line)
            if depth < 16 { return }
            // Of 16 bits the means keep 15: the highest bit is repeated at the end, so that white and opaque stay so.
            for index in 0..<count { line[index] += line[index] &>> 15 }
        }
    }

    /// Sets the samples of a row to those of a picture at their place.
    func load(_ columns: Range<Int>, row: Int, _ picture: Picture) {
        forEachPlane { index, line in
            let source = view(picture, index)
            Wide.load(
                source.base + row * source.stride, from: columns.lowerBound, count: columns.count,
                depth: depth, into: line)
        }
    }

    /// Mixes paper over `count` samples of the flat back: `keep` of the texture, and `paper` of the paper's color.
    func mixPaper(_ count: Int, keep: Float, paper: Float) {
        forEachPlane { index, line in
            let bias = paper * colors.paper[index]
            for sample in 0..<count { line[sample] = BentCanvas.nearest(Float(line[sample]) * keep + bias) }
        }
    }

    /// Mixes paper and then the light on the back over `count` samples.
    func lightBack(
        _ count: Int, texture: Float, paper: Float, keep: CurlLines.Row, shadow: CurlLines.Row, gloss: CurlLines.Row
    ) {
        forEachPlane { index, line in
            let (paper, shadowColor, white) = (paper * colors.paper[index], colors.shadow[index], colors.white[index])
            for sample in 0..<count {
                let under = Float(line[sample]) * texture + paper
                line[sample] = BentCanvas.nearest(
                    under * keep[sample] + shadow[sample] * shadowColor + gloss[sample] * white)
            }
        }
    }

    /// Mixes the shadow color over `count` samples, of which the buffers' `keep` is left.
    func mixShadow(_ count: Int) {
        let keep = buffers.keep
        forEachPlane { index, line in
            let shadow = colors.shadow[index]
            for sample in 0..<count {
                line[sample] = BentCanvas.nearest((Float(line[sample]) - shadow) * keep[sample] + shadow)
            }
        }
    }

    /// Sets `count` samples to the background.
    func fill(_ count: Int) {
        forEachPlane { $1.update(repeating: planes.start[$0].background, count: count) }
    }

    /// Stores a piece of a row.
    func store(_ columns: Range<Int>, row: Int) {
        forEachPlane { planes.start[$0].store($1, count: columns.count, row: row, from: columns.lowerBound, kernels) }
    }

    /// Copies a part of a row from a picture to the frame.
    func copy(_ columns: Range<Int>, row: Int, _ picture: Picture) {
        let bytes = depth > 8 ? 2 : 1
        for plane in 0..<layout.planes.count {
            let (source, target) = (view(picture, plane), planes.start[plane].target)
            let offset = columns.lowerBound * bytes
            (target.base + row * target.stride + offset).copyMemory(
                from: source.base + row * source.stride + offset, byteCount: columns.count * bytes)
        }
    }

    // MARK: Single samples

    /// Begins a sample, to which parts are then added.
    func begin() { sums = .zero }

    /// Adds `weight` of a texture in some light.
    func add(_ weight: Float, _ texture: BentTexture, _ light: Light) {
        let seen =
            switch texture {
            case .sample(let picture, let column, let row): inPlanes { wide(view(picture, $0), column, row) }
            case .window(let picture, let window): inPlanes { mean(view(picture, $0), window) }
            case .background: colors.background
            }
        sums += weight * mixed(light, seen)
    }

    /// Adds a sample of a picture in some light, or the background.
    func add(_ picture: Picture?, column: Int, row: Int, _ light: Light) {
        let seen = picture.map { picture in inPlanes { wide(view(picture, $0), column, row) } }
        sums += mixed(light, seen ?? colors.background)
    }

    /// A value for each plane, in registers.
    @inline(__always)
    private func inPlanes(_ value: (_ plane: Int) -> Float) -> SIMD4<Float> {
        let count = layout.planes.count
        return SIMD4(value(0), count > 1 ? value(1) : 0, count > 2 ? value(2) : 0, count > 3 ? value(3) : 0)
    }

    /// Adds slices of the back at the rim.
    func add(_ slices: SeenSlices) {
        var parts = SIMD4<Float>()
        for slice in 0..<slices.count {
            let light = slices.weights[slice] * slices.lights[slice]
            slices.weights[slice] = light[0]
            parts += light
        }
        let textures = inPlanes { texture(slices, view(slices.picture, $0)) }
        sums +=
            textures * (1 / Float(slices.points)) + parts[1] * colors.paper + parts[2] * colors.shadow + parts[3]
            * colors.white
    }

    /// The sum of a plane's samples that slices see, multiplied by their weights.
    private func texture(_ slices: SeenSlices, _ view: PlaneView) -> Float {
        var sum: Float = 0
        for slice in 0..<slices.count {
            var samples: Float = 0
            for part in 0..<slices.points {
                let place = part &* slices.stride &+ slice
                samples += wide(view, Int(slices.columns[place]), Int(slices.rows[place]))
            }
            sum += slices.weights[slice] * samples
        }
        return sum
    }

    /// Sets sample `index` of the piece to the sum of the parts.
    func finish(at index: Int) {
        for plane in 0..<layout.planes.count { line(plane)[index] = BentCanvas.nearest(sums[plane]) }
    }

    /// Sets sample `index` of the piece to the mean of `count` rays, each of which was added with weight 1.
    func finish(rays count: Int, at index: Int) {
        for plane in 0..<layout.planes.count { line(plane)[index] = Wide.rounded(sums[plane] / Float(count)) }
    }

    /// Wide samples of a texture with what is mixed over them.
    @inline(__always)
    private func mixed(_ light: Light, _ texture: SIMD4<Float>) -> SIMD4<Float> {
        texture * Float(light.keep) + colors.paper * Float(light.paper) + colors.shadow * Float(light.shadow)
            + colors.white * Float(light.gloss)
    }

    /// A picture's plane, numbered from the layout's first one on.
    @inline(__always)
    private func view(_ picture: Picture, _ plane: Int) -> PlaneView {
        picture == .outgoing ? planes.start[plane].outgoing : planes.start[plane].incoming
    }

    /// The wide sample in `column` and `row` of a plane.
    @inline(__always)
    private func wide(_ plane: PlaneView, _ column: Int, _ row: Int) -> Float {
        let start = plane.base + row &* plane.stride
        if depth == 8 { return Float(UInt16(start.load(fromByteOffset: column, as: UInt8.self)) &<< 8) }
        let sample = min(
            start.load(fromByteOffset: 2 &* column, as: UInt16.self), UInt16(truncatingIfNeeded: 1 &<< depth &- 1))
        return Float(sample &<< UInt16(16 &- depth))
    }

    private func mean(_ view: PlaneView, _ window: BentWindow) -> Float {
        let isInside =
            min(window.row, window.column) >= 0 && window.row + window.taps <= view.height
            && window.column + window.taps <= view.width
        if isInside && depth == 8 {
            // The same as below: no sum has more digits than a Float.
            var sum = 0
            for line in 0..<window.taps {
                let samples = view.base + ((window.row &+ line) &* view.stride &+ window.column)
                let weights = window.weights + line &* window.taps
                for tap in 0..<window.taps {
                    sum &+= Int(weights[tap]) &* Int(samples.load(fromByteOffset: tap, as: UInt8.self))
                }
            }
            return Float(sum &<< 8) / Float(1 << FootprintTable.weightBits)
        }
        var sum: Float = 0
        for line in 0..<window.taps {
            let sampleRow = min(max(window.row + line, 0), view.height - 1)
            for tap in 0..<window.taps {
                let weight = window.weights[line * window.taps + tap]
                if weight == 0 { continue }
                sum += Float(weight) * wide(view, min(max(window.column + tap, 0), view.width - 1), sampleRow)
            }
        }
        return sum / Float(1 << FootprintTable.weightBits)
    }
}
