/// A picture with alpha in 16 bits per sample, its colors premultiplied: their distance from black is scaled by alpha.
final class DeepPicture {
    private let shape: AlphaShape
    private let planes = [Scratch<UInt16>(), Scratch<UInt16>(), Scratch<UInt16>()]
    private let alpha = Scratch<UInt16>()
    /// The mean of alpha over each chroma sample's footprint.
    private let chromaAlpha = Scratch<UInt16>()
    private let sums = Scratch<Float>()

    init(_ shape: AlphaShape) {
        self.shape = shape
        for index in 0..<shape.colors.planeCount {
            let size = shape.colors.planeSize(index, width: shape.width, height: shape.height)
            planes[index].reserve(size.width * size.height)
        }
        alpha.reserve(shape.width * shape.height)
        if shape.isSubsampled { chromaAlpha.reserve(shape.columns.count * shape.rows.count) }
        sums.reserve(shape.width)
    }

    /// The premultiplied colors as a picture with 16 bits per sample.
    var colors: PictureView {
        let views = (0..<3).map { $0 < shape.colors.planeCount ? view($0) : nil }
        return PictureView(views[0]!, views[1], views[2])
    }

    /// Alpha as a gray picture with 16 bits per sample.
    var cover: PictureView { PictureView(view(of: alpha, width: shape.width, height: shape.height)) }

    private func view(_ index: Int) -> PlaneView {
        let size = shape.colors.planeSize(index, width: shape.width, height: shape.height)
        return view(of: planes[index], width: size.width, height: size.height)
    }

    private func view(of scratch: Scratch<UInt16>, width: Int, height: Int) -> PlaneView {
        PlaneView(base: UnsafeMutableRawPointer(scratch.start), stride: 2 * width, width: width, height: height)
    }

    /// The alpha of each sample of plane `index`, row after row without padding.
    private func alpha(ofPlane index: Int) -> UnsafeMutablePointer<UInt16> {
        shape.isSubsampled && shape.colors.isChroma(plane: index) ? chromaAlpha.start : alpha.start
    }

    // MARK: Premultiplying and dividing

    /// Fills this picture from `picture`, which has `depth` bits per sample and isn't premultiplied.
    func premultiply(_ picture: PictureView, depth: Int) {
        let peak = Float(1 << depth - 1)
        let source = picture[shape.colors.planeCount]
        for row in 0..<shape.height {
            let to = alpha.start + row * shape.width
            DeepPicture.read(source, row, depth: depth) { x, value in to[x] = UInt16(value * (65535 / peak) + 0.5) }
        }
        reduceAlpha()
        let scale = Float(1 << (16 - depth))
        for index in 0..<shape.colors.planeCount {
            let plane = picture[index]
            let black = Float(shape.colors.black(plane: index))
            for row in 0..<plane.height {
                let to = planes[index].start + row * plane.width
                let cover = alpha(ofPlane: index) + row * plane.width
                DeepPicture.read(plane, row, depth: depth) { x, value in
                    to[x] = UInt16(black + (value * scale - black) * (Float(cover[x]) / 65535) + 0.5)
                }
            }
        }
    }

    /// A color that is added to premultiplied colors in proportion to what alpha is less in `to` than in `from`.
    struct Addition {
        let color: EncodedColor
        let from: DeepPicture
        let to: DeepPicture
    }

    /// Divides the colors by alpha and writes the result to `picture` with `depth` bits per sample. Before, `additions`
    /// are added to the colors.
    func divide(adding additions: [Addition], into picture: PictureView, depth: Int) {
        reduceAlpha()
        for addition in additions { addition.to.reduceAlpha() }
        let peak = Float(1 << depth - 1)
        let scale = 1 / Float(1 << (16 - depth))
        for index in 0..<shape.colors.planeCount {
            let plane = picture[index]
            let black = Float(shape.colors.black(plane: index))
            for row in 0..<plane.height {
                let place = row * plane.width
                let from = planes[index].start + place
                let cover = alpha(ofPlane: index) + place
                let sums = sums.start
                for x in 0..<plane.width { sums[x] = 0 }
                for addition in additions {
                    let color = Float(addition.color[plane: index]) - black
                    let (before, after) = (
                        addition.from.alpha(ofPlane: index) + place, addition.to.alpha(ofPlane: index) + place
                    )
                    for x in 0..<plane.width { sums[x] += color * (Float(before[x]) - Float(after[x])) }
                }
                DeepPicture.write(plane, row, depth: depth) { x in
                    Wide.divided(
                        from[x], shade: sums[x], alpha: max(Float(cover[x]), 1), black: black, scale: scale, peak: peak)
                }
            }
        }
        let target = picture[shape.colors.planeCount]
        for row in 0..<shape.height {
            let cover = alpha.start + row * shape.width
            DeepPicture.write(target, row, depth: depth) { x in Float(cover[x]) * (peak / 65535) }
        }
    }

    /// Calls `body` with the index and the value of each sample of a row. Samples above the maximum of their depth are
    /// clamped to it, as in `Averages` and `Wide.load`.
    @inline(__always)
    private static func read(_ plane: PlaneView, _ row: Int, depth: Int, _ body: (Int, Float) -> Void) {
        let start = plane.base + row * plane.stride
        if depth == 8 {
            let samples = start.assumingMemoryBound(to: UInt8.self)
            for x in 0..<plane.width { body(x, Float(samples[x])) }
        } else {
            let samples = start.assumingMemoryBound(to: UInt16.self)
            let most = UInt16(1 << depth - 1)
            for x in 0..<plane.width { body(x, Float(min(samples[x], most))) }
        }
    }

    @inline(__always)
    private static func write(_ plane: PlaneView, _ row: Int, depth: Int, _ value: (Int) -> Float) {
        let start = plane.base + row * plane.stride
        if depth == 8 {
            let samples = start.assumingMemoryBound(to: UInt8.self)
            for x in 0..<plane.width { samples[x] = UInt8(value(x) + 0.5) }
        } else {
            let samples = start.assumingMemoryBound(to: UInt16.self)
            for x in 0..<plane.width { samples[x] = UInt16(min(value(x) + 0.5, 65535)) }
        }
    }

    // MARK: Alpha for chroma

    /// Sets each chroma sample's alpha to the mean over its footprint.
    private func reduceAlpha() {
        if !shape.isSubsampled { return }
        let (columns, rows) = (shape.columns, shape.rows)
        for row in 0..<rows.count {
            let (top, bottom) = rows.footprint(row)
            for x in 0..<shape.width { sums.start[x] = 0 }
            for y in Int(top)..<Int(bottom.rounded(.up)) {
                let part = Float((min(Double(y + 1), bottom) - max(Double(y), top)) / (bottom - top))
                let line = alpha.start + y * shape.width
                for x in 0..<shape.width { sums.start[x] += part * Float(line[x]) }
            }
            let target = chromaAlpha.start + row * columns.count
            for column in 0..<columns.count {
                let (left, right) = columns.footprint(column)
                var sum: Float = 0
                for x in Int(left)..<Int(right.rounded(.up)) {
                    sum += Float(min(Double(x + 1), right) - max(Double(x), left)) * sums.start[x]
                }
                target[column] = UInt16(min(sum / Float(right - left) + 0.5, 65535))
            }
        }
    }
}
