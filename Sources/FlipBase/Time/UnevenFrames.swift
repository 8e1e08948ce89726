/// Chooses a constant frame rate for frames whose times lie on no even grid.
struct UnevenFrames {
    /// The frames' PTS in ticks, ascending and distinct.
    let times: [Int]
    /// The time base: seconds per tick.
    let timeBase: Rational
    /// The median time from one frame to the next, in seconds.
    let medianStep: Rational

    /// The number of frames that are looked at: more than an hour at 30 fps.
    private static let most = 1 << 17
    /// The factor by which a candidate rate may differ from that of the median step. Where every second frame of a
    /// recording is missing, the median is twice the true step.
    static let reach = 2.5
    /// The number of positions within a frame that are tried for the first time stamp, which is as uneven as the
    /// others.
    private static let phases = 8

    /// The rate among `rates` and the whole numbers below 10 at which the fewest frames are dropped or held. Of rates
    /// that are about equally good, it is the one nearest to a rate that the container `claims`, or else to the frames'
    /// mean rate. Nil if no rate is within `reach`.
    func bestRate(of rates: [Rational], claims: [Rational]) -> Rational? {
        let medianRate = medianStep.inverse.doubleValue
        guard medianRate > 0 else { return nil }
        let near = ((1...9).map { Rational($0) } + rates).filter {
            let factor = $0.doubleValue / medianRate
            return factor <= Self.reach && factor >= 1 / Self.reach && $0 <= Rational(120) && $0 >= Rational(1)
        }
        let seconds = times.prefix(Self.most).map { Double($0.minus(times[0])) * timeBase.doubleValue }
        let costs = near.map { (rate: $0, cost: cost(seconds, $0.doubleValue)) }
        guard let least = costs.map(\.cost).min() else { return nil }
        // A difference of a quarter of a percent of the frames is chance.
        let best = costs.filter { $0.cost <= least + seconds.count / 400 }.map(\.rate)
        let claimed = claims.first { claim in best.contains { distance($0, claim.doubleValue) < 1.02 } }
        let target = claimed?.doubleValue ?? meanRate(seconds) ?? medianRate
        return best.min { distance($0, target) < distance($1, target) }
    }

    private func distance(_ rate: Rational, _ other: Double) -> Double {
        max(rate.doubleValue / other, other / rate.doubleValue)
    }

    /// The number of frames that are dropped at `rate` frames per second plus the number of gaps in which a frame is
    /// held, at the best phase. A gap counts once, however long it is: a pause has to be filled at every rate.
    private func cost(_ seconds: [Double], _ rate: Double) -> Int {
        (0..<Self.phases).map { phase in
            let offset = Double(phase) / Double(Self.phases)
            var last = Int.min
            var count = 0
            for time in seconds {
                let slot = Int((time * rate + offset).rounded(.down))
                if last != .min, slot != last + 1 { count += 1 }
                last = slot
            }
            return count
        }.min() ?? 0
    }

    /// The mean frame rate, in frames per second, without pauses; nil if there are only pauses.
    private func meanRate(_ seconds: [Double]) -> Double? {
        let longest = medianStep.doubleValue * 1.75
        let steps = zip(seconds.dropFirst(), seconds).map { $0 - $1 }.filter { $0 < longest }
        let sum = steps.reduce(0, +)
        return sum > 0 ? Double(steps.count) / sum : nil
    }
}
