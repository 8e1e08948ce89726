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
        var start = range.lowerBound
        for segment in flat.segments where segment.end > start {
            while start < min(segment.end, range.upperBound) {
                var end = min(segment.end, range.upperBound)
                for limit in [roll.lowerBound, roll.upperBound, cast.lowerBound, cast.upperBound] where limit > start {
                    end = min(end, limit)
                }
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
        if !roll && !cast { return copy(range, picture) }
        forEachPiece(range) { piece in
            shade(piece, roll: roll, cast: cast)
            for plane in layout.planes {
                let source = context.source(picture, plane: plane)
                Wide.load(
                    source.base + row * source.stride, from: piece.lowerBound, count: piece.count,
                    depth: context.format.depth, into: line(plane))
                mixShadow(piece.count, plane: plane)
            }
            store(piece)
        }
    }

    private func copy(_ range: Range<Int>, _ picture: Picture) {
        let bytes = context.format.bytesPerSample
        for plane in layout.planes {
            let (source, target) = (context.source(picture, plane: plane), context.target[plane])
            let offset = range.lowerBound * bytes
            (target.base + row * target.stride + offset).copyMemory(
                from: source.base + row * source.stride + offset, byteCount: range.count * bytes)
        }
    }

    private func fill(_ range: Range<Int>) {
        forEachPiece(range) { piece in
            for plane in layout.planes {
                line(plane).update(repeating: context.background[plane: plane], count: piece.count)
            }
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
            for plane in layout.planes {
                average(piece.count, picture, plane: plane, taps: taps)
                if roll || cast { mixShadow(piece.count, plane: plane) }
            }
            store(piece)
        }
        drawByRays(inner.upperBound..<range.upperBound)
    }

    // MARK: Shadows

    /// Sets the piece's `keep` to what shadows leave of what lies flat.
    private func shade(_ piece: Range<Int>, roll: Bool, cast: Bool) {
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
        if roll {
            shadeByRoll(piece, distance(piece.lowerBound) + nudge * geometry.normal.x)
        } else {
            for index in 0..<piece.count { buffers.keep[index] = 1 }
        }
        if cast { shadeByBack(piece, nudge) }
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

    /// `line = line * keep + shadow color * (1 - keep)`.
    func mixShadow(_ count: Int, plane: Int) {
        let line = line(plane)
        let keep = buffers.keep
        let shadow = sampler.colors[plane - layout.planes.lowerBound].shadow
        for index in 0..<count {
            line[index] = Wide.nearest((Float(line[index]) - shadow) * keep[index] + shadow)
        }
    }
}
