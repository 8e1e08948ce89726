/// Two rows mixed sample by sample, in their own encoded values.
struct CrossFade {
    /// The incoming row's weight in 1/65536.
    private let weight: UInt32
    private let depth: Int

    /// - Parameter part: the incoming row's, 0...1; the ends give the rows as they are.
    init(part: Double, depth: Int) {
        weight = UInt32((min(max(part, 0), 1) * 65536).rounded())
        self.depth = depth
    }

    /// Writes `count` samples, each to the nearest value. Rows of 8 bits have bytes, deeper ones pairs of them.
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

    /// The sum of 16 bits times weights of 1 in all, and the half to round by, just fit 32 bits.
    @inline(__always)
    private func mix<Sample: FixedWidthInteger & UnsignedInteger>(
        _ from: UnsafePointer<Sample>, _ to: UnsafePointer<Sample>, _ target: UnsafeMutablePointer<Sample>, _ count: Int
    ) {
        let keep = 65536 &- weight
        for x in 0..<count {
            let sum = UInt32(truncatingIfNeeded: from[x]) &* keep &+ UInt32(truncatingIfNeeded: to[x]) &* weight
            target[x] = Sample(truncatingIfNeeded: (sum &+ 32768) &>> 16)
        }
    }
}
