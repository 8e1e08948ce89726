import FlipGeometry

/// Draws single samples of frames with bent sheets by many rays: those at edges, and those on the cylinder's rim.
struct BentSampler {
    let scene: BentScene
    let context: FrameContext
    let layout: BentLayout
    /// The planes' colors, from the layout's first plane on.
    let colors: WideColors
    private let isExact: Bool
    private let table: CurlTable
    private let rim: RimTable
    /// Rays per sample, and the generator of their lattice.
    private let rays: (count: Int, generator: Int)

    /// Rays per sample: Fibonacci numbers, with the ones before them, because their lattices have the least discrepancy
    /// in two dimensions. The rays of one sample see a straight edge's coverage to within about 1.5 / count.
    private static let (few, many) = ((count: 55, generator: 34), (count: 377, generator: 233))
    /// Frames with fewer luma pixels than this get `many` rays per sample.
    private static let smallFrame = 256.0 * 256

    init(_ plan: BentPlan, _ layout: BentLayout, _ context: FrameContext) {
        scene = plan.scene
        self.context = context
        self.layout = layout
        colors = WideColors(layout.planes, context)
        isExact = scene.size.x * scene.size.y < BentSampler.smallFrame
        rays = isExact ? BentSampler.many : BentSampler.few
        table = plan.table
        rim = plan.rim
    }

    /// What a ray sees, by tables: as `BentScene.ray`, at a fraction of its cost.
    private func tabulatedRay(_ point: SIMD2<Double>) -> BentRay {
        let d = scene.geometry.distance(point)
        if d > scene.geometry.rim || d < table.start { return scene.ray(point) }
        let isNearRim = d >= rim.start
        let place = isNearRim ? rim.root(d) : (d - table.start) * CurlTable.resolution
        let back = isNearRim ? rim(place) : table.entry(table.back, at: place)
        let onBack = scene.geometry.page(point, back)
        if scene.geometry.isOnPage(onBack) {
            var ray = scene.backRay(onBack)
            ray.light.mix(back)
            return ray
        }
        let front = isNearRim ? rim.front(place) : table.entry(table.front, at: place)
        let onFront = scene.geometry.page(point, front)
        if scene.geometry.isOnPage(onFront) {
            var ray = BentRay(picture: scene.front, point: onFront)
            ray.light.mix(front)
            ray.light.shade(scene.geometry.backShadow(point, d))
            return ray
        }
        return scene.rayBeneath(point, d)
    }

    /// Writes the values of the sample in `column` and `row` to `values`, `stride` apart from plane to plane.
    func draw(_ column: Int, _ row: Int, into values: UnsafeMutablePointer<UInt16>, stride: Int) {
        let (x, y) = (layout.columns.footprint(column), layout.rows.footprint(row))
        let (low, size) = (SIMD2(x.lower, y.lower), SIMD2(x.upper - x.lower, y.upper - y.lower))
        var sums = SIMD4<Float>()
        var turn = rays.count / 2
        for index in 0..<rays.count {
            let part = SIMD2(Double(2 * index + 1), Double(2 * turn + 1)) / Double(2 * rays.count)
            turn += rays.generator
            if turn >= rays.count { turn -= rays.count }
            // Motion along y has the transposed lattice, and so the transposed frame.
            let point = scene.scenePoint(low + (scene.isVertical ? SIMD2(part.y, part.x) : part) * size)
            let ray = isExact ? scene.ray(point) : tabulatedRay(point)
            for plane in 0..<layout.planes.count { sums[plane] += value(ray, plane) }
        }
        for plane in 0..<layout.planes.count {
            values[plane * stride] = Wide.rounded(sums[plane] / Float(rays.count))
        }
    }

    /// What `ray` sees in a plane of the layout.
    @inline(__always)
    func value(_ ray: BentRay, _ plane: Int) -> Float {
        let texture =
            ray.picture.map { picture in
                wide(
                    view(picture, plane), layout.columns.sample(at: ray.point.x), layout.rows.sample(at: ray.point.y))
            } ?? colors.background[plane]
        return mixed(ray, texture, plane)
    }

    /// A wide sample of the texture that `ray` sees, with what is mixed over it.
    @inline(__always)
    func mixed(_ ray: BentRay, _ texture: Float, _ plane: Int) -> Float {
        texture * Float(ray.light.keep) + colors.paper[plane] * Float(ray.light.paper) + colors.shadow[plane]
            * Float(ray.light.shadow)
            + colors.white[plane] * Float(ray.light.gloss)
    }

    /// A picture's plane, numbered from the layout's first one on.
    @inline(__always)
    func view(_ picture: Picture, _ plane: Int) -> PlaneView {
        context.source(picture, plane: layout.planes.lowerBound + plane)
    }

    /// The wide sample in `column` and `row` of a plane.
    @inline(__always)
    func wide(_ plane: PlaneView, _ column: Int, _ row: Int) -> Float {
        let depth = context.format.depth
        let start = plane.base + row &* plane.stride
        if depth == 8 { return Float(UInt16(start.load(fromByteOffset: column, as: UInt8.self)) &<< 8) }
        let sample = min(
            start.load(fromByteOffset: 2 &* column, as: UInt16.self), UInt16(truncatingIfNeeded: 1 &<< depth &- 1))
        return Float(sample &<< UInt16(16 &- depth))
    }
}
