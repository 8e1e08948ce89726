/// The distribution of one coordinate over a parallelogram: the sum of two uniform distributions.
struct FootprintProfile {
    /// The lengths of the uniform distributions, the longer one first.
    private let long: Double
    private let short: Double

    /// The distribution of the coordinate in which the parallelogram's sides have the lengths `a` and `b`.
    init(_ a: Double, _ b: Double) {
        (long, short) = (max(abs(a), abs(b)), min(abs(a), abs(b)))
    }

    /// Half of the coordinate's extent.
    var reach: Double { (long + short) / 2 }

    /// The part of the parallelogram whose coordinate is at most `offset` from the middle.
    func part(below offset: Double) -> Double {
        if offset <= -reach { return 0 }
        if offset >= reach { return 1 }
        // The density rises over the first `short`, is constant, and falls over the last.
        let flat = (long - short) / 2
        if abs(offset) <= flat { return 0.5 + offset / long }
        let rest = reach - abs(offset)
        let tail = rest * rest / (2 * long * short)
        return offset < 0 ? tail : 1 - tail
    }
}
