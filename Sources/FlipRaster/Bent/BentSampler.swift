import FlipGeometry

/// Draws single samples of frames with bent sheets by many rays: those at edges, and those on the cylinder's rim.
struct BentSampler {
    let scene: BentScene
    let layout: BentLayout
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

    init(_ plan: BentPlan, _ layout: BentLayout) {
        scene = plan.scene
        self.layout = layout
        isExact = scene.size.x * scene.size.y < BentSampler.smallFrame
        rays = isExact ? BentSampler.many : BentSampler.few
        table = plan.table
        rim = plan.rim
    }

    /// What a ray sees, by tables: as `BentScene.ray`, at a fraction of its cost.
    @inline(__always)
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

    /// Draws the sample in `column` and `row` as number `index` of a piece.
    func draw(_ column: Int, _ row: Int, on canvas: BentCanvas, at index: Int) {
        let (x, y) = (layout.columns.footprint(column), layout.rows.footprint(row))
        let (low, size) = (SIMD2(x.lower, y.lower), SIMD2(x.upper - x.lower, y.upper - y.lower))
        canvas.begin()
        var turn = rays.count / 2
        for number in 0..<rays.count {
            let part = SIMD2(Double(2 * number + 1), Double(2 * turn + 1)) / Double(2 * rays.count)
            turn += rays.generator
            if turn >= rays.count { turn -= rays.count }
            // Motion along y has the transposed lattice, and so the transposed frame.
            let point = scene.scenePoint(low + (scene.isVertical ? SIMD2(part.y, part.x) : part) * size)
            let ray = isExact ? scene.ray(point) : tabulatedRay(point)
            canvas.add(
                ray.picture, column: layout.columns.sample(at: ray.point.x), row: layout.rows.sample(at: ray.point.y),
                ray.light)
        }
        canvas.finish(rays: rays.count, at: index)
    }
}
