import FlipRaster
import TestSupport
import Testing

/// Sums of slices per footprint, compared with a plain loop for every number of slices.
@Suite struct SliceGroupsKernelTests {
    /// `count` slices of consecutive footprints from `first` on, with one to `most` slices each. The weights of several
    /// slices add up to 65536, each at least 1 and less than 65536; a single slice has 65535.
    private static func slices(_ count: Int, first: Int, most: Int, _ random: inout SplitMix64) -> [Slice] {
        var slices: [Slice] = []
        var footprint = first
        while slices.count < count {
            let parts = min(random.integer(in: 1...most), count - slices.count)
            let takesNearlyAll = random.oneIn(3)
            var rest = parts == 1 ? 65535 : 65536
            for part in 0..<parts {
                let after = parts - 1 - part
                let most = rest - after
                let weight = after == 0 ? rest : takesNearlyAll ? most : random.integer(in: 1...most)
                rest -= weight
                slices.append(Slice(footprint: footprint, lower: 0, upper: 1, weight: UInt32(weight), span: 0))
            }
            footprint += 1
        }
        return slices
    }

    /// Adds the weighted samples of `slices` to the sums of their footprints; `sums[0]` is that of footprint `first`.
    private static func add(_ samples: [UInt16], _ slices: [Slice], first: Int, to sums: inout [UInt32]) {
        for (slice, sample) in zip(slices, samples) {
            sums[slice.footprint - first] += UInt32(Int(sample) * Int(slice.weight))
        }
    }

    @Test(arguments: KernelLevel.available) func addUpFootprints(level: KernelLevel) throws {
        var random = SplitMix64(seed: 1)
        let groups = SliceGroups(try #require(level.kernels))
        for count in 1...257 {
            for filling in Filling.allCases {
                let first = random.integer(in: 0...5)
                let slices = Self.slices(count, first: first, most: random.pick([1, 2, 3, 4, 9, 256]), &random)
                let origin = random.integer(in: 0...first)
                let width = slices[count - 1].footprint - origin + 1
                let composed = filling.samples(count, most: 65535, &random)
                var expected = [UInt32](repeating: 0, count: width)
                let line = GuardedSamples(composed, offset: count % 4)
                let sums = GuardedSamples(expected, offset: count % 3)
                slices.withUnsafeBufferPointer { groups.plan($0, first: origin) }
                groups.add(line.start, to: sums.start)
                Self.add(composed, slices, first: origin, to: &expected)
                #expect(sums.numbers == expected, "\(count) slices, \(filling)")
                #expect(sums.isIntact && line.isIntact, "\(count) slices, \(filling)")

                // The slices of another tile that belong to the same footprints add to the existing sums.
                let half = GuardedSamples(composed.map { $0 / 2 }, offset: 1)
                let before = (0..<width).map { _ in UInt32(random.integer(in: 0...32767 * 65536)) }
                let more = GuardedSamples(before, offset: 2)
                groups.add(half.start, to: more.start)
                var total = before
                Self.add(composed.map { $0 / 2 }, slices, first: origin, to: &total)
                #expect(more.numbers == total && more.isIntact && half.isIntact, "\(count) slices, \(filling)")
            }
        }
    }
}
