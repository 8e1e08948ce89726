import CKernels

/// Averages: the form in which the samples of one picture are averaged along the motion before they are averaged across
/// it. They have 15 bits, whatever the picture's depth, so that the difference of two fits a signed lane.
package enum Averages {
    /// Bits behind the point of a weight.
    package static let weightBits = 14

    /// Parts, in order, as weights: each is what the sum so far, rounded, adds. So the weights add up to the rounded sum of the
    /// parts.
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

    /// `part` (0...1) of a wide colour, as a column's bias.
    package static func bias(_ color: UInt16, _ part: Double, depth: Int) -> Int32 {
        Int32(Double(color) * part * Double(1 << (min(depth, 15) + weightBits)) / 65536)
    }

    /// For each column the weighted sum of its samples in `row`, and its bias; behind these, the same for the `next` row.
    package static func gather(
        _ row: UnsafeRawPointer, next: UnsafeRawPointer, depth: Int, _ taps: Taps,
        into averages: UnsafeMutablePointer<Int16>
    ) {
        let (narrowing, shift) = (Int32(narrowing(depth: depth)), Int32(shift(depth: depth)))
        let rows = (row.assumingMemoryBound(to: UInt8.self), next.assumingMemoryBound(to: UInt8.self))
        if !Kernels.areThere {
            define(row, depth: depth, taps, into: averages)
            define(next, depth: depth, taps, into: averages + taps.columns)
        } else if taps.count == 4 {
            flip_average_pairs(
                rows.0, rows.1, taps.places, taps.shuffles, taps.weights, taps.bias, Int64(taps.columns / 2),
                narrowing, shift, averages)
        } else {
            for (row, averages) in [(rows.0, averages), (rows.1, averages + taps.columns)] {
                flip_average_columns(
                    row, depth > 8, taps.starts, taps.weights, taps.bias, Int64(taps.columns), Int64(taps.count),
                    narrowing, shift, averages)
            }
        }
    }

    /// What `gather` computes, one sample after the other.
    package static func define(
        _ row: UnsafeRawPointer, depth: Int, _ taps: Taps, into averages: UnsafeMutablePointer<Int16>
    ) {
        let (narrowing, shift) = (Int32(narrowing(depth: depth)), Int32(shift(depth: depth)))
        for column in 0..<taps.columns {
            var sum = taps.bias[column]
            for tap in 0..<taps.count {
                let index = Int(taps.starts[column]) + tap
                let sample =
                    depth > 8
                    ? Int32(row.load(fromByteOffset: 2 * index, as: UInt16.self)) >> narrowing
                    : Int32(row.load(fromByteOffset: index, as: UInt8.self))
                sum += sample * Int32(taps.weights[column * taps.count + tap])
            }
            averages[column] = Int16(truncatingIfNeeded: min(sum >> shift, 32767))
        }
    }

    // MARK: Whole rows

    /// Rows that are averaged with each other, each with one weight all over.
    package struct Rows {
        /// Taps: rows and their weights in 1/65536.
        let count: Int
        let rows: UnsafePointer<UnsafePointer<UInt8>?>
        let weights: UnsafePointer<UInt16>
        /// What is added to the weighted wide samples. The sum is less than 65536.
        let bias: UInt16
        let depth: Int

        package init(
            count: Int, rows: UnsafePointer<UnsafePointer<UInt8>?>, weights: UnsafePointer<UInt16>, bias: UInt16,
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
    package static func sum(_ rows: Rows, count: Int, into averages: UnsafeMutablePointer<Int16>) {
        var start = 0
        if Kernels.areThere {
            start = count / 16 * 16
            flip_sum_rows(
                rows.rows, rows.weights, Int64(rows.count), rows.depth > 8, rows.bias, Int32(16 - rows.depth),
                Int64(start), averages)
        }
        defineSum(rows, start..<count, into: averages)
    }

    /// What `sum` computes for samples `range`.
    package static func defineSum(_ rows: Rows, _ range: Range<Int>, into averages: UnsafeMutablePointer<Int16>) {
        let shift = UInt16(16 - rows.depth)
        for x in range {
            var sum = rows.bias
            for tap in 0..<rows.count {
                let row = UnsafeRawPointer(rows.rows[tap]!)
                let sample =
                    rows.depth > 8
                    ? row.load(fromByteOffset: 2 &* x, as: UInt16.self)
                    : UInt16(row.load(fromByteOffset: x, as: UInt8.self))
                sum &+= Wide.scale(sample &<< shift, rows.weights[tap])
            }
            averages[x] = Int16(bitPattern: sum &>> 1)
        }
    }
}

/// The twins of `CKernels`, which this machine may or may not run.
enum Kernels {
    static let areThere = flip_has_kernels()

    /// Rows by which memory is asked for before it is needed: memory pages end too soon for the processor to see where a tile
    /// goes.
    static let rowsAhead = 4

    /// Asks for `samples` of a row that will be read soon.
    @inline(__always)
    static func prefetch(_ row: UnsafeMutableRawPointer, _ samples: Range<Int>, depth: Int) {
        let size = depth > 8 ? 2 : 1
        flip_prefetch(
            (row + samples.lowerBound * size).assumingMemoryBound(to: UInt8.self), Int64(samples.count * size))
    }
}
