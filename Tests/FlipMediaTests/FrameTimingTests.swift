import FlipBase
import TestSupport
import Testing

/// The frame rate found for clips with uneven frame times.
struct FrameTimingTests {
    /// The presentation times of `seconds` of frames at `rate` frames per second, in units of 1/`ticks` s, each off by
    /// up to `share` of a frame. `pauses` gives the number of frames that are missing before a frame, by its index.
    private func times(
        _ rate: Double, seconds: Double, share: Double, pauses: [Int: Int] = [:], ticks: Double = 1000, seed: UInt64 = 7
    ) -> [Int] {
        var numbers = SplitMix64(seed: seed)
        var place = 0
        return (0..<Int(rate * seconds)).map { index in
            place += 1 + (pauses[index] ?? 0)
            return Int(((Double(place) + numbers.number(in: -share...share)) * ticks / rate).rounded())
        }
    }

    private func timing(_ times: [Int], ticks: Int = 1000, claims: [Rational] = []) -> FrameTiming {
        FrameTiming(times: times, claims: .init(timeBase: Rational(1, ticks), rates: claims))
    }

    static let rates = [Rational(25), Rational(30000, 1001), Rational(30), Rational(60000, 1001)]

    @Test(arguments: rates, [UInt64(1), 2, 3, 4]) func jitterDoesNotChangeTheRate(rate: Rational, seed: UInt64) {
        let times = times(rate.doubleValue, seconds: 120, share: 1 / 3, seed: seed)
        let found = timing(times)
        #expect(found.isVariable)
        #expect(found.frameRate == rate)
    }

    @Test(arguments: rates) func pausesDoNotChangeTheRate(rate: Rational) {
        let pauses = [40: 90, 300: 1, 301: 2, 700: 400, 900: 45]
        let found = timing(
            times(rate.doubleValue, seconds: 120, share: 1 / 3, pauses: pauses, ticks: 90000), ticks: 90000)
        #expect(found.isVariable)
        #expect(found.frameRate == rate)
    }

    /// Steps such as 33, 44 and 43 ms, which screen recorders make of 25 frames per second, give 25 and not the rate of
    /// the median step.
    @Test func theMedianStepIsNoRate() {
        var time = 0
        let times = (0..<125).map { index in
            time += [33, 44, 43][index % 3]
            return time
        }
        #expect(timing(times, claims: [Rational(25)]).frameRate == Rational(25))
        #expect(timing(times).frameRate == Rational(25))
    }

    /// The grid's rate is found if every `missing`th frame is left out, even if the container states the mean rate and
    /// another standard rate (20 fps for 24) is the mean.
    @Test(arguments: [(7, 25), (7, 30), (6, 24), (10, 50), (4, 30)], [1000, 12800, 90000])
    func regularlyMissingFramesDoNotChangeTheRate(drops: (missing: Int, rate: Int), ticks: Int) {
        let (missing, rate) = drops
        let places = (0..<8 * rate).filter { $0 % missing != missing / 2 }
        let times = places.map { (Double($0 * ticks) / Double(rate)).rounded() }.map { Int($0) }
        let mean = Rational((times.count - 1) * ticks, times[times.count - 1] - times[0])
        let found = timing(times, ticks: ticks, claims: [mean, Rational(rate)])
        #expect(found.isVariable)
        #expect(found.frameRate == Rational(rate))
        #expect(timing(times, ticks: ticks, claims: [mean]).frameRate == Rational(rate))
    }

    /// A few seconds of times can't tell 29.97 from 30, so the rate that the container states decides.
    @Test(arguments: [Rational(30), Rational(30000, 1001)]) func theContainerSettlesWhatTimesLeaveOpen(rate: Rational) {
        let times = times(30, seconds: 3, share: 0.2)
        #expect(timing(times, claims: [rate]).frameRate == rate)
        #expect(timing(times, claims: [Rational(50)]).frameRate != Rational(50))
    }
}
