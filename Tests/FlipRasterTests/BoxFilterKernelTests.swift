import FlipRaster
import TestSupport
import Testing

private typealias Block = BoxFilter.Block

/// A random block of sixteen intervals, and the samples that it covers on its way.
private struct Walk {
    let stride: Int
    let step: Int
    let block: Block
    /// For each step of the block, the offset of its first sample in memory, and its number of boundaries.
    private(set) var places: [(start: Int, boundaries: Int)] = []
    /// The count of numbers in memory before the first step's sample, and in total.
    let before: Int
    let total: Int

    /// Walks `steps` blocks down rows that are `stride` averages apart, or along a row if `stride` is 1.
    init(_ block: Block, stride: Int, step: Int, steps: Int) {
        (self.block, self.stride, self.step) = (block, stride, step)
        var (lower, upper, sample, place) = (block.seen.lower, block.seen.upper, block.sample, 0)
        for _ in 0..<steps {
            places.append((place, upper >> 32 - sample))
            lower += block.seen.lowerStep
            upper += block.seen.upperStep
            place += (lower >> 32 - sample) * stride + step
            sample = lower >> 32
        }
        before = -(places.map(\.start).min() ?? 0)
        total = before + (places.map { $0.start + $0.boundaries * stride }.max() ?? 0) + BoxFilter.lanes
    }

    func samples(_ filling: Filling, _ random: inout SplitMix64) -> [Int16] {
        // Neighbors down the rows alternate between the extremes as well.
        if filling == .alternating && stride > 1 { return (0..<total).map { $0 / stride % 2 == 0 ? 0 : 32767 } }
        return filling.samples(total, most: 32767, &random).map { Int16($0) }
    }
}

extension SIMD16<Int16> {
    /// Sixteen numbers in `range`: either its ends, or at random.
    fileprivate init(in range: ClosedRange<Int>, _ random: inout SplitMix64) {
        self.init()
        for lane in 0..<16 {
            self[lane] = Int16(
                random.oneIn(4) ? random.pick([range.lowerBound, range.upperBound]) : random.integer(in: range))
        }
    }
}

@Suite struct BoxFilterKernelTests {
    private static let one = Int(BoxFilter.one)
    /// A fixed-point number with 32 fractional bits.
    private static func fixed(_ x: Double) -> Int { Int(x * 4_294_967_296) }

    /// A random block that begins with `boundaries` boundaries, spaced as far apart as may fit, and moves by `speed`
    /// samples per block.
    private static func block(boundaries: Int, speed: Double, _ random: inout SplitMix64) -> Block {
        let widest = boundaries > 1 ? min(7 * one / (boundaries - 1), 32767) : 32767
        var block = Block()
        block.spacings = SIMD16(in: 1...widest, &random)
        block.distances = SIMD16(in: -32768...Int(BoxFilter.farthest), &random)
        let lower = random.number(in: -30...30)
        // The interval is no longer than that many samples, so that there are never more boundaries on the way.
        let upper = random.number(in: lower.rounded(.down)...lower) + Double(boundaries)
        block.seen = (fixed(lower), max(fixed(lower), fixed(upper)), fixed(speed), fixed(speed))
        block.sample = block.seen.lower >> 32
        for lane in 0..<BoxFilter.lanes {
            block.moves[lane] = Int16(min(max(Double(block.spacings[lane]) * speed, -32768), 32767))
        }
        return block
    }

    /// The mean over 0...1 of a step function whose value is `samples[b]` between boundaries b and b + 1. Boundary b,
    /// from 1 on, is at (b - 1) * `spacing` - `distance`; the first sample has no lower bound and the last one no upper
    /// bound.
    private static func mean(_ samples: [Double], distance: Double, spacing: Double) -> Double {
        samples.indices.reduce(0) { sum, index in
            let lower = index == 0 ? 0 : Double(index - 1) * spacing - distance
            let upper = index == samples.count - 1 ? 1 : Double(index) * spacing - distance
            return sum + samples[index] * max(min(upper, 1) - max(lower, 0), 0)
        }
    }

    // MARK: One block

