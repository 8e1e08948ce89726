import FlipRaster
import TestSupport
import Testing

/// The kernels on wide samples, compared with plain scalar versions in checked arithmetic at every small width.
@Suite struct WideKernelTests {
    private static let widths = 1...257
    private static let depths = Array(8...16)
    /// The weights of worst cases.
    private static let weights: [UInt16] = [0, 1, 32767, 32768, 65534, 65535]

    /// `value * weight / 65536`, rounded down.
    private static func scale(_ value: UInt16, _ weight: UInt16) -> Int { Int(value) * Int(weight) / 65536 }

    @Test func scalesDown() {
        var random = SplitMix64(seed: 1)
        let some = (0..<500).map { _ in UInt16(random.integer(in: 0...65535)) } + Self.weights
        for value in some {
            for weight in some { #expect(Int(Wide.scale(value, weight)) == Self.scale(value, weight)) }
        }
    }

    @Test func roundsToTheNearest() {
        for step in 0...(65535 * 8) {
            let value = Double(step) / 8
            guard Double(Wide.nearest(value)) != value.rounded(.toNearestOrEven) else { continue }
            Issue.record("\(value) became \(Wide.nearest(value))")
        }
    }

    @Test func weightsAreParts() {
        #expect(Wide.weight(0) == 0 && Wide.weight(1) == Wide.one && Wide.weight(-1) == 0 && Wide.weight(2) == Wide.one)
        for step in 0...1000 {
            let part = Double(step) / 1000
            let exact = part * Double(Wide.one)
            #expect(abs(Double(Wide.weight(part)) - exact) <= 0.5)
        }
    }

    @Test func mixesColors() {
        for value in Self.weights {
            for color in Self.weights {
                for a in [-0.5, 0, 1e-6, 0.25, 0.5, 0.999, 1, 3] {
                    let part = min(max(a, 0), 1)
                    let exact = Double(value) * (1 - part) + Double(color) * part
                    // The weight is rounded to 1/65535, which changes the mix by at most half a unit, and so does
                    // rounding the mix itself.
                    let mixed = Double(Wide.mix(value, color, a))
                    #expect(abs(mixed - exact) <= 1.001, "\(value) \(color) \(a): \(mixed)")
                }
            }
        }
    }

    @Test(arguments: depths) func loadsAndStores(depth: Int) {
        var random = SplitMix64(seed: UInt64(depth))
        let (most, unit) = (1 << depth - 1, 1 << (16 - depth))
        for width in Self.widths {
            for filling in Filling.allCases {
                let memory = LentMemory()
                defer { memory.release() }
                let (offset, first) = (random.integer(in: 0...3), random.integer(in: 0...3))
                let samples = filling.samples(first + width, most: most, &random)
                let row = memory.lend(row: samples, depth: depth, offset: offset)
                let line = GuardedSamples<UInt16>(count: width, offset: random.integer(in: 0...3))
                Wide.load(row, from: first, count: width, depth: depth, into: line.start)
                #expect(line.numbers == samples[first...].map { $0 * UInt16(unit) } && line.isIntact)

                // Stored values have fractional bits, but do not exceed the largest sample.
                let wide = samples[first...].map { sample in
                    UInt16(min(Int(sample) * unit + random.integer(in: 0...unit - 1), most * unit))
                }
                let rounded = wide.map { UInt16((Int($0) + unit / 2) / unit) }
                let lent = memory.lend(wide, offset: offset)
                #expect(
                    stored(lent, width, depth: depth, from: first, offset: offset) == rounded, "\(width) \(filling)")
            }
        }
    }

    /// All levels store any numbers as `Wide.store` does.
    @Test(arguments: depths) func storesAtAllLevels(depth: Int) {
        var random = SplitMix64(seed: 500 + UInt64(depth))
        for width in Self.widths {
            let memory = LentMemory()
            defer { memory.release() }
            let wide = random.pick(Filling.allCases).samples(width, most: 65535, &random)
            let lent = memory.lend(wide, offset: width % 4)
            let bytes = width * (depth > 8 ? 2 : 1)
            let expected = GuardedSamples<UInt8>(count: bytes)
            Wide.store(lent, count: width, depth: depth, into: expected.start, from: 0)
            for level in KernelLevel.available {
                let target = GuardedSamples<UInt8>(count: bytes)
                level.kernels?.store(lent, width, depth, target.start)
                #expect(target.numbers == expected.numbers && target.isIntact, "\(level) \(width)")
            }
        }
    }

