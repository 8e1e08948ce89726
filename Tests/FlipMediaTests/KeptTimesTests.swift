import FlipBase
import FlipMedia
import TestSupport
import Testing

@Suite struct KeptTimesTests {
    /// In hundredths of a second.
    private func times(_ hundredths: [Int]) -> [Rational] { hundredths.map { Rational($0, 100) } }

    /// Ten even frames per second at both ends; the pictures lie at 0, 9, 21, 30, 70, 81 and end at 95.
    @Test(
        arguments: [
            // All of it: every picture at its own time.
            (0, 95, 0, 0, [0, 9, 21, 30, 70, 81], [0, 9, 21, 30, 70, 81], 0..<6, 0),
            // A picture that stands where the part begins is shown from there on.
            (50, 45, 0, 0, [0, 20, 31], [50, 70, 81], 1..<3, 4),
            // The picture nearest to the beginning, by less than half a frame, begins the part.
            (28, 67, 0, 0, [0, 42, 53], [30, 70, 81], 0..<3, 3),
            // Two even frames first; the picture at 21 takes the place of that at 20.
            (0, 95, 2, 0, [0, 10, 21, 30, 70, 81], [5, 15, 21, 30, 70, 81], 2..<6, 2),
            // After three even frames, the picture at 30 follows; at the end, those at 70 and 81 are in even frames.
            (0, 95, 3, 3, [0, 10, 20, 30, 65, 75, 85], [5, 15, 25, 30, 70, 80, 90], 3..<4, 3),
            // After four even frames the picture of 30 stands.
            (0, 95, 4, 0, [0, 10, 20, 30, 40, 70, 81], [5, 15, 25, 35, 40, 70, 81], 5..<7, 4),
            // Nothing but a part of a picture that stands.
            (40, 20, 0, 0, [0], [40], 1..<1, 4),
            // Nothing but even frames.
            (0, 40, 2, 2, [0, 10, 20, 30], [5, 15, 25, 35], 2..<2, 2),
        ] as [(Int, Int, Int, Int, [Int], [Int], Range<Int>, Int)])
    func picturesKeepTheirTimes(
        start: Int, length: Int, head: Int, tail: Int, begins: [Int], chosen: [Int], own: Range<Int>, first: Int
    ) {
        let kept = KeptTimes(
            times([0, 9, 21, 30, 70, 81, 95]),
            in: TimeSpan(start: Rational(start, 100), duration: Rational(length, 100)), even: (head, tail),
            rate: Rational(10))
        #expect(kept.begins == times(begins))
        #expect(kept.chosen == times(chosen))
        #expect(kept.own == own)
        if !own.isEmpty { #expect(kept.firstPicture == first) }
        #expect(kept.length == Rational(length, 100))
    }

    /// Whatever the pictures are: frames ascend, are chosen in order, and every picture between the even frames is there.
    @Test func framesAscend() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<3000 {
            let number = { (range: ClosedRange<Int>) in Int.random(in: range, using: &random) }
            var ticks = [0]
            for _ in 0..<number(1...30) { ticks.append(ticks[ticks.count - 1] + number(1...9) * number(1...9)) }
            let rate = Rational(number(1...20))
            let pictures = ticks.map { Rational($0, 100) }
            let end = pictures[pictures.count - 1]
            let start = Rational(number(0...ticks[ticks.count - 1] - 1), 100)
            let even = (head: number(0...4), tail: number(0...4))
            let kept = KeptTimes(pictures, in: TimeSpan(start: start, duration: end - start), even: even, rate: rate)
            #expect(kept.begins.count == kept.chosen.count && kept.begins.first == .zero)
            #expect(zip(kept.begins, kept.begins.dropFirst() + [kept.length]).allSatisfy { $0 < $1 })
            #expect(zip(kept.chosen, kept.chosen.dropFirst()).allSatisfy { $0 < $1 })
            #expect(kept.own.map { kept.chosen[$0] } == Array(pictures[kept.firstPicture...].prefix(kept.own.count)))
            #expect(kept.begins.count >= even.head + even.tail)
        }
    }
}
