import FlipGeometry

/// Draws rows of flat sheets and of cross-fades in the pictures' own memory, whatever its layout, with the buffers of
/// one thread.
final class MemoryRows {
    /// The length in samples of the patterns that `keep` and `bias` repeat: a whole number of pixels of 1...4 samples
    /// and of 64-byte registers.
    private static let patternLength = 384

    private let keep = Scratch<UInt16>()
    private let bias = Scratch<UInt16>()
    /// What the patterns were made for.
    private var shade = -1.0
    private var shadow: EncodedColor?
    private var turns: [Int?] = []
    private let line = Scratch<UInt16>()
    private let weights = Scratch<UInt32>()
    private let kernels: KernelTable

    init(_ kernels: KernelTable) {
        self.kernels = kernels
        keep.reserve(MemoryRows.patternLength)
        bias.reserve(MemoryRows.patternLength)
    }

    // MARK: Flat sheets

    /// Draws the part `bounds` of a plane, where it shows a flat sheet whose picture is `source`. Colors are shaded
    /// toward `shadow`; alpha stays, and padding gets all bits set.
    ///
    /// - Parameter along: the rows' grid, by which a sheet is shaded whose shade is not the same everywhere.
    func drawFlat(
        _ sheet: Projection, _ bounds: Job.Bounds, of plane: MemoryPlane, _ source: PlaneView, into target: PlaneView,
        along: Grid, shadow: EncodedColor
    ) {
        let (count, start) = (bounds.columns.count, bounds.columns.lowerBound * plane.pixelBytes)
        let shade = plane.color == nil ? 0 : sheet.finish.uniformShade
        for row in bounds.rows {
            let (from, to) = (source.base + (row * source.stride + start), target.base + (row * target.stride + start))
            let a = shade ?? sheet.shade(at: along.middle(row))
            if a == 0 {
                copy(from, into: to, plane, count: count)
            } else if !plane.isInterleaved, let color = plane.color {
                drawShaded(from, into: to, plane.format.depth, count: count, shade: a, shadow[plane: color])
            } else {
                drawShaded(from, into: to, plane, count: count, shade: a, shadow)
            }
        }
    }

    /// Copies the part `bounds` of a plane; padding gets all bits set.
    func copy(_ bounds: Job.Bounds, of plane: MemoryPlane, _ source: PlaneView, into target: PlaneView) {
        let start = bounds.columns.lowerBound * plane.pixelBytes
        for row in bounds.rows {
            copy(
                source.base + (row * source.stride + start), into: target.base + (row * target.stride + start), plane,
                count: bounds.columns.count)
        }
    }

    private func copy(
        _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, _ plane: MemoryPlane, count: Int
    ) {
        target.copyMemory(from: source, byteCount: count * plane.pixelBytes)
        if let padding = plane.padding { fill(padding, of: target, plane, count: count) }
    }

    private func drawShaded(
        _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, _ depth: Int, count: Int, shade a: Double,
        _ color: UInt16
    ) {
        let (keep, tint) = (Wide.keep(shade: a), Wide.tint(color, shade: a))
        if depth == 8 {
            let to = target.assumingMemoryBound(to: UInt8.self)
            kernels.shade(source.assumingMemoryBound(to: UInt8.self), count, keep, tint, to)
        } else {
            let to = target.assumingMemoryBound(to: UInt16.self)
            Wide.shade(source.assumingMemoryBound(to: UInt16.self), count: count, depth: depth, keep, tint, into: to)
        }
    }

    private func drawShaded(
        _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, _ plane: MemoryPlane, count: Int,
        shade a: Double, _ shadow: EncodedColor
    ) {
        let format = plane.format
        plan(a, shadow, plane.turns, format)
        draw(source, into: target, samples: count * plane.turns.count, depth: format.depth)
        // The pattern can't keep a sample of more than 8 bits as it is.
        if format.depth > 8, let alpha = plane.alpha {
            let offset = alpha * format.bytesPerSample
            Interleaving.set(
                target + offset, every: plane.turns.count, count: count, to: source + offset, or: 0,
                bytesPerSample: format.bytesPerSample)
        }
    }

    /// Sets all bits of the padding of `count` pixels, which comes in turn `turn`.
    private func fill(_ turn: Int, of pixels: UnsafeMutableRawPointer, _ plane: MemoryPlane, count: Int) {
        Interleaving.set(
            pixels + turn * plane.format.bytesPerSample, every: plane.turns.count, count: count, to: nil,
            or: plane.format.peak, bytesPerSample: plane.format.bytesPerSample)
    }

