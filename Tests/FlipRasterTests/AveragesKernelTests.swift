import FlipRaster
import TestSupport
import Testing

/// How the weights of a column are chosen.
private enum Weighting: CaseIterable {
    case random, oneTap, equal, tiny, none

    /// `count` weights whose sum is at most 1 (`1 << Averages.weightBits`).
    func weights(_ count: Int, _ random: inout SplitMix64) -> [Int] {
        let one = 1 << Averages.weightBits
        switch self {
        case .random:
            let cuts = (0..<count).map { _ in random.integer(in: 0...one) }.sorted()
            return zip(cuts, [0] + cuts).map { $0 - $1 }
        case .oneTap:
            let place = random.integer(in: 0...count - 1)
            return (0..<count).map { $0 == place ? one : 0 }
        case .equal: return Array(repeating: one / count, count: count)
        case .tiny: return Array(repeating: 1, count: count)
        case .none: return Array(repeating: 0, count: count)
        }
    }
}

/// Random columns of a tile.
private struct Columns {
    let columns: Int
    let count: Int
    let starts: [Int]
    /// The weights by column and tap.
    let weights: [[Int]]
    let bias: [Int32]

    /// Chooses `columns` columns with `count` taps each, in rows of `width` samples.
    init(_ columns: Int, count: Int, width: Int, depth: Int, _ random: inout SplitMix64) {
        self.columns = columns
        self.count = count
        let last = width - count
        // The taps of two neighboring columns with four taps each must lie within 16 bytes.
        let reach = count > 4 ? last : random.oneIn(2) ? (depth > 8 ? 1 : 4) : depth > 8 ? 4 : 12
        var start = random.pick([0, last, random.integer(in: 0...last)])
        starts = (0..<columns).map { _ in
            start = min(max(start + random.integer(in: -reach...reach), 0), last)
            return start
        }
        let weighting = random.pick(Weighting.allCases)
        weights = (0..<columns).map { _ in weighting.weights(count, &random) }
        bias = weights.map { weights in
            let rest = 1 - Double(weights.reduce(0, +)) / Double(1 << Averages.weightBits)
            let color = UInt16(random.pick([0, 65535, random.integer(in: 0...65535)]))
            return Averages.bias(color, rest, depth: depth)
        }
    }

    /// The columns in the form that kernels read.
    func lent(_ memory: LentMemory, width: Int, depth: Int, offset: Int) -> Averages.Taps {
        let bytes = depth > 8 ? 2 : 1
        var places: [Int32] = []
        var shuffles: [UInt8] = []
        for pair in 0..<(count == 4 ? columns / 2 : 0) {
            let pair = [starts[2 * pair] * bytes, starts[2 * pair + 1] * bytes]
            let place = min(pair[0], pair[1], width * bytes - 16)
            places.append(Int32(place))
            for start in pair {
                for tap in 0..<4 {
                    let byte = UInt8(start + tap * bytes - place)
                    shuffles += [byte, bytes == 2 ? byte + 1 : 128]
                }
            }
        }
        let quads = stride(from: 0, to: columns, by: 4).map { Array(starts[$0..<($0 + 4)]) }
        if count == 4, quads.allSatisfy({ ($0.max()! - $0.min()! + 4) * bytes <= 16 }) {
            return lent(memory, quads, width: width, bytes: bytes, offset: offset)
        }
        return Averages.Taps(
            columns: columns, count: count, starts: memory.lend(starts.map { Int32($0) }, offset: offset),
            weights: memory.lend(weights.joined().map { Int16($0) }, offset: offset),
            bias: memory.lend(bias, offset: offset), places: memory.lend(places, offset: offset),
            shuffles: memory.lend(shuffles, offset: offset))
    }

