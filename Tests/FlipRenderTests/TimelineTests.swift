import FlipBase
import FlipGeometry
import FlipRender
import TestSupport
import Testing

@Suite struct TimelineTests {
    private func playing(_ lengths: [Int], _ joins: [Int]) -> Timeline {
        Timeline(lengths: lengths, joins: joins.map { (frames: $0, overlap: .play) }, rate: Rational(25))
    }

    @Test func clipsOverlapByTheTransitions() {
        let timeline = playing([75, 90, 50], [15, 20])
        #expect(timeline.frames == 75 + 90 + 50 - 15 - 20)
        #expect(timeline.clips.map(\.start) == [0, 60, 130])
        #expect(timeline.joins.map(\.start) == [60, 130])
        #expect(
            timeline.segments == [
                .clip(index: 0, frames: 0..<60), .transition(join: 0, count: 15), .clip(index: 1, frames: 15..<70),
                .transition(join: 1, count: 20), .clip(index: 2, frames: 20..<50),
            ])
        #expect(timeline.shortened.isEmpty)
    }

    @Test func aFreezeSpendsNothingAndIsAdded() {
        let timeline = Timeline(lengths: [10, 20], joins: [(frames: 6, overlap: .freeze)], rate: Rational(25))
        #expect(timeline.frames == 10 + 6 + 20)
        #expect(
            timeline.segments == [
                .clip(index: 0, frames: 0..<10), .transition(join: 0, count: 6), .clip(index: 1, frames: 0..<20),
            ])
    }

    @Test func transitionsMayUseAllOfAClip() {
        let timeline = playing([30, 12, 30], [6, 6])
        #expect(timeline.joins.map(\.frames) == [6, 6] && timeline.shortened.isEmpty)
        #expect(!timeline.segments.contains { if case .clip(1, _) = $0 { true } else { false } })
    }

    @Test func transitionsThatDoNotFitAreShortenedByOneFactor() {
        // The clip has 9 frames for transitions of 6 + 12: both are halved.
        let timeline = playing([30, 9, 30], [6, 12])
        #expect(timeline.joins.map(\.frames) == [3, 6])
        #expect(timeline.shortened == [0, 1])
        #expect(timeline.frames == 30 + 9 + 30 - 3 - 6)
    }

    /// A transition of 9 frames: 5 after the first part, and 4 before the second one.
    @Test func handlesAreAddedToTheParts() {
        let timeline = Timeline(
            lengths: [20, 30], joins: [(frames: 9, overlap: .handles)], rooms: [HandleRoom(tail: 100, head: 100)],
            rate: Rational(25))
        #expect(timeline.frames == 50 && timeline.clips.map(\.frames) == [25, 34])
        #expect(timeline.clips.map(\.start) == [0, 16] && timeline.joins.map(\.start) == [16])
        #expect(
            timeline.segments == [
                .clip(index: 0, frames: 0..<16), .transition(join: 0, count: 9), .clip(index: 1, frames: 9..<34),
            ])
    }

    /// Whatever the files have: the output is as long as the parts less what is spent of them, no clip is used for
    /// longer than it has frames, and no more is taken from a gap than it has.
    @Test func handlesFitTheFiles() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<2000 {
            let number = { (limit: Int) in Int.random(in: 0...limit, using: &random) }
            let lengths = (0..<4).map { _ in 1 + number(12) }
            let asked = (0..<3).map { _ in (frames: number(14), overlap: TransitionSpec.Overlap.handles) }
            let rooms = (0..<3).map { index in
                HandleRoom(
                    tail: number(9), head: number(9), gap: number(1) == 0 ? nil : number(9),
                    place: [.beginning, .middle, .end][index])
            }
            let timeline = Timeline(lengths: lengths, joins: asked, rooms: rooms, rate: Rational(25))
            let (heads, tails) = (timeline.clips.map(\.handles.head), timeline.clips.map(\.handles.tail))
            #expect(heads[0] == 0 && tails[3] == 0)
            for join in 0..<3 {
                #expect(tails[join] <= rooms[join].tail && heads[join + 1] <= rooms[join].head)
                #expect(tails[join] + heads[join + 1] <= min(rooms[join].gap ?? .max, timeline.joins[join].frames))
                #expect(timeline.joins[join].frames <= asked[join].frames)
            }
            let clips = zip(lengths, zip(heads, tails)).map { $0 + $1.0 + $1.1 }
            #expect(timeline.clips.map(\.frames) == clips)
            let spent = timeline.joins.map(\.frames).reduce(0, +)
            #expect(timeline.frames == clips.reduce(0, +) - spent)
            #expect(timeline.placedSegments.last?.frames.upperBound == timeline.frames)
        }
    }

    @Test func everyFrameOfTheOutputIsInOneSegment() {
        for lengths in [[1, 1], [1, 1, 1], [2, 1, 5, 3], [40, 3, 3, 40]] {
            for frames in [0, 1, 2, 7, 100] {
                let timeline = playing(lengths, Array(repeating: frames, count: lengths.count - 1))
                let total = timeline.segments.reduce(0) { $0 + $1.count }
                #expect(total == timeline.frames)
                #expect(timeline.frames == lengths.reduce(0, +) - timeline.joins.map(\.frames).reduce(0, +))
                for (index, length) in lengths.enumerated() {
                    let ends = [index - 1, index].filter(timeline.joins.indices.contains)
                    #expect(ends.map { timeline.joins[$0].frames }.reduce(0, +) <= length)
                }
            }
        }
    }

    @Test func audioFollowsTheWholeTimeline() {
        // At 30000/1001 frames per second and 44100 Hz, a frame has 1471.47 samples, which only 1000 frames make up
        // exactly.
        let times = FrameTimes(rate: Rational(30000, 1001))
        #expect(times.sample(atFrame: 1, sampleRate: 44100) == 1471)
        #expect(times.sample(atFrame: 1000, sampleRate: 44100) == 1_471_470)
        #expect(times.sample(atFrame: 3_000_000, sampleRate: 44100) == 4_414_410_000)
    }

    @Test(arguments: [("0.6", 18), ("0.6s", 18), ("600ms", 18), ("18f", 18), ("0.001", 1), ("2", 60)])
    func durationsAreReadExactly(text: String, frames: Int) throws {
        let duration = try TransitionDuration(parsing: text)
        #expect(duration.frames(at: Rational(30)) == frames)
    }

    @Test(arguments: ["0", "-1", "", ".", "1e3", "0f", "-5f", "0ms", "nan", "1.2.3", "99999999", "0.6 s"])
    func durationsThatAreNoneAreRefused(text: String) {
        #expect(throws: OptionError.self) { try TransitionDuration(parsing: text) }
    }

    @Test func whatIsCopiedIsCutOutOfItsClip() {
        let timeline = playing([75, 90, 50], [15, 20])
        let copying = timeline.copying { index, frames in
            switch index {
            case 0: [frames]
            case 1: [30..<40, 45..<60]
            default: []
            }
        }
        #expect(
            copying.segments == [
                .copy(index: 0, frames: 0..<60), .transition(join: 0, count: 15), .clip(index: 1, frames: 15..<30),
                .copy(index: 1, frames: 30..<40), .clip(index: 1, frames: 40..<45), .copy(index: 1, frames: 45..<60),
                .clip(index: 1, frames: 60..<70), .transition(join: 1, count: 20), .clip(index: 2, frames: 20..<50),
            ])
        #expect(copying.copiedFrames == 60 + 25 && copying.frames == timeline.frames)
    }
}