    @Test(arguments: 0...8) func meanIsTheMean(boundaries: Int) {
        var random = SplitMix64(seed: UInt64(boundaries))
        for turn in 0..<400 {
            let memory = LentMemory()
            defer { memory.release() }
            let block = Self.block(boundaries: boundaries, speed: 0, &random)
            for lane in 0..<BoxFilter.lanes {
                #expect(BoxFilter.fits(boundaries: boundaries, spacing: block.spacings[lane]))
            }
            let stride = turn % 2 == 0 ? 1 : random.pick([16, 48, 256])
            let walk = Walk(block, stride: stride, step: 0, steps: 1)
            let samples = walk.samples(random.pick(Filling.allCases), &random)
            let lent = memory.lend(samples, offset: turn % 4)
            let line = GuardedSamples<UInt16>(count: BoxFilter.lanes, offset: turn % 3)
            BoxFilter.mean(
                of: lent, stride: stride, boundaries: boundaries, distances: memory.lend([block.distances]),
                spacings: memory.lend([block.spacings]), into: line.start)
            #expect(line.isIntact)
            let fromDoubles = GuardedSamples<UInt16>(count: BoxFilter.lanes, offset: 1)
            let (distances, spacings) = (block.distances, block.spacings)
            BoxFilter.exactMean(
                of: lent, stride: stride, boundaries: boundaries, starts: { Double(distances[$0]) / 4096 },
                spacings: { Double(spacings[$0]) / 4096 }, into: fromDoubles.start)
            #expect(fromDoubles.isIntact)
            for lane in 0..<BoxFilter.lanes {
                let column = (0...boundaries).map { Double(samples[$0 * stride + lane]) * 2 }
                let mean = Self.mean(
                    column, distance: Double(distances[lane]) / 4096, spacing: Double(spacings[lane]) / 4096)
                // Each boundary's product is rounded to 15 bits, and widening the result to 16 bits sets the lowest bit
                // in the upper half of the range.
                let loss = Double(boundaries) + 1e-6
                #expect((mean - loss...mean + loss + 1).contains(Double(line.numbers[lane])), "lane \(lane)")
                #expect((mean - 0.501...mean + 1.501).contains(Double(fromDoubles.numbers[lane])), "lane \(lane)")
            }
        }
    }

