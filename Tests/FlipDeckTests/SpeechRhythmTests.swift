import FlipBase
import FlipMedia
import FlipDeck
import Testing

/// Sentences are found in the pauses of speech.
@Suite struct SpeechRhythmTests {
    private func span(_ start: Double, _ end: Double) -> TimeSpan {
        TimeSpan(
            start: Rational(Int((start * 100).rounded()), 100),
            duration: Rational(Int(((end - start) * 100).rounded()), 100))
    }

    private func ends(_ lengths: [Int], audible: (Double, Double), pauses: [(Double, Double)]) -> [Double] {
        SpeechRhythm(audible: span(audible.0, audible.1), pauses: pauses.map { span($0.0, $0.1) }).ends(of: [lengths])
            .map(\.doubleValue)
    }

    @Test func sentencesEndWhereTheirPausesDo() {
        // Speech of ten letters a second, with pauses of 0.4 s after sentences and of 0.2 s after commas.
        let found = ends(
            [30, 50, 20], audible: (0.1, 11.1), pauses: [(1.4, 1.6), (3.2, 3.6), (5.1, 5.3), (7.0, 7.2), (8.7, 9.1)])
        #expect(found == [3.6, 9.1, 11.1])
    }

    @Test func aSentenceWithoutAPauseLiesInProportion() {
        // Nothing is to be heard between the second sentence and the third, which share the time between two pauses.
        let found = ends([40, 30, 30, 40], audible: (0, 14.8), pauses: [(4, 4.4), (10.4, 10.8)])
        #expect(found.count == 4 && found[0] == 4.4 && found[1] == 7.6 && found[2] == 10.8)
        #expect(found[3] == 14.8)
    }

    @Test func pausesThatDontMatchCountForNothing() {
        // The only pause is far from where the text has its only boundary.
        #expect(ends([50, 50], audible: (0, 10), pauses: [(0.8, 1)]) == [5, 10])
        #expect(ends([25, 75], audible: (1, 9), pauses: []) == [3, 9])
        #expect(ends([10], audible: (1, 9), pauses: [(3, 4)]) == [9])
    }

    /// Notes and what espeak-ng makes of them: the pauses as ffmpeg's silencedetect finds them (-45 dB), and among these the
    /// ends of those after sentences, found by having the text spoken up to there.
    private struct Talk {
        var notes: String
        var audible: (Double, Double)
        var pauses: [(Double, Double)]
        var ends: [Double]
    }

    private static let talks = [
        Talk(
            notes: """
                In 1999 we had 1,234,567 users. In 2024 we had 98,765,432 users. The growth was enormous in \
                each year. That is a lot.
                """,
            audible: (0.00, 18.96),
            pauses: [(7.41, 7.80), (15.48, 15.89), (17.79, 18.20)],
            ends: [7.80, 15.89, 18.20]),
        Talk(
            notes: """
                Visit https://www.example.org/courses/thermodynamics/2024/index.html now. Then come back to \
                this slide. We continue with heat and what it does to gases.
                The second paragraph begins here. It has another sentence of some length.
                """,
            audible: (0.00, 22.64),
            pauses: [(11.65, 12.06), (13.84, 14.23), (15.51, 15.65), (17.20, 17.89), (20.03, 20.48)],
            ends: [12.06, 14.23, 17.89, 20.48]),
        Talk(
            notes: """
                The first sentence is quite short. H2SO4, NaCl, C6H12O6 and KMnO4 are formulas of common \
                chemicals. They are found in each laboratory of the world.
                """,
            audible: (0.00, 11.43),
            pauses: [(1.90, 2.20), (3.25, 3.44), (4.08, 4.25), (8.96, 9.27)],
            ends: [2.20, 9.27]),
        Talk(
            notes: """
                The budget was 12,345,678 euros. We spent all of it within a single year. Why is that so? \
                Nobody knows, and the books are closed.
                """,
            audible: (0.00, 16.66),
            pauses: [(7.49, 8.04), (11.02, 11.58), (12.82, 13.36), (14.59, 14.86)],
            ends: [8.04, 11.58, 13.36]),
        Talk(
            notes: """
                Read chapter 3 of https://doi.org/10.1000/182 first. After that, read the slides of the second \
                lecture. Then ask questions by mail or in the forum.
                """,
            audible: (0.00, 15.27),
            pauses: [(8.56, 8.95), (9.71, 9.91), (12.08, 12.51), (14.21, 14.35)],
            ends: [8.95, 12.51]),
        Talk(
            notes: """
                This is a longer sentence that was written, with some commas, to be split, so that it makes \
                enough text for several captions.
                Second paragraph: see https://www.example.org/very/long/path for more. The end is near and the \
                talk is over.
                """,
            audible: (0.00, 20.22),
            pauses: [
                (2.23, 2.42), (3.42, 3.67), (4.38, 4.58), (7.77, 8.46), (9.62, 9.94), (17.54, 17.94), (18.76, 18.90),
            ],
            ends: [8.46, 17.94]),
        Talk(
            notes: """
                On 3/14/2015 at 9:26:53 pi was shown: 3.141592653. The next such day comes in a century. See \
                https://en.wikipedia.org/wiki/Pi_Day for what people do.
                Let us go on. The area of a circle of radius 5 is 78.54, its circumference is 31.42.
                """,
            audible: (0.00, 25.25),
            pauses: [(5.25, 5.49), (8.56, 8.93), (10.94, 11.27), (17.25, 17.78), (18.66, 19.01), (22.60, 22.75)],
            ends: [8.93, 11.27, 17.78, 19.01]),
    ]

    /// Digits, addresses and formulas take longer to say than to write.
    @Test(arguments: talks.indices) func whatIsShortInWritingIsLongInSpeech(index: Int) {
        let talk = Self.talks[index]
        let paragraphs = CaptionText.paragraphs(of: talk.notes).map { $0.joined().map(SpokenLength.of) }
        let rhythm = SpeechRhythm(
            audible: span(talk.audible.0, talk.audible.1), pauses: talk.pauses.map { span($0.0, $0.1) })
        let found = rhythm.ends(of: paragraphs).dropLast().map(\.doubleValue)
        #expect(found.count == talk.ends.count)
        #expect(zip(found, talk.ends).allSatisfy { abs($0 - $1) <= 0.3 }, "\(found) \(talk.ends)")
    }

    /// The pauses after short sentences that share a caption count, too: they aren't the ends of longer ones.
    @Test func sentencesThatShareACaptionHavePauses() {
        var captions = NoteCaptions()
        let long = "This is a sentence that is long enough for a caption of its own."
        captions.add(
            "Is it so? Yes! No.\n" + long, slide: TimeSpan(start: .zero, duration: Rational(10)),
            speech: SpeechRhythm(
                audible: span(0, 8), pauses: [(0.7, 1.1), (1.5, 1.9), (2.2, 2.9), (5, 5.2)].map { span($0.0, $0.1) }))
        #expect(captions.cues.map(\.span.start) == [.zero, Rational(29, 10)])
    }
}
