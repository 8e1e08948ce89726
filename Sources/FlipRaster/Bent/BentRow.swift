import FlipGeometry

/// Draws rows of a frame with a bent sheet, one after the other.
///
/// An object is kept from job to job.
final class BentRow {
    private(set) var plan: BentPlan
    private(set) var layout: BentLayout
    private(set) var sampler: BentSampler
    let canvas: BentCanvas
    let buffers: BentRowBuffers

    private(set) var scene: BentScene
    private(set) var geometry: BentGeometry
    private(set) var table: CurlTable
    private(set) var rim: RimTable
    private var measures: Measures

    /// What all rows of a layout have in common.
    private struct Measures {
        let limits: SIMD4<Double>
        let step: Double
        let slope: Double
        let perSlope: Double
        let wholeColumns: Range<Int>

        init(_ plan: BentPlan, _ layout: BentLayout) {
            limits = layout.limits
            step = layout.columns.pitch * plan.scene.zoom
            slope = plan.scene.geometry.normal.x * step
            perSlope = 1 / slope
            let columns = layout.columns
            let last = columns.count - 1
            wholeColumns = (columns.isClipped(0) ? 1 : 0)..<max(columns.isClipped(last) ? last : last + 1, 1)
        }
    }

    /// As in `BentLayout`.
    var limits: SIMD4<Double> { measures.limits }
    /// The distance from one sample to the next on the scene's screen, and how the distance from the contact line
    /// changes.
    var step: Double { measures.step }
    var slope: Double { measures.slope }
    /// 1 / slope.
    var perSlope: Double { measures.perSlope }

    private(set) var row = 0
    /// The scene point of the middle of the row's first sample, as if it were not clipped.
    private(set) var origin = SIMD2<Double>()
    /// The first sample's distance from the contact line.
    private(set) var distance = 0.0
    /// The columns whose footprints lie completely inside the frame; the frame's border clips the others'. Only those
    /// are parallelograms of the usual shape.
    private(set) var whole = 0..<0
    /// The columns on which the cylinder and the flat back may cast shadows.
    private(set) var rollColumns = 0..<0
    private(set) var castColumns = 0..<0
    /// The row's samples in the plane in which the sheet lies upside down.
    private(set) var flatBackLine = PageLine(start: .zero, step: .zero)
    /// Which pictures' edges the row lies between, when what lies flat was last put together.
    var lastLevel = -1

    init(_ plan: BentPlan, _ layout: BentLayout, _ canvas: BentCanvas, _ buffers: BentRowBuffers) {
        (self.canvas, self.buffers) = (canvas, buffers)
        (self.plan, self.layout) = (plan, layout)
        (scene, geometry, table, rim) = (plan.scene, plan.scene.geometry, plan.table, plan.rim)
        sampler = BentSampler(plan, layout)
        measures = Measures(plan, layout)
    }

    /// Prepares for rows of `layout`.
    func prepare(_ plan: BentPlan, _ layout: BentLayout) {
        (self.plan, self.layout) = (plan, layout)
        (scene, geometry, table, rim) = (plan.scene, plan.scene.geometry, plan.table, plan.rim)
        sampler = BentSampler(plan, layout)
        measures = Measures(plan, layout)
        lastLevel = -1
    }

    /// The scene point of the middle of sample `column`.
    func point(_ column: Int) -> SIMD2<Double> { SIMD2(origin.x + Double(column) * step, origin.y) }

    /// The distance of sample `column` from the contact line.
    func distance(_ column: Int) -> Double { distance + Double(column) * slope }

    func draw(_ row: Int) {
        begin(row)
        drawFlat(columns(from: -.infinity, to: limits[0]))
        drawCylinder(columns(from: limits[0], to: limits[1]), taps: FootprintTable.smallWindow)
        drawCylinder(columns(from: limits[1], to: limits[2]), taps: FootprintTable.largeWindow)
        drawRim(columns(from: limits[2], to: limits[3]))
        drawUnder(columns(from: limits[3], to: .infinity), isLifted: true)
    }

    private func begin(_ row: Int) {
        self.row = row
        let isClipped = layout.rows.isClipped(row)
        let y = isClipped ? layout.rows.middle(row) : layout.rows.edge(row) + layout.rows.pitch / 2
        origin = scene.scenePoint(SIMD2(layout.columns.edge(0) + layout.columns.pitch / 2, y))
        distance = geometry.distance(origin)
        whole = isClipped ? 0..<0 : measures.wholeColumns
        let light = geometry.light
        rollColumns = light.roll > 0 ? columns(from: -.infinity, to: light.reach + layout.reach) : 0..<0
        castColumns = light.back > 0 ? columns(from: -.infinity, to: geometry.joint + layout.reach) : 0..<0
        let start = geometry.page(origin, geometry.flatBack(distance))
        let next = geometry.page(point(1), geometry.flatBack(distance(1)))
        flatBackLine = PageLine(start: start, step: next - start)
        if !castColumns.isEmpty {
            castColumns = flatBackLine.columns(
                in: castColumns, geometry.page, margin: SIMD2(repeating: -light.backReach))
        }
        findFlat()
    }

    /// The columns whose middles are at distances `low` ..< `high` from the contact line.
    func columns(from low: Double, to high: Double) -> Range<Int> {
        let count = layout.columns.count
        if abs(slope) < 1e-12 { return low <= distance && distance < high ? 0..<count : 0..<0 }
        func first(_ limit: Double) -> Int {
            let position = min(max((limit - distance) / slope, 0), Double(count))
            let column = Int(position)
            return Double(column) < position ? column + 1 : column
        }
        // With a negative slope, the limits change places; which of two neighbors a boundary belongs to means nothing.
        let (start, end) = slope > 0 ? (first(low), first(high)) : (first(high), first(low))
        return start..<max(start, end)
    }

    // MARK: Pieces

    /// Draws `range` by rays.
    func drawByRays(_ range: Range<Int>) {
        if range.isEmpty { return }
        forEachPiece(range) { piece in
            for column in piece { drawByRays(column, at: column - piece.lowerBound) }
            store(piece)
        }
    }

    /// Draws one sample by rays, as number `index` of a piece.
    func drawByRays(_ column: Int, at index: Int) { sampler.draw(column, row, on: canvas, at: index) }

    /// Stores the samples of a piece.
    func store(_ piece: Range<Int>) { canvas.store(piece, row: row) }

    @inline(__always)
    func forEachPiece(_ range: Range<Int>, _ body: (Range<Int>) -> Void) {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + BentRowBuffers.capacity, range.upperBound)
            body(start..<end)
            start = end
        }
    }
}