    /// The columns in groups of four, with the given starts, whose samples lie within 16 bytes each.
    private func lent(_ memory: LentMemory, _ quads: [[Int]], width: Int, bytes: Int, offset: Int) -> Averages.Taps {
        let places = quads.map { min($0.min()! * bytes, width * bytes - 16) }
        var (shuffles, ordered): ([UInt8], [Int16]) = ([], [])
        for first in stride(from: 0, to: quads.count, by: 2) {
            for (taps, quad) in [(0...1, first), (0...1, first + 1), (2...3, first), (2...3, first + 1)] {
                for column in 0..<4 {
                    for tap in taps {
                        let byte = UInt8((quads[quad][column] + tap) * bytes - places[quad])
                        shuffles += [byte, bytes == 2 ? byte + 1 : 128]
                        ordered.append(Int16(weights[4 * quad + column][tap]))
                    }
                }
            }
        }
        return Averages.Taps(
            columns: columns, count: count, starts: memory.lend(starts.map { Int32($0) }, offset: offset),
            weights: memory.lend(weights.joined().map { Int16($0) }, offset: offset),
            bias: memory.lend(bias, offset: offset), places: memory.lend(places.map { Int32($0) }, offset: offset),
            shuffles: memory.lend(shuffles, offset: offset), quads: memory.lend(ordered, offset: offset))
    }

    /// The averages of a row, in integers that can't overflow.
    func averages(_ row: [UInt16], depth: Int) -> [Int16] {
        let (bits, narrowing) = (min(depth, 15), max(depth - 15, 0))
        return (0..<columns).map { column in
            let sum = (0..<count).reduce(Int(bias[column])) { sum, tap in
                sum + (min(Int(row[starts[column] + tap]), 1 << depth - 1) >> narrowing) * weights[column][tap]
            }
            return Int16(min(sum >> (bits + Averages.weightBits - 15), 32767))
        }
    }
}

@Suite struct AveragesKernelTests {
    /// Gathering gives the defined averages at every depth, from the shortest row that can be read in place, and never
    /// reads past a row's end.
    @Test(arguments: [8, 9, 10, 12, 14, 15, 16]) func gathers(depth: Int) {
        var random = SplitMix64(seed: UInt64(depth))
        for count in [4, 8, 16, 32, 48] {
            let shortest = max(count, depth > 8 ? 8 : 16)
            for columns in [8, 16, 24, 48, 256] {
                for width in [shortest, shortest + 1, shortest + 2, shortest + 3, shortest + 17, 300] {
                    for filling in Filling.allCases {
                        let columns = Columns(columns, count: count, width: width, depth: depth, &random)
                        checkGather(columns, filling, width: width, depth: depth, &random)
                    }
                }
            }
        }
    }

    private func checkGather(
        _ columns: Columns, _ filling: Filling, width: Int, depth: Int, _ random: inout SplitMix64
    ) {
        let memory = LentMemory()
        defer { memory.release() }
        // Some samples exceed their depth: they count as the largest value.
        let rows = (0...1).map { _ in filling.samples(width, most: random.oneIn(4) ? 65535 : 1 << depth - 1, &random) }
            .map { depth == 8 ? $0.map { min($0, 255) } : $0 }
        let lent = rows.map { memory.lend(row: $0, depth: depth, offset: random.integer(in: 0...3)) }
        let taps = columns.lent(memory, width: width, depth: depth, offset: random.integer(in: 0...3))
        let defined = rows.indices.flatMap { row in
            let averages = GuardedSamples<Int16>(count: columns.columns, offset: row)
            Averages.define(lent[row], depth: depth, taps, into: averages.start)
            #expect(averages.isIntact)
            return averages.numbers
        }
        let comment = "\(columns.columns) columns of \(columns.count) taps in \(width) samples, \(filling)"
        for level in KernelLevel.available {
            let fast = GuardedSamples<Int16>(count: 2 * columns.columns, offset: random.integer(in: 0...3))
            level.kernels?.average(lent[0], lent[1], depth, taps, fast.start)
            #expect(fast.numbers == defined, "\(level) \(comment)")
            #expect(fast.isIntact, "\(level) \(comment)")
        }
        #expect(defined == rows.flatMap { columns.averages($0, depth: depth) }, "\(comment)")
    }

