import FlipRender
import TestSupport
import Testing

struct CaptionTimesTests {
    /// The same as looking through all captions, whichever overlap, touch or are empty.
    @Test(arguments: 1...20) func agreesWithASearch(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let shown = (0..<random.integer(in: 0...12)).map { _ in
            let start = random.integer(in: 0...60)
            return start..<start + random.integer(in: 0...15)
        }
        let times = CaptionTimes(shown)
        for time in -2..<80 {
            let (isShown, next) = times.state(at: time)
            #expect(isShown == shown.contains { $0.contains(time) }, "\(time) of \(shown)")
            let ends = shown.filter { !$0.isEmpty }.flatMap { [$0.lowerBound, $0.upperBound] }
            #expect(next == ends.filter { $0 > time }.min(), "\(time) of \(shown)")
        }
    }
}
