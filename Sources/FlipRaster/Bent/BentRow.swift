import FlipGeometry

/// One row of a frame with a bent sheet.
struct BentRow {
    let row: Int
    let plan: BentPlan
    let layout: BentLayout
    let sampler: BentSampler
    let context: FrameContext
    let composer: BentComposer

    let scene: BentScene
    let geometry: BentGeometry
    let table: CurlTable
    let rim: RimTable
    var buffers: BentRowBuffers { composer.buffers }

    /// The scene point of the middle of the row's first sample, and the distance from one sample to the next.
    let origin: SIMD2<Double>
    let step: Double
    /// The first sample's distance from the contact line, and how it changes from sample to sample.
    let distance: Double
    let slope: Double

    init(
        _ row: Int, _ plan: BentPlan, _ layout: BentLayout, _ sampler: BentSampler, _ context: FrameContext,
        _ composer: BentComposer
    ) {
        self.row = row
        self.plan = plan
        scene = plan.scene
        geometry = plan.scene.geometry
        table = plan.table
        rim = plan.rim
        self.layout = layout
        self.sampler = sampler
        self.context = context
        self.composer = composer
        let middle = SIMD2(
            layout.columns.edge(0) + layout.columns.pitch / 2, layout.rows.edge(row) + layout.rows.pitch / 2)
        origin = plan.scene.scenePoint(middle)
        step = layout.columns.pitch * plan.scene.zoom
        distance = plan.scene.geometry.distance(origin)
        slope = plan.scene.geometry.normal.x * step
    }

    /// The scene point of the middle of sample `column`.
    func point(_ column: Int) -> SIMD2<Double> { SIMD2(origin.x + Double(column) * step, origin.y) }

    /// The distance of sample `column` from the contact line.
    func distance(_ column: Int) -> Double { distance + Double(column) * slope }

    /// The columns whose footprints lie completely inside the frame; the frame's border clips the others'. Only those
    /// are parallelograms of the usual shape.
    var whole: Range<Int> {
        let (columns, rows) = (layout.columns, layout.rows)
        if rows.isClipped(row) { return 0..<0 }
        let last = columns.count - 1
        return (columns.isClipped(0) ? 1 : 0)..<max(columns.isClipped(last) ? last : last + 1, 1)
    }

    func draw() {
        let limits = layout.limits
        drawFlat(columns(from: -.infinity, to: limits[0]))
        drawCylinder(columns(from: limits[0], to: limits[1]), taps: FootprintTable.smallWindow)
        drawCylinder(columns(from: limits[1], to: limits[2]), taps: FootprintTable.largeWindow)
        drawRim(columns(from: limits[2], to: limits[3]))
        drawBeneath(columns(from: limits[3], to: .infinity))
    }

    /// The columns whose middles are at distances `low` ..< `high` from the contact line, within `all`.
    func columns(from low: Double, to high: Double) -> Range<Int> {
        let count = layout.columns.count
        if abs(slope) < 1e-12 { return low <= distance && distance < high ? 0..<count : 0..<0 }
        func first(_ limit: Double) -> Int {
            Int(min(max(((limit - distance) / slope).rounded(.up), 0), Double(count)))
        }
        // With a negative slope, the limits change places; which of two neighbors a boundary belongs to means nothing.
        let (start, end) = slope > 0 ? (first(low), first(high)) : (first(high), first(low))
        return start..<max(start, end)
    }
}

// MARK: - Single samples

extension BentRow {
    /// Draws `range` by rays.
    func drawByRays(_ range: Range<Int>) {
        forEachPiece(range) { piece in
            for column in piece {
                sampler.draw(
                    column, row, into: buffers.line + (column - piece.lowerBound), stride: BentRowBuffers.capacity)
            }
            store(piece)
        }
    }

    /// Stores the piece's line of each plane.
    func store(_ piece: Range<Int>) {
        for plane in layout.planes {
            let line = buffers.line + (plane - layout.planes.lowerBound) * BentRowBuffers.capacity
            context.store(plane: plane)(line, count: piece.count, row: row, from: piece.lowerBound)
        }
    }

    func forEachPiece(_ range: Range<Int>, _ body: (Range<Int>) -> Void) {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + BentRowBuffers.capacity, range.upperBound)
            body(start..<end)
            start = end
        }
    }
}
