/// The frame rate and duration of a stream, determined from the times of its frames.
package struct FrameTiming: Equatable {
    package let frameRate: Rational
    package let isVariable: Bool
    /// Seconds from the first frame's time to the end of the last frame.
    package let duration: Rational

    /// What the container says, which is believed only if the frames agree.
    package struct Claims {
        /// The time base: the seconds of a tick, above 0.
        var timeBase: Rational
        /// Candidate frame rates in frames per second, the most trusted first; 0 or less means unknown.
        var rates: [Rational]
        /// The last frame's duration in ticks; nil if unknown.
        var lastDuration: Int?
        /// A rate that is preferred to all others if the frames agree, for when they are too few to tell rates apart;
        /// nil if there is none.
        var stated: Rational?

        package init(timeBase: Rational, rates: [Rational], lastDuration: Int? = nil, stated: Rational? = nil) {
            (self.timeBase, self.rates, self.lastDuration, self.stated) = (timeBase, rates, lastDuration, stated)
        }
    }

    /// The frame rates of cameras, films and screens, in frames per second.
    static let standardRates: [Rational] = [
        Rational(10), Rational(12), Rational(25, 2), Rational(15), Rational(20), Rational(24000, 1001), Rational(24),
        Rational(25), Rational(30000, 1001), Rational(30), Rational(48), Rational(50), Rational(60000, 1001),
        Rational(60), Rational(100), Rational(120000, 1001), Rational(120),
    ]

    /// - Parameter times: ticks at which frames are shown, ascending and distinct; not empty.
    package init(times: [Int], claims: Claims) {
        guard times.count > 1, let first = times.first, let last = times.last else {
            let rate = claims.rates.first(where: Self.isPlausible).map { claimed in
                Self.standardRates.first { Self.isNear($0, claimed) } ?? claimed
            }
            let shown = claims.lastDuration.map { claims.timeBase.scaled(count: $0) }
            frameRate = rate ?? shown.map { Self.usable($0.inverse) } ?? Rational(25)
            isVariable = false
            duration = frameRate.inverse
            return
        }
        let span = claims.timeBase.scaled(count: last.minus(first))
        let mean = Rational(times.count - 1) / span
        let standard = Self.standardRates.filter { Self.isNear($0, mean) }
        let claimed = claims.rates.filter(Self.isPlausible)
        let grid = Grid(times: times, timeBase: claims.timeBase)
        let stated = claims.stated.map { stated in Self.standardRates.first { Self.isSame($0, stated) } ?? stated }
        if let rate = grid.bestFit([stated].compactMap(\.self).filter(Self.isPlausible))
            ?? grid.bestFit(claimed.filter(standard.contains) + standard) ?? grid.bestFit(claimed)
            ?? grid.bestFit([mean].filter(Self.isPlausible))
        {
            frameRate = rate
            isVariable = false
            duration = Rational(times.count) / rate
        } else {
            let steps = zip(times.dropFirst(), times).map { $0.minus($1) }.sorted()
            let median = claims.timeBase.scaled(count: steps[steps.count / 2])
            // A claimed rate close to a standard one, such as a phone's 90000/2999, means the standard one. A claimed
            // rate that is merely the mean of the frames says nothing about how they follow each other.
            let unusual = claimed.filter { claim in
                !Self.isNear(claim, mean) && !Self.standardRates.contains { Self.isNear($0, claim) }
            }
            let usual = Self.standardRates.filter { $0.doubleValue * median.doubleValue < UnevenFrames.reach }
            frameRate =
                grid.sparseFit(usual, claims: claimed)
                ?? UnevenFrames(times: times, timeBase: claims.timeBase, medianStep: median)
                .bestRate(of: Self.standardRates + unusual, claims: claimed) ?? Self.usable(median.inverse)
            isVariable = true
            duration = span + (claims.lastDuration.map { claims.timeBase.scaled(count: $0) } ?? frameRate.inverse)
        }
    }

    private static func isPlausible(_ rate: Rational) -> Bool { rate >= Rational(1, 100) && rate <= Rational(1000) }

    /// Whether the rates differ by less than 0.2 %.
    fileprivate static func isNear(_ rate: Rational, _ other: Rational) -> Bool {
        abs(rate.doubleValue / other.doubleValue - 1) < 0.002
    }

    /// Whether the rates differ by no more than containers round them (0.01 %).
    private static func isSame(_ rate: Rational, _ other: Rational) -> Bool {
        abs(rate.doubleValue / other.doubleValue - 1) < 0.0001
    }

    /// A rate to show uneven frames at: the standard rate nearest to `rate` by ratio, below 10 a whole number; 1...120.
    private static func usable(_ rate: Rational) -> Rational {
        if rate < Rational(19, 2) { return Rational(max(1, rate.rounded())) }
        let value = rate.doubleValue
        return standardRates.min { distance($0.doubleValue, value) < distance($1.doubleValue, value) } ?? Rational(25)
    }

    private static func distance(_ rate: Double, _ other: Double) -> Double { max(rate / other, other / rate) }
}

/// Compares frame times with the even grid of a frame rate.
private struct Grid {
    /// The frame times in ticks, ascending.
    let times: [Int]
    let timeBase: Rational

    /// The distance from the grid, in seconds, that a time may have: the error of rounding to a tick, or to a
    /// millisecond in an earlier container.
    private var tolerance: Double { max(timeBase.doubleValue, 0.001) * 1.02 }

    /// The rate with the smallest error among those that show frame k at k / rate, to within rounding; of about equal
    /// ones, the first. Nil if there is none.
    func bestFit(_ rates: [Rational]) -> Rational? {
        var best: (rate: Rational, error: Double)?
        for rate in rates {
            guard let error = worstError(rate) else { continue }
            // Only a clearly smaller error counts, so that rounding noise doesn't outvote the container.
            if best.map({ error < 0.7 * $0.error - 1e-6 }) ?? true { best = (rate, error) }
        }
        return best?.rate
    }

    /// The lowest of `rates`, which ascend, at which every frame lies on the grid and none shares its place, although
    /// places may be empty: frames were left out of an even video. If a rate within 0.2 % of it is among the `claims`
    /// and fits as well, it is that one. Nil if there is none.
    func sparseFit(_ rates: [Rational], claims: [Rational]) -> Rational? {
        guard let lowest = rates.first(where: isSparse) else { return nil }
        return rates.first { FrameTiming.isNear($0, lowest) && claims.contains($0) && isSparse($0) } ?? lowest
    }

    /// Whether every time is within the tolerance of a place of its own on the grid of `rate`.
    private func isSparse(_ rate: Rational) -> Bool {
        let step = rate.inverse.doubleValue
        let tick = timeBase.doubleValue
        // On a grid finer than a few tolerances, any time would do.
        guard step > 6 * tolerance else { return false }
        var last = -1.0
        for time in times {
            let seconds = Double(time.minus(times[0])) * tick
            let place = (seconds / step).rounded()
            if place <= last || abs(seconds - place * step) > tolerance { return false }
            last = place
        }
        return true
    }

    /// The largest distance from the grid, in seconds; nil if it exceeds the tolerance or half a step.
    private func worstError(_ rate: Rational) -> Double? {
        let step = rate.inverse.doubleValue
        let tick = timeBase.doubleValue
        var worst = 0.0
        for (index, time) in times.enumerated() {
            worst = max(worst, abs(Double(time.minus(times[0])) * tick - Double(index) * step))
            if worst > min(tolerance, step / 2) { return nil }
        }
        return worst
    }
}
