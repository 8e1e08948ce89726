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
                while start < piece.count, sights.inner[start] >= 0 { start += 1 }
                draw((offset + first)..<(offset + start), at: first, isBack: isBack, taps)
            } else if sights.outer[start] < 0 {
                while start < piece.count, sights.outer[start] < 0 { start += 1 }
                drawBehind((offset + first)..<(offset + start))
            } else {
                while start < piece.count, sights.inner[start] < 0, sights.outer[start] >= 0 { start += 1 }
                drawEdges((offset + first)..<(offset + start))
            }
        }
    }

    // MARK: Where samples see a side

    /// Finds out what the samples of a piece see of one side of the sheet.
    private func locate(_ piece: Range<Int>, isBack: Bool, _ taps: Int) {
        let sights = isBack ? buffers.back : buffers.front
        let side = isBack ? layout.backSide : layout.frontSide
        spread(isBack ? layout.back : layout.front, piece, sights)
        let (scale, shift) = (row(.scale, piece, sights, isBack), row(.shift, piece, sights, isBack))
        let (viewX, viewY) = (Float(geometry.viewpoint.x), Float(geometry.viewpoint.y))
        let (normalX, normalY) = (Float(geometry.normal.x), Float(geometry.normal.y))
        let (lowX, lowY) = (Float(geometry.page.low.x), Float(geometry.page.low.y))
        let (highX, highY) = (Float(geometry.page.high.x), Float(geometry.page.high.y))
        let windows = side.windows(taps)
        let (mostX, mostY) = (Float(layout.columns.count - taps) + 0.9, Float(layout.rows.count - taps) + 0.9)
        let fromView = layout.fromView.start + piece.lowerBound
        let y = layout.rowsFromView.start[row]
        let (pageX, pageY, inner, outer) = (sights.x, sights.y, sights.inner, sights.outer)
        let (halfX, halfY) = (sights.halfX, sights.halfY)
        for index in 0..<piece.count {
            let (scale, shift) = (scale[index], shift.smooth(index))
            let x = viewX + fromView[index] * scale + normalX * shift
            let y = viewY + y * scale + normalY * shift
            pageX[index] = x
            pageY[index] = y
            let (marginX, marginY) = (min(x - lowX, highX - x), min(y - lowY, highY - y))
            let (column, row) = (x * windows.scaleX + windows.x, y * windows.scaleY + windows.y)
            let window = min(min(column, mostX - column), min(row, mostY - row))
            inner[index] = min(window, min(marginX - halfX[index], marginY - halfY[index]))
            outer[index] = min(marginX + halfX[index], marginY + halfY[index])
        }
    }

    /// Sets the extents of the footprints of a piece and the places of their weights.
    private func spread(_ levels: BentLayout.Levels, _ piece: Range<Int>, _ sights: BentRowBuffers.SideSights) {
        // Levels follow each other along the row, or against it.
        let (count, isForward) = (levels.count, slope >= 0)
        let start = distance(piece.lowerBound)
        var next = isForward ? 0 : piece.count
        for level in 0..<count {
            let end = level == count - 1 ? .infinity : levels.ends.start[level] - start
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
            let (half, place) = (levels.halfExtents.start[level], levels.places.start[level])
            for index in part {
                sights.halfX[index] = half.x
                sights.halfY[index] = half.y
                sights.places[index] = place
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
        let side = isBack ? layout.backSide : layout.frontSide
        place(range.count, first, sights, side.windows(taps), taps)
        let picture = isBack ? scene.backPicture : scene.front
        if !isBack { lightFront(range, sights) }
        canvas.average(range.count, picture, taps: taps)
        if isBack { lightBack(range, sights) } else { canvas.mixShadow(range.count) }
        store(range)
    }

    /// Sets the windows around the page points of `count` samples, from number `first` on.
    private func place(
        _ count: Int, _ first: Int, _ sights: BentRowBuffers.SideSights, _ windows: BentLayout.Windows, _ taps: Int
    ) {
        let (x, y, starts) = (sights.x + first, sights.y + first, sights.places + first)
        let (columns, rows, places) = (buffers.columns, buffers.rows, buffers.places)
        let bits = Int32(BentLayout.curvedBits(taps))
        let mask: Int32 = 1 << bits - 1
        let phases = Float(1 << bits)
        let shift: Int32 = taps == FootprintTable.smallWindow ? 4 : 6
        for index in 0..<count {
            // At this magnitude, the lowest bit of a Float is worth 1: positions are rounded to phases.
            let column = Int32(
                bitPattern: ((x[index] * windows.scaleX + windows.x) * phases + 0x1p23).bitPattern & 0x7F_FFFF)
            let row = Int32(
                bitPattern: ((y[index] * windows.scaleY + windows.y) * phases + 0x1p23).bitPattern & 0x7F_FFFF)
            columns[index] = column &>> bits
            rows[index] = row &>> bits
            places[index] = starts[index] &+ ((row & mask) &<< bits &+ (column & mask)) &<< shift
        }
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
