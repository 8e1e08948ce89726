/// Rows of pixels taken apart into samples and put together again. Plain loops, which the compiler turns into vector code.
package enum PackedRows {
    /// What is opaque: all bits of alpha.
    private static let opaque: UInt32 = 0xFF00_0000

    /// Takes `count` pixels apart; whether all of them are opaque.
    package static func split(
        _ pixels: UnsafeRawPointer, green: UnsafeMutablePointer<UInt8>, blue: UnsafeMutablePointer<UInt8>,
        red: UnsafeMutablePointer<UInt8>, count: Int
    ) -> Bool {
        let pixels = pixels.assumingMemoryBound(to: UInt32.self)
        var all = opaque
        for x in 0..<count {
            let pixel = UInt32(littleEndian: pixels[x])
            all &= pixel
            red[x] = UInt8(truncatingIfNeeded: pixel)
            green[x] = UInt8(truncatingIfNeeded: pixel &>> 8)
            blue[x] = UInt8(truncatingIfNeeded: pixel &>> 16)
        }
        return all == opaque
    }

    /// The alpha of `count` pixels.
    package static func splitAlpha(
        _ pixels: UnsafeRawPointer, alpha: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let pixels = pixels.assumingMemoryBound(to: UInt32.self)
        for x in 0..<count { alpha[x] = UInt8(truncatingIfNeeded: UInt32(littleEndian: pixels[x]) &>> 24) }
    }

    /// Puts `count` opaque pixels together.
    package static func join(
        green: UnsafePointer<UInt8>, blue: UnsafePointer<UInt8>, red: UnsafePointer<UInt8>,
        into pixels: UnsafeMutableRawPointer, count: Int
    ) {
        let pixels = pixels.assumingMemoryBound(to: UInt32.self)
        for x in 0..<count {
            let pixel = UInt32(red[x]) | UInt32(green[x]) &<< 8 | UInt32(blue[x]) &<< 16 | opaque
            pixels[x] = UInt32(littleEndian: pixel)
        }
    }

    /// Gives `count` pixels their alpha.
    package static func joinAlpha(_ alpha: UnsafePointer<UInt8>, into pixels: UnsafeMutableRawPointer, count: Int) {
        let pixels = pixels.assumingMemoryBound(to: UInt32.self)
        for x in 0..<count {
            let pixel = UInt32(littleEndian: pixels[x]) & ~opaque | UInt32(alpha[x]) &<< 24
            pixels[x] = UInt32(littleEndian: pixel)
        }
    }

    /// Whether `count` pixels are opaque.
    package static func areOpaque(_ pixels: UnsafeRawPointer, count: Int) -> Bool {
        let pixels = pixels.assumingMemoryBound(to: UInt32.self)
        var all = opaque
        for x in 0..<count { all &= UInt32(littleEndian: pixels[x]) }
        return all == opaque
    }
}
