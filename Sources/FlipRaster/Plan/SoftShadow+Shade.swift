import FlipGeometry

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension SoftShadow {
    /// The mean over an interval of the shadow's profile along one axis: a box blurred by a Gaussian, 0...1.
    private func mean(_ lower: Double, _ upper: Double, _ box: ClosedRange<Double>) -> Double {
        let scale = deviation * 2.0.squareRoot()
        // The antiderivative of erf.
        func integral(_ x: Double) -> Double { x * erf(x) + exp(-x * x) / Double.pi.squareRoot() }
        func rise(_ edge: Double) -> Double {
            scale * (integral((upper - edge) / scale) - integral((lower - edge) / scale)) / (upper - lower)
        }
        return (rise(box.lowerBound) - rise(box.upperBound)) / 2
    }

    /// The part of the shade that depends on the position along the motion, over an interval.
    func along(_ lower: Double, _ upper: Double) -> Double { opacity * mean(lower, upper, along) }

    /// Whether the shadow's edge is so sharp, as it is in very small frames, that the mean over a sample must leave out what
    /// the page covers of it. The shade rises by at most 1 / (deviation * sqrt(2 pi)) a pixel; taking the mean over the whole
    /// sample instead of over the free part of it is off by half of that at most, which is 0.1 from a deviation of 2 on, and only in
    /// samples that are mostly covered.
    var isSharp: Bool { deviation < 2 }

    /// Parts into which a footprint is cut where the shadow is sharp: the page's edge is placed to a sixteenth of a sample, so
    /// the mean is off by a sixteenth of what the shade changes in it.
    private static let parts = 16

    /// The part of the shade that depends on the position across the motion, over an interval.
    func across(_ lower: Double, _ upper: Double) -> Double { mean(lower, upper, across) }

    /// The mean shade, 0...1, over the part of a footprint `lower...upper` across the motion that `page` leaves free, where
    /// the position along the motion gives `along`: for a shadow that is sharp.
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
