import FlipBase
import FlipDeck
import FlipGeometry
import FlipRender
import Testing

@Suite struct DeckTimelineTests {
    private let rate = Rational(25)

    private func timeline(
        _ times: [DeckTimeline.Time], spec: TransitionSpec? = nil, films: [Int: Int] = [:], numbers: [Int]? = nil
    ) throws -> DeckTimeline {
        try DeckTimeline(
            times.indices.map { DeckTimeline.Label(numbers?[$0] ?? $0 + 1, "slide \($0)") }, times: times,
            specs: times.map { _ in try spec ?? TransitionSpec(parsing: "flip=duration=10f") },
            films: times.indices.map { films[$0] }, rate: rate)
    }

    /// A slide starts at the first frame of the transition to it, and its clip is extended by the frames of the next
    /// transition.
    @Test func timesDoNotDependOnTransitions() throws {
        let seconds: [DeckTimeline.Time] = [.length(Rational(1)), .length(Rational(2)), .length(Rational(1))]
        let turning = try timeline(seconds)
        #expect(
            turning.starts == [0, 25, 75, 100] && turning.changes == [0, 10, 10] && turning.lengths == [35, 60, 25])
        let cut = try timeline(seconds, spec: TransitionSpec(look: nil))
        #expect(cut.starts == turning.starts && cut.changes == [0, 0, 0] && cut.lengths == [25, 50, 25])
    }

    /// Rounding errors do not add up: 0.33 s is 8.25 frames, and sums are rounded rather than each slide.
    @Test func roundingDoesNotAddUp() throws {
        let third = DeckTimeline.Time.length(Rational(33, 100))
        let starts = try timeline(Array(repeating: third, count: 5), spec: TransitionSpec(look: nil)).starts
        #expect(starts == [0, 8, 17, 25, 33, 41])
        #expect(try timeline([third, .end(Rational(2)), .length(Rational(1))]).starts == [0, 8, 50, 75])
    }

    @Test func aFilmGivesItsLastFramesToTheNextTransition() throws {
        let film = try timeline([.length(Rational(1)), .film, .length(Rational(1))], films: [1: 50])
        #expect(film.starts == [0, 25, 65, 90] && film.lengths == [35, 50, 25])
        let error = #expect(throws: MediaError.self) {
            try timeline([.length(Rational(3)), .length(Rational(1))], films: [0: 50], numbers: [4, 5])
        }
        #expect(error?.message.contains("slide 4, ") == true)
    }

    @Test func shortSlidesAreSaidOnce() throws {
        let short = DeckTimeline.Time.length(Rational(1, 5))
        let one = try timeline([short, .length(Rational(1)), short], numbers: [1, 2, 4])
        #expect(one.changes == [0, 10, 5])
        #expect(one.warnings.count == 1 && one.warnings[0].contains("slide 4 is 5 frames long instead of 10"))
        let many = try timeline(Array(repeating: short, count: 120))
        #expect(many.changes.dropFirst().allSatisfy { $0 == 5 })
        #expect(many.warnings.count == 1 && many.warnings[0].contains("slides 2, 3, 4, "), "\(many.warnings)")
        #expect(many.warnings[0].contains("and 99 more are 5 frames long"))
    }

    @Test func decksOfMonthsAreRefused() {
        #expect(throws: MediaError.self) { try timeline([.length(Rational(31 * 86400))]) }
    }
}
