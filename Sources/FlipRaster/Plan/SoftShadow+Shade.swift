import FlipGeometry
import RealModule

extension SoftShadow {
    /// The mean of the shadow's profile along one axis over `lower...upper`, 0...1. The profile is `box` blurred by a
    /// Gaussian.
    private func mean(_ lower: Double, _ upper: Double, _ box: ClosedRange<Double>) -> Double {
        let scale = deviation * 2.0.squareRoot()
        // The antiderivative of erf.
        func integral(_ x: Double) -> Double { x * .erf(x) + .exp(-x * x) / Double.pi.squareRoot() }
        func rise(_ edge: Double) -> Double {
            scale * (integral((upper - edge) / scale) - integral((lower - edge) / scale)) / (upper - lower)
        }
        return (rise(box.lowerBound) - rise(box.upperBound)) / 2
    }

    /// The factor of the shade that depends on the position along the motion, averaged over an interval.
    package func along(_ lower: Double, _ upper: Double) -> Double { opacity * mean(lower, upper, along) }

    /// Whether the shadow's edge is so sharp, as in very small frames, that the mean over a sample must leave out the
    /// part that the page covers. The shade rises by at most 1 / (deviation * sqrt(2 pi)) per pixel. Averaging over the
    /// whole sample instead of its free part is off by at most half of that, which is 0.1 at a deviation of 2, and only
    /// in samples that are mostly covered.
    var isSharp: Bool { deviation < 2 }

    /// The number of parts into which a footprint is cut if the shadow is sharp. The page's edge is located to a
    /// sixteenth of a sample, so the mean is off by at most a sixteenth of the shade's change within the sample.
    private static let parts = 16

    /// The factor of the shade that depends on the position across the motion, averaged over an interval.
    package func across(_ lower: Double, _ upper: Double) -> Double { mean(lower, upper, across) }

    /// The mean shade of a sharp shadow, 0...1, over the part of the footprint `lower...upper` across the motion that
    /// `page` leaves free. `along` is the factor that depends on the position along the motion.
    func shade(along: Double, _ lower: Double, _ upper: Double, page: (lower: Double, upper: Double)?) -> Double {
        var (sum, count) = (0.0, 0)
        let height = (upper - lower) / Double(SoftShadow.parts)
        for part in 0..<SoftShadow.parts {
            let start = lower + Double(part) * height
            let middle = start + height / 2
            if let page, page.lower < middle, page.upper > middle { continue }
            sum += min(along * across(start, start + height), 1)
            count += 1
        }
        return count > 0 ? sum / Double(count) : min(along * across(lower, upper), 1)
    }
}
