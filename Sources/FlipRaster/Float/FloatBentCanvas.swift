import FlipGeometry

/// The samples of a piece of a row with a bent sheet as pixels of floats.
final class FloatBentCanvas: BentCanvas {
    private let buffers: BentRowBuffers
    private let line = Scratch<FloatPixel>()
    private let scratch = Scratch<FloatPixel>()
    private var layout: BentLayout
    private var frame: FloatFrame
    /// The part of the picture on the back that paper covers.
    private var opacity: Float
    private var sum = FloatPixel.zero

    private static let scale = 1 / Float(1 << FootprintTable.weightBits)

    init(_ buffers: BentRowBuffers, _ layout: BentLayout, _ frame: FloatFrame) {
        self.buffers = buffers
        (self.layout, self.frame) = (layout, frame)
        opacity = layout.onBack.paper
        line.reserve(BentRowBuffers.capacity)
    }

    /// Prepares for rows of `layout`.
    func prepare(_ layout: BentLayout, _ frame: FloatFrame) {
        (self.layout, self.frame) = (layout, frame)
        opacity = layout.onBack.paper
    }

    /// What light makes of `pixel`, the parts of the light being those of `Light`, and `cover` the part that paper covers
    /// of its alpha.
    @inline(__always)
    private func lit(
        _ pixel: FloatPixel, keep: Float, paper: Float, shadow: Float, gloss: Float, cover: Float
    ) -> FloatPixel {
        let alpha = pixel.w * (1 - cover) + cover
        let over = (frame.colors.shadow * shadow + frame.colors.white * gloss) * alpha
        var result = pixel * keep + frame.colors.paper * paper + over
        result.w = alpha
        return result
    }

    // MARK: Pieces

    func average(_ count: Int, _ picture: Picture, taps: Int) {
        let source = frame.source(picture)
        for index in 0..<count {
            let weights = layout.footprints.start + Int(buffers.places[index])
            let columns = Int(buffers.columns[index])..<(Int(buffers.columns[index]) + taps)
            var sum = FloatPixel.zero
            for row in 0..<taps {
                let pixels = source.pixels(Int(buffers.rows[index]) + row, columns, scratch)
                for tap in 0..<taps {
                    sum += FloatPixel.at(pixels, tap) * Float(weights[row &* taps &+ tap])
                }
            }
            line.start[index] = sum * FloatBentCanvas.scale
        }
    }

    func load(_ columns: Range<Int>, row: Int, _ picture: Picture) {
        let pixels = frame.source(picture).pixels(row, columns, scratch)
        for index in 0..<columns.count { line.start[index] = FloatPixel.at(pixels, index) }
    }

    func mixPaper(_ count: Int, keep: Float, paper: Float) {
        for index in 0..<count {
            line.start[index] = lit(
                line.start[index], keep: keep, paper: paper, shadow: 0, gloss: 0, cover: opacity)
        }
    }

    func lightBack(
        _ count: Int, texture: Float, paper: Float, keep: CurlLines.Row, shadow: CurlLines.Row, gloss: CurlLines.Row
    ) {
        for index in 0..<count {
            line.start[index] = lit(
                line.start[index], keep: texture * keep[index], paper: paper * keep[index], shadow: shadow[index],
                gloss: gloss[index], cover: opacity)
        }
    }

    func mixShadow(_ count: Int) {
        for index in 0..<count {
            let keep = buffers.keep[index]
            line.start[index] = lit(line.start[index], keep: keep, paper: 0, shadow: 1 - keep, gloss: 0, cover: 0)
        }
    }

    func fill(_ count: Int) { line.start.update(repeating: frame.colors.background, count: count) }

    func store(_ columns: Range<Int>, row: Int) {
        frame.into.store(line.start, count: columns.count, row: row, from: columns.lowerBound)
    }

    func copy(_ columns: Range<Int>, row: Int, _ picture: Picture) {
        FloatRows.copy(
            Job.Bounds(columns: columns, rows: row..<(row + 1)), frame.source(picture), into: frame.into, scratch)
    }

    // MARK: Single samples

    func begin() { sum = .zero }

    func add(_ weight: Float, _ texture: BentTexture, _ light: Light) {
        let pixel: FloatPixel
        switch texture {
        case .sample(let picture, let column, let row): pixel = frame.source(picture).pixel(row, column)
        case .window(let picture, let window): pixel = mean(frame.source(picture), window)
        case .background: pixel = frame.colors.background
        }
        // Paper is only on the back, and covers the same part of it everywhere.
        sum +=
            weight
            * lit(
                pixel, keep: Float(light.keep), paper: Float(light.paper), shadow: Float(light.shadow),
                gloss: Float(light.gloss), cover: light.paper > 0 ? opacity : 0)
    }

    func add(_ slices: SeenSlices) {
        let source = frame.source(slices.picture)
        let share = 1 / Float(slices.points)
        for slice in 0..<slices.count {
            var pixel = FloatPixel.zero
            for part in 0..<slices.points {
                let place = part * slices.count + slice
                pixel += source.pixel(Int(slices.rows[place]), Int(slices.columns[place]))
            }
            sum +=
                slices.weights[slice]
                * lit(
                    pixel * share, keep: slices.keep[slice], paper: slices.paper[slice], shadow: slices.shadow[slice],
                    gloss: slices.gloss[slice], cover: opacity)
        }
    }

    func finish(at index: Int) { line.start[index] = sum }

    func finish(rays count: Int, at index: Int) { line.start[index] = sum / Float(count) }

    private func mean(_ source: FloatPicture, _ window: BentWindow) -> FloatPixel {
        var sum = FloatPixel.zero
        for line in 0..<window.taps {
            let row = min(max(window.row + line, 0), source.view.height - 1)
            for tap in 0..<window.taps {
                let weight = window.weights[line * window.taps + tap]
                if weight == 0 { continue }
                sum += source.pixel(row, min(max(window.column + tap, 0), source.view.width - 1)) * Float(weight)
            }
        }
        return sum * FloatBentCanvas.scale
    }
}