    /// The exact mean holds for any number of boundaries, at any distance, and for any number of lanes.
    @Test func exactMeanIsTheMean() {
        var random = SplitMix64(seed: 20)
        for turn in 0..<2000 {
            let memory = LentMemory()
            defer { memory.release() }
            let (boundaries, stride) = (random.integer(in: 0...60), random.pick([1, 16, 64]))
            let (start, spacing) = (random.number(in: -3...3), random.pick([1e-3, 0.03, 0.5, 1, 9, 4096]))
            let count = random.integer(in: 1...BoxFilter.lanes)
            let samples = random.pick(Filling.allCases)
                .samples(boundaries * stride + count, most: 32767, &random).map { Int16($0) }
            let line = GuardedSamples<UInt16>(count: count, offset: turn % 4)
            BoxFilter.exactMean(
                of: memory.lend(samples, offset: turn % 3), stride: stride, boundaries: boundaries,
                starts: { start + Double($0) / 16 }, spacings: { _ in spacing }, count: count, into: line.start)
            #expect(line.isIntact)
            for (lane, number) in line.numbers.enumerated() {
                let column = (0...boundaries).map { Double(samples[$0 * stride + lane]) * 2 }
                let mean = Self.mean(column, distance: start + Double(lane) / 16, spacing: spacing)
                #expect(
                    (mean - 0.501...mean + 1.501).contains(Double(number)), "\(boundaries) boundaries, lane \(lane)")
            }
        }
    }

    // MARK: Sequences of blocks

    private struct Outcome: Equatable {
        var lines: [UInt16]
        var numbers: [Int]
        var lanes: [SIMD16<Int16>]

        init(_ line: GuardedSamples<UInt16>, _ block: Block) {
            lines = line.numbers
            let seen = block.seen
            numbers = [seen.lower, seen.upper, seen.lowerStep, seen.upperStep, block.sample]
            lanes = [block.distances, block.moves, block.spacings]
        }
    }

    /// Checks the means of `steps` blocks at all levels against `defineMeans`, and both against a sequence of single calls
    /// of `mean`.
    private func check(_ walk: Walk, steps: Int, lineStride: Int, _ filling: Filling, _ random: inout SplitMix64) {
        for level in KernelLevel.available {
            check(level, walk, steps: steps, lineStride: lineStride, filling, &random)
        }
    }

    private func check(
        _ level: KernelLevel, _ walk: Walk, steps: Int, lineStride: Int, _ filling: Filling, _ random: inout SplitMix64
    ) {
        let memory = LentMemory()
        defer { memory.release() }
        let samples = walk.samples(filling, &random)
        let lent = memory.lend(samples, offset: random.integer(in: 0...3)) + walk.before
        let count = steps == 0 ? 0 : (steps - 1) * lineStride + BoxFilter.lanes
        let (fast, defined) = (
            GuardedSamples<UInt16>(count: count, offset: random.integer(in: 0...3)),
            GuardedSamples<UInt16>(count: count)
        )
        var (fastBlock, definedBlock) = (walk.block, walk.block)
        level.kernels?.means(lent, walk.stride, walk.step, &fastBlock, steps, fast.start, lineStride)
        BoxFilter.defineMeans(
            of: lent, stride: walk.stride, step: walk.step, &definedBlock, count: steps, into: defined.start,
            lineStride: lineStride)
        let comment = "\(level): \(steps) blocks, \(walk.stride) apart, \(filling), \(walk.block)"
        #expect(Outcome(fast, fastBlock) == Outcome(defined, definedBlock), "\(comment)")
        #expect(fast.isIntact && defined.isIntact, "\(comment)")

        // Computes the block's position at each step independently of the walk's own steps.
        var distances = walk.block.distances
        var passed = 0
        for (index, place) in walk.places.enumerated() {
            let line = GuardedSamples<UInt16>(count: BoxFilter.lanes)
            BoxFilter.mean(
                of: lent + place.start, stride: walk.stride, boundaries: place.boundaries,
                distances: memory.lend([distances]), spacings: memory.lend([walk.block.spacings]), into: line.start)
            let start = index * lineStride
            #expect(Array(fast.numbers[start..<(start + BoxFilter.lanes)]) == line.numbers, "\(comment), \(index)")
            let lower = walk.block.seen.lower + (index + 1) * walk.block.seen.lowerStep
            let nowPassed = lower >> 32 - walk.block.sample
            for lane in 0..<BoxFilter.lanes {
                let (spacing, move) = (Int(walk.block.spacings[lane]), Int(walk.block.moves[lane]))
                let distance = Int(walk.block.distances[lane]) + (index + 1) * move - nowPassed * spacing
                distances[lane] = Int16(truncatingIfNeeded: distance)
            }
            passed = nowPassed
        }
        #expect(definedBlock.sample == walk.block.sample + passed && definedBlock.distances == distances, "\(comment)")
        // Nothing is written between the lines.
        let untouched = GuardedSamples<UInt16>(count: count).numbers
        for index in 0..<count where index % lineStride >= BoxFilter.lanes {
            #expect(fast.numbers[index] == untouched[index], "\(comment), between lines")
        }
    }

    /// A walk down the columns, whose samples are a row apart.
    @Test(arguments: Places.some(Array(0...8), every: 3)) func walksDownColumns(boundaries: Int) {
        var random = SplitMix64(seed: 100 + UInt64(boundaries))
        for filling in Filling.allCases {
            for speed in [0, 0.01, 0.4, 1, 1.7, 4, 40, -0.3, -2.5] {
                for steps in [0, 1, 2, 15, 16] {
                    let block = Self.block(boundaries: boundaries, speed: speed, &random)
                    let stride = random.pick([16, 32, 256])
                    check(
                        Walk(block, stride: stride, step: 0, steps: steps), steps: steps,
                        lineStride: random.pick([16, 48, 256]), filling, &random)
                }
            }
        }
    }

    /// A walk along a row, whose samples are adjacent: the block advances by its own width in addition to its drift.
    @Test(arguments: 0...8) func walksAlongRows(boundaries: Int) {
        var random = SplitMix64(seed: 200 + UInt64(boundaries))
        for filling in Filling.allCases {
            for speed in [0, 0.1, 3, 16, 112, -0.1, -1, -8, -15.5] {
                for steps in [1, 2, 31, 32] {
                    let block = Self.block(boundaries: boundaries, speed: speed, &random)
                    check(
                        Walk(block, stride: 1, step: BoxFilter.lanes, steps: steps), steps: steps,
                        lineStride: BoxFilter.lanes, filling, &random)
                }
            }
        }
    }

    /// The interval that a block covers may widen and narrow on the way.
    @Test func walksWithMoreAndFewerBoundaries() {
        var random = SplitMix64(seed: 300)
        for turn in 0..<400 {
            let steps = 16
            var block = Self.block(boundaries: random.integer(in: 1...3), speed: 1, &random)
            let (now, later) = (block.seen.upper - block.seen.lower, Self.fixed(random.number(in: 0...6)))
            block.seen.upperStep += (later - now) / steps
            block.spacings = SIMD16(in: 1...Self.one, &random)
            block.moves = SIMD16(in: -32768...32767, &random)
            check(
                Walk(block, stride: turn % 2 == 0 ? 16 : 1, step: turn % 2 == 0 ? 0 : 16, steps: steps), steps: steps,
                lineStride: 16, random.pick(Filling.allCases), &random)
        }
    }

    /// All levels place blocks of columns and average steep ones as the definitions do.
    @Test func placesColumnsAtAllLevels() {
        var random = SplitMix64(seed: 400)
        for turn in 0..<2000 {
            let memory = LentMemory()
            defer { memory.release() }
            let (length, slope) = (random.pick([1.0 / 4096, 0.3, 1, 1.4, 5, 60]), random.number(in: 0.01...4))
            let first = random.number(in: -20...200)
            let starts = memory.lend((0..<16).map { _ in first + random.number(in: -2...2) }, offset: turn % 4)
            let lengths = memory.lend((0..<16).map { _ in length * random.number(in: 1...1.2) }, offset: turn % 3)
            let slopes = memory.lend((0..<16).map { _ in slope * random.number(in: 1...1.1) })
            let rows = Double(random.pick([1, 5, 16, 128]))
            var expected = Block()
            ColumnLines.defineBlock(starts, lengths, slopes, rows: rows, &expected)
            let (stride, boundaries) = (random.pick([16, 64]), random.integer(in: 0...20))
            let samples = random.pick(Filling.allCases).samples(boundaries * stride + 16, most: 32767, &random)
            let lent = memory.lend(samples.map { Int16($0) }, offset: turn % 3)
            let intervals = BoxFilter.Intervals(
                starts: starts, lengths: lengths, slopes: slopes, since: Double(turn % 128), boundary: first.rounded())
            let means = GuardedSamples<UInt16>(count: 16)
            BoxFilter.defineExactMeans(of: lent, stride: stride, boundaries: boundaries, intervals, into: means.start)
            for level in KernelLevel.available {
                var block = Block()
                level.kernels?.rebase(starts, lengths, slopes, rows, &block)
                #expect(String(describing: block) == String(describing: expected), "\(level)")
                let line = GuardedSamples<UInt16>(count: 16, offset: turn % 4)
                level.kernels?.exactMeans(lent, stride, boundaries, intervals, line.start)
                #expect(line.numbers == means.numbers && line.isIntact, "\(level)")
            }
        }
    }

    @Test func fitsWhatLanesHold() {
        for boundaries in 0...20 {
            for spacing in [0, 1, 1000, 4095, 4096, 4097, 14336, 28672, 28673, 32767] {
                // The last boundary's distance, starting from -1, must not be below the smallest number that a lane
                // holds.
                let last = -Self.one - max(boundaries - 1, 0) * spacing
                let fits = boundaries <= 8 && last >= Int(Int16.min)
                #expect(BoxFilter.fits(boundaries: boundaries, spacing: Int16(spacing)) == fits)
            }
        }
    }
}
