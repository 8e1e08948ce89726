import FlipGeometry

/// Samples that see more than one surface: the exact part of each, and the mean of what it shows.
extension BentRow {
    /// Draws samples at the page's sides.
    func drawEdges(_ range: Range<Int>) {
        if range.isEmpty { return }
        let drawn = layout.hasNarrowShadows || scene.zoom != 1 ? 0..<0 : whole
        forEachPiece(range) { piece in
            for column in piece {
                let index = column - piece.lowerBound
                if !(drawn.contains(column) && drawEdge(column, at: index)) { drawByRays(column, at: index) }
            }
            store(piece)
        }
    }

    /// What a sample sees of one side of the sheet.
    private struct Part {
        /// How much of the sample it is, 0...1.
        var coverage: Double
        /// The mean distance of the rest of the sample from the page.
        var outside: Double
        var ray: BentRay
        var table: FootprintTable
    }

    private func drawEdge(_ column: Int, at index: Int) -> Bool {
        let (point, d) = (point(column), distance(column))
        guard let back = part(point, d, isBack: true) else { return false }
        if back.coverage == 1 { return mix(back, nil, column, at: index) }
        let outside = back.coverage > 0 ? back.outside : nil
        guard let front = part(point, d, isBack: false, outside: outside) else { return false }
        if front.coverage > 0 && front.coverage < 1 && back.coverage > 0 { return false }
        return mix(back, front, column, at: index)
    }

    /// The part of a sample that sees one side; nil if it sees more than one of the page's edges.
    ///
    /// - Parameter outside: for the front, the mean distance of what is seen of it from the back; nil if the back isn't
    ///   seen.
    private func part(_ point: SIMD2<Double>, _ d: Double, isBack: Bool, outside: Double? = nil) -> Part? {
        if !isBack && d <= -layout.reach {
            let isOnPage = geometry.isOnPage(point)
            var ray = BentRay(picture: scene.front, point: point)
            ray.light.shade(shadow(point, d, outside))
            return Part(coverage: isOnPage ? 1 : 0, outside: 0, ray: ray, table: layout.flat)
        }
        let isFlat = isBack && d <= geometry.joint - layout.reach
        guard let table = isFlat ? layout.flatBack : layout.table(d, table, isBack: isBack) else { return nil }
        let hit = isBack ? geometry.back(d) : geometry.front(d)
        let page = geometry.page(point, hit)
        guard let (coverage, beyond) = coverage(page, table.shape) else { return nil }
        var ray: BentRay
        if isBack {
            ray = scene.backRay(page)
            let light = geometry.light.onBack(hit)
            ray.light.shade(light.shade)
            ray.light.shine(light.gloss)
        } else {
            ray = BentRay(picture: scene.front, point: page)
            ray.light.shade(geometry.light.onFront(hit))
            ray.light.shade(shadow(point, d, outside))
        }
        return Part(coverage: coverage, outside: beyond, ray: ray, table: table)
    }

    /// The shade that the back casts on the part of a sample that lies `outside` of it in the mean.
    private func shadow(_ point: SIMD2<Double>, _ d: Double, _ outside: Double?) -> Double {
        guard let outside else { return backShadow(point, d) }
        return geometry.light.backShadow(outside) * layout.profile.part(below: geometry.joint - d)
    }

    /// The part of a footprint around the page point `page` that lies on the page, and the mean distance of the rest
    /// from it; nil if two of its sides cross it.
    private func coverage(_ page: SIMD2<Double>, _ shape: FootprintTable.Shape) -> (part: Double, outside: Double)? {
        let pitch = SIMD2(layout.columns.pitch, layout.rows.pitch)
        let half = shape.halfExtent * pitch
        var coverage = 1.0
        var outside = 0.0
        var crossed = 0
        for axis in 0..<2 {
            let (low, high) = (page[axis] - geometry.page.low[axis], geometry.page.high[axis] - page[axis])
            if low <= -half[axis] || high <= -half[axis] { return (0, 0) }
            if low >= half[axis] && high >= half[axis] { continue }
            crossed += low < half[axis] && high < half[axis] ? 2 : 1
            let profile = FootprintProfile(shape.first[axis] * pitch[axis], shape.second[axis] * pitch[axis])
            coverage = profile.part(below: min(low, high))
            // The rest is between a rectangle, whose mean is in its middle, and a triangle.
            outside = (profile.reach - min(low, high)) / 2.4
        }
        return crossed > 1 ? nil : (coverage, outside)
    }

