/// Wide samples: the form in which lines are composed. A sample of any depth is shifted up to fill 16 bits, so that one
/// set of kernels serves 8...16 bits and keeps fractions of a sample; weights are parts of 65536.
///
/// All kernels are plain loops in wrapping arithmetic, which the compiler turns into vector code.
package enum Wide {
    /// The weight that stands for 1.
    package static let one: UInt16 = 65535

    /// Bits between a sample of `depth` bits and its wide form.
    static func shift(depth: Int) -> Int { 16 - depth }

    /// `value * weight / 65536`.
    @inline(__always)
    package static func scale(_ value: UInt16, _ weight: UInt16) -> UInt16 {
        UInt16(truncatingIfNeeded: (UInt32(value) &* UInt32(weight)) &>> 16)
    }

    /// `part`, 0...1, as a weight.
    @inline(__always)
    package static func weight(_ part: Double) -> UInt16 { UInt16(min(max(part, 0), 1) * 65535) }

    /// The whole number nearest to `value`, which fits 16 bits, without the checks of a conversion.
    @inline(__always)
    package static func nearest(_ value: Double) -> UInt16 {
        // At this size the last bit of a Double is worth 1.
        UInt16(truncatingIfNeeded: (value + 0x1.8p52).bitPattern)
    }

    /// `value * (1 - a) + color * a`, with `a` clamped to 0...1.
    @inline(__always)
    package static func mix(_ value: UInt16, _ color: UInt16, _ a: Double) -> UInt16 {
        let part = weight(a)
        return scale(value, one &- part) &+ scale(color, part)
    }

    /// Widens `count` samples of a row, from sample `start` on.
    package static func load(
        _ row: UnsafeRawPointer, from start: Int, count: Int, depth: Int, into line: UnsafeMutablePointer<UInt16>
    ) {
        if depth == 8 {
            let samples = row.assumingMemoryBound(to: UInt8.self) + start
            for x in 0..<count { line[x] = UInt16(samples[x]) &<< 8 }
        } else {
            let samples = row.assumingMemoryBound(to: UInt16.self) + start
            let shift = UInt16(16 - depth)
            for x in 0..<count { line[x] = samples[x] &<< shift }
        }
    }

    /// Rounds `count` wide samples into a row, from sample `start` on.
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
            for x in 0..<count { samples[x] = (line[x] &+ half) &>> shift }
        }
    }

    /// `target = source * (1 - a) + color * a` over part of a row, with one `a` all over.
    package static func shade(
        _ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, columns: Range<Int>, depth: Int, by a: Double,
        to color: UInt16
    ) {
        let keep = weight(1 - a)
        let bias = scale(color, weight(a))
        if depth == 8 {
            let from = source.assumingMemoryBound(to: UInt8.self)
            let to = target.assumingMemoryBound(to: UInt8.self)
            for x in columns {
                to[x] = UInt8(truncatingIfNeeded: (scale(UInt16(from[x]) &<< 8, keep) &+ bias &+ 128) &>> 8)
            }
        } else {
            let from = source.assumingMemoryBound(to: UInt16.self)
            let to = target.assumingMemoryBound(to: UInt16.self)
            let shift = UInt16(16 - depth)
            let half = (UInt16(1) &<< shift) &>> 1
            for x in columns { to[x] = (scale(from[x] &<< shift, keep) &+ bias &+ half) &>> shift }
        }
    }

    /// `line[x] = line[x] * keep[x] + bias[x]`.
    package static func shade(
        _ line: UnsafeMutablePointer<UInt16>, keep: UnsafePointer<UInt16>, bias: UnsafePointer<UInt16>, count: Int
    ) {
        for x in 0..<count { line[x] = scale(line[x], keep[x]) &+ bias[x] }
    }

    /// `line = line * (1 - coverage) + over * coverage`.
    package static func blend(
        _ over: UnsafePointer<UInt16>, coverage: UnsafePointer<UInt16>, onto line: UnsafeMutablePointer<UInt16>,
        count: Int
    ) {
        for x in 0..<count {
            line[x] = scale(line[x], one &- coverage[x]) &+ scale(over[x], coverage[x])
        }
    }

    /// `sums += line * weight / 65536`.
    @inline(never)
    package static func accumulate(
        _ line: UnsafePointer<UInt16>, weight: UInt16, onto sums: UnsafeMutablePointer<UInt16>, count: Int
    ) {
        for x in 0..<count { sums[x] &+= scale(line[x], weight) }
    }
}
