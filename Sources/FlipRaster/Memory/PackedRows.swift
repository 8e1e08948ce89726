/// Splits rows of pixels of four bytes into one row per byte, and merges them again. All are plain loops, which the
/// compiler vectorizes.
package enum PackedRows {
    /// The byte of a pixel that is alpha or padding; the other three are colors.
    package enum Spare: Sendable {
        case first, last

        /// The bits of the spare byte, all of which are set in an opaque pixel.
        fileprivate var mask: UInt32 { self == .first ? 0x0000_00FF : 0xFF00_0000 }
        /// The bits below the first color, and below the spare byte.
        fileprivate var shifts: (color: UInt32, spare: UInt32) { self == .first ? (8, 0) : (0, 24) }
    }

    /// One row for each color, in the order of their bytes.
    package typealias Colors = (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>)

    /// Pixel `x`, with its first byte in the lowest bits; pixels needn't be aligned.
    @inline(__always)
    private static func load(_ pixels: UnsafeRawPointer, _ x: Int) -> UInt32 {
        UInt32(littleEndian: pixels.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self))
    }

    @inline(__always)
    private static func store(_ pixel: UInt32, _ pixels: UnsafeMutableRawPointer, _ x: Int) {
        pixels.storeBytes(of: UInt32(littleEndian: pixel), toByteOffset: 4 &* x, as: UInt32.self)
    }

    /// Splits `count` pixels into their colors; returns whether all bits of every spare byte are set.
    package static func split(_ pixels: UnsafeRawPointer, _ spare: Spare, into colors: Colors, count: Int) -> Bool {
        // With the position as a constant, the compiler needs no shift for the lowest byte.
        spare == .first ? split(pixels, at: .first, colors, count) : split(pixels, at: .last, colors, count)
    }

    @inline(__always)
    private static func split(_ pixels: UnsafeRawPointer, at spare: Spare, _ colors: Colors, _ count: Int) -> Bool {
        let shift = spare.shifts.color
        var all = spare.mask
        for x in 0..<count {
            let pixel = load(pixels, x)
            all &= pixel
            colors.0[x] = UInt8(truncatingIfNeeded: pixel &>> shift)
            colors.1[x] = UInt8(truncatingIfNeeded: pixel &>> (shift &+ 8))
            colors.2[x] = UInt8(truncatingIfNeeded: pixel &>> (shift &+ 16))
        }
        return all == spare.mask
    }

    /// Extracts the spare bytes of `count` pixels.
    package static func splitSpare(
        _ pixels: UnsafeRawPointer, _ spare: Spare, into row: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let shift = spare.shifts.spare
        for x in 0..<count { row[x] = UInt8(truncatingIfNeeded: load(pixels, x) &>> shift) }
    }

    /// Merges colors into `count` pixels, in whose spare bytes all bits are set.
    package static func merge(_ colors: Colors, _ spare: Spare, into pixels: UnsafeMutableRawPointer, count: Int) {
        if spare == .first {
            merge(colors, at: .first, pixels, count)
        } else {
            merge(colors, at: .last, pixels, count)
        }
    }

    @inline(__always)
    private static func merge(_ colors: Colors, at spare: Spare, _ pixels: UnsafeMutableRawPointer, _ count: Int) {
        for x in 0..<count {
            let bits = UInt32(colors.0[x]) | UInt32(colors.1[x]) &<< 8 | UInt32(colors.2[x]) &<< 16
            store(bits &<< spare.shifts.color | spare.mask, pixels, x)
        }
    }

    /// Sets the spare bytes of `count` pixels.
    package static func mergeSpare(
        _ row: UnsafePointer<UInt8>, _ spare: Spare, into pixels: UnsafeMutableRawPointer, count: Int
    ) {
        let shift = spare.shifts.spare
        for x in 0..<count { store(load(pixels, x) & ~spare.mask | UInt32(row[x]) &<< shift, pixels, x) }
    }

    /// Whether all bits of the spare bytes of `count` pixels are set.
    package static func areOpaque(_ pixels: UnsafeRawPointer, _ spare: Spare, count: Int) -> Bool {
        var all = spare.mask
        for x in 0..<count { all &= load(pixels, x) }
        return all & spare.mask == spare.mask
    }
}