    /// The samples that `Wide.store` writes from sample `first` on; nil if it writes anything else.
    private func stored(
        _ wide: UnsafePointer<UInt16>, _ width: Int, depth: Int, from first: Int, offset: Int
    ) -> [UInt16]? {
        if depth == 8 {
            let target = GuardedSamples<UInt8>(count: width, offset: offset + first)
            Wide.store(wide, count: width, depth: depth, into: target.start - first, from: first)
            return target.isIntact ? target.numbers.map { UInt16($0) } : nil
        }
        let target = GuardedSamples<UInt16>(count: width, offset: offset + first)
        Wide.store(wide, count: width, depth: depth, into: target.start - first, from: first)
        return target.isIntact ? target.numbers : nil
    }

    /// Shading a sample with its own color changes it by at most two units of 16 bits, and nothing overflows.
    @Test func shadesStayInRange() {
        for step in 0...4096 {
            let a = Double(step) / 4096
            for value in Self.weights {
                let shaded = Int(Wide.scale(value, Wide.keep(shade: a))) + Int(Wide.tint(value, shade: a))
                #expect((Int(value) - 2...Int(value)).contains(shaded), "\(value) \(a): \(shaded)")
            }
            let brightest = Int(Wide.scale(65535, Wide.keep(shade: a))) + Int(Wide.tint(65535, shade: a))
            #expect(brightest <= 65535)
        }
    }

    /// Samples that exceed their depth, as in damaged files, count as the largest value of that depth.
    @Test(arguments: depths.filter { $0 > 8 && $0 < 16 }) func boundsSamplesBeyondTheirDepth(depth: Int) {
        let (most, unit) = (UInt16(1 << depth - 1), UInt16(1 << (16 - depth)))
        let samples = [most - 1, most, most + 1, 2 * most, 65535]
        let memory = LentMemory()
        defer { memory.release() }
        let row = memory.lend(samples)
        let line = GuardedSamples<UInt16>(count: samples.count)
        Wide.load(row, from: 0, count: samples.count, depth: depth, into: line.start)
        #expect(line.numbers == samples.map { min($0, most) * unit })
        let (target, expected) = (GuardedSamples<UInt16>(count: 5), GuardedSamples<UInt16>(count: 5))
        Wide.shade(row, count: 5, depth: depth, Wide.keep(shade: 0.25), 0, into: target.start)
        let bounded = memory.lend(samples.map { min($0, most) })
        Wide.shade(bounded, count: 5, depth: depth, Wide.keep(shade: 0.25), 0, into: expected.start)
        #expect(target.numbers == expected.numbers)
    }

    /// Values that rounding has raised above the largest sample are stored as the largest sample.
    @Test(arguments: depths) func storesTheLargestAtMost(depth: Int) {
        let wide = (0..<40).map { UInt16(65535 - $0) }
        let most = UInt16(1 << depth - 1)
        let memory = LentMemory()
        defer { memory.release() }
        let unit = Double(1 << (16 - depth))
        // At 8 bits no value gets that far: averages are at most 65280, with an error of 16.
        let line = depth == 8 ? wide.map { $0 - 230 } : wide
        let expected = line.map { min(UInt16((Double($0) / unit + 0.5).rounded(.down)), most) }
        #expect(stored(memory.lend(line), 40, depth: depth, from: 0, offset: 0) == expected)
    }

    @Test(arguments: depths) func shadesRows(depth: Int) {
        var random = SplitMix64(seed: 100 + UInt64(depth))
        let (most, unit) = (1 << depth - 1, 1 << (16 - depth))
        for width in Self.widths {
            let memory = LentMemory()
            defer { memory.release() }
            let samples = random.pick(Filling.allCases).samples(width, most: most, &random)
            let a = random.pick([0, 1, 0.5, random.number(in: 0...1)])
            let color = UInt16(random.pick([0, most, random.integer(in: 0...most)]) * unit)
            let (keep, bias) = (UInt16(min((1 - a) * 65536, 65535)), Int((Double(color) * a + 0.5).rounded(.down)))
            let expected = samples.map { sample in
                UInt16((Self.scale(sample * UInt16(unit), keep) + bias + unit / 2) / unit)
            }
            if depth > 8 {
                let target = GuardedSamples<UInt16>(count: width, offset: width % 3)
                let source = memory.lend(samples, offset: width % 4)
                Wide.shade(source, count: width, depth: depth, keep, UInt16(bias), into: target.start)
                #expect(target.numbers == expected && target.isIntact)
                continue
            }
            let source = memory.lend(row: samples, depth: 8, offset: width % 4)
            for level in KernelLevel.available {
                let target = GuardedSamples<UInt8>(count: width, offset: width % 3)
                level.kernels?.shade(source, width, keep, UInt16(bias), target.start)
                #expect(target.numbers.map { UInt16($0) } == expected && target.isIntact, "\(level) \(width)")
            }
        }
    }

