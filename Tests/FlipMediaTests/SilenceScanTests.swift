import FlipBase
import FlipMedia
import Testing

@Suite struct SilenceScanTests {
    /// Windows of 10 ms, each silent or not.
    private func span(_ windows: [Bool]) -> TimeSpan? {
        var scan = SilenceScan()
        for isLoud in windows {
            let samples = [Float](repeating: isLoud ? 0.1 : 0.001, count: SilenceScan.window)
            samples.withUnsafeBufferPointer { scan.add($0) }
        }
        return scan.span(within: Rational(windows.count, 100))
    }

    @Test func keepsAMarginAroundWhatIsHeard() {
        let windows = (0..<100).map { (30..<50).contains($0) }
        #expect(span(windows) == TimeSpan(start: Rational(20, 100), duration: Rational(40, 100)))
    }

    @Test func theMarginEndsWithTheAudio() {
        #expect(span(Array(repeating: true, count: 20)) == TimeSpan(duration: Rational(20, 100)))
    }

    @Test func silenceThroughoutHasNoSpan() { #expect(span(Array(repeating: false, count: 20)) == nil) }

    @Test func pausesLieBetweenWhatIsHeard() {
        // Windows of 10 ms: heard from 30 to 50, at 53, and from 80 to 90.
        var scan = SilenceScan()
        for index in 0..<120 {
            let isLoud = (30..<50).contains(index) || index == 53 || (80..<90).contains(index)
            let samples = [Float](repeating: isLoud ? 0.1 : 0.001, count: SilenceScan.window)
            samples.withUnsafeBufferPointer { scan.add($0) }
        }
        #expect(scan.audible == TimeSpan(start: Rational(30, 100), duration: Rational(60, 100)))
        let long = TimeSpan(start: Rational(54, 100), duration: Rational(26, 100))
        #expect(
            scan.pauses(atLeast: Rational(3, 100)) == [
                TimeSpan(start: Rational(50, 100), duration: Rational(3, 100)), long,
            ])
        #expect(scan.pauses(atLeast: Rational(4, 100)) == [long])
        #expect(SilenceScan().audible == nil && SilenceScan().pauses(atLeast: .zero).isEmpty)
    }
}
