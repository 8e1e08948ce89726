extension Wide {
    /// The sample of `depth` bits that a premultiplied color becomes when it is divided by alpha.
    ///
    /// - Parameters:
    ///   - color: the color's sample in 16 bits, premultiplied: its distance from `black` is scaled by alpha.
    ///   - shade: what is added to that distance, in 1/65535.
    ///   - alpha: alpha in 16 bits, at least 1.
    ///   - black: the sample of black in 16 bits.
    ///   - scale: the part of a unit of `depth` bits that a unit of 16 bits is.
    ///   - peak: the largest sample of `depth` bits.
    /// - Returns: the sample in units of `depth` bits, before rounding.
    @inline(__always)
    static func divided(
        _ color: UInt16, shade: Float = 0, alpha: Float = 65535, black: Float, scale: Float, peak: Float
    ) -> Float {
        let value = black + ((Float(color) - black) * 65535 + shade) / alpha
        return min(max(value * scale, 0), peak)
    }

    /// Rounds `count` wide samples to `depth` bits as if they were divided by opaque alpha, and stores them in a row,
    /// from sample `start` on. `black` is the wide sample of black: one of limited or full range, or of chroma.
    package static func storeDivided(
        _ line: UnsafePointer<UInt16>, count: Int, black: Int, depth: Int, into row: UnsafeMutableRawPointer,
        from start: Int
    ) {
        switch depth {
        case 8:
            // `divided` computes with 24 bits: (k - black) * 65535 loses up to 8 bits, so from a distance of 2^15 on, a
            // sample half way between two units may be rounded down. It turns out to be if the lower unit is odd.
            let samples = row.assumingMemoryBound(to: UInt8.self) + start
            let far = UInt16(clamping: black + 1 << 15)
            for x in 0..<count {
                let sample = min(line[x], 0xFF7F)
                let isDown: UInt16 = sample >= far ? (sample &>> 8) & 1 : 0
                samples[x] = UInt8(truncatingIfNeeded: (sample &+ 128 &- isDown) &>> 8)
            }
        case 16:
            // What `divided` loses is less than half a unit.
            store(line, count: count, depth: 16, into: row, from: start)
        default:
            let samples = row.assumingMemoryBound(to: UInt16.self) + start
            let (black, scale, peak) = (Float(black), 1 / Float(1 << (16 - depth)), Float(1 << depth - 1))
            for x in 0..<count { samples[x] = rounded(divided(line[x], black: black, scale: scale, peak: peak)) }
        }
    }

    /// Rounds `value`, 0...65535, to the nearest integer.
    @inline(__always)
    static func rounded(_ value: Float) -> UInt16 { UInt16(truncatingIfNeeded: Int32(min(value + 0.5, 65535))) }
}