    /// Random parts that add up to 1; some of them are 0.
    private static func parts(_ count: Int, _ random: inout SplitMix64) -> [Double] {
        let parts = (0..<count).map { _ in random.oneIn(5) ? 0 : random.number(in: 0...1) }
        let sum = max(parts.reduce(0, +), 1e-3)
        return parts.map { $0 / sum }
    }

    @Test func weightsAddUp() {
        var random = SplitMix64(seed: 100)
        for count in 1...100 {
            let parts = Self.parts(count, &random)
            var rounding = Averages.Weights()
            let weights = parts.map { rounding.next($0) }
            let one = Double(1 << Averages.weightBits)
            #expect(abs(Double(weights.reduce(0) { $0 + Int($1) }) - parts.reduce(0, +) * one) <= 0.5)
            for (weight, part) in zip(weights, parts) { #expect(weight >= 0 && abs(Double(weight) - part * one) <= 1) }
        }
    }

    /// A column's average is the weighted mean of its samples, except for the rounding of the weights and of the
    /// result.
    @Test(arguments: [8, 10, 12, 16]) func averageIsTheMean(depth: Int) {
        var random = SplitMix64(seed: 200 + UInt64(depth))
        let scale = Double(1 << 15) / Double(1 << depth)
        for count in [4, 8, 16, 32] {
            for filling in Filling.allCases {
                for _ in 0..<50 {
                    let memory = LentMemory()
                    defer { memory.release() }
                    let row = filling.samples(count, most: 1 << depth - 1, &random)
                    let parts = Self.parts(count, &random)
                    var weighing = Averages.Weights()
                    let taps = Averages.Taps(
                        columns: 8, count: count, starts: memory.lend([Int32](repeating: 0, count: 8)),
                        weights: memory.lend(
                            (0..<8).flatMap { _ in
                                weighing = Averages.Weights()
                                return parts.map { weighing.next($0) }
                            }),
                        bias: memory.lend([Int32](repeating: Averages.bias(0, 0, depth: depth), count: 8)),
                        places: memory.lend([]),
                        shuffles: memory.lend([]))
                    let averages = GuardedSamples<Int16>(count: 8)
                    Averages.define(memory.lend(row: row, depth: depth), depth: depth, taps, into: averages.start)

                    let samples = row.map { Double($0) * scale }
                    let mean = zip(samples, parts).reduce(0) { $0 + $1.0 * $1.1 }
                    // The bounds of each weight are rounded to the nearest unit, which costs half a unit times the step
                    // between neighboring samples.
                    let steps = zip(samples, samples.dropFirst() + [0]).reduce(0) { $0 + abs($1.0 - $1.1) }
                    let error = steps / 2 / Double(1 << Averages.weightBits)
                    // Samples of 16 bits are rounded down to 15 bits first.
                    let rounding = depth == 16 ? 1.0001 : 0.5001
                    for average in averages.numbers {
                        #expect(
                            (mean - error - rounding...mean + error + 0.5001).contains(Double(average)),
                            "\(count) taps, \(filling)")
                    }
                }
            }
        }
    }

    // MARK: Sums of whole rows

    /// Weights of `count` rows whose sum is at most 1 (`1 << Averages.weightBits`).
    private static func rowWeights(_ count: Int, _ random: inout SplitMix64) -> [Int16] {
        let one = 1 << Averages.weightBits
        switch random.integer(in: 0...3) {
        case 0: return (0..<count).map { $0 == count / 2 ? Int16(one) : 0 }
        case 1: return Array(repeating: 1, count: count)
        case 2: return Array(repeating: Int16(one / count), count: count)
        default:
            var weighing = Averages.Weights()
            return parts(count, &random).map { weighing.next($0) }
        }
    }

