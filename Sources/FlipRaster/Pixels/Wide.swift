/// Wide samples: 16-bit fixed-point numbers, the form in which lines are composed. Samples of any depth are shifted up
/// to fill 16 bits, so that one set of kernels serves 8...16 bits and keeps fractions of a sample.
///
/// All kernels are plain loops in wrapping arithmetic, which the compiler vectorizes.
package enum Wide {
    /// The blend weight that stands for 1: blend weights are in 1/65535.
    package static let one: UInt16 = 65535

    /// The number of bits by which a sample of `depth` bits is shifted up to its wide form.
    static func shift(depth: Int) -> Int { 16 - depth }

    /// `value * weight / 65536`.
    @inline(__always)
    package static func scale(_ value: UInt16, _ weight: UInt16) -> UInt16 {
        UInt16(truncatingIfNeeded: (UInt32(value) &* UInt32(weight)) &>> 16)
    }

    /// The blend weight for `part`, which is clamped to 0...1.
    @inline(__always)
    package static func weight(_ part: Double) -> UInt16 { UInt16(min(max(part, 0), 1) * 65535 + 0.5) }

    /// The part of a sample that a shade `a` (0...1) keeps, in 1/65536, rounded down so that adding the `tint` can't
    /// exceed 16 bits.
    @inline(__always)
    package static func keep(shade a: Double) -> UInt16 { UInt16(min((1 - min(max(a, 0), 1)) * 65536, 65535)) }

    /// The amount of `color` that a shade `a` (0...1) adds.
    @inline(__always)
    package static func tint(_ color: UInt16, shade a: Double) -> UInt16 {
        UInt16(Double(color) * min(max(a, 0), 1) + 0.5)
    }

    /// `under * (1 - weight) + over * weight`, with the weight in 1/65535, rounded to nearest. Equal samples stay as
    /// they are; weight 0 gives `under` and weight `one` gives `over` exactly.
    @inline(__always)
    package static func blend(_ under: UInt16, _ over: UInt16, _ weight: UInt16) -> UInt16 {
        // The sum n is at most 65535 * 65535 + 32768; up to there, (n + n / 65536) / 65536 is (n - 32768) / 65535,
        // rounded to nearest.
        let sum = UInt32(under) &* UInt32(one &- weight) &+ UInt32(over) &* UInt32(weight) &+ 32768
        return UInt16(truncatingIfNeeded: (sum &+ sum &>> 16) &>> 16)
    }

    /// The integer nearest to `value`, which must fit 16 bits, without the checks of a conversion. Negative values give
    /// the bit pattern of an Int16.
    @inline(__always)
    package static func nearest(_ value: Double) -> UInt16 {
        // At this magnitude the lowest bit of a Double is worth 1.
        UInt16(truncatingIfNeeded: (value + 0x1.8p52).bitPattern)
    }

    /// The integer nearest to `value`, at least 0 and limited to 65535, without the checks of a conversion.
    @inline(__always)
    static func nearest(_ value: Float) -> UInt16 {
        // At this magnitude the lowest bit of a Float is worth 1.
        UInt16(truncatingIfNeeded: (min(value, 65535) + 0x1p23).bitPattern)
    }

    /// `value * (1 - a) + color * a`, with `a` clamped to 0...1.
    @inline(__always)
    package static func mix(_ value: UInt16, _ color: UInt16, _ a: Double) -> UInt16 { blend(value, color, weight(a)) }

    /// Sets `count` samples of `line` to `value`, mixed with `color` by the entries of `profile` times `factor`.
    @inline(__always)
    static func mix(
        _ value: UInt16, _ color: UInt16, _ profile: UnsafePointer<Double>, times factor: Double, count: Int,
        into line: UnsafeMutablePointer<UInt16>
    ) {
        for column in 0..<count { line[column] = mix(value, color, profile[column] * factor) }
    }

    /// Widens `count` samples of a row, from sample `start` on. Samples above the maximum of their depth are clamped to
    /// it.
    package static func load(
        _ row: UnsafeRawPointer, from start: Int, count: Int, depth: Int, into line: UnsafeMutablePointer<UInt16>
    ) {
        if depth == 8 {
            let samples = row.assumingMemoryBound(to: UInt8.self) + start
            for x in 0..<count { line[x] = UInt16(samples[x]) &<< 8 }
        } else {
            let samples = row.assumingMemoryBound(to: UInt16.self) + start
            let shift = UInt16(16 - depth)
            let most = UInt16(truncatingIfNeeded: 1 << depth - 1)
            for x in 0..<count { line[x] = min(samples[x], most) &<< shift }
        }
    }

    /// Rounds `count` wide samples to `depth` bits and stores them in a row, from sample `start` on.
    package static func store(
        _ line: UnsafePointer<UInt16>, count: Int, depth: Int, into row: UnsafeMutableRawPointer, from start: Int
    ) {
        if depth == 8 {
            let samples = row.assumingMemoryBound(to: UInt8.self) + start
            for x in 0..<count { samples[x] = UInt8(truncatingIfNeeded: (line[x] &+ 128) &>> 8) }
        } else {
            let samples = row.assumingMemoryBound(to: UInt16.self) + start
            let shift = UInt16(16 - depth)
            let half = (UInt16(1) &<< shift) &>> 1
            // Rounding may have raised the largest sample by a few units; from 12 bits on, adding `half` could then
            // overflow.
            let most = UInt16.max &- half
            for x in 0..<count { samples[x] = (min(line[x], most) &+ half) &>> shift }
        }
    }

    /// `row = source * (1 - a) + color * a` for `count` samples of 8 bits, with `keep` and `tint` of that shade and color.
    package static func shade(
        _ source: UnsafePointer<UInt8>, count: Int, _ keep: UInt16, _ tint: UInt16,
        into row: UnsafeMutablePointer<UInt8>
    ) {
        for x in 0..<count {
            row[x] = UInt8(truncatingIfNeeded: (scale(UInt16(source[x]) &<< 8, keep) &+ tint &+ 128) &>> 8)
        }
    }

    /// The same for samples of more than 8 bits.
    package static func shade(
        _ source: UnsafePointer<UInt16>, count: Int, depth: Int, _ keep: UInt16, _ tint: UInt16,
        into row: UnsafeMutablePointer<UInt16>
    ) {
        let shift = UInt16(16 - depth)
        let half = (UInt16(1) &<< shift) &>> 1
        let most = UInt16(truncatingIfNeeded: 1 << depth - 1)
        for x in 0..<count { row[x] = (scale(min(source[x], most) &<< shift, keep) &+ tint &+ half) &>> shift }
    }

    /// `line[x] = line[x] * keep[x] + bias[x]`.
    package static func shade(
        _ line: UnsafeMutablePointer<UInt16>, keep: UnsafePointer<UInt16>, bias: UnsafePointer<UInt16>, count: Int
    ) {
        for x in 0..<count { line[x] = scale(line[x], keep[x]) &+ bias[x] }
    }

    /// `line = line * (1 - coverage) + over * coverage`. Samples of 16 bits are rounded to nearest. For other depths,
    /// the error is less than 2 units of 16 bits, which is half a unit of 14 bits, at a third of the cost.
    package static func blend(
        _ over: UnsafePointer<UInt16>, coverage: UnsafePointer<UInt16>, onto line: UnsafeMutablePointer<UInt16>,
        count: Int, depth: Int
    ) {
        if depth == 16 {
            for x in 0..<count { line[x] = blend(line[x], over[x], coverage[x]) }
        } else {
            // The products of equal samples lose up to 2 units, so adding 1 centers the error.
            for x in 0..<count { line[x] = scale(line[x], one &- coverage[x]) &+ scale(over[x], coverage[x]) &+ 1 }
        }
    }

    /// `sums += line * weight`.
    package static func accumulate(
        _ line: UnsafePointer<UInt16>, weight: UInt16, onto sums: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        for x in 0..<count { sums[x] &+= UInt32(line[x]) &* UInt32(weight) }
    }

    /// `line = sums / 65536`, rounded to nearest. The weights of the sums add up to 65536.
    package static func narrow(_ sums: UnsafePointer<UInt32>, count: Int, into line: UnsafeMutablePointer<UInt16>) {
        for x in 0..<count { line[x] = UInt16(truncatingIfNeeded: (sums[x] &+ 32768) &>> 16) }
    }
}
