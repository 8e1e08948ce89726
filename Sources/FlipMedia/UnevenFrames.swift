/// The times of frames that lie on no even grid, against the rates at which they could be shown.
struct UnevenFrames {
    /// Ticks, ascending and distinct.
    let times: [Int]
    /// Seconds of a tick.
    let timeBase: Rational
    /// Seconds.
    let medianStep: Rational

    /// Frames that are looked at: an hour of 30 a second.
    private static let most = 1 << 17
    /// Rates further than this factor from that of the median step are not looked at. Where every second frame of a recording is
    /// missing, the median is twice the step.
    private static let reach = 2.5
    /// Where in a frame the first time may lie: each is tried, since the first one is as uneven as the others.
    private static let phases = 8

    /// The rate among `rates` and the whole ones below 10 at which fewest frames are left out or shown twice; of those that are
    /// about as good, the one nearest to what the container `claims`, or else to the frames' own mean rate. Nil where none is near.
    func bestRate(of rates: [Rational], claims: [Rational]) -> Rational? {
        let usual = medianStep.inverse.doubleValue
        guard usual > 0 else { return nil }
        let near = ((1...9).map { Rational($0) } + rates).filter {
            let factor = $0.doubleValue / usual
            return factor <= Self.reach && factor >= 1 / Self.reach && $0 <= Rational(120) && $0 >= Rational(1)
        }
        let seconds = times.prefix(Self.most).map { Double($0.minus(times[0])) * timeBase.doubleValue }
        let costs = near.map { (rate: $0, cost: cost(seconds, $0.doubleValue)) }
        guard let least = costs.map(\.cost).min() else { return nil }
        // A quarter of a percent is chance.
        let best = costs.filter { $0.cost <= least + seconds.count / 400 }.map(\.rate)
        let claimed = claims.first { claim in best.contains { distance($0, claim.doubleValue) < 1.02 } }
        let aim = claimed?.doubleValue ?? meanRate(seconds) ?? usual
        return best.min { distance($0, aim) < distance($1, aim) }
    }

    private func distance(_ rate: Rational, _ other: Double) -> Double {
        max(rate.doubleValue / other, other / rate.doubleValue)
    }

    /// Frames that are left out and frames after which one is held, at `rate` frames a second. A pause counts once, however long it
    /// is: at every rate something is shown meanwhile.
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

    /// Frames a second where there is no pause.
    private func meanRate(_ seconds: [Double]) -> Double? {
        let longest = medianStep.doubleValue * 1.75
        let steps = zip(seconds.dropFirst(), seconds).map { $0 - $1 }.filter { $0 < longest }
        let sum = steps.reduce(0, +)
        return sum > 0 ? Double(steps.count) / sum : nil
    }
}

/// How a clip's frames become the output's.
package struct FrameChoice: Sendable, Hashable {
    /// Frames of what is used that are not shown.
    package let dropped: Int
    /// Frames of the output that show the clip's frame before once more.
    package let repeated: Int
}

extension VideoInfo {
    /// How the frames of what is used become `slots` frames of the output at `rate` a second; nil of a still, a page, and what a
    /// timeline places frame by frame.
    package func choice(slots: Int, rate: Rational) -> FrameChoice? {
        if isStill || isBlank || timing != nil { return nil }
        // Nobody has kept the times of a clip that was passed on as it came.
        if isVariableFrameRate, unevenTimes == nil { return nil }
        guard let unevenTimes else {
            let frames = (used.duration * frameRate).rounded()
            return FrameChoice(dropped: max(0, frames - slots), repeated: max(0, slots - frames))
        }
        // As `VideoReader` counts them.
        let step = timeBase * rate
        let first = used.start * rate
        var shown = 0
        var dropped = 0
        var last: Int?
        for time in unevenTimes {
            let slot = (step.scaled(count: time) - first).rounded()
            if slot >= slots { break }
            if slot >= 0, let last, last >= 0, slot == last { dropped += 1 }
            if slot >= 0, slot != last { shown += 1 }
            last = slot
        }
        return FrameChoice(dropped: dropped, repeated: max(0, slots - max(shown, 1)))
    }
}
