import FlipBase
import FlipDeck
import Foundation
import Testing

@Suite struct TimingsFileTests {
    private func read(_ text: String) throws -> TimingsFile { try TimingsFile(Data(text.utf8), path: "t.txt") }

    @Test func aLineIsASlide() throws {
        let file = try read("# seconds\n4\n2.5s  # the plot\n\n500ms\r\n90f\n1:30\n-\n@2:00\n")
        #expect(
            file.entries == [
                .length(.seconds(Rational(4))), .length(.seconds(Rational(5, 2))), .length(.seconds(Rational(1, 2))),
                .length(.frames(90)), .length(.seconds(Rational(90))), nil, .start(Rational(120)),
            ])
        try file.check(slides: 7)
    }

    @Test(arguments: [
        ("4\n-3", 2), ("1e9", 1), ("4\n1000000000", 2), ("0", 1), ("nan", 1), ("@-1", 1), ("@5", 1),
        ("@0\n@4\n# x\n@4", 4),
        ("2\n3\n@0:03", 3), ("2\n3\n@0:07", 3), ("4\n@3", 2),
        ("@0\n@4\n3\n@2", 4), ("@0\n@99999999999", 2), ("100000000f", 1), ("9:99", 1),
    ]) func whatIsNoTimeIsRefusedWithItsLine(text: String, line: Int) throws {
        let error = #expect(throws: MediaError.self) { try read(text) }
        #expect(error?.message.hasPrefix("'t.txt' line \(line): ") == true, "\(error?.message ?? "")")
        #expect(error?.kind == .badInput)
    }

    /// Lengths may repeat what a start says, to the frame, and give way where one of them is open.
    @Test(arguments: ["2\n3\n@5", "0.3333\n@0.3333333", "2\n-\n@9", "2\n90f\n@9", "@0\n3\n@9"])
    func timesThatAgreeAreTaken(text: String) throws {
        #expect(try read(text).entries.count == text.split(separator: "\n").count)
    }

    @Test func moreLinesThanSlidesAreRefused() throws {
        let file = try read("1\n\n2\n3\n")
        let error = #expect(throws: MediaError.self) { try file.check(slides: 2) }
        #expect(error?.message.hasPrefix("'t.txt' line 4: ") == true)
    }
}

extension TimingsFileTests {
    /// Hidden slides count, as they do in the document's own numbering.
    @Test func fewerLinesThanSlidesAreSaid() throws {
        let file = try TimingsFile(Data("1\n2\n".utf8), path: "t.txt")
        #expect(try file.check(SlideNumbers(count: 2)) == nil)
        let some = try #require(try file.check(SlideNumbers(count: 6)))
        #expect(some.hasPrefix("'t.txt' has 2 lines for 6 slides") && !some.contains("hidden"))
        let hidden = try #require(try file.check(SlideNumbers(count: 3, hidden: [2])))
        #expect(hidden.contains("slide 2, which is hidden"))
    }

    @Test func slidesAreNamedAsPeopleDo() {
        #expect(SlideNumbers.words([3]) == "slide 3")
        #expect(SlideNumbers.words([3, 5]) == "slides 3 and 5")
        #expect(SlideNumbers.words([3, 5, 8]) == "slides 3, 5 and 8")
        #expect(SlideNumbers.words(Array(1...30)).hasSuffix("19, 20 and 10 more"))
    }
}
