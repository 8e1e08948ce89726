/// Splits rows of packed pixels into one row per component, and joins them again. All are plain loops, which the
/// compiler vectorizes.
package enum PackedRows {
    /// The alpha bits of a pixel, all of which are set in an opaque one.
    private static let opaque: UInt32 = 0xFF00_0000

    /// Pixel `x`, with its first byte in the lowest bits; pixels needn't be aligned.
    @inline(__always)
    private static func load(_ pixels: UnsafeRawPointer, _ x: Int) -> UInt32 {
        UInt32(littleEndian: pixels.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self))
    }

    @inline(__always)
    private static func store(_ pixel: UInt32, _ pixels: UnsafeMutableRawPointer, _ x: Int) {
        pixels.storeBytes(of: UInt32(littleEndian: pixel), toByteOffset: 4 &* x, as: UInt32.self)
    }

    /// Splits `count` pixels into their colors; returns whether all pixels are opaque.
    package static func split(
        _ pixels: UnsafeRawPointer, green: UnsafeMutablePointer<UInt8>, blue: UnsafeMutablePointer<UInt8>,
        red: UnsafeMutablePointer<UInt8>, count: Int
    ) -> Bool {
        var all = opaque
        for x in 0..<count {
            let pixel = load(pixels, x)
            all &= pixel
            red[x] = UInt8(truncatingIfNeeded: pixel)
            green[x] = UInt8(truncatingIfNeeded: pixel &>> 8)
            blue[x] = UInt8(truncatingIfNeeded: pixel &>> 16)
        }
        return all == opaque
    }

    /// Extracts the alpha of `count` pixels.
    package static func splitAlpha(
        _ pixels: UnsafeRawPointer, alpha: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for x in 0..<count { alpha[x] = UInt8(truncatingIfNeeded: load(pixels, x) &>> 24) }
    }

    /// Joins colors into `count` opaque pixels.
    package static func join(
        green: UnsafePointer<UInt8>, blue: UnsafePointer<UInt8>, red: UnsafePointer<UInt8>,
        into pixels: UnsafeMutableRawPointer, count: Int
    ) {
        for x in 0..<count {
            let pixel = UInt32(red[x]) | UInt32(green[x]) &<< 8 | UInt32(blue[x]) &<< 16 | opaque
            store(pixel, pixels, x)
        }
    }

    /// Sets the alpha of `count` pixels.
    package static func joinAlpha(_ alpha: UnsafePointer<UInt8>, into pixels: UnsafeMutableRawPointer, count: Int) {
        for x in 0..<count {
            let pixel = load(pixels, x) & ~opaque | UInt32(alpha[x]) &<< 24
            store(pixel, pixels, x)
        }
    }

    /// Whether all of `count` pixels are opaque.
    package static func areOpaque(_ pixels: UnsafeRawPointer, count: Int) -> Bool {
        var all = opaque
        for x in 0..<count { all &= load(pixels, x) }
        return all == opaque
    }
}
