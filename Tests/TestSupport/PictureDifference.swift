#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How far two pictures of one format and size lie apart, over every sample of every plane.
package struct PictureDifference: Sendable, CustomStringConvertible {
    package private(set) var samples = 0
    /// The largest difference of two samples.
    package private(set) var worst = 0
    /// Where it is: plane, column, row.
    package private(set) var worstPlace = (plane: 0, x: 0, y: 0)
    private var sumOfSquares = 0.0
    private var sum = 0
    private let peak: Double
    /// Samples by their difference.
    private var histogram: [Int]

    package init(_ left: TestPicture, _ right: TestPicture) {
        precondition(left.format == right.format && left.width == right.width && left.height == right.height)
        peak = Double(left.peak)
        histogram = [Int](repeating: 0, count: 1 << left.format.depth)
        for plane in left.planes.indices {
            let width = left.planeSize(plane).width
            for index in left.planes[plane].indices {
                let signed = Int(left.planes[plane][index]) - Int(right.planes[plane][index])
                let difference = abs(signed)
                sum += signed
                histogram[min(difference, histogram.count - 1)] += 1
                sumOfSquares += Double(difference * difference)
                if difference > worst {
                    worst = difference
                    worstPlace = (plane, index % width, index / width)
                }
            }
            samples += left.planes[plane].count
        }
    }

    /// Peak signal-to-noise ratio in dB, infinite for equal pictures.
    package var psnr: Double {
        sumOfSquares == 0 ? .infinity : 10 * log10(peak * peak * Double(samples) / sumOfSquares)
    }

    /// By how much the left picture's samples are larger on average: positive and negative errors cancel out, so what is left is
    /// a systematic one.
    package var bias: Double { Double(sum) / Double(samples) }

    /// The fraction of samples that differ by more than `limit`, in the samples' own units.
    package func fraction(above limit: Int) -> Double {
        Double(histogram.dropFirst(limit + 1).reduce(0, +)) / Double(samples)
    }

    /// What the differences of the given part (0...1) of all samples do not exceed, in the samples' own units.
    package func quantile(_ part: Double) -> Int {
        var count = 0
        let enough = part * Double(samples)
        return histogram.firstIndex {
            count += $0
            return Double(count) >= enough
        } ?? worst
    }

    package var description: String {
        "PSNR \(psnr) dB, bias \(bias), worst \(worst) in plane \(worstPlace.plane) at (\(worstPlace.x), \(worstPlace.y))"
    }
}

/// Peak signal-to-noise ratio in dB over all samples of two pictures, infinite for equal ones.
package func psnr(_ left: TestPicture, _ right: TestPicture) -> Double { PictureDifference(left, right).psnr }
