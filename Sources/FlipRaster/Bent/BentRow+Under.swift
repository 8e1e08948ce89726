import FlipGeometry

/// What lies flat on the screen.
extension BentRow {
    /// The shadows that fall on what lies flat.
    enum FlatShadow { case none, roll, back, both }

    /// Draws samples of what lies flat on the screen. If `isLifted`, the sheet has left the screen there, and what lies
    /// beneath it is seen; otherwise the sheet itself.
    func drawUnder(_ range: Range<Int>, isLifted: Bool, shadow: FlatShadow) {
        if range.isEmpty { return }
        var next = range.lowerBound
        for edge in scene.edges {
            // Samples that see both sides of an edge between different pictures.
            let half = step / 2 + 1e-9
            let (before, after) = (edge - half, edge + half)
            if pictures(before, isLifted) == pictures(after, isLifted) { continue }
            let first = Int(((edge - origin.x) / step - 0.5).rounded(.down)) + 1
            let straddles = abs(origin.x + Double(first) * step - edge) < half - 2e-9 ? 1 : 0
            let crossed = (first..<(first + straddles)).clamped(to: next..<range.upperBound)
            draw(next..<max(crossed.lowerBound, next), isLifted, shadow)
            drawByRays(crossed)
            next = max(next, crossed.upperBound)
        }
        draw(next..<range.upperBound, isLifted, shadow)
    }

    /// What lies flat at `x` at the upper end, in the middle and at the lower end of the row's footprints.
    struct FlatPictures: Equatable {
        let above: Picture?
        let middle: Picture?
        let below: Picture?

        var areEqual: Bool { above == middle && below == middle }
    }

    func pictures(_ x: Double, _ isLifted: Bool) -> FlatPictures {
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

    /// Draws samples that all see the same picture, or the background.
    private func draw(_ range: Range<Int>, _ isLifted: Bool, _ shadow: FlatShadow) {
        if range.isEmpty { return }
        let inner = whole.clamped(to: range)
        if shadow != .none && inner != range {
            drawByRays(range.lowerBound..<inner.lowerBound)
            draw(inner, isLifted, shadow)
            drawByRays(inner.upperBound..<range.upperBound)
            return
        }
        let middle = point((range.lowerBound + range.upperBound) / 2)
        let seen = pictures(middle.x, isLifted)
        if !seen.areEqual { return drawByRays(range) }
        guard let picture = seen.middle else { return fill(range) }
        if scene.zoom != 1 { return drawZoomed(range, picture, shadow) }
        if shadow == .none { return copy(range, picture) }
        forEachPiece(range) { piece in
            shade(piece, shadow)
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
    private func drawZoomed(_ range: Range<Int>, _ picture: Picture, _ shadow: FlatShadow) {
        let table = layout.flat
        guard let taps = table.taps else { return drawByRays(range) }
        let start = SIMD2(layout.columns.samples(origin.x), layout.rows.samples(origin.y)) - Double(taps - 1) / 2
        let windows = PageLine(start: start, step: SIMD2(step / layout.columns.pitch, 0))
        let inner = inside(range, windows, taps)
        drawByRays(range.lowerBound..<inner.lowerBound)
        forEachPiece(inner) { piece in
            place(piece, windows, table)
            shade(piece, shadow)
            for plane in layout.planes {
                average(piece.count, picture, plane: plane, taps: taps)
                mixShadow(piece.count, plane: plane)
            }
            store(piece)
        }
        drawByRays(inner.upperBound..<range.upperBound)
    }

    // MARK: Shadows

    /// Sets the piece's `keep` to what a shadow leaves of what lies flat.
    private func shade(_ piece: Range<Int>, _ shadow: FlatShadow) {
        switch shadow {
        case .none: for index in 0..<piece.count { buffers.keep[index] = 1 }
        case .roll: shadeByRoll(piece)
        case .back:
            for index in 0..<piece.count { buffers.keep[index] = 1 }
            shadeByBack(piece)
        case .both:
            shadeByRoll(piece)
            shadeByBack(piece)
        }
    }

    private func shadeByRoll(_ piece: Range<Int>) {
        let scale = Float(1 / geometry.light.fading)
        let start = Float(distance(piece.lowerBound) - geometry.radius) * scale
        let step = Float(slope) * scale
        let most = Float(geometry.light.roll)
        for index in 0..<piece.count {
            let rest = 1 - min(max(start + Float(index) * step, 0), 1)
            buffers.keep[index] = 1 - min(most * rest * rest, 1)
        }
    }

    private func shadeByBack(_ piece: Range<Int>) {
        let light = geometry.light
        if light.back == 0 { return }
        let first = geometry.page(point(piece.lowerBound), geometry.flatBack(distance(piece.lowerBound)))
        let next = geometry.page(point(piece.lowerBound + 1), geometry.flatBack(distance(piece.lowerBound + 1)))
        let scale = Float(1 / light.backReach)
        let most = Float(light.back)
        // The distances from the page's four sides, in units of the shadow's reach.
        let (left, top) = (Float(geometry.page.low.x - first.x) * scale, Float(geometry.page.low.y - first.y) * scale)
        let (right, bottom) = (
            Float(first.x - geometry.page.high.x) * scale, Float(first.y - geometry.page.high.y) * scale
        )
        let (stepX, stepY) = (Float(next.x - first.x) * scale, Float(next.y - first.y) * scale)
        // How far the middles of the footprints are before the cylinder, where the shadow ends.
        let before = geometry.joint - distance(piece.lowerBound)
        let (reach, profile) = (layout.reach, layout.profile)
        for index in 0..<piece.count {
            let (x, y) = (Float(index) * stepX, Float(index) * stepY)
            let (outX, outY) = (max(left - x, right + x, 0), max(top - y, bottom + y, 0))
            let rest = max(1 - (outX * outX + outY * outY).squareRoot(), 0)
            buffers.shadow[index] = min(most * rest * rest, 1)
        }
        if min(before, before - slope * Double(piece.count)) >= reach {
            for index in 0..<piece.count { buffers.keep[index] *= 1 - buffers.shadow[index] }
            return
        }
        for index in 0..<piece.count {
            let part = profile.part(below: before - Double(index) * slope)
            buffers.keep[index] *= 1 - Float(part) * buffers.shadow[index]
        }
    }

    /// `line = line * keep + shadow color * (1 - keep)`.
    private func mixShadow(_ count: Int, plane: Int) {
        let line = line(plane)
        let keep = buffers.keep
        let shadow = sampler.colors[plane - layout.planes.lowerBound].shadow
        for index in 0..<count {
            line[index] = Wide.nearest((Float(line[index]) - shadow) * keep[index] + shadow)
        }
    }
}
