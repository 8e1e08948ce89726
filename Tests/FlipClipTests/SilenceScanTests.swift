import FlipBase
import FlipClip
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
}
