/// Mixes two rows sample by sample, in their encoded values.
struct CrossFade {
    /// The incoming row's weight in 1/65536.
    private let weight: UInt32
    private let depth: Int

    /// - Parameter part: the incoming row's weight, 0...1; 0 gives a copy of the outgoing row, 1 of the incoming one.
    init(part: Double, depth: Int) {
        weight = UInt32((min(max(part, 0), 1) * 65536).rounded())
        self.depth = depth
    }

    /// Writes `count` samples, rounded to nearest. Rows of 8 bits hold UInt8 samples, deeper ones UInt16.
    func draw(
        _ from: UnsafeMutableRawPointer, _ to: UnsafeMutableRawPointer, into target: UnsafeMutableRawPointer, count: Int
    ) {
        if depth == 8 {
            mix(
                from.assumingMemoryBound(to: UInt8.self), to.assumingMemoryBound(to: UInt8.self),
                target.assumingMemoryBound(to: UInt8.self), count)
        } else {
            mix(
                from.assumingMemoryBound(to: UInt16.self), to.assumingMemoryBound(to: UInt16.self),
                target.assumingMemoryBound(to: UInt16.self), count)
        }
    }

    /// Writes `count` wide samples, rounded to nearest.
    func draw(
        _ from: UnsafeRawPointer, _ to: UnsafeRawPointer, wide target: UnsafeMutablePointer<UInt16>, count: Int
    ) {
        if depth == 8 {
            let (from, to) = (from.assumingMemoryBound(to: UInt8.self), to.assumingMemoryBound(to: UInt8.self))
            for x in 0..<count { target[x] = mixed(UInt16(from[x]) &<< 8, UInt16(to[x]) &<< 8) }
        } else {
            let (from, to) = (from.assumingMemoryBound(to: UInt16.self), to.assumingMemoryBound(to: UInt16.self))
            let (most, shift) = (UInt16(truncatingIfNeeded: 1 << depth - 1), UInt16(16 - depth))
            for x in 0..<count { target[x] = mixed(min(from[x], most) &<< shift, min(to[x], most) &<< shift) }
        }
    }

    /// Samples of 16 bits times weights that add up to 65536, plus 32768 for rounding, are at most 65535 * 65536 +
    /// 32768, which fits 32 bits. Samples above the maximum of their depth are clamped to it; rows that have any are
    /// rare, and are mixed twice.
    @inline(__always)
    private func mix<Sample: FixedWidthInteger & UnsignedInteger>(
        _ from: UnsafePointer<Sample>, _ to: UnsafePointer<Sample>, _ target: UnsafeMutablePointer<Sample>, _ count: Int
    ) {
        let most = Sample(truncatingIfNeeded: 1 << depth - 1)
        var seen: Sample = 0
        for x in 0..<count {
            seen |= from[x] | to[x]
            target[x] = mixed(from[x], to[x])
        }
        if seen > most { for x in 0..<count { target[x] = mixed(min(from[x], most), min(to[x], most)) } }
    }

    @inline(__always)
    private func mixed<Sample: FixedWidthInteger & UnsignedInteger>(_ a: Sample, _ b: Sample) -> Sample {
        let sum = UInt32(truncatingIfNeeded: a) &* (65536 &- weight) &+ UInt32(truncatingIfNeeded: b) &* weight
        return Sample(truncatingIfNeeded: (sum &+ 32768) &>> 16)
    }
}
