import FlipGeometry

/// The part of the sheet that bends.
extension BentRow {
    /// Draws samples of the cylinder: those that see only one side of the sheet, or only what lies beneath it, by
    /// tables; the others one by one.
    func drawCylinder(_ range: Range<Int>, taps: Int) {
        if range.isEmpty { return }
        let tabulated = whole.clamped(to: range)
        drawByRays(range.lowerBound..<tabulated.lowerBound)
        forEachPiece(tabulated) { piece in
            locate(piece, isBack: true, taps)
            drawRuns(piece, isBack: true, taps) { drawFront($0) }
        }
        drawByRays(tabulated.upperBound..<range.upperBound)
    }

    /// Draws samples of the cylinder that don't see the back of the sheet.
    private func drawFront(_ range: Range<Int>) {
        let flat = columns(from: -.infinity, to: -layout.reach).clamped(to: range)
        let bent = slope < 0 ? range.lowerBound..<flat.lowerBound : flat.upperBound..<range.upperBound
        drawUnder(flat, isLifted: false)
        if flat.isEmpty { return drawBentFront(range) }
        drawBentFront(bent)
    }

    private func drawBentFront(_ range: Range<Int>) {
        if range.isEmpty { return }
        let small = columns(from: -.infinity, to: layout.end(table, of: layout.front.small)).clamped(to: range)
        let drawn = columns(from: -.infinity, to: layout.end(table, of: layout.front.drawn)).clamped(to: range)
        if drawn.isEmpty { return drawEdges(range) }
        // Along the row, or against it: small windows, large ones, and none.
        let isForward = slope >= 0
        if !isForward { drawEdges(range.lowerBound..<drawn.lowerBound) }
        if small.isEmpty {
            drawFront(drawn, FootprintTable.largeWindow)
        } else {
            if !isForward { drawFront(drawn.lowerBound..<small.lowerBound, FootprintTable.largeWindow) }
            drawFront(small, FootprintTable.smallWindow)
            if isForward { drawFront(small.upperBound..<drawn.upperBound, FootprintTable.largeWindow) }
        }
        if isForward { drawEdges(drawn.upperBound..<range.upperBound) }
    }

    private func drawFront(_ range: Range<Int>, _ taps: Int) {
        if range.isEmpty { return }
        locate(range, isBack: false, taps)
        drawRuns(range, isBack: false, taps) { drawUnder($0, isLifted: true) }
    }

    /// Draws the samples of `piece` in runs that see one side of the sheet alone, nothing of it, or its edge; `drawBehind`
    /// draws those that see nothing of it.
    @inline(__always)
    private func drawRuns(_ piece: Range<Int>, isBack: Bool, _ taps: Int, _ drawBehind: (_ run: Range<Int>) -> Void) {
        let sights = isBack ? buffers.back : buffers.front
        let offset = piece.lowerBound
        var start = 0
        while start < piece.count {
            let first = start
            if sights.inner[start] >= 0 {
                while start + 4 <= piece.count, BentRow.least(sights.inner, start) >= 0 { start += 4 }
                while start < piece.count, sights.inner[start] >= 0 { start += 1 }
                draw((offset + first)..<(offset + start), at: first, isBack: isBack, taps)
            } else if sights.outer[start] < 0 {
                while start + 4 <= piece.count, BentRow.greatest(sights.outer, start) < 0 { start += 4 }
                while start < piece.count, sights.outer[start] < 0 { start += 1 }
                drawBehind((offset + first)..<(offset + start))
            } else {
                while start < piece.count, sights.inner[start] < 0, sights.outer[start] >= 0 { start += 1 }
                drawEdges((offset + first)..<(offset + start))
            }
        }
    }

    /// The least and the greatest of the four numbers from `index` on.
    @inline(__always)
    private static func least(_ numbers: UnsafeMutablePointer<Float>, _ index: Int) -> Float {
        min(min(numbers[index], numbers[index &+ 1]), min(numbers[index &+ 2], numbers[index &+ 3]))
    }

    @inline(__always)
    private static func greatest(_ numbers: UnsafeMutablePointer<Float>, _ index: Int) -> Float {
        max(max(numbers[index], numbers[index &+ 1]), max(numbers[index &+ 2], numbers[index &+ 3]))
    }

    // MARK: Where samples see a side

