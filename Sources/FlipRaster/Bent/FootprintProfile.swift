/// The distribution of one coordinate over a parallelogram: the sum of two uniform distributions.
struct FootprintProfile {
    /// The lengths of the uniform distributions, the longer one first.
    private let long: Double
    private let short: Double

    /// The distribution of the coordinate in which the parallelogram's sides have the lengths `a` and `b`.
    init(_ a: Double, _ b: Double) { (long, short) = (max(abs(a), abs(b)), min(abs(a), abs(b))) }

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

    /// The mean coordinate, from the middle on, of the part of the parallelogram beyond `offset`; 0 if that is empty.
    func mean(above offset: Double) -> Double {
        let rest = 1 - part(below: offset)
        if offset <= -reach || rest <= 0 { return 0 }
        // The integral of the part above each coordinate, as a sum of cubed ramps (see `Ramps`).
        let short = max(short, long / 100)
        let (outer, inner) = ((long + short) / 2, (long - short) / 2)
        func ramp(_ x: Double) -> Double { max(x, 0) * max(x, 0) * max(x, 0) }
        let sum = ramp(outer - offset) - ramp(inner - offset) - ramp(-inner - offset) + ramp(-outer - offset)
        return min(offset + sum / (6 * long * short) / rest, reach)
    }

    /// The same distribution as a sum of squared ramps, which vectors of numbers are put into without branches.
    struct Ramps {
        private let outer: Float
        private let inner: Float
        private let scale: Float

        fileprivate init(_ long: Double, _ short: Double) {
            // A hundredth of the longer side blurs by less than a hundredth of a sample.
            let short = max(short, long / 100)
            (outer, inner) = (Float((long + short) / 2), Float((long - short) / 2))
            scale = Float(1 / (2 * long * short))
        }

        /// The part of the parallelogram whose coordinate is at most `offset` from the middle.
        @inline(__always)
        func part(below offset: SIMD4<Float>) -> SIMD4<Float> {
            let offset = offset.greatest(SIMD4(repeating: -outer)).least(SIMD4(repeating: outer))
            @inline(__always)
            func ramp(_ x: SIMD4<Float>) -> SIMD4<Float> { x.greatest(.zero) * x.greatest(.zero) }
            return (ramp(offset + outer) - ramp(offset + inner) - ramp(offset - inner) + ramp(offset - outer)) * scale
        }
    }

    var ramps: Ramps { Ramps(long, short) }
}
