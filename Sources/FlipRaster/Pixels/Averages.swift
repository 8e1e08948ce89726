import CKernels

/// Averages: the form in which the samples of one picture are averaged along the motion before they are averaged across
/// it. They have 15 bits, whatever the picture's depth, so that the difference of two fits a signed lane.
package enum Averages {
    /// Bits behind the point of a weight.
    package static let weightBits = 14

    /// The most that an average can be.
    package static let most: Int16 = 32767

    /// Turns the parts of a whole, one after the other, into whole-numbered weights. Weight k is
    /// `round(sum of parts 0...k) - round(sum of parts 0..<k)`, so that rounding does not add up: all weights together are the
    /// rounded sum of all parts.
    package struct Weights {
        private var sum = 0.0
        private var rounded = 0

        package init() {}

        package mutating func next(_ part: Double) -> Int16 {
            sum += part
            let total = Int((sum * Double(1 << weightBits)).rounded())
            defer { rounded = total }
            return Int16(min(max(total - rounded, 0), 1 << weightBits))
        }
    }

    /// What the columns of a tile average in a row.
    package struct Taps {
        /// A multiple of eight.
        let columns: Int
        /// Taps of a column: four, or a multiple of sixteen.
        let count: Int
        /// The first sample of each column.
        let starts: UnsafePointer<Int32>
        /// [column][tap], with `weightBits` bits behind the point.
        let weights: UnsafePointer<Int16>
        /// What is added to each column's weighted sum.
        let bias: UnsafePointer<Int32>
        /// For each pair of columns with four taps, where in a row the 16 bytes begin that hold all of their samples.
        let places: UnsafePointer<Int32>
        /// For each pair, which of these bytes make up its taps' samples, widened to 16 bits; 128 stands for zero.
        let shuffles: UnsafePointer<UInt8>

        package init(
            columns: Int, count: Int, starts: UnsafePointer<Int32>, weights: UnsafePointer<Int16>,
            bias: UnsafePointer<Int32>, places: UnsafePointer<Int32>, shuffles: UnsafePointer<UInt8>
        ) {
            self.columns = columns
            self.count = count
            self.starts = starts
            self.weights = weights
            self.bias = bias
            self.places = places
            self.shuffles = shuffles
        }
    }

    /// Samples have 15 bits at most before they are weighed.
    private static func narrowing(depth: Int) -> Int { depth == 16 ? 1 : 0 }
    private static func shift(depth: Int) -> Int { min(depth, 15) + weightBits - 15 }

    /// `part` (0...1) of a wide colour, as the bias of a weighted sum, and the half by which the sum is rounded.
    package static func bias(_ color: UInt16, _ part: Double, depth: Int) -> Int32 {
        Int32(Double(color) * part * Double(1 << (min(depth, 15) + weightBits)) / 65536)
            + (1 << (shift(depth: depth) - 1))
    }

    /// An average as a wide sample. Its 15 bits are followed by the first of them, so that the least and the most of 16 bits
    /// are what they were, 0 and 65535.
    @inline(__always)
    package static func wide(_ average: Int16) -> UInt16 {
        UInt16(bitPattern: average) &<< 1 &+ UInt16(bitPattern: average) &>> 14
    }

    /// Sample `index` of a row, in 15 bits at most. One beyond its depth counts as the largest of that depth.
    @inline(__always)
    private static func sample(_ row: UnsafeRawPointer, _ index: Int, depth: Int) -> Int32 {
        if depth == 8 { return Int32(row.load(fromByteOffset: index, as: UInt8.self)) }
        let sample = row.load(fromByteOffset: 2 &* index, as: UInt16.self)
        return Int32(min(sample, UInt16(truncatingIfNeeded: 1 &<< depth &- 1)) &>> UInt16(narrowing(depth: depth)))
    }

    /// For each column the weighted sum of its samples in `row`, and its bias; behind these, the same for the `next` row.
    package static func gather(
        _ row: UnsafeRawPointer, next: UnsafeRawPointer, depth: Int, _ taps: Taps, level: KernelLevel = .best,
        into averages: UnsafeMutablePointer<Int16>
    ) {
        let (narrowing, shift) = (Int32(narrowing(depth: depth)), Int32(shift(depth: depth)))
        let most = Int32(1 << depth - 1)
        let rows = (row.assumingMemoryBound(to: UInt8.self), next.assumingMemoryBound(to: UInt8.self))
        if level == .scalar {
            define(row, depth: depth, taps, into: averages)
            define(next, depth: depth, taps, into: averages + taps.columns)
        } else if taps.count == 4 {
            flip_average_pairs(
                rows.0, rows.1, taps.places, taps.shuffles, taps.weights, taps.bias, Int64(taps.columns / 2), most,
                narrowing, shift, averages)
        } else {
            for (row, averages) in [(rows.0, averages), (rows.1, averages + taps.columns)] {
                flip_average_columns(
                    row, depth > 8, taps.starts, taps.weights, taps.bias, Int64(taps.columns), Int64(taps.count), most,
                    narrowing, shift, averages)
            }
        }
    }

    /// What `gather` computes, one sample after the other.
    package static func define(
        _ row: UnsafeRawPointer, depth: Int, _ taps: Taps, into averages: UnsafeMutablePointer<Int16>
    ) {
        let shift = Int32(shift(depth: depth))
        for column in 0..<taps.columns {
            var sum = taps.bias[column]
            for tap in 0..<taps.count {
                sum +=
                    sample(row, Int(taps.starts[column]) + tap, depth: depth)
                    * Int32(taps.weights[column * taps.count + tap])
            }
            averages[column] = Int16(truncatingIfNeeded: min(sum >> shift, Int32(most)))
        }
    }

    // MARK: Whole rows

    /// Rows that are averaged with each other, each with one weight all over: what a column's taps are to its samples.
    package struct Rows {
        /// Taps: rows and their weights, with `weightBits` bits behind the point. They are read in pairs: where their number is odd, any
        /// row with weight 0 follows the last.
        let count: Int
        let rows: UnsafePointer<UnsafePointer<UInt8>?>
        let weights: UnsafePointer<Int16>
        /// What is added to the weighted sums.
        let bias: Int32
        let depth: Int

        package init(
            count: Int, rows: UnsafePointer<UnsafePointer<UInt8>?>, weights: UnsafePointer<Int16>, bias: Int32,
            depth: Int
        ) {
            self.count = count
            self.rows = rows
            self.weights = weights
            self.bias = bias
            self.depth = depth
        }
    }

    /// The first `count` averages of `rows`.
    package static func sum(
        _ rows: Rows, count: Int, level: KernelLevel = .best, into averages: UnsafeMutablePointer<Int16>
    ) {
        guard level != .scalar && count >= 16 else { return defineSum(rows, 0..<count, into: averages) }
        flip_sum_rows(
            rows.rows, rows.weights, Int64((rows.count + 1) / 2), rows.depth > 8, rows.bias,
            Int32(1 << rows.depth - 1),
            Int32(narrowing(depth: rows.depth)), Int32(shift(depth: rows.depth)), Int64(count), averages)
    }

    /// What `sum` computes for samples `range`.
    package static func defineSum(_ rows: Rows, _ range: Range<Int>, into averages: UnsafeMutablePointer<Int16>) {
        let shift = Int32(shift(depth: rows.depth))
        for x in range {
            var sum = rows.bias
            for tap in 0..<rows.count {
                sum &+= sample(UnsafeRawPointer(rows.rows[tap]!), x, depth: rows.depth) &* Int32(rows.weights[tap])
            }
            averages[x] = Int16(truncatingIfNeeded: min(sum >> shift, Int32(most)))
        }
    }
}
