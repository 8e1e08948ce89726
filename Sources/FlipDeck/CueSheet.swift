import FlipBase
import FlipMedia
import FlipRender

/// The times of a deck's slides as a file for `--timings`, with each slide's number, title and start in a comment. A deck
/// that is given its own cue sheet is the same deck, and where a line is changed, only that slide's time is.
package struct CueSheet: Sendable {
    /// The file's contents.
    package let text: String

    private static let heading = """
        # The times of the slides, for --timings: change lines, and give this file back.
        # 4, 2.5s, 500ms, 1:30 or 90f (frames) is how long a slide stays, @1:30 when it comes, - the slide's own time.

        """

    /// - Parameters:
    ///   - slides: the slides that are shown, with their titles.
    ///   - file: the timings that the deck was made with; nil for none.
    init(
        _ slides: [(slide: Slide, title: String?)], _ numbers: SlideNumbers, _ times: [DeckTimeline.Time],
        _ timeline: DeckTimeline, _ file: TimingsFile?, rate: Rational
    ) {
        var rows: [(entry: String, comment: String)] = []
        for number in 1...max(numbers.count, 1) {
            guard let index = numbers.indices[number] else {
                rows.append(("-", "\(number)  hidden"))
                continue
            }
            let frames = timeline.starts[index + 1] - timeline.starts[index]
            let entry =
                switch (file?.entry(ofSlide: number), times[index]) {
                // A start stays one, so that it doesn't move with the slides before it.
                case (.start(let time), _): "@" + time.nanosecondText
                case (_, .film): "-"
                default: Self.length(frames, rate)
                }
            let start = (Rational(timeline.starts[index]) / rate).playTime(decimals: 3)
            let title = slides[index].title.map { $0 + "  " } ?? ""
            rows.append((entry, "\(number)  \(title)starts \(start)"))
        }
        let width = rows.map(\.entry.count).max() ?? 0
        text =
            Self.heading
            + rows.map { row in
                row.entry + String(repeating: " ", count: width - row.entry.count) + "  # \(row.comment)\n"
            }.joined()
    }

    /// The length of a slide as the shortest text that says exactly so many frames: seconds where they have at most three
    /// decimals, else frames.
    private static func length(_ frames: Int, _ rate: Rational) -> String {
        let seconds = Rational(frames) / rate
        return 1000 % seconds.denominator == 0 && seconds <= Rational(86400) ? seconds.decimalText : "\(frames)f"
    }
}
