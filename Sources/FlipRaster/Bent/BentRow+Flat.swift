import FlipGeometry

/// Where the sheet is flat: on the screen, upside down above it, and beyond its rim, where what lies beneath is seen.
extension BentRow {
    /// Draws samples that see the sheet where it lies on the screen, or its flat back above.
    func drawFlat(_ range: Range<Int>) {
        if range.isEmpty { return }
        let half = layout.flatBack.shape.halfExtent * SIMD2(layout.columns.pitch, layout.rows.pitch)
        // From the outside to the inside: what sees any of the back, and what sees nothing else.
        let touched = flatBackLine.columns(in: range, geometry.page, margin: -half)
        let covered = drawable(flatBackLine.columns(in: touched, geometry.page, margin: half), flatBackLine)
        drawUnder(range.lowerBound..<touched.lowerBound, isLifted: false)
        drawEdges(touched.lowerBound..<covered.lowerBound)
        drawBack(covered, flatBackLine)
        drawEdges(covered.upperBound..<touched.upperBound)
        drawUnder(touched.upperBound..<range.upperBound, isLifted: false)
    }

    // MARK: The flat back

    /// A row's samples on a flat part of the page: the first one's place, and the way from one to the next.
    struct PageLine {
        let start: SIMD2<Double>
        let step: SIMD2<Double>

        /// The columns in `range` whose places are inside of the rectangle, at least `margin` from its sides; empty
        /// ranges lie at the start of `range`.
        func columns(
            in range: Range<Int>, _ page: (low: SIMD2<Double>, high: SIMD2<Double>), margin: SIMD2<Double>
        ) -> Range<Int> {
            var (first, end) = (Double(range.lowerBound), Double(range.upperBound))
            for axis in 0..<2 {
                let (low, high) = (page.low[axis] + margin[axis], page.high[axis] - margin[axis])
                if abs(step[axis]) < 1e-12 {
                    if start[axis] < low || start[axis] > high { end = first }
                    continue
                }
                let (a, b) = ((low - start[axis]) / step[axis], (high - start[axis]) / step[axis])
                first = max(first, min(a, b).rounded(.up))
                end = min(end, max(a, b).rounded(.down) + 1)
            }
            if first >= end { return range.lowerBound..<range.lowerBound }
            return Int(first)..<Int(end)
        }
    }

    /// The part of `range` whose windows lie inside the plane, if the table has any; an empty one lies at the start.
    private func drawable(_ range: Range<Int>, _ line: PageLine) -> Range<Int> {
        guard let taps = layout.flatBack.taps else { return range.lowerBound..<range.lowerBound }
        return inside(range, windows(line, taps), taps)
    }

    /// The part of `range` whose windows, which begin on `windows`, lie inside the plane; an empty one lies at the start.
    func inside(_ range: Range<Int>, _ windows: PageLine, _ taps: Int) -> Range<Int> {
        let range = whole.clamped(to: range)
        let most = SIMD2(Double(layout.columns.count - taps), Double(layout.rows.count - taps))
        if range.isEmpty || most.x < 0 || most.y < 0 { return range.lowerBound..<range.lowerBound }
        return windows.columns(in: range, (low: .zero, high: most + 0.9), margin: .zero)
    }

    /// Where the windows of a line's samples begin on the back's picture, in samples.
    private func windows(_ line: PageLine, _ taps: Int) -> PageLine {
        func texture(_ point: SIMD2<Double>) -> SIMD2<Double> {
            let point = scene.backRay(point).point
            return SIMD2(layout.columns.samples(point.x), layout.rows.samples(point.y)) - Double(taps - 1) / 2
        }
        let start = texture(line.start)
        return PageLine(start: start, step: texture(line.start + line.step) - start)
    }

    private func drawBack(_ range: Range<Int>, _ line: PageLine) {
        if range.isEmpty { return }
        let table = layout.flatBack
        guard let taps = table.taps else { return drawByRays(range) }
        let windows = windows(line, taps)
        let ray = scene.backRay(.zero)
        forEachPiece(range) { piece in
            place(piece, windows, table)
            canvas.average(piece.count, scene.backPicture, buffers.windows, taps: taps)
            if ray.light != Light() {
                canvas.mixPaper(piece.count, keep: Float(ray.light.keep), paper: Float(ray.light.paper))
            }
            store(piece)
        }
    }

    /// Sets the windows of a piece that lies on a line.
    func place(_ piece: Range<Int>, _ windows: PageLine, _ table: FootprintTable) {
        guard let taps = table.taps else { return }
        let phases = Double(1 << table.phaseBits)
        let line = WindowPlaces.Row(
            start: (windows.start + windows.step * Double(piece.lowerBound)) * phases, step: windows.step * phases,
            WindowPlaces.Phases(bits: table.phaseBits, taps: taps), table: table.start)
        canvas.kernels.places(line, buffers.windows, piece.count)
    }
}
