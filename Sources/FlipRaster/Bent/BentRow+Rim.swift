import FlipGeometry

/// The rim of the cylinder, where the sheet is seen edge-on.
extension BentRow {
    /// Draws samples at the rim.
    func drawRim(_ range: Range<Int>) {
        if range.isEmpty { return }
        let drawn = whole.clamped(to: range)
        if drawn.isEmpty || layout.hasNarrowShadows || scene.zoom != 1 { return drawByRays(range) }
        drawByRays(range.lowerBound..<drawn.lowerBound)
        var start = drawn.lowerBound
        var next = rimSight(start)
        while start < drawn.upperBound {
            let sight = next
            var end = start + 1
            let limit = min(start + BentRowBuffers.capacity, drawn.upperBound)
            while end < limit {
                next = rimSight(end)
                if next != sight { break }
                end += 1
            }
            switch sight {
            case .beneath: drawUnder(start..<end, isLifted: true)
            case .several: drawByRays(start..<end)
            case .back: drawSlices(start..<end)
            }
            start = end
        }
        drawByRays(drawn.upperBound..<range.upperBound)
    }

    private enum RimSight { case back, beneath, several }

    /// What a sample sees of the sheet: the back up to the rim, nothing, or more than that.
    private func rimSight(_ column: Int) -> RimSight {
        let (point, d) = (point(column), distance(column))
        let (near, far) = (rim.root(d + layout.reach), rim.root(d - layout.reach))
        // The sheet's places at the two ends of what is seen.
        let ends = (geometry.page(point, rim(near)), geometry.page(point, rim(far)))
        let (low, high) = (minimum(ends.0, ends.1), maximum(ends.0, ends.1))
        let margin = SIMD2(layout.columns.pitch, layout.rows.pitch) * (1.5 * scene.zoom)
        let (before, after) = (low - geometry.page.low - margin, geometry.page.high - high - margin)
        let isMixed = buffers.flat.beneath.sight(column) == .several
        if before.x >= 0, before.y >= 0, after.x >= 0, after.y >= 0 { return isMixed ? .several : .back }
        let onFront = (geometry.page(point, rim.front(near)), geometry.page(point, rim.front(far)))
        let isBeneath =
            isOffPage(low, high, margin)
            && isOffPage(minimum(onFront.0, onFront.1), maximum(onFront.0, onFront.1), margin)
        return isBeneath ? .beneath : .several
    }

    private func minimum(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(min(a.x, b.x), min(a.y, b.y))
    }

    private func maximum(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(max(a.x, b.x), max(a.y, b.y))
    }

    /// Whether all points between `low` and `high` are at least `margin` outside of the page.
    private func isOffPage(_ low: SIMD2<Double>, _ high: SIMD2<Double>, _ margin: SIMD2<Double>) -> Bool {
        let (below, above) = (geometry.page.low - margin, geometry.page.high + margin)
        return high.x < below.x || high.y < below.y || low.x > above.x || low.y > above.y
    }

    /// Draws samples that see the back up to the rim, and what lies beneath it beyond.
    private func drawSlices(_ range: Range<Int>) {
        for column in range {
            let index = column - range.lowerBound
            let slices = weigh(column)
            findPoints(column, slices)
            let rest = 1 - layout.profile.part(below: geometry.rim - distance(column))
            // The shadow is that on the part that is seen.
            let beyond = layout.profile.mean(above: geometry.rim - distance(column))
            let beneath = rest > 0 ? rayBeneath(column, point(column), beyond: beyond) : nil
            canvas.begin()
            canvas.add(sight(slices))
            if rest > 0 { addBeneath(Float(rest), beneath, column) }
            canvas.finish(at: index)
        }
        store(range)
    }

