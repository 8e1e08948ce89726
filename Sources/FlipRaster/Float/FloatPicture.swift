/// A picture of packed 32-bit floating-point pixels in memory that it doesn't own: R, G and B, with alpha or without. 1 is
/// full scale; any finite value may occur.
package struct FloatPicture: @unchecked Sendable {
    /// The view's width counts pixels.
    package let view: PlaneView
    /// The samples of a pixel: 3, or 4 with alpha.
    package let channels: Int
    /// Whether colors are multiplied by alpha.
    package let isPremultiplied: Bool

    package init(_ view: PlaneView, channels: Int, isPremultiplied: Bool) {
        precondition((3...4).contains(channels))
        self.view = view
        self.channels = channels
        self.isPremultiplied = isPremultiplied
    }

    /// The bytes of a pixel.
    var pixelBytes: Int { channels * MemoryLayout<Float>.size }

    /// Whether pixels are stored as `FloatPixel`s.
    private var isDirect: Bool { channels == 4 && isPremultiplied }

    /// Whether the samples of both pictures mean the same.
    func isLike(_ other: FloatPicture) -> Bool {
        channels == other.channels && (channels == 3 || isPremultiplied == other.isPremultiplied)
    }

    /// The address of a pixel.
    @inline(__always)
    func address(_ row: Int, _ column: Int) -> UnsafeMutableRawPointer {
        view.base + (row &* view.stride &+ column &* pixelBytes)
    }

    /// The pixels `columns` of a row, which needn't be aligned: in the picture's own memory, or in `scratch`.
    @inline(__always)
    func pixels(_ row: Int, _ columns: Range<Int>, _ scratch: Scratch<FloatPixel>) -> UnsafeRawPointer {
        let start = UnsafeRawPointer(address(row, columns.lowerBound))
        if isDirect { return start }
        let line = scratch.reserve(columns.count)
        load(start, columns.count, into: line)
        return UnsafeRawPointer(line)
    }

    /// The pixel in `row` and `column`.
    @inline(__always)
    func pixel(_ row: Int, _ column: Int) -> FloatPixel {
        let start = UnsafeRawPointer(address(row, column))
        if channels == 3 {
            let samples = start.assumingMemoryBound(to: Float.self)
            return FloatPixel(samples[0], samples[1], samples[2], 1)
        }
        let pixel = FloatPixel.at(start, 0)
        return isPremultiplied ? pixel : pixel.premultiplied
    }

    private func load(_ start: UnsafeRawPointer, _ count: Int, into line: UnsafeMutablePointer<FloatPixel>) {
        if channels == 3 {
            let samples = start.assumingMemoryBound(to: Float.self)
            for x in 0..<count {
                line[x] = FloatPixel(samples[3 &* x], samples[3 &* x &+ 1], samples[3 &* x &+ 2], 1)
            }
        } else {
            for x in 0..<count { line[x] = FloatPixel.at(start, x).premultiplied }
        }
    }

    /// Stores `count` pixels in a row, from `column` on; those in `line` needn't be aligned.
    func store(_ line: UnsafeRawPointer, count: Int, row: Int, from column: Int) {
        let start = address(row, column)
        if isDirect { return start.copyMemory(from: line, byteCount: count * pixelBytes) }
        if channels == 3 {
            let samples = start.assumingMemoryBound(to: Float.self)
            for x in 0..<count {
                let pixel = FloatPixel.at(line, x)
                (samples[3 &* x], samples[3 &* x &+ 1], samples[3 &* x &+ 2]) = (pixel.x, pixel.y, pixel.z)
            }
        } else {
            for x in 0..<count { FloatPixel.at(line, x).divided.store(start, x) }
        }
    }
}

/// A pixel in which frames are composed: R, G and B multiplied by alpha, and alpha.
typealias FloatPixel = SIMD4<Float>

extension FloatPixel {
    /// Pixel `x` of a row, which needn't be aligned.
    @inline(__always)
    static func at(_ row: UnsafeRawPointer, _ x: Int) -> FloatPixel {
        row.loadUnaligned(fromByteOffset: x &* MemoryLayout<FloatPixel>.stride, as: FloatPixel.self)
    }

    /// Stores pixel `x` of a row, which needn't be aligned.
    @inline(__always)
    func store(_ row: UnsafeMutableRawPointer, _ x: Int) {
        row.storeBytes(of: self, toByteOffset: x &* MemoryLayout<FloatPixel>.stride, as: FloatPixel.self)
    }

    /// The color multiplied by alpha.
    @inline(__always)
    var premultiplied: FloatPixel {
        let alpha = w
        var result = self * alpha
        result.w = alpha
        return result
    }

    /// The color divided by alpha; transparent pixels have none.
    @inline(__always)
    var divided: FloatPixel {
        let alpha = w
        if alpha == 1 { return self }
        if alpha == 0 { return .zero }
        var result = self / alpha
        result.w = alpha
        return result
    }
}
