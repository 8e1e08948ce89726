/// The means over windows of samples: the innermost loop of bent sheets.
package enum WindowMeans {
    /// The windows of the samples of a piece, in the weights of footprint tables.
    package struct Windows {
        /// Each window's first column and row in the plane; the window lies inside the plane.
        let columns: UnsafePointer<Int32>
        let rows: UnsafePointer<Int32>
        /// The place of each window's weights, which add up to 1 << `Averages.weightBits`.
        let places: UnsafePointer<Int32>
        let weights: UnsafePointer<Int16>
        /// The windows' length: 4 or 8.
        let taps: Int
        let count: Int

        package init(
            columns: UnsafePointer<Int32>, rows: UnsafePointer<Int32>, places: UnsafePointer<Int32>,
            weights: UnsafePointer<Int16>, taps: Int, count: Int
        ) {
            (self.columns, self.rows, self.places, self.weights) = (columns, rows, places, weights)
            (self.taps, self.count) = (taps, count)
        }
    }

    /// The bits by which a weighted sum is shifted down to a wide sample: a sum has `Averages.weightBits` more bits than
    /// a sample.
    static func shift(depth: Int) -> Int32 { Int32(min(depth, 15) + Averages.weightBits - 16) }

    /// Writes the mean of each window of a plane, as a wide sample.
    package static func define(
        _ base: UnsafeRawPointer, stride: Int, depth: Int, _ windows: Windows, into line: UnsafeMutablePointer<UInt16>
    ) {
        let taps = windows.taps
        let narrowing = Averages.narrowing(depth: depth)
        let most = UInt16(truncatingIfNeeded: 1 &<< depth &- 1)
        let shift = shift(depth: depth)
        let half: Int32 = 1 << (shift - 1)
        for index in 0..<windows.count {
            let weights = windows.weights + Int(windows.places[index])
            let start = base + Int(windows.rows[index]) &* stride
            let column = Int(windows.columns[index])
            var sum = half
            for row in 0..<taps {
                let samples = start + row &* stride
                for tap in 0..<taps {
                    let weight = Int32(weights[row &* taps &+ tap])
                    if depth == 8 {
                        sum &+= Int32(samples.load(fromByteOffset: column &+ tap, as: UInt8.self)) &* weight
                    } else {
                        let sample = samples.load(fromByteOffset: 2 &* (column &+ tap), as: UInt16.self)
                        sum &+= Int32(min(sample, most) &>> UInt16(narrowing)) &* weight
                    }
                }
            }
            line[index] = UInt16(truncatingIfNeeded: min(max(sum >> shift, 0), 65535))
        }
    }
}