    @Test(arguments: [8, 9, 10, 12, 14, 15, 16]) func sumsRows(depth: Int) {
        var random = SplitMix64(seed: 300 + UInt64(depth))
        let most = 1 << depth - 1
        for width in 1...257 {
            for filling in Filling.allCases {
                let memory = LentMemory()
                defer { memory.release() }
                let count = random.pick([1, 2, 3, 7, 40])
                let beyond = depth > 8 && random.oneIn(4) ? 65535 : most
                let rows = (0..<count).map { _ in filling.samples(width, most: beyond, &random) }
                let weights = Self.rowWeights(count, &random)
                let rest = 1 - Double(weights.reduce(0) { $0 + Int($1) }) / Double(1 << Averages.weightBits)
                let color = UInt16(random.pick([0, 65535, random.integer(in: 0...65535)]))
                let bias = Averages.bias(color, rest, depth: depth)
                let lent = rows.map { row -> UnsafePointer<UInt8>? in
                    memory.lend(row: row, depth: depth, offset: random.integer(in: 0...3))
                }
                let taps = Averages.Rows(
                    count: count, rows: memory.lend(Self.even(lent)),
                    weights: memory.lend(Self.even(weights, 0), offset: 1), bias: bias, depth: depth)
                let defined = GuardedSamples<Int16>(count: width)
                Averages.defineSum(taps, 0..<width, into: defined.start)
                let plain = (0..<width).map { x in
                    let sum = (0..<count).reduce(Int(bias)) { sum, row in
                        sum + (min(Int(rows[row][x]), most) >> max(depth - 15, 0)) * Int(weights[row])
                    }
                    return Int16(min(sum >> (min(depth, 15) + Averages.weightBits - 15), 32767))
                }
                for level in KernelLevel.available {
                    let fast = GuardedSamples<Int16>(count: width, offset: width % 4)
                    level.kernels?.sum(taps, width, fast.start)
                    #expect(fast.numbers == defined.numbers, "\(level): \(width) samples of \(count) rows, \(filling)")
                    #expect(fast.isIntact, "\(level): \(width) samples of \(count) rows")
                }
                #expect(defined.numbers == plain, "\(width) samples of \(count) rows, \(filling)")
                #expect(defined.isIntact, "\(width) samples of \(count) rows")
            }
        }
    }

    /// `numbers`, padded to an even count with `filler`, or with the last number if it is nil.
    private static func even<Number>(_ numbers: [Number], _ filler: Number? = nil) -> [Number] {
        numbers.count % 2 == 0 ? numbers : numbers + [filler ?? numbers[numbers.count - 1]]
    }

    /// A plain color stays the same no matter how many rows are averaged into one: rounding errors must not accumulate
    /// per row.
    @Test(arguments: [8, 10, 12, 16]) func manyRowsOfOneColorStayThatColor(depth: Int) {
        var random = SplitMix64(seed: 400 + UInt64(depth))
        let scale = Double(1 << 15) / Double(1 << depth)
        for count in [1, 2, 5, 17, 637, 2160] {
            for level in [1, 1 << (depth - 1), 235 << (depth - 8), 1 << depth - 1] {
                let memory = LentMemory()
                defer { memory.release() }
                let row = [UInt16](repeating: UInt16(level), count: 33)
                let lent = (0..<count).map { _ -> UnsafePointer<UInt8>? in memory.lend(row: row, depth: depth) }
                // The last row gets the remaining weight.
                let parts = Self.parts(count, &random).dropLast()
                var weighing = Averages.Weights()
                let weights = (parts + [1 - parts.reduce(0, +)]).map { weighing.next($0) }
                let taps = Averages.Rows(
                    count: count, rows: memory.lend(Self.even(lent)), weights: memory.lend(Self.even(weights, 0)),
                    bias: Averages.bias(0, 0, depth: depth), depth: depth)
                let exact = Int16((Double(level) * scale).rounded(.down))
                for kernels in KernelLevel.available {
                    let averages = GuardedSamples<Int16>(count: 33)
                    kernels.kernels?.sum(taps, 33, averages.start)
                    #expect(averages.numbers.allSatisfy { $0 == exact }, "\(kernels): \(count) rows of \(level)")
                }
                if level == 1 << depth - 1, depth == 16 { #expect(Averages.wide(exact) == 65535) }
            }
        }
    }
}