    /// Finds the slices that a sample sees, and which part of it each of them is.
    private func weigh(_ column: Int) -> Range<Int> {
        let slices = layout.slices
        let beforeRim = geometry.rim - distance(column)
        let first = Int(max(beforeRim - layout.reach, 0).squareRoot() * slices.perRoot)
        let end = min(Int(max(beforeRim + layout.reach, 0).squareRoot() * slices.perRoot) + 1, slices.count)
        if first >= end { return 0..<0 }
        let count = end - first
        let weights = buffers.slices.weights.reserve(count + 5)
        let (starts, profile, before) = (slices.starts.start + first, layout.profile.ramps, Float(beforeRim))
        for slice in stride(from: 0, through: count, by: 4) {
            weights.set(slice, profile.part(below: before - starts.four(slice)))
        }
        for slice in stride(from: 0, to: count, by: 4) {
            weights.set(slice, weights.four(slice) - weights.four(slice + 1))
        }
        return first..<end
    }

    /// Finds the samples of the back's picture that are read for a sample: those at points of the chords that the
    /// middles of its slices cut out of its footprint.
    private func findPoints(_ column: Int, _ range: Range<Int>) {
        let (slices, points) = (layout.slices, layout.slices.points)
        let count = SeenSlices.stride(range.count)
        let columns = buffers.slices.columns.reserve(count * points)
        let rows = buffers.slices.rows.reserve(count * points)
        let before = Float(geometry.rim - distance(column))
        let (x, y) = (layout.fromView.start[column], layout.rowsFromView.start[row])
        let (normalX, normalY) = (Float(geometry.normal.x), Float(geometry.normal.y))
        // The chord's points are normal * offset + w * (-normalY, normalX). Each pair of the footprint's sides limits
        // w to a middle that is proportional to the offset, and a length.
        let half = SIMD2<Float>(SIMD2(layout.columns.pitch, layout.rows.pitch) * scene.zoom / 2)
        let safeX = normalX < 0 ? min(normalX, -1e-3) : max(normalX, 1e-3)
        let safeY = normalY < 0 ? min(normalY, -1e-3) : max(normalY, 1e-3)
        let (tiltX, tiltY) = (normalX / safeY, -normalY / safeX)
        let (halfX, halfY) = (half.x / abs(safeY), half.y / abs(safeX))
        let reach = Float(layout.reach)
        let middles = slices.middles.start + range.lowerBound
        let (placesX, placesY) = (slices.placesX.start + range.lowerBound, slices.placesY.start + range.lowerBound)
        let (scalesX, scalesY) = (slices.scalesX.start + range.lowerBound, slices.scalesY.start + range.lowerBound)
        let (mostX, mostY) = (Float(layout.columns.count - 1), Float(layout.rows.count - 1))
        for part in 0..<points {
            let across = (Float(part) + 0.5) / Float(points)
            let (columns, rows) = (columns + part * count, rows + part * count)
            // Adding 2^23 rounds to the nearest whole number: the fraction must be dropped instead.
            @inline(__always)
            func sample(_ place: SIMD4<Float>, _ most: Float) -> SIMD4<Int32> {
                let place = (place - 0.5).greatest(.zero).least(SIMD4(repeating: most))
                return unsafeBitCast(place + 0x1p23, to: SIMD4<Int32>.self) & 0x7F_FFFF
            }
            for slice in stride(from: 0, to: count, by: 4) {
                let offset = (before - middles.four(slice)).greatest(SIMD4(repeating: -reach))
                    .least(SIMD4(repeating: reach))
                let low = (tiltX * offset - halfX).greatest(tiltY * offset - halfY)
                let high = (tiltX * offset + halfX).least(tiltY * offset + halfY)
                let w = low + (high - low) * across
                let place = placesX.four(slice) + (x + normalX * offset - normalY * w) * scalesX.four(slice)
                let line = placesY.four(slice) + (y + normalY * offset + normalX * w) * scalesY.four(slice)
                columns.set(slice, sample(place, mostX))
                rows.set(slice, sample(line, mostY))
            }
        }
    }

    /// What a sample's slices see.
    private func sight(_ range: Range<Int>) -> SeenSlices {
        let (slices, first) = (layout.slices, range.lowerBound)
        return SeenSlices(
            picture: scene.backPicture, count: range.count, points: slices.points,
            columns: buffers.slices.columns.start, rows: buffers.slices.rows.start,
            weights: buffers.slices.weights.start, lights: slices.lights.start + first)
    }
}
