import FlipBase
import FlipMedia
import FlipDeck
import Testing

/// How notes become captions: their text, and when they are shown.
@Suite struct NoteCaptionsTests {
    @Test(arguments: [
        ("This is a sentence that fills a line well. And this is the next one of about that length.", 2),
        (
            "We met Dr. Smith at 3.5 km, e.g. in the U.S. Army, cf. Fig. 3 of the book. He said so, and we believed it.",
            2
        ),
        ("Is it so? Yes! No.", 1),
        ("What?! \"Really, I can't believe that it is true.\" She left the room at once.", 3),
        ("一句很长的话在这里结束了，后面还有一句话要说呢。这是第二句话，它也比较长，需要自己的字幕。", 2), ("no end", 1),
        ("one paragraph without a period\nanother paragraph without one", 2),
    ]) func textIsSplitIntoSentences(text: String, count: Int) {
        let sentences = CaptionText.paragraphs(of: text).joined().map { $0.joined(separator: " ") }
        #expect(sentences.count == count, "\(sentences)")
        let letters = { (text: String) in text.filter { !$0.isWhitespace } }
        #expect(letters(sentences.joined()) == letters(text))
    }

    /// An address breaks after a sign, where a reader sees that it goes on.
    @Test func addressesBreakAtTheirSigns() {
        let captions = CaptionText.captions(
            for: "It is at https://www.example.org/courses/thermodynamics/2024/index.html from now on")
        let lines = captions.flatMap { $0.split(separator: "\n") }
        #expect(
            lines.joined(separator: " ").replacing(" ", with: "").contains("courses/thermodynamics/2024/index.html"))
        #expect(lines.contains { $0.hasSuffix("https://www.example.org/courses/") }, "\(lines)")
    }

    /// Captions have at most two lines of 42 letters, whole words, and all of the text.
    @Test func captionsCanBeRead() {
        let words = "the quick brown fox jumps over a lazy dog while extraordinarily incomprehensible weather lasts"
            .split(separator: " ")
        var seed = 7
        for count in 1...120 {
            let sentence = (0..<count).map { _ -> Substring in
                seed = (seed * 1103 + 12345) % 65536
                return words[seed / 64 % words.count]
            }.joined(separator: " ")
            let captions = CaptionText.captions(for: sentence)
            #expect(captions.joined(separator: "\n").replacing("\n", with: " ") == sentence)
            for caption in captions {
                let lines = caption.split(separator: "\n")
                #expect((1...2).contains(lines.count) && lines.allSatisfy { $0.count <= 42 }, "\(caption)")
            }
            // No more lines than whole words need at most: a line has at least 42 - 17 letters.
            #expect(captions.count <= sentence.count / (2 * 26) + 1)
        }
        let link = "https://example.org/" + String(repeating: "x", count: 100)
        let parts = CaptionText.captions(for: "see \(link) there")
        #expect(parts.flatMap { $0.split(separator: "\n") }.allSatisfy { $0.count <= 42 })
        #expect(parts.joined().filter { !$0.isWhitespace } == "see\(link)there")
        // Wide characters take the place of two letters.
        let wide = CaptionText.captions(for: String(repeating: "字", count: 50)).flatMap { $0.split(separator: "\n") }
        #expect(wide.allSatisfy { $0.count <= 21 } && wide.map(\.count).reduce(0, +) == 50)
    }

    @Test func captionsFillTheirSlideInProportion() {
        var captions = NoteCaptions()
        // Sentences of 40 and 19 letters, with a space after each.
        let first = "This sentence has exactly 39 characters"
        let second = "And this one has 19"
        captions.add(first + ".\n" + second, slide: TimeSpan(start: Rational(10), duration: Rational(61, 10)))
        #expect(
            captions.cues == [
                NoteCaptions.Cue(first + ".", TimeSpan(start: Rational(10), duration: Rational(41, 10))),
                NoteCaptions.Cue(second, TimeSpan(start: Rational(141, 10), duration: Rational(2))),
            ])
        #expect(
            captions.srt == """
                1
                00:00:10,000 --> 00:00:14,100
                This sentence has exactly 39 characters.

                2
                00:00:14,100 --> 00:00:16,100
                And this one has 19


                """)
    }

    /// Times are rounded down, to a time at which the frame that a caption begins with is shown already.
    @Test func timesAreRoundedDown() {
        var captions = NoteCaptions()
        captions.add("x", slide: TimeSpan(start: Rational(10 * 1001, 30000), duration: Rational(3601)))
        #expect(captions.srt.hasPrefix("1\n00:00:00,333 --> 01:00:01,333\nx\n"))
    }
}
