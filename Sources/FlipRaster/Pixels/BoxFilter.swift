import CKernels

/// The mean of samples over moving intervals, sixteen intervals at a time.
///
/// A texture is constant between its samples' boundaries: sample h[b] lies between boundaries b and b + 1. Its mean over an
/// interval is its value h[n] at the interval's end, corrected at each boundary b inside: the part of the interval before b sees
/// a texture that differs by h[b - 1] - h[b].
///
///     mean = h[n] + sum over b = 1...n of weight(b) * (h[b] - h[b - 1]),  weight(b) = clamp(distance(b), -1, 0)
///
/// where distance(b) is how far the interval starts beyond boundary b, in lengths of the interval. Boundaries that no
/// interval of a block has inside change nothing, so a block takes those of all its intervals, without gathering.
///
/// Samples have 15 bits (`Averages`), so that their differences fit a signed lane, and each product is rounded to 15 bits; the
/// result is wide (`Wide`). All that is added up lies between -32767 and 32767 but for the products' rounding, up to half a unit
/// for each of eight boundaries, so sums saturate rather than wrap.
package enum BoxFilter {
    /// Intervals of a block.
    package static let lanes = 16

    /// `count` intervals, and as many more as fill the last block.
    static func padded(_ count: Int) -> Int { (count + lanes - 1) / lanes * lanes }

    /// One interval length in a lane, whose numbers have 12 bits behind the point and reach from -8 to 8.
    package static let one: Int16 = 1 << 12
    /// How far a block's intervals may start beyond the first boundary, in a lane.
    package static let farthest = 6 * Int32(one)
    /// Boundaries that a block handles together.
    private static let mostBoundaries = 8

    /// Whether `boundaries` of them, `spacing` apart, can be handled together: from a distance of -1 at the first, the last
    /// must stay within reach.
    @inline(__always)
    package static func fits(boundaries: Int, spacing: Int16) -> Bool {
        boundaries <= mostBoundaries && (boundaries &- 1) &* Int(spacing) <= 7 * Int(one)
    }

    /// Where sixteen intervals stand, and how they move from one block to the next: down the rows, or along one.
    package struct Block: BitwiseCopyable {
        /// What some of them see, in samples with 32 bits behind the point: from where, to where; and how these move.
        package var seen: (lower: Int, upper: Int, lowerStep: Int, upperStep: Int)
        /// The sample before the first boundary that may lie inside an interval: the whole part of `seen.lower`.
        package var sample: Int
        /// How far each interval starts beyond the boundary after `sample`, in lengths of its own, as lanes.
        package var distances: SIMD16<Int16>
        /// How much farther it starts in the next block.
        package var moves: SIMD16<Int16>
        /// How far boundaries are apart, in lengths of the interval.
        package var spacings: SIMD16<Int16>
        /// Whether all that fits lanes, for as long as the block is used.
        var fitsLanes: Bool
        /// What a walk down the rows adds to the distances from one band of rows to the next: what the rounding of moves and
        /// spacings has added up to.
        var corrections: SIMD16<Int16>

        package init() {
            seen = (0, 0, 0, 0)
            sample = 0
            (distances, moves, spacings, corrections) = (.zero, .zero, .zero, .zero)
            fitsLanes = false
        }
    }

    /// The lanes of one of a block's vectors.
    @inline(__always)
    static func lanes(
        _ block: UnsafeMutablePointer<Block>, _ vector: KeyPath<Block, SIMD16<Int16>>
    ) -> UnsafeMutablePointer<Int16> {
        (UnsafeMutableRawPointer(block) + MemoryLayout<Block>.offset(of: vector)!).assumingMemoryBound(to: Int16.self)
    }

    /// Writes the means of `count` blocks to `lines`, `lineStride` apart, and leaves `block` where the next one stands.
    ///
    /// `samples` is the block's sample, and the next ones follow `stride` apart. From one block to the next, samples move by
    /// `step` in memory, besides what `block` says.
    package static func means(
        of samples: UnsafePointer<Int16>, stride: Int, step: Int, _ block: UnsafeMutablePointer<Block>, count: Int,
        level: KernelLevel = .best, into lines: UnsafeMutablePointer<UInt16>, lineStride: Int
    ) {
        if level == .scalar {
            return defineMeans(
                of: samples, stride: stride, step: step, block, count: count, into: lines, lineStride: lineStride)
        }
        withUnsafeMutablePointer(to: &block.pointee.seen) { seen in
            seen.withMemoryRebound(to: Int64.self, capacity: 4) { seen in
                withUnsafeMutablePointer(to: &block.pointee.sample) { sample in
                    sample.withMemoryRebound(to: Int64.self, capacity: 1) { sample in
                        flip_means(
                            samples, Int64(stride), Int64(step), seen, sample, lanes(block, \.distances),
                            lanes(block, \.moves), lanes(block, \.spacings), Int64(count), lines, Int64(lineStride))
                    }
                }
            }
        }
    }

    /// What `means` computes.
    package static func defineMeans(
        of samples: UnsafePointer<Int16>, stride: Int, step: Int, _ block: UnsafeMutablePointer<Block>, count: Int,
        into lines: UnsafeMutablePointer<UInt16>, lineStride: Int
    ) {
        var (samples, lines) = (samples, lines)
        for _ in 0..<count {
            withUnsafePointer(to: &block.pointee.distances) { distances in
                withUnsafePointer(to: &block.pointee.spacings) { spacings in
                    mean(
                        of: samples, stride: stride,
                        boundaries: block.pointee.seen.upper >> 32 &- block.pointee.sample, distances: distances,
                        spacings: spacings, into: lines)
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
    /// Sample b of lane x is `samples[b * stride + x]`, b in 0...boundaries. The interval starts `distances[x]` beyond
    /// boundary 1, which lies between samples 0 and 1, and boundaries are `spacings[x]` apart, in lengths of the interval; they
    /// fit as `fits` says.
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

    /// As the lanes add.
    @inline(__always)
    private static func saturated(_ sum: Int32) -> Int32 { min(max(sum, -32768), 32767) }

    /// The mean where the number of boundaries is known when compiled.
    @inline(__always)
    private static func fixed(
        _ boundaries: Int, _ samples: UnsafePointer<Int16>, _ stride: Int, _ distances: UnsafePointer<Int16>,
        _ spacings: UnsafePointer<Int16>, _ line: UnsafeMutablePointer<UInt16>
    ) {
        // A buffer of its own tells the compiler that nothing overlaps.
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

    /// The mean over any number of boundaries at any distance: `starts[x]` is how far the interval starts beyond boundary 1,
    /// and `spacings[x]` how far boundaries are apart, in lengths of the interval.
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
            // As `Averages.wide`, of an average with a fraction.
            line[lane] = UInt16(min(max(mean, 0), 32767) * 2 + (mean >= 16384 ? 1 : 0) + 0.5)
        }
    }
}
