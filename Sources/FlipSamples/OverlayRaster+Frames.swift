import FlipBase
import FlipMedia

extension PixelFormat {
    /// The format in which pictures are read that are drawn over frames of this format: the same components in full
    /// resolution, with 16 bits and alpha.
    package var overlayFormat: PixelFormat? {
        if components == .gbr { return .planarRGB(depth: 16, hasAlpha: true) }
        // There are no planes of gray with alpha: those of Y'CbCr take their place.
        let gray = PixelFormat(
            name: "gray", components: .gray, depth: 16, chromaStepX: 1, chromaStepY: 1, hasAlpha: false,
            isRGB: false, isPlanarNative: true, isPaletted: false)
        return gray.withAlpha
    }
}

extension OverlayRaster {
    /// The picture `frame`, in the `overlayFormat` of `format`, resized to `size`.
    /// - Parameters:
    ///   - origin: the format that it had before.
    ///   - format: the format of the frames that it is drawn over.
    ///   - opacity: the factor for its alpha, 0...1.
    package init(
        _ frame: VideoFrame, of origin: PixelFormat, at place: (x: Int, y: Int), size: (width: Int, height: Int),
        for format: PixelFormat, opacity: Double
    ) {
        let memory = frame.memory
        let alpha = PlaneReader(memory, 3)
        let opaque = origin.opaqueIn16Bits
        let cover = { (x: Int, y: Int) in origin.hasAlpha ? min(alpha[x, y] / opaque, 1) : 1 }
        let resize = PlaneResizer(from: (frame.width, frame.height), to: size)
        let covers = resize.plane(cover)
        let most = Float(1 << format.depth - 1)
        // Y'CbCr of more bits has the same values times a power of two. R'G'B' should fill the range, but libswscale
        // makes no more than 255 * 256 of 255.
        let scale =
            format.components == .gbr
            ? most / origin.whiteIn16Bits : 1 / Float(1 << (16 - format.depth))
        samples = (0..<(format.components == .gray ? 1 : 3)).map { index in
            let plane = PlaneReader(memory, index)
            // Weighted by alpha, so that the colors of pixels that aren't seen don't matter.
            let colors = resize.plane { x, y in plane[x, y] * cover(x, y) }
            return zip(colors, covers).map { color, cover in
                cover > 1e-6 ? UInt16(min(max(color / cover * scale, 0), most).rounded()) : 0
            }
        }
        self.cover = covers.map { UInt16((min(max($0, 0), 1) * Float(opacity) * 65535).rounded()) }
        (x, y) = place
        (width, height) = size
    }
}

/// The samples of one plane, of 16 bits.
private struct PlaneReader {
    private let base: UnsafeMutableRawPointer
    private let stride: Int

    init(_ memory: PictureMemory, _ plane: Int) { (base, stride) = memory.planes[plane] }

    subscript(x: Int, y: Int) -> Float { Float((base + y * stride).assumingMemoryBound(to: UInt16.self)[x]) }
}

/// Resizes planes by the cubic of Catmull and Rom, which is widened where they become smaller.
private struct PlaneResizer {
    private let columns: [Taps]
    private let rows: [Taps]
    private let isSame: Bool

    /// The samples that an output sample is the weighted mean of.
    private struct Taps {
        let first: Int
        let weights: [Float]

        init(_ index: Int, of count: Int, from length: Int) {
            let step = Double(length) / Double(count)
            let wide = max(step, 1)
            let center = (Double(index) + 0.5) * step - 0.5
            let range = Int((center - 2 * wide).rounded(.up))...Int((center + 2 * wide).rounded(.down))
            let first = min(max(range.lowerBound, 0), length - 1)
            let last = min(max(range.upperBound, 0), length - 1)
            var weights = [Double](repeating: 0, count: last - first + 1)
            // What lies outside is as at the edge.
            for place in range {
                weights[min(max(place, first), last) - first] += Self.cubic(abs(Double(place) - center) / wide)
            }
            let sum = weights.reduce(0, +)
            self.first = first
            self.weights = weights.map { Float($0 / sum) }
        }

        private static func cubic(_ x: Double) -> Double {
            if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
            return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
        }
    }

    init(from source: (width: Int, height: Int), to size: (width: Int, height: Int)) {
        columns = (0..<size.width).map { Taps($0, of: size.width, from: source.width) }
        rows = (0..<size.height).map { Taps($0, of: size.height, from: source.height) }
        isSame = source == size
    }

    /// The plane whose samples `value` returns, resized.
    func plane(_ value: (_ x: Int, _ y: Int) -> Float) -> [Float] {
        if isSame { return rows.indices.flatMap { y in columns.indices.map { value($0, y) } } }
        let height = (rows.last.map { $0.first + $0.weights.count } ?? 0)
        var lines: [Float] = []
        lines.reserveCapacity(height * columns.count)
        for y in 0..<height {
            for taps in columns {
                var sum: Float = 0
                for (index, weight) in taps.weights.enumerated() { sum += weight * value(taps.first + index, y) }
                lines.append(sum)
            }
        }
        var result = [Float](repeating: 0, count: columns.count * rows.count)
        for (y, taps) in rows.enumerated() {
            for (index, weight) in taps.weights.enumerated() {
                let line = (taps.first + index) * columns.count
                for x in columns.indices { result[y * columns.count + x] += weight * lines[line + x] }
            }
        }
        return result
    }
}
