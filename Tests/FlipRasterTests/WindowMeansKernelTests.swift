import FlipRaster
import TestSupport
import Testing

/// Means over windows of samples, compared with plain arithmetic.
@Suite struct WindowMeansKernelTests {
    private struct Place {
        let column: Int
        let row: Int
        /// The window's weights, row by row.
        let weights: [Int]
    }

    private static func places(
        _ count: Int, taps: Int, width: Int, height: Int, _ random: inout SplitMix64
    ) -> [Place] {
        let one = 1 << Averages.weightBits
        return (0..<count).map { _ in
            let cuts = random.oneIn(4) ? [] : (1..<taps * taps).map { _ in random.integer(in: 0...one) }.sorted()
            let bounds = cuts.isEmpty ? Array(repeating: 0, count: taps * taps - 1) : cuts
            return Place(
                column: random.pick([0, width - taps, random.integer(in: 0...width - taps)]),
                row: random.pick([0, height - taps, random.integer(in: 0...height - taps)]),
                weights: zip(bounds + [one], [0] + bounds).map { $0 - $1 })
        }
    }

    /// The means as wide samples, in integers that can't overflow.
    private static func means(_ samples: [UInt16], width: Int, depth: Int, taps: Int, _ places: [Place]) -> [UInt16] {
        let (bits, narrowing) = (min(depth, 15) + Averages.weightBits - 16, max(depth - 15, 0))
        return places.map { place in
            let sum = place.weights.enumerated().reduce(1 << (bits - 1)) { sum, entry in
                let at = (place.row + entry.offset / taps) * width + place.column + entry.offset % taps
                return sum + (min(Int(samples[at]), 1 << depth - 1) >> narrowing) * entry.element
            }
            return UInt16(min(sum >> bits, 65535))
        }
    }

    /// Every level gives the defined means for any number of windows, and reads nothing past the plane's end.
    @Test(arguments: [8, 9, 10, 12, 16]) func averages(depth: Int) {
        var random = SplitMix64(seed: UInt64(depth))
        for taps in [4, 8] {
            for count in [1, 2, 3, 4, 5, 6, 7, 8, 31, 256] {
                for filling in Filling.allCases {
                    let (width, height) = (random.pick([taps, taps + 1, 33]), random.pick([taps, taps + 3, 20]))
                    let places = Self.places(count, taps: taps, width: width, height: height, &random)
                    check(places, filling, width: width, height: height, depth: depth, taps: taps, &random)
                }
            }
        }
    }

    private func check(
        _ places: [Place], _ filling: Filling, width: Int, height: Int, depth: Int, taps: Int,
        _ random: inout SplitMix64
    ) {
        let memory = LentMemory()
        defer { memory.release() }
        // Some samples exceed their depth: they count as the largest value.
        let samples = filling.samples(
            width * height, most: depth > 8 && random.oneIn(4) ? 65535 : 1 << depth - 1, &random)
        let plane = memory.lend(row: samples, depth: depth)
        let windows = WindowMeans.Windows(
            columns: memory.lend(places.map { Int32($0.column) }), rows: memory.lend(places.map { Int32($0.row) }),
            places: memory.lend(places.indices.map { Int32($0 * taps * taps) }),
            weights: memory.lend(places.flatMap { $0.weights.map { Int16($0) } }), taps: taps, count: places.count)
        let expected = Self.means(samples, width: width, depth: depth, taps: taps, places)
        let comment = "\(places.count) windows of \(taps) in \(width) x \(height), \(filling)"
        for level in KernelLevel.available {
            let line = GuardedSamples<UInt16>(count: places.count, offset: random.integer(in: 0...3))
            level.kernels?.windows(plane, width * (depth > 8 ? 2 : 1), depth, windows, line.start)
            #expect(line.numbers == expected, "\(level) \(comment)")
            #expect(line.isIntact, "\(level) \(comment)")
        }
    }
}