    /// Mixes the parts, nearest first, over what lies beneath. Returns false if that shows more than one picture.
    private func mix(_ back: Part, _ front: Part?, _ column: Int, at index: Int) -> Bool {
        let point = point(column)
        let onFront = (1 - back.coverage) * (front?.coverage ?? 0)
        let rest = 1 - back.coverage - onFront
        var under: BentRay?
        if rest > 0 {
            if buffers.flat.beneath.sight(column) == .several { return false }
            under = rayBeneath(column, point, outside: back.coverage > 0 ? back.outside : nil)
        }
        canvas.begin()
        if back.coverage > 0 { add(Float(back.coverage), back.ray, window(back.ray, back.table)) }
        if let front, onFront > 0 { add(Float(onFront), front.ray, window(front.ray, front.table)) }
        if rest > 0 { addBeneath(Float(rest), under, column) }
        canvas.finish(at: index)
        return true
    }

    /// What is seen of the flat picture beneath the sheet in a sample; nil if it is the background.
    ///
    /// - Parameter beyond: how much farther from the contact line than the sample's middle the part lies that is seen.
    func rayBeneath(_ column: Int, _ point: SIMD2<Double>, outside: Double? = nil, beyond: Double = 0) -> BentRay? {
        let picture: Picture
        switch buffers.flat.beneath.sight(column) {
        case .outgoing: picture = .outgoing
        case .incoming: picture = .incoming
        case .background, .several: return nil
        }
        var ray = BentRay(picture: picture, point: point)
        let d = distance(column)
        ray.light.shade(beyond == 0 ? rollShadow(d) : geometry.light.rollShadow(d + beyond))
        ray.light.shade(shadow(point, d, outside))
        return ray
    }

    /// Adds `weight` of what a ray sees to a sample; `texture` is what it sees of its picture.
    private func add(_ weight: Float, _ ray: BentRay, _ texture: BentTexture?) {
        if let texture { canvas.add(weight, texture, ray.light) }
    }

    /// Adds `weight` of what lies beneath the sheet to a sample.
    func addBeneath(_ weight: Float, _ beneath: BentRay?, _ column: Int) {
        guard let beneath, let picture = beneath.picture else { return canvas.add(weight, .background, Light()) }
        let texture = scene.zoom == 1 ? .sample(picture, column: column, row: row) : window(beneath, layout.flat)
        add(weight, beneath, texture)
    }

    /// The window of a picture over a footprint; nil if there is none.
    private func window(_ ray: BentRay, _ table: FootprintTable) -> BentTexture? {
        guard let picture = ray.picture, let taps = table.taps else { return nil }
        let x = layout.columns.samples(ray.point.x) - Double(taps - 1) / 2
        let y = layout.rows.samples(ray.point.y) - Double(taps - 1) / 2
        let phases = Double(1 << table.phaseBits)
        // At this magnitude, the lowest bit of a Double is worth 1: positions are rounded to phases.
        let (placeX, placeY) = (
            Int(truncatingIfNeeded: Int32(truncatingIfNeeded: (x * phases + 0x1.8p52).bitPattern)),
            Int(truncatingIfNeeded: Int32(truncatingIfNeeded: (y * phases + 0x1.8p52).bitPattern))
        )
        let mask = 1 << table.phaseBits - 1
        let phase = ((placeY & mask) << table.phaseBits) + (placeX & mask)
        return .window(
            picture,
            BentWindow(
                column: placeX >> table.phaseBits, row: placeY >> table.phaseBits, taps: taps,
                weights: layout.footprints.start + table.start + phase * taps * taps))
    }
}
