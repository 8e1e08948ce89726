/// Means of samples over moving intervals, sixteen intervals at a time.
///
/// A texture is constant between the boundaries of its samples: sample h[b] lies between boundaries b and b + 1. Its
/// mean over an interval is its value h[n] at the interval's end, corrected for each boundary b inside: in the part of
/// the interval before b, the texture differs by h[b - 1] - h[b].
///
///     mean = h[n] + sum over b = 1...n of weight(b) * (h[b] - h[b - 1]),  weight(b) = clamp(distance(b), -1, 0)
///
/// where distance(b) is how far beyond boundary b the interval starts, in interval lengths. Boundaries outside an
/// interval don't change its mean, so a block goes through the boundaries of all its intervals, without gathering.
///
/// Samples have 15 bits (`Averages`), so that their differences fit a signed 16-bit lane, and each product is rounded
/// to 15 bits; the result is wide (`Wide`). Without rounding, all sums would lie between -32767 and 32767. Each of up
/// to eight products is off by as much as half a unit, so sums saturate rather than wrap.
package enum BoxFilter {
    /// Intervals per block.
    package static let lanes = 16

    /// `count` rounded up to whole blocks.
    static func padded(_ count: Int) -> Int { (count + lanes - 1) / lanes * lanes }

    /// One interval length as a lane's value: distances have 12 fractional bits and range from -8 to 8.
    package static let one: Int16 = 1 << 12
    /// How far beyond the first boundary a block's intervals may start, as a lane's value.
    package static let farthest = 6 * Int32(one)
    /// The maximum number of boundaries that a block can have.
    private static let maxBoundaries = 8

    /// Whether a block can have `boundaries` boundaries, `spacing` apart: if the distance from the first is -1, that
    /// from the last must still fit a lane.
    @inline(__always)
    package static func fits(boundaries: Int, spacing: Int16) -> Bool {
        boundaries <= maxBoundaries && (boundaries &- 1) &* Int(spacing) <= 7 * Int(one)
    }

    /// The positions of sixteen intervals, and how they move from one block to the next: down the rows, or along a row.
    package struct Block: BitwiseCopyable {
        /// The range of texture that the intervals see together, in samples with 32 fractional bits, and how far its
        /// ends move per block.
        package var seen: (lower: Int, upper: Int, lowerStep: Int, upperStep: Int)
        /// The sample before the first boundary that may lie inside an interval: `seen.lower` rounded down.
        package var sample: Int
        /// How far beyond the boundary after `sample` each interval starts, in its own lengths, as lanes.
        package var distances: SIMD16<Int16>
        /// How much farther each interval starts in the next block.
        package var moves: SIMD16<Int16>
        /// The distance between boundaries, in interval lengths.
        package var spacings: SIMD16<Int16>
        /// Whether all these values fit their lanes for as long as the block is used.
        var fitsLanes: Bool
        /// What is added to the distances from one band of rows to the next, to make up for the rounding of moves and
        /// spacings.
        var corrections: SIMD16<Int16>

        package init() {
            seen = (0, 0, 0, 0)
            sample = 0
            (distances, moves, spacings, corrections) = (.zero, .zero, .zero, .zero)
            fitsLanes = false
        }
    }

    /// A pointer to the lanes of one of a block's vectors.
    @inline(__always)
    static func lanes(
        _ block: UnsafeMutablePointer<Block>, _ vector: KeyPath<Block, SIMD16<Int16>>
    ) -> UnsafeMutablePointer<Int16> {
        (UnsafeMutableRawPointer(block) + MemoryLayout<Block>.offset(of: vector)!).assumingMemoryBound(to: Int16.self)
    }

    /// Writes the means of `count` successive blocks to `lines`, `lineStride` apart, and moves `block` on to the one
    /// after them.
    ///
    /// `samples` points to the block's `sample`, and the following samples are `stride` apart. From one block to the
    /// next, `samples` moves by `step` in memory in addition to what `block` says.
    package static func defineMeans(
        of samples: UnsafePointer<Int16>, stride: Int, step: Int, _ block: UnsafeMutablePointer<Block>, count: Int,
        into lines: UnsafeMutablePointer<UInt16>, lineStride: Int
    ) {
        var (samples, lines) = (samples, lines)
        for _ in 0..<count {
            withUnsafePointer(to: &block.pointee.distances) { distances in
                withUnsafePointer(to: &block.pointee.spacings) { spacings in
                    mean(
                        of: samples, stride: stride, boundaries: block.pointee.seen.upper >> 32 &- block.pointee.sample,
                        distances: distances, spacings: spacings, into: lines)
                }
            }
            lines += lineStride
            block.pointee.seen.lower &+= block.pointee.seen.lowerStep
            block.pointee.seen.upper &+= block.pointee.seen.upperStep
            let passed = block.pointee.seen.lower >> 32 &- block.pointee.sample
            block.pointee.sample &+= passed
            samples += passed * stride + step
            block.pointee.distances &+= block.pointee.moves
            block.pointee.distances &-= block.pointee.spacings &* Int16(truncatingIfNeeded: passed)
        }
    }

    /// Writes a block's means to `line`.
    ///
    /// Sample b of lane x is `samples[b * stride + x]`, b in 0...boundaries. The interval of lane x starts
    /// `distances[x]` beyond boundary 1, which lies between samples 0 and 1, and boundaries are `spacings[x]` apart,
    /// both in interval lengths. They must satisfy `fits`.
    package static func mean(
        of samples: UnsafePointer<Int16>, stride: Int, boundaries: Int, distances: UnsafePointer<SIMD16<Int16>>,
        spacings: UnsafePointer<SIMD16<Int16>>, into line: UnsafeMutablePointer<UInt16>
    ) {
        let distances = UnsafeRawPointer(distances).assumingMemoryBound(to: Int16.self)
        let spacings = UnsafeRawPointer(spacings).assumingMemoryBound(to: Int16.self)
        switch boundaries {
        case ...0: for lane in 0..<lanes { line[lane] = Averages.wide(samples[lane]) }
        case 1: fixed(1, samples, stride, distances, spacings, line)
        case 2: fixed(2, samples, stride, distances, spacings, line)
        case 3: fixed(3, samples, stride, distances, spacings, line)
        case 4: fixed(4, samples, stride, distances, spacings, line)
        case 5: fixed(5, samples, stride, distances, spacings, line)
        case 6: fixed(6, samples, stride, distances, spacings, line)
        case 7: fixed(7, samples, stride, distances, spacings, line)
        default: fixed(8, samples, stride, distances, spacings, line)
        }
    }

    /// Clamps a sum as the addition of lanes does.
    @inline(__always)
    private static func saturated(_ sum: Int32) -> Int32 { min(max(sum, -32768), 32767) }

    /// `mean` for a number of boundaries that is known at compile time.
    @inline(__always)
    private static func fixed(
        _ boundaries: Int, _ samples: UnsafePointer<Int16>, _ stride: Int, _ distances: UnsafePointer<Int16>,
        _ spacings: UnsafePointer<Int16>, _ line: UnsafeMutablePointer<UInt16>
    ) {
        // A separate buffer tells the compiler that nothing overlaps.
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: lanes) { result in
            let result = result.baseAddress!
            for lane in 0..<lanes {
                var distance = max(distances[lane], -one)
                var previous = samples[lane]
                var sum: Int32 = 0
                for boundary in 1...boundaries {
                    let next = samples[boundary &* stride &+ lane]
                    let weight = min(max(distance, -one), 0) &<< 3
                    sum = saturated(sum &+ (Int32(weight) &* Int32(next &- previous) &+ 0x4000) &>> 15)
                    previous = next
                    distance &-= spacings[lane]
                }
                sum = saturated(sum &+ Int32(previous))
                result[lane] = Averages.wide(Int16(truncatingIfNeeded: max(sum, 0)))
            }
            UnsafeMutableRawPointer(line).copyMemory(from: result, byteCount: 2 * lanes)
        }
    }

    /// Where sixteen columns see the texture, in samples: in a row that comes `since` rows after the one in which their
    /// intervals begin at `starts`. `boundary` is the first boundary of the samples that are read.
    package struct Intervals {
        let starts: UnsafePointer<Double>
        let lengths: UnsafePointer<Double>
        let slopes: UnsafePointer<Double>
        let since: Double
        let boundary: Double

        package init(
            starts: UnsafePointer<Double>, lengths: UnsafePointer<Double>, slopes: UnsafePointer<Double>, since: Double,
            boundary: Double
        ) {
            (self.starts, self.lengths, self.slopes) = (starts, lengths, slopes)
            (self.since, self.boundary) = (since, boundary)
        }
    }

    /// Writes the means over `intervals`.
    package static func defineExactMeans(
        of samples: UnsafePointer<Int16>, stride: Int, boundaries: Int, _ intervals: Intervals,
        into line: UnsafeMutablePointer<UInt16>
    ) {
        let (starts, lengths, slopes) = (intervals.starts, intervals.lengths, intervals.slopes)
        exactMean(
            of: samples, stride: stride, boundaries: boundaries,
            starts: { (starts[$0] + slopes[$0] * intervals.since - intervals.boundary) / lengths[$0] },
            spacings: { 1 / lengths[$0] }, into: line)
    }

    /// Writes the means for any number of boundaries at any distance. The interval of lane x starts `starts(x)` beyond
    /// boundary 1, and boundaries are `spacings(x)` apart, both in interval lengths.
    package static func exactMean(
        of samples: UnsafePointer<Int16>, stride: Int, boundaries: Int, starts: (Int) -> Double,
        spacings: (Int) -> Double, count: Int = lanes, into line: UnsafeMutablePointer<UInt16>
    ) {
        for lane in 0..<count {
            let (start, spacing) = (starts(lane), spacings(lane))
            var mean = Double(samples[boundaries &* stride &+ lane])
            for boundary in 0..<boundaries {
                let weight = min(max(start - Double(boundary) * spacing, -1), 0)
                let here = samples + (boundary &* stride &+ lane)
                mean += weight * (Double(here[stride]) - Double(here[0]))
            }
            // Like `Averages.wide`, but for an average with a fraction.
            line[lane] = UInt16(min(max(mean, 0), 32767) * 2 + (mean >= 16384 ? 1 : 0) + 0.5)
        }
    }
}
