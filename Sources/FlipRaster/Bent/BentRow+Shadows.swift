import FlipGeometry

/// The shadows that fall on what lies flat on the screen.
extension BentRow {
    /// Sets the piece's `keep` to what shadows leave of what lies flat.
    func shade(_ piece: Range<Int>, roll: Bool, cast: Bool) {
        shade(piece, nudge: 0, roll: roll, cast: cast)
        // Of samples that the frame's border clips, the middle is nearer to the border's other side.
        let columns = layout.columns
        for column in [piece.lowerBound, piece.upperBound - 1] where columns.isClipped(column) && scene.zoom == 1 {
            let index = column - piece.lowerBound
            let nudge = columns.middle(column) - columns.edge(column) - columns.pitch / 2
            let first = buffers.keep[0]
            shade(column..<(column + 1), nudge: nudge, roll: roll, cast: cast)
            let value = buffers.keep[0]
            buffers.keep[0] = first
            buffers.keep[index] = value
        }
    }

    private func shade(_ piece: Range<Int>, nudge: Double, roll: Bool, cast: Bool) {
        if layout.hasFineShadows { return shadeFinely(piece, nudge: nudge, roll: roll, cast: cast) }
        if roll {
            shadeByRoll(piece, distance(piece.lowerBound) + nudge * geometry.normal.x)
        } else {
            for index in 0..<piece.count { buffers.keep[index] = 1 }
        }
        if cast { shadeByBack(piece, nudge) }
    }

    /// Sets the piece's `keep` sample by sample.
    private func shadeFinely(_ piece: Range<Int>, nudge: Double, roll: Bool, cast: Bool) {
        for column in piece {
            let middle = point(column) + SIMD2(nudge, 0)
            let d = distance(column) + nudge * geometry.normal.x
            var keep = roll ? 1 - rollShadow(d) : 1
            if cast { keep *= 1 - backShadow(middle, d) }
            buffers.keep[column - piece.lowerBound] = Float(keep)
        }
    }

    private func shadeByRoll(_ piece: Range<Int>, _ distance: Double) {
        let scale = Float(1 / geometry.light.fading)
        let start = Float(distance - geometry.radius) * scale
        let step = Float(slope) * scale
        let most = Float(geometry.light.roll)
        let keep = buffers.keep
        for index in 0..<piece.count {
            let rest = 1 - min(max(start + Float(index) * step, 0), 1)
            keep[index] = 1 - min(most * rest * rest, 1)
        }
    }

    /// Multiplies the piece's `keep` by what the flat back's shadow leaves. It ends where the cylinder begins.
    func shadeByBack(_ piece: Range<Int>, _ nudge: Double = 0) {
        let light = geometry.light
        if light.back == 0 { return }
        let (line, number) = (flatBackLine, Double(piece.lowerBound) + nudge / step)
        let first = line.start + line.step * number
        let scale = 1 / light.backReach
        let most = Float(light.back)
        // The distances from the page's four sides, in units of the shadow's reach.
        let (left, top) = (
            Float((geometry.page.low.x - first.x) * scale), Float((geometry.page.low.y - first.y) * scale)
        )
        let (right, bottom) = (
            Float((first.x - geometry.page.high.x) * scale), Float((first.y - geometry.page.high.y) * scale)
        )
        let (stepX, stepY) = (Float(line.step.x * scale), Float(line.step.y * scale))
        let (keep, shade) = (buffers.keep, buffers.shade)
        for index in 0..<piece.count {
            let (x, y) = (Float(index) * stepX, Float(index) * stepY)
            let (outX, outY) = (max(max(left - x, right + x), 0), max(max(top - y, bottom + y), 0))
            let rest = max(1 - (outX * outX + outY * outY).squareRoot(), 0)
            shade[index] = min(most * rest * rest, 1)
        }
        // The middles of most footprints are either all before the end of the shadow, or all beyond it.
        let before = geometry.joint - distance(piece.lowerBound) - nudge * geometry.normal.x
        let last = before - slope * Double(piece.count)
        let (reach, profile) = (layout.reach, layout.profile)
        if min(before, last) >= reach {
            for index in 0..<piece.count { keep[index] *= 1 - shade[index] }
        } else if max(before, last) > -reach {
            for index in 0..<piece.count {
                let part = profile.part(below: before - Double(index) * slope)
                keep[index] *= 1 - Float(part) * shade[index]
            }
        }
    }

    /// The mean shade that the cylinder casts on a sample at distance `d`.
    func rollShadow(_ d: Double) -> Double {
        let light = geometry.light
        if !layout.hasFineShadows { return light.rollShadow(d) }
        let (count, profile) = (16, layout.profile)
        var (sum, below) = (0.0, 0.0)
        for part in 1...count {
            let end = profile.reach * (2 * Double(part) / Double(count) - 1)
            let next = profile.part(below: end)
            sum += (next - below) * light.rollShadow(d + end - profile.reach / Double(count))
            below = next
        }
        return sum
    }

    /// The mean shade that the flat back casts on a sample around `point`, at distance `d`.
    func backShadow(_ point: SIMD2<Double>, _ d: Double) -> Double {
        if !layout.hasFineShadows { return geometry.backShadow(point, d, layout.profile) }
        let seen = layout.profile.part(below: geometry.joint - d)
        if geometry.light.back == 0 || seen == 0 { return 0 }
        let pitch = SIMD2(layout.columns.pitch, layout.rows.pitch) * scene.zoom
        let count = 4
        var sum = 0.0
        for row in 0..<count {
            for column in 0..<count {
                let part = (SIMD2(Double(column), Double(row)) + 0.5) / Double(count) - 0.5
                let point = point + pitch * part
                let page = geometry.page(point, geometry.flatBack(geometry.distance(point)))
                sum += geometry.light.backShadow(geometry.distanceFromPage(page))
            }
        }
        return sum / Double(count * count) * seen
    }
}
