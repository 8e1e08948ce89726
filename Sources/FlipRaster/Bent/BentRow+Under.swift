import FlipGeometry

/// What lies flat on the screen.
extension BentRow {
    // MARK: What is seen

    /// Finds out what lies flat along the row, unless it is the same as along the last one.
    func findFlat() {
        let half = layout.rows.pitch * scene.zoom / 2 - 1e-9
        var level = 0
        for limit in scene.rowLimits {
            if origin.y - half > limit { level += 1 }
            if origin.y + half > limit { level += 1 }
        }
        if level == lastLevel { return }
        lastLevel = level
        find(buffers.flat.onSheet, isLifted: false)
        find(buffers.flat.beneath, isLifted: true)
    }

    private func find(_ flat: FlatSegments, isLifted: Bool) {
        flat.removeAll()
        let count = layout.columns.count
        var next = 0
        for edge in scene.edges {
            // Samples that see both sides of an edge between different pictures.
            let half = step / 2 + 1e-9
            let (before, after) = (edge - half, edge + half)
            if pictures(before, isLifted) == pictures(after, isLifted) { continue }
            let first = Int(((edge - origin.x) / step - 0.5).rounded(.down)) + 1
            let straddles = abs(origin.x + Double(first) * step - edge) < half - 2e-9 ? 1 : 0
            let start = min(max(first, next), count)
            add(next..<start, to: flat, isLifted)
            next = max(min(first + straddles, count), start)
            flat.append(.several, upTo: next)
        }
        add(next..<count, to: flat, isLifted)
    }

    private func add(_ range: Range<Int>, to flat: FlatSegments, _ isLifted: Bool) {
        if range.isEmpty { return }
        let middle = point((range.lowerBound + range.upperBound) / 2)
        let seen = pictures(middle.x, isLifted)
        guard seen.areEqual else { return flat.append(.several, upTo: range.upperBound) }
        switch seen.middle {
        case nil: flat.append(.background, upTo: range.upperBound)
        case .outgoing: flat.append(.outgoing, upTo: range.upperBound)
        case .incoming: flat.append(.incoming, upTo: range.upperBound)
        }
    }

    /// What lies flat at some x, at the upper end, in the middle and at the lower end of the row's footprints.
    private struct FlatPictures: Equatable {
        let above: Picture?
        let middle: Picture?
        let below: Picture?

        var areEqual: Bool { above == middle && below == middle }
    }

    private func pictures(_ x: Double, _ isLifted: Bool) -> FlatPictures {
        let half = layout.rows.pitch * scene.zoom / 2 - 1e-9
        return FlatPictures(
            above: picture(SIMD2(x, origin.y - half), isLifted), middle: picture(SIMD2(x, origin.y), isLifted),
            below: picture(SIMD2(x, origin.y + half), isLifted))
    }

    private func picture(_ point: SIMD2<Double>, _ isLifted: Bool) -> Picture? {
        // Without a step back, nothing beyond the frame is seen.
        let point = scene.zoom == 1 ? pointwiseMin(pointwiseMax(point, .zero), scene.size) : point
        return !isLifted && geometry.isOnPage(point) ? scene.front : scene.picture(at: point)
    }

    // MARK: Drawing

    /// Draws samples of what lies flat on the screen, with the shadows that fall on it. If `isLifted`, the sheet has
    /// left the screen there, and what lies beneath it is seen; otherwise the sheet itself.
    func drawUnder(_ range: Range<Int>, isLifted: Bool) {
        if range.isEmpty { return }
        let flat = isLifted ? buffers.flat.beneath : buffers.flat.onSheet
        let (roll, cast) = (isLifted ? rollColumns : 0..<0, castColumns)
        let limits = SIMD4(roll.lowerBound, roll.upperBound, cast.lowerBound, cast.upperBound)
        var start = range.lowerBound
        for index in 0..<flat.count where flat[index].end > start {
            let segment = flat[index]
            while start < min(segment.end, range.upperBound) {
                var end = min(segment.end, range.upperBound)
                for index in limits.indices where limits[index] > start { end = min(end, limits[index]) }
                draw(start..<end, segment.sight, roll: roll.contains(start), cast: cast.contains(start))
                start = end
            }
        }
    }

    /// Draws samples that all see the same picture, or the background.
    private func draw(_ range: Range<Int>, _ sight: FlatSegments.Sight, roll: Bool, cast: Bool) {
        let picture: Picture
        switch sight {
        case .several: return drawByRays(range)
        case .background: return fill(range)
        case .outgoing: picture = .outgoing
        case .incoming: picture = .incoming
        }
        if scene.zoom != 1 { return drawZoomed(range, picture, roll: roll, cast: cast) }
        if !roll && !cast { return canvas.copy(range, row: row, picture) }
        forEachPiece(range) { piece in
            shade(piece, roll: roll, cast: cast)
            canvas.load(piece, row: row, picture)
            canvas.mixShadow(piece.count)
            store(piece)
        }
    }

    private func fill(_ range: Range<Int>) {
        forEachPiece(range) { piece in
            canvas.fill(piece.count)
            store(piece)
        }
    }

    /// Draws samples of a picture that the camera has stepped back from.
    private func drawZoomed(_ range: Range<Int>, _ picture: Picture, roll: Bool, cast: Bool) {
        let table = layout.flat
        guard let taps = table.taps else { return drawByRays(range) }
        let start = SIMD2(layout.columns.samples(origin.x), layout.rows.samples(origin.y)) - Double(taps - 1) / 2
        let windows = PageLine(start: start, step: SIMD2(step / layout.columns.pitch, 0))
        let inner = inside(range, windows, taps)
        drawByRays(range.lowerBound..<inner.lowerBound)
        forEachPiece(inner) { piece in
            place(piece, windows, table)
            shade(piece, roll: roll, cast: cast)
            canvas.average(piece.count, picture, buffers.windows, taps: taps)
            if roll || cast { canvas.mixShadow(piece.count) }
            store(piece)
        }
        drawByRays(inner.upperBound..<range.upperBound)
    }
}
