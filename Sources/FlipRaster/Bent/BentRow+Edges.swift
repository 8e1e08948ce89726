import FlipGeometry

/// Samples that see more than one surface: the exact part of each, and the mean of what it shows.
extension BentRow {
    /// Draws samples at the page's sides.
    func drawEdges(_ range: Range<Int>) {
        drawSingly(range) { column, index in drawEdge(column, at: index) }
    }

    /// Draws samples at the rim of the cylinder.
    func drawRim(_ range: Range<Int>) {
        drawSingly(range) { column, index in drawRim(column, at: index) }
    }

    /// Draws samples one by one; `draw` returns false for those that need rays.
    private func drawSingly(_ range: Range<Int>, _ draw: (_ column: Int, _ index: Int) -> Bool) {
        let tabulated = whole.clamped(to: range)
        forEachPiece(range) { piece in
            for column in piece {
                let index = column - piece.lowerBound
                if !(tabulated.contains(column) && draw(column, index)) {
                    sampler.draw(column, row, into: buffers.line + index, stride: BentRowBuffers.capacity)
                }
            }
            store(piece)
        }
    }

    // MARK: The page's sides

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
        if scene.zoom != 1 || layout.hasNarrowShadows { return false }
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
            ray.shade(shadow(point, d, outside))
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
            ray.shade(light.shade)
            ray.shine(light.gloss)
        } else {
            ray = BentRay(picture: scene.front, point: page)
            ray.shade(geometry.light.onFront(hit))
            ray.shade(shadow(point, d, outside))
        }
        return Part(coverage: coverage, outside: beyond, ray: ray, table: table)
    }

    /// The shade that the back casts on the part of a sample that lies `outside` of it in the mean.
    private func shadow(_ point: SIMD2<Double>, _ d: Double, _ outside: Double?) -> Double {
        guard let outside else { return geometry.backShadow(point, d, layout.profile) }
        return geometry.light.backShadow(outside) * layout.profile.part(below: geometry.joint - d)
    }

    /// The part of a footprint around the page point `page` that lies on the page, and the mean distance of the rest
    /// from it; nil if two of its sides cross it.
    private func coverage(
        _ page: SIMD2<Double>, _ shape: FootprintTable.Shape
    ) -> (part: Double, outside: Double)? {
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
            guard let ray = rayBeneath(column, point, outside: back.coverage > 0 ? back.outside : nil) else {
                return false
            }
            under = ray
        }
        for plane in 0..<layout.planes.count {
            var value: Float = 0
            if back.coverage > 0 {
                value += Float(back.coverage) * sampler.mixed(back.ray, mean(back.ray, back.table, plane), plane)
            }
            if let front, onFront > 0 {
                value += Float(onFront) * sampler.mixed(front.ray, mean(front.ray, front.table, plane), plane)
            }
            if let under, let picture = under.picture {
                value +=
                    Float(rest) * sampler.mixed(under, sampler.wide(sampler.view(picture, plane), column, row), plane)
            }
            buffers.line[plane * BentRowBuffers.capacity + index] = Wide.nearest(value)
        }
        return true
    }

    /// What is seen of the flat pictures beneath the sheet in a sample; nil if it is more than one.
    private func rayBeneath(_ column: Int, _ point: SIMD2<Double>, outside: Double? = nil) -> BentRay? {
        let half = step / 2 - 1e-9
        let seen = pictures(point.x - half, true)
        guard let picture = seen.middle, seen.areEqual, pictures(point.x + half, true) == seen else { return nil }
        var ray = BentRay(picture: picture, point: point)
        let d = distance(column)
        ray.shade(geometry.light.rollShadow(d))
        ray.shade(shadow(point, d, outside))
        return ray
    }

    /// The mean of a plane of a picture over a footprint. Beyond the picture, its outermost samples repeat.
    private func mean(_ ray: BentRay, _ table: FootprintTable, _ plane: Int) -> Float {
        guard let picture = ray.picture, let taps = table.taps else { return 0 }
        let view = sampler.view(picture, plane)
        let x = layout.columns.samples(ray.point.x) - Double(taps - 1) / 2
        let y = layout.rows.samples(ray.point.y) - Double(taps - 1) / 2
        let (column, row) = (x.rounded(.down), y.rounded(.down))
        let phases = Double(1 << table.phaseBits)
        let phase = Int((y - row) * phases) << table.phaseBits + Int((x - column) * phases)
        let weights = layout.footprints.start + table.start + phase * taps * taps
        var sum: Float = 0
        for line in 0..<taps {
            let sampleRow = min(max(Int(row) + line, 0), view.height - 1)
            for tap in 0..<taps {
                let weight = weights[line * taps + tap]
                if weight == 0 { continue }
                sum += Float(weight) * sampler.wide(view, min(max(Int(column) + tap, 0), view.width - 1), sampleRow)
            }
        }
        return sum / Float(1 << FootprintTable.weightBits)
    }

    // MARK: The rim

    /// The mean length of the slices of the sheet at the rim, and the distance of the points in which they are sampled,
    /// in samples.
    private static let sliceLength = 1.2
    private static let pointsPerSlice = 2
    /// The same where the cylinder is so thin that a sample sees the flat parts on both sides of it, and has few slices.
    private static let fineSliceLength = 0.15
    private static let pointsPerFineSlice = 6

    /// Draws a sample that sees the back of the sheet up to the rim, in slices along the contact line, and what lies
    /// beneath it beyond the rim.
    private func drawRim(_ column: Int, at index: Int) -> Bool {
        if scene.zoom != 1 || layout.hasNarrowShadows { return false }
        let (point, d) = (point(column), distance(column))
        let profile = layout.profile
        let (near, far) = (rim.root(d + profile.reach), rim.root(d - profile.reach))
        // The sheet's places at the two ends of what is seen.
        let (first, last) = (rim(near), rim(far))
        let ends = (geometry.page(point, first), geometry.page(point, last))
        let margin = SIMD2(layout.columns.pitch, layout.rows.pitch) * 1.5
        let onFront = (geometry.page(point, rim.front(near)), geometry.page(point, rim.front(far)))
        if isOffPage(ends.0, ends.1, margin) && isOffPage(onFront.0, onFront.1, margin) {
            return drawBeneath(column, at: index)
        }
        let (low, high) = (pointwiseMin(ends.0, ends.1), pointwiseMax(ends.0, ends.1))
        let inside = pointwiseMin(low - geometry.page.low, geometry.page.high - high)
        if inside.x < margin.x || inside.y < margin.y { return false }
        let rest = 1 - profile.part(below: geometry.rim - d)
        var under: BentRay?
        if rest > 0 {
            guard let ray = rayBeneath(column, point) else { return false }
            under = ray
        }
        let length = abs(Double(last[5] - first[5]))
        let isThin = layout.limits[2] <= layout.limits[0]
        let (slice, points) =
            isThin
            ? (BentRow.fineSliceLength, BentRow.pointsPerFineSlice) : (BentRow.sliceLength, BentRow.pointsPerSlice)
        let count = max(Int((length / (min(layout.columns.pitch, layout.rows.pitch) * slice)).rounded(.up)), 2)
        var sums = SIMD4<Float>()
        var below = profile.part(below: geometry.rim - near * near - d)
        let ray = scene.backRay(.zero)
        let picture = scene.backPicture
        for slice in 0..<count {
            let end = near + (far - near) * Double(slice + 1) / Double(count)
            let next = profile.part(below: geometry.rim - end * end - d)
            let weight = Float(below - next)
            below = next
            if weight <= 0 { continue }
            let middle = near + (far - near) * (Double(slice) + 0.5) / Double(count)
            let entry = rim(middle)
            // Points of the slice on the screen: on the chord that its middle cuts out of the footprint.
            let (low, high) = chord(geometry.rim - middle * middle - d)
            var texture = SIMD4<Float>()
            for part in 0..<points {
                let across = (Double(part) + 0.5) / Double(points)
                let place = scene.backRay(geometry.page(point + low + (high - low) * across, entry)).point
                let (column, row) = (layout.columns.sample(at: place.x), layout.rows.sample(at: place.y))
                for plane in 0..<layout.planes.count {
                    texture[plane] += sampler.wide(sampler.view(picture, plane), column, row)
                }
            }
            texture /= Float(points)
            for plane in 0..<layout.planes.count {
                let colors = sampler.colors[plane]
                let value = texture[plane] * Float(ray.keep) + colors.paper * Float(ray.paper)
                sums[plane] += weight * (value * entry[2] + colors.shadow * entry[3] + colors.white * entry[4])
            }
        }
        for plane in 0..<layout.planes.count {
            if let under, let picture = under.picture {
                sums[plane] +=
                    Float(rest) * sampler.mixed(under, sampler.wide(sampler.view(picture, plane), column, row), plane)
            }
            buffers.line[plane * BentRowBuffers.capacity + index] = Wide.nearest(sums[plane])
        }
        return true
    }

    /// Whether all points between `a` and `b` are at least `margin` outside of the page.
    private func isOffPage(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ margin: SIMD2<Double>) -> Bool {
        let over = pointwiseMax(geometry.page.low - pointwiseMax(a, b), pointwiseMin(a, b) - geometry.page.high)
        return over.x > margin.x || over.y > margin.y
    }

    /// Draws a sample that sees nothing of the sheet.
    private func drawBeneath(_ column: Int, at index: Int) -> Bool {
        guard let ray = rayBeneath(column, point(column)), let picture = ray.picture else { return false }
        for plane in 0..<layout.planes.count {
            let value = sampler.mixed(ray, sampler.wide(sampler.view(picture, plane), column, row), plane)
            buffers.line[plane * BentRowBuffers.capacity + index] = Wide.nearest(value)
        }
        return true
    }

    /// The ends of the chord that the line at `offset` along the normal cuts out of a sample's footprint, relative to the
    /// sample's middle.
    private func chord(_ offset: Double) -> (SIMD2<Double>, SIMD2<Double>) {
        let (n, half) = (geometry.normal, SIMD2(layout.columns.pitch, layout.rows.pitch) / 2)
        // The line's points are offset n + w t with t = (-n.y, n.x); the footprint's sides limit w.
        let (start, step) = (n * offset, SIMD2(-n.y, n.x))
        var (low, high) = (-half.x - half.y, half.x + half.y)
        for axis in 0..<2 where abs(step[axis]) > 1e-9 {
            let (a, b) = ((-half[axis] - start[axis]) / step[axis], (half[axis] - start[axis]) / step[axis])
            (low, high) = (max(low, min(a, b)), min(high, max(a, b)))
        }
        if low > high { (low, high) = (0, 0) }
        return (start + step * low, start + step * high)
    }
}
