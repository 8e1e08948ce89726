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
                let difference = abs(Int(left.planes[plane][index]) - Int(right.planes[plane][index]))
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

    /// The fraction of samples that differ by more than `limit`, in the samples' own units.
    package func fraction(above limit: Int) -> Double {
        Double(histogram.dropFirst(limit + 1).reduce(0, +)) / Double(samples)
    }

    package var description: String {
        "PSNR \(psnr) dB, worst \(worst) in plane \(worstPlace.plane) at (\(worstPlace.x), \(worstPlace.y))"
    }
}

/// Peak signal-to-noise ratio in dB over all samples of two pictures, infinite for equal ones.
package func psnr(_ left: TestPicture, _ right: TestPicture) -> Double { PictureDifference(left, right).psnr }
