import FlipBase
import FlipMedia
import TestSupport
import Testing

/// Which audio of a live clip is late, by the order of its packets.
struct InterleavingWindowTests {
    /// A window after video packets at `times`, in seconds, of `size` bytes each.
    private func window(_ times: some Sequence<Int>, size: Int) -> InterleavingWindow {
        var window = InterleavingWindow(timeBase: Rational(1, 1000))
        for time in times { window.add(time * 1000, byteCount: size) }
        return window
    }

    @Test func nothingIsLateAtFirst() {
        let window = window(0...10, size: 1000)
        #expect(!window.isLate(Rational(-5)) && !window.isSettled(before: Rational(-5)))
    }

    /// After the packet at 25 s, those up to 14 s have left: the others are at most 10 s older.
    @Test func timeIsLimited() {
        let window = window(0...25, size: 1000)
        #expect(window.isLate(Rational(1399, 100)) && !window.isLate(Rational(14)))
        #expect(window.isSettled(before: Rational(139, 10)) && !window.isSettled(before: Rational(14)))
    }

    /// Of packets of 100 MB, two fit into 256 MiB.
    @Test func bytesAreLimited() {
        let window = window(0...5, size: 100_000_000)
        #expect(window.isLate(Rational(299, 100)) && !window.isLate(Rational(3)))
    }

    /// What is settled stays so: audio that isn't late begins after every time that was settled before.
    @Test func silenceIsNeverTakenBack() throws {
        var (window, numbers) = (InterleavingWindow(timeBase: Rational(1, 1000)), SplitMix64(seed: 5))
        var settled: Rational?
        for index in 0..<3000 {
            let isBig = numbers.next() % 50 == 0
            // In decoding order, times of frames may go back.
            window.add(index * 40 - Int(numbers.next() % 300), byteCount: isBig ? 90_000_000 : 10_000)
            let time = Rational(index * 40 - Int(numbers.next() % 12_000), 1000)
            if window.isSettled(before: time) { settled = max(settled ?? time, time) }
            let comes = Rational(index * 40 - Int(numbers.next() % 12_000), 1000)
            if let settled { #expect(window.isLate(comes) || comes > settled) }
        }
        #expect(try #require(settled) > Rational(100))
    }
}
