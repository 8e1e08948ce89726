/// Averages: a picture's samples after they are averaged along the motion and before they are averaged across it. They
/// have 15 bits whatever the picture's depth, so that the difference of two fits a signed 16-bit lane.
package enum Averages {
    /// Fractional bits of a weight.
    package static let weightBits = 14

    /// The largest average.
    package static let most: Int16 = 32767

    /// Converts the parts of a whole, one after the other, to fixed-point weights. Weight k is
    /// `round(sum of parts 0...k) - round(sum of parts 0..<k)`, so that rounding errors don't accumulate: the weights
    /// add up to the rounded sum of all parts.
    package struct Weights {
        private var sum = 0.0
        private var rounded = 0

        package init() {}

        package mutating func next(_ part: Double) -> Int16 {
            sum += part
            // No part is negative, so this is the nearest number.
            let total = Int(sum * Double(1 << weightBits) + 0.5)
            defer { rounded = total }
            return Int16(min(max(total - rounded, 0), 1 << weightBits))
        }
    }

    /// What each column of a tile averages in a row.
    package struct Taps {
        /// The number of columns, a multiple of eight.
        let columns: Int
        /// Taps per column: four, eight, or a multiple of sixteen.
        let count: Int
        /// The index of each column's first sample.
        let starts: UnsafePointer<Int32>
        /// The weights as [column][tap], with `weightBits` fractional bits.
        let weights: UnsafePointer<Int16>
        /// What is added to each column's weighted sum.
        let bias: UnsafePointer<Int32>
        /// For each group of columns with four taps, the byte offset in a row of the 16 bytes that contain all of their
        /// samples. A group has four columns if `quads` isn't nil, and two otherwise.
        let places: UnsafePointer<Int32>
        /// For each pair, 16 indices that pick the bytes of its taps' samples from those 16, widened to 16 bits; 128
        /// gives a zero byte. For two groups of four, four times 16 indices: the first two taps of the first group's
        /// columns, of the second group's, and then the other two taps of both.
        let shuffles: UnsafePointer<UInt8>
        /// The weights in the order of the shuffles of groups of four; nil if not all groups of four have their samples in
        /// 16 bytes.
        let quads: UnsafePointer<Int16>?

        package init(
            columns: Int, count: Int, starts: UnsafePointer<Int32>, weights: UnsafePointer<Int16>,
            bias: UnsafePointer<Int32>, places: UnsafePointer<Int32>, shuffles: UnsafePointer<UInt8>,
            quads: UnsafePointer<Int16>? = nil
        ) {
            (self.columns, self.count, self.starts, self.weights) = (columns, count, starts, weights)
            (self.bias, self.places, self.shuffles, self.quads) = (bias, places, shuffles, quads)
        }
    }

    /// The bits by which samples are shifted down before they are weighted, so that they have at most 15.
    static func narrowing(depth: Int) -> Int { depth == 16 ? 1 : 0 }
    /// The bits by which a weighted sum is shifted down to an average.
    static func shift(depth: Int) -> Int { min(depth, 15) + weightBits - 15 }

    /// The bias of a weighted sum: `part` (0...1) of a wide color, plus the half that rounds the sum.
    package static func bias(_ color: UInt16, _ part: Double, depth: Int) -> Int32 {
        bias(mixed: Double(color) * part, depth: depth)
    }

    /// The bias of a weighted sum to which light mixes `color`, a wide color times its part.
    static func bias(mixed color: Double, depth: Int) -> Int32 {
        Int32(color * Double(1 << (min(depth, 15) + weightBits)) / 65536)
            + (1 << (shift(depth: depth) - 1))
    }

    /// Converts an average to a wide sample. The highest of its 15 bits is repeated at the end, so that 0 stays 0 and
    /// 32767 becomes 65535.
    @inline(__always)
    package static func wide(_ average: Int16) -> UInt16 {
        UInt16(bitPattern: average) &<< 1 &+ UInt16(bitPattern: average) &>> 14
    }

    /// Sample `index` of a row, in at most 15 bits. Samples above the maximum of their depth are clamped to it.
    @inline(__always)
    private static func sample(_ row: UnsafeRawPointer, _ index: Int, depth: Int) -> Int32 {
        if depth == 8 { return Int32(row.load(fromByteOffset: index, as: UInt8.self)) }
        let sample = row.load(fromByteOffset: 2 &* index, as: UInt16.self)
        return Int32(min(sample, UInt16(truncatingIfNeeded: 1 &<< depth &- 1)) &>> UInt16(narrowing(depth: depth)))
    }

    /// Computes for each column the weighted sum of its samples in `row`, plus its bias, as an average.
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

    /// Rows that are averaged with each other, each with one weight for all of its samples: the taps for whole rows.
    package struct Rows {
        /// The number of taps. Each is a row and its weight, with `weightBits` fractional bits. Taps are read in pairs,
        /// so an odd number of them must be followed by any row with weight 0.
        let count: Int
        let rows: UnsafePointer<UnsafePointer<UInt8>?>
        let weights: UnsafePointer<Int16>
        /// What is added to each weighted sum.
        let bias: Int32
        let depth: Int

        package init(
            count: Int, rows: UnsafePointer<UnsafePointer<UInt8>?>, weights: UnsafePointer<Int16>, bias: Int32,
            depth: Int
        ) {
            (self.count, self.rows, self.weights, self.bias) = (count, rows, weights, bias)
            self.depth = depth
        }
    }

    /// Computes the averages `range` of `rows`.
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
