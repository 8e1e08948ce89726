import FlipGeometry

/// Draws parts of frames of floats that show one picture at its place, or mix two.
enum FloatRows {
    /// Copies a part of a picture.
    static func copy(
        _ bounds: Job.Bounds, _ source: FloatPicture, into target: FloatPicture, _ scratch: Scratch<FloatPixel>
    ) {
        let (count, start) = (bounds.columns.count, bounds.columns.lowerBound)
        if source.isLike(target) {
            for row in bounds.rows {
                target.address(row, start).copyMemory(
                    from: source.address(row, start), byteCount: count * target.pixelBytes)
            }
            return
        }
        for row in bounds.rows {
            target.store(source.pixels(row, bounds.columns, scratch), count: count, row: row, from: start)
        }
    }

    /// Draws a part of a frame that shows a flat sheet.
    static func drawFlat(
        _ sheet: Projection, _ bounds: Job.Bounds, along: Grid, _ source: FloatPicture, _ frame: FloatFrame,
        _ scratch: Scratch<FloatPixel>
    ) {
        let uniform = sheet.finish.uniformShade
        if uniform == 0 { return copy(bounds, source, into: frame.into, scratch) }
        let count = bounds.columns.count
        for row in bounds.rows {
            let middle = along.middle(row)
            let light = uniform.map { Light.shade($0) } ?? sheet.finish(texture: middle, screen: middle)
            let made = FloatLight(light, paper: 0, part: 1, frame.colors)
            let pixels = source.pixels(row, bounds.columns, scratch)
            let line = scratch.reserve(count)
            if made.isTinted {
                for x in 0..<count { line[x] = made(FloatPixel.at(pixels, x)) }
            } else {
                for x in 0..<count { line[x] = FloatPixel.at(pixels, x) * made.weight }
            }
            frame.into.store(line, count: count, row: row, from: bounds.columns.lowerBound)
        }
    }

    /// Draws a part of a frame that shows one source of a fade.
    static func draw(
        _ source: Fade.Source, _ bounds: Job.Bounds, _ frame: FloatFrame, _ scratch: Scratch<FloatPixel>
    ) {
        switch source {
        case .outgoing: copy(bounds, frame.from, into: frame.into, scratch)
        case .incoming: copy(bounds, frame.to, into: frame.into, scratch)
        case .color(let color):
            let line = scratch.reserve(bounds.columns.count)
            line.update(repeating: FloatColors.pixel(color), count: bounds.columns.count)
            for row in bounds.rows {
                frame.into.store(line, count: bounds.columns.count, row: row, from: bounds.columns.lowerBound)
            }
        }
    }

    /// Mixes a part of the two sources of a fade; `weight` is that of the second one at sample `index` along the motion.
    static func mix(
        _ fade: Fade, _ bounds: Job.Bounds, _ orientation: Orientation, _ frame: FloatFrame, _ buffers: FloatWorker,
        weight: (_ index: Int) -> Double
    ) {
        let count = bounds.columns.count
        let (line, weights) = (buffers.line.reserve(count), buffers.weights.reserve(count))
        if orientation == .horizontal {
            for (x, column) in bounds.columns.enumerated() { weights[x] = Float(weight(column)) }
        }
        for row in bounds.rows {
            if orientation == .vertical { weights.update(repeating: Float(weight(row)), count: count) }
            let first = pixels(fade.from, row, bounds.columns, frame, buffers.scratch)
            let second = pixels(fade.to, row, bounds.columns, frame, buffers.other)
            for x in 0..<count {
                line[x] = FloatPixel.at(first, x) * (1 - weights[x]) + FloatPixel.at(second, x) * weights[x]
            }
            frame.into.store(line, count: count, row: row, from: bounds.columns.lowerBound)
        }
    }

    private static func pixels(
        _ source: Fade.Source, _ row: Int, _ columns: Range<Int>, _ frame: FloatFrame, _ scratch: Scratch<FloatPixel>
    ) -> UnsafeRawPointer {
        switch source {
        case .outgoing: return frame.from.pixels(row, columns, scratch)
        case .incoming: return frame.to.pixels(row, columns, scratch)
        case .color(let color):
            let line = scratch.reserve(columns.count)
            line.update(repeating: FloatColors.pixel(color), count: columns.count)
            return UnsafeRawPointer(line)
        }
    }
}