    /// Finds out what the samples of a piece see of one side of the sheet.
    private func locate(_ piece: Range<Int>, isBack: Bool, _ taps: Int) {
        let sights = isBack ? buffers.back : buffers.front
        let side = isBack ? layout.backSide : layout.frontSide
        spread(isBack ? layout.back : layout.front, piece, sights)
        let windows = side.windows(taps)
        var places = CurvedPlaces(
            scale: row(.scale, piece, sights, isBack), shift: row(.shift, piece, sights, isBack),
            x: layout.fromView.start + piece.lowerBound,
            phases: WindowPlaces.Phases(bits: BentLayout.curvedBits(taps), taps: taps), halfX: sights.halfX,
            halfY: sights.halfY, tables: sights.tables)
        places.y = layout.rowsFromView.start[row]
        (places.viewpoint, places.normal) = (SIMD2<Float>(geometry.viewpoint), SIMD2<Float>(geometry.normal))
        (places.low, places.high) = (SIMD2<Float>(geometry.page.low), SIMD2<Float>(geometry.page.high))
        places.windowScale = SIMD2(windows.scaleX, windows.scaleY)
        places.windowStart = SIMD2(windows.x, windows.y)
        places.most = SIMD2(Float(layout.columns.count - taps), Float(layout.rows.count - taps)) + 0.9
        canvas.kernels.locate(
            places, CurvedPlaces.Sights(inner: sights.inner, outer: sights.outer, windows: sights.windows), piece.count)
    }

    /// Sets the extents of the footprints of a piece and the places of their tables.
    private func spread(_ levels: BentLayout.Levels, _ piece: Range<Int>, _ sights: BentRowBuffers.SideSights) {
        // Levels follow each other along the row, or against it.
        let (count, isForward) = (levels.count, slope >= 0)
        let start = distance(piece.lowerBound)
        var next = isForward ? 0 : piece.count
        for level in 0..<count {
            let end = level == count - 1 ? .infinity : levels.ends.start[level] - start
            if isForward && end <= 0 { continue }
            // The first sample beyond the level, or the first one of it.
            let limit: Int
            if abs(slope) < 1e-12 {
                limit = (end > 0) == isForward ? piece.count : 0
            } else {
                let position = min(max(end * perSlope, 0), Double(piece.count))
                limit = Int(position) + (Double(Int(position)) < position ? 1 : 0)
            }
            let part = isForward ? next..<max(limit, next) : min(limit, next)..<next
            if part.isEmpty { continue }
            next = isForward ? part.upperBound : part.lowerBound
            let half = levels.halfExtents.start[level]
            let (halfX, halfY) = (SIMD4(repeating: half.x), SIMD4(repeating: half.y))
            let table = SIMD4(repeating: levels.places.start[level])
            // What is set beyond the part belongs to the next level.
            for offset in stride(from: 0, to: part.count, by: 4) {
                let index = isForward ? part.lowerBound + offset : part.upperBound - 4 - offset
                sights.halfX.set(index, halfX)
                sights.halfY.set(index, halfY)
                sights.tables.set(index, table)
            }
            if next == (isForward ? piece.count : 0) { return }
        }
    }

    /// The values of the curl table along a piece.
    private func row(
        _ value: CurlLines.Value, _ piece: Range<Int>, _ sights: BentRowBuffers.SideSights, _ isBack: Bool
    ) -> CurlLines.Row {
        let lines = isBack ? layout.backLines : layout.frontLines
        let d = distance(piece.lowerBound)
        if lines.isDirect { return lines.row(value, lines.place(d)) }
        let gathered = sights.gathered + value.rawValue * BentRowBuffers.capacity
        for index in 0..<piece.count {
            gathered[index] = lines.row(value, lines.place(d + Double(index) * slope)).smooth(0)
        }
        return CurlLines.Row(gathered, stride: 0, part: 0)
    }

    // MARK: Drawing

    /// Draws samples that see only one side of the sheet, from number `first` of a located piece on.
    private func draw(_ range: Range<Int>, at first: Int, isBack: Bool, _ taps: Int) {
        let sights = isBack ? buffers.back : buffers.front
        let picture = isBack ? scene.backPicture : scene.front
        if !isBack { lightFront(range, sights) }
        canvas.average(range.count, picture, sights.windows.from(first), taps: taps)
        if isBack { lightBack(range, sights) } else { canvas.mixShadow(range.count) }
        store(range)
    }

    /// Mixes the light on the back over a line.
    private func lightBack(_ range: Range<Int>, _ sights: BentRowBuffers.SideSights) {
        canvas.lightBack(
            range.count, texture: layout.onBack.keep, paper: layout.onBack.paper, keep: row(.keep, range, sights, true),
            shadow: row(.shadow, range, sights, true), gloss: row(.gloss, range, sights, true))
    }

    /// Sets `keep` to what the light and the back's shadow leave of the front.
    private func lightFront(_ range: Range<Int>, _ sights: BentRowBuffers.SideSights) {
        let (light, keep) = (row(.keep, range, sights, false), buffers.keep)
        for index in 0..<range.count { keep[index] = light[index] }
        if castColumns.overlaps(range) { shadeByBack(range) }
    }
}
