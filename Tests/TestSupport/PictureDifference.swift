#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The difference between two pictures of the same format and size, over all samples of all planes.
package struct PictureDifference: Sendable, CustomStringConvertible {
    package private(set) var samples = 0
    /// The largest absolute difference of two samples.
    package private(set) var worst = 0
    /// The position of the largest difference: plane, column, row.
    package private(set) var worstPlace = (plane: 0, x: 0, y: 0)
    private var sumOfSquares = 0.0
    private var sum = 0
    private let peak: Double
    /// The number of samples with each absolute difference.
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

    /// The peak signal-to-noise ratio in dB, infinite for equal pictures.
    package var psnr: Double {
        sumOfSquares == 0 ? .infinity : 10 * log10(peak * peak * Double(samples) / sumOfSquares)
    }

    /// The mean of the left samples minus the right ones. Positive and negative errors cancel out, so that only a
    /// systematic error remains.
    package var bias: Double { Double(sum) / Double(samples) }

    /// The fraction of samples that differ by more than `limit` sample levels.
    package func fraction(above limit: Int) -> Double {
        Double(histogram.dropFirst(limit + 1).reduce(0, +)) / Double(samples)
    }

    /// The smallest difference, in sample levels, that is not exceeded in the fraction `part` (0...1) of all samples.
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

/// The peak signal-to-noise ratio in dB over all samples of two pictures, infinite for equal ones.
package func psnr(_ left: TestPicture, _ right: TestPicture) -> Double { PictureDifference(left, right).psnr }