    private func plan(_ a: Double, _ shadow: EncodedColor, _ turns: [Int?], _ format: PictureFormat) {
        if a == shade, self.shadow == shadow, self.turns == turns { return }
        (shade, self.shadow, self.turns) = (a, shadow, turns)
        for sample in 0..<MemoryRows.patternLength {
            let (kept, added): (UInt16, UInt16) =
                switch turns[sample % turns.count] {
                case nil: (0, UInt16(format.peak << (16 - format.depth)))
                case format.colorPlaneCount?: (Wide.one, 0)
                case let plane?: (Wide.keep(shade: a), Wide.tint(shadow[plane: plane], shade: a))
                }
            (keep.start[sample], bias.start[sample]) = (kept, added)
        }
    }

    /// Shades `samples` interleaved samples as `Wide.shade` does those of one plane.
    private func draw(_ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, samples: Int, depth: Int) {
        let (keep, bias) = (keep.start, bias.start)
        let most = UInt16(truncatingIfNeeded: 1 << depth - 1)
        let shift = UInt16(16 - depth)
        let half = (UInt16(1) &<< shift) &>> 1
        var start = 0
        while start < samples {
            let count = min(MemoryRows.patternLength, samples - start)
            if depth == 8 {
                let from = (source + start).assumingMemoryBound(to: UInt8.self)
                let to = (target + start).assumingMemoryBound(to: UInt8.self)
                for x in 0..<count {
                    to[x] = UInt8(
                        truncatingIfNeeded: (Wide.scale(UInt16(from[x]) &<< 8, keep[x]) &+ bias[x] &+ 128) &>> 8)
                }
            } else {
                let from = (source + 2 * start).assumingMemoryBound(to: UInt16.self)
                let to = (target + 2 * start).assumingMemoryBound(to: UInt16.self)
                for x in 0..<count {
                    to[x] = (Wide.scale(min(from[x], most) &<< shift, keep[x]) &+ bias[x] &+ half) &>> shift
                }
            }
            start += count
        }
    }

    // MARK: Cross-fades

    /// Mixes `rows` of a plane. Alpha, if there is any, must be opaque; padding gets all bits set.
    func mix(
        _ mix: CrossFade, _ from: PlaneView, _ to: PlaneView, into target: PlaneView, rows: Range<Int>,
        of plane: MemoryPlane, _ rounding: OpaqueRounding
    ) {
        self.mix(mix, from, to, into: target, Job.Bounds(columns: 0..<target.width, rows: rows), of: plane, rounding)
    }

    /// Mixes the part `bounds` of a plane with weights that depend on the position along the motion, of which `along`
    /// has the plane's samples.
    func mix(
        _ ramp: Fade.Ramp, _ orientation: Orientation, _ along: Grid, _ from: PlaneView, _ to: PlaneView,
        into target: PlaneView, _ bounds: Job.Bounds, of plane: MemoryPlane, _ rounding: OpaqueRounding
    ) {
        let depth = plane.format.depth
        let mean = { (index: Int) in
            let (lower, upper) = along.footprint(index)
            return ramp.mean(lower, upper)
        }
        guard orientation == .horizontal else {
            for row in bounds.rows {
                mix(
                    CrossFade(part: mean(row), depth: depth), from, to, into: target, rows: row..<(row + 1), of: plane,
                    rounding)
            }
            return
        }
        let turns = plane.turns.count
        let weights = weights.reserve(bounds.columns.count * turns)
        for (index, column) in bounds.columns.enumerated() {
            (weights + index * turns).update(repeating: CrossFade.weight(mean(column)), count: turns)
        }
        mix(WeightedFade(weights: weights, depth: depth), from, to, into: target, bounds, of: plane, rounding)
    }

    private func mix(
        _ mix: some RowMix, _ from: PlaneView, _ to: PlaneView, into target: PlaneView, _ bounds: Job.Bounds,
        of plane: MemoryPlane, _ rounding: OpaqueRounding
    ) {
        let count = bounds.columns.count * plane.turns.count
        let start = bounds.columns.lowerBound * plane.pixelBytes
        for row in bounds.rows {
            let pixels = target.base + (row * target.stride + start)
            let outgoing = from.base + (row * from.stride + start)
            let incoming = to.base + (row * to.stride + start)
            switch rounding {
            case .direct: mix.draw(outgoing, incoming, into: pixels, count: count)
            case .divided:
                let line = line.reserve(count)
                mix.draw(outgoing, incoming, wide: line, count: count)
                // All colors of interleaved planes have the same black. Opaque alpha is rounded alike by any.
                Wide.storeDivided(
                    line, count: count, black: plane.format.wideBlack(plane: plane.color ?? 0),
                    depth: plane.format.depth, into: pixels, from: 0)
            }
            if let padding = plane.padding { fill(padding, of: pixels, plane, count: bounds.columns.count) }
        }
    }
}