    /// Weights for `count` samples: either random, or all equal to the same extreme one.
    private func weights(_ count: Int, _ random: inout SplitMix64) -> [UInt16] {
        let extreme = random.pick(Self.weights)
        let isRandom = random.oneIn(2)
        return (0..<count).map { _ in isRandom ? UInt16(random.integer(in: 0...65535)) : extreme }
    }

    @Test func shadesLines() {
        var random = SplitMix64(seed: 200)
        for width in Self.widths {
            for filling in Filling.allCases {
                let memory = LentMemory()
                defer { memory.release() }
                let (samples, keep) = (filling.samples(width, most: 65535, &random), weights(width, &random))
                let bias = keep.map { UInt16(random.integer(in: 0...65535 - Int($0))) }
                let line = GuardedSamples(samples, offset: width % 4)
                Wide.shade(
                    line.start, keep: memory.lend(keep, offset: 1), bias: memory.lend(bias, offset: 3), count: width)
                let expected = (0..<width).map { UInt16(Self.scale(samples[$0], keep[$0]) + Int(bias[$0])) }
                #expect(line.numbers == expected && line.isIntact, "\(width) \(filling)")
            }
        }
    }

    @Test func blends() {
        var random = SplitMix64(seed: 300)
        for width in Self.widths {
            for filling in Filling.allCases {
                let memory = LentMemory()
                defer { memory.release() }
                let (under, coverage) = (filling.samples(width, most: 65535, &random), weights(width, &random))
                let over = random.pick(Filling.allCases).samples(width, most: 65535, &random)
                let line = GuardedSamples(under, offset: width % 4)
                Wide.blend(
                    memory.lend(over, offset: 1), coverage: memory.lend(coverage, offset: 2), onto: line.start,
                    count: width, depth: 16)
                let expected = (0..<width).map { x -> UInt16 in
                    let sum = Int(under[x]) * (65535 - Int(coverage[x])) + Int(over[x]) * Int(coverage[x])
                    return UInt16((sum + 32767) / 65535)
                }
                #expect(line.numbers == expected && line.isIntact, "\(width) \(filling)")
                // Lower depths have headroom: the largest value at 14 bits is 65532.
                let quick = GuardedSamples(under.map { min($0, 65532) }, offset: 1)
                Wide.blend(
                    memory.lend(over.map { min($0, 65532) }), coverage: memory.lend(coverage), onto: quick.start,
                    count: width, depth: 14)
                #expect(quick.isIntact)
                for x in 0..<width {
                    let sum =
                        Double(min(under[x], 65532)) * Double(65535 - coverage[x])
                        + Double(min(over[x], 65532)) * Double(coverage[x])
                    #expect(abs(Double(quick.numbers[x]) - sum / 65535) <= 2, "\(width) \(filling) \(x)")
                }
            }
        }
    }

    @Test func accumulates() {
        var random = SplitMix64(seed: 400)
        for width in Self.widths {
            for filling in Filling.allCases {
                let memory = LentMemory()
                defer { memory.release() }
                let samples = filling.samples(width, most: 65535, &random)
                let weight = weights(1, &random)[0]
                let before = (0..<width).map { _ in UInt32(random.integer(in: 0...65535 * (65536 - Int(weight)))) }
                let expected = (0..<width).map { UInt32(Int(before[$0]) + Int(samples[$0]) * Int(weight)) }
                for level in KernelLevel.available {
                    let sums = GuardedSamples(before, offset: width % 4)
                    let line = memory.lend(samples, offset: width % 3)
                    level.kernels?.accumulate(line, weight, width, sums.start)
                    #expect(sums.numbers == expected && sums.isIntact, "\(level) \(width) \(filling)")
                }
                let line = GuardedSamples<UInt16>(count: width, offset: 1)
                Wide.narrow(memory.lend(expected), count: width, into: line.start)
                #expect(line.numbers == expected.map { UInt16((Int($0) + 32768) / 65536) } && line.isIntact)
            }
        }
    }
}
