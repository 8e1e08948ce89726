/// Mixes two rows sample by sample, in their encoded values.
protocol RowMix {
    /// The incoming row's weight in 1/65536 at sample `x`.
    func weight(_ x: Int) -> UInt32
    var depth: Int { get }
}

/// Mixes rows with the same weight everywhere.
struct CrossFade: RowMix {
    private let part: UInt32
    let depth: Int

    /// - Parameter part: the incoming row's weight, 0...1; 0 gives a copy of the outgoing row, 1 of the incoming one.
    init(part: Double, depth: Int) {
        self.part = CrossFade.weight(part)
        self.depth = depth
    }

    @inline(__always)
    func weight(_ x: Int) -> UInt32 { part }

    /// `part`, 0...1, in 1/65536.
    static func weight(_ part: Double) -> UInt32 { UInt32((min(max(part, 0), 1) * 65536).rounded()) }
}

/// Mixes rows with a weight for each sample.
struct WeightedFade: RowMix {
    /// The incoming row's weights in 1/65536.
    let weights: UnsafePointer<UInt32>
    let depth: Int

    @inline(__always)
    func weight(_ x: Int) -> UInt32 { weights[x] }
}

extension RowMix {
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
    func draw(_ from: UnsafeRawPointer, _ to: UnsafeRawPointer, wide target: UnsafeMutablePointer<UInt16>, count: Int) {
        if depth == 8 {
            let (from, to) = (from.assumingMemoryBound(to: UInt8.self), to.assumingMemoryBound(to: UInt8.self))
            for x in 0..<count { target[x] = mixed(UInt16(from[x]) &<< 8, UInt16(to[x]) &<< 8, weight(x)) }
        } else {
            let (from, to) = (from.assumingMemoryBound(to: UInt16.self), to.assumingMemoryBound(to: UInt16.self))
            let (most, shift) = (UInt16(truncatingIfNeeded: 1 << depth - 1), UInt16(16 - depth))
            for x in 0..<count {
                target[x] = mixed(min(from[x], most) &<< shift, min(to[x], most) &<< shift, weight(x))
            }
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
            target[x] = mixed(from[x], to[x], weight(x))
        }
        if seen > most {
            for x in 0..<count { target[x] = mixed(min(from[x], most), min(to[x], most), weight(x)) }
        }
    }

    @inline(__always)
    private func mixed<Sample: FixedWidthInteger & UnsignedInteger>(
        _ a: Sample, _ b: Sample, _ weight: UInt32
    ) -> Sample {
        let sum = UInt32(truncatingIfNeeded: a) &* (65536 &- weight) &+ UInt32(truncatingIfNeeded: b) &* weight
        return Sample(truncatingIfNeeded: (sum &+ 32768) &>> 16)
    }
}
