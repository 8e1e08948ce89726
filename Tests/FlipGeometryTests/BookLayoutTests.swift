import FlipGeometry
import Testing

/// Where the pages of a bound book lie (EFFECTS 14).
@Suite struct BookLayoutTests {
    private static func layout(
        _ form: String, pages: Int, shape: Double = 0.7, width: Int = 1920, height: Int = 1080
    ) throws -> BookLayout {
        BookLayout(try BookLayout.Form(parsing: form), pages: pages, shape: shape, width: width, height: height)
    }

    /// The pages of each spread, numbered from 1: those before the spine and beyond it, "-" for blank paper and nothing where the
    /// book is closed.
    private static func pages(_ form: String, _ count: Int) throws -> String {
        let layout = try layout(form, pages: count)
        let text = { (side: BookLayout.Side?) in side.map { $0.page.map { "\($0 + 1)" } ?? "-" } ?? "" }
        return (0..<layout.spreads).map { index in
            let spread = layout.spread(index)
            return text(spread.before) + "|" + text(spread.beyond)
        }.joined(separator: " ")
    }

    /// As the pages of books are counted: odd ones are to the right of the spine, and the cover is the first.
    @Test(arguments: [
        ("ltr", 1, "|1"), ("ltr", 2, "|1 2|"), ("ltr", 3, "|1 2|3"), ("ltr", 4, "|1 2|3 4|"), ("ltr", 5, "|1 2|3 4|5"),
        ("rtl", 4, "|1 2|3 4|"), ("ltr,no-cover", 1, "1|-"), ("ltr,no-cover", 2, "1|2"), ("ltr,no-cover", 3, "1|2 3|-"),
        ("rtl,no-cover", 4, "1|2 3|4"), ("pad", 1, "|1"), ("pad", 3, "|1 -|2 -|3"),
    ])
    func pagesFollowOneAnother(form: String, count: Int, expected: String) throws {
        #expect(try Self.pages(form, count) == expected)
    }

    @Test(arguments: ["ltr", "rtl", "ltr,no-cover", "pad"]) func noPageIsLost(form: String) throws {
        for count in [6, 7, 299, 300] {
            let numbers = try Self.pages(form, count).split { !$0.isNumber }.compactMap { Int($0) }
            #expect(numbers == Array(1...count))
        }
    }

    /// A closed book lies in the middle of the frame, and an open one has its spine there.
    @Test func booksLieInTheMiddle() throws {
        let layout = try Self.layout("ltr", pages: 4)
        let middles = (0..<3).map { index in
            let spread = layout.spread(index)
            let ends = [
                spread.before.map { _ in spread.spine - layout.length },
                spread.beyond.map { _ in spread.spine + layout.length },
            ]
            return (min(ends[0] ?? spread.spine, spread.spine) + max(ends[1] ?? spread.spine, spread.spine)) / 2
        }
        #expect(middles == [960, 960, 960])
        #expect(layout.across.lowerBound + layout.across.upperBound == 1080)
    }

    /// Pages keep their shape to a pixel, and what stands up stays within the frame, where the camera is 4.666 page lengths
    /// above it or farther.
    @Test(arguments: [0.3, 0.5, 0.707, 1, 1.5, 3.0]) func pagesFit(shape: Double) throws {
        for (width, height) in [(1920, 1080), (1080, 1920), (640, 480), (320, 180)] {
            for form in ["ltr", "pad"] {
                let layout = try Self.layout(form, pages: 9, shape: shape, width: width, height: height)
                let (w, h) = layout.pageSize
                #expect(abs(Double(w) - shape * Double(h)) <= 2 + 2 * shape, "\(form) \(w)x\(h)")
                #expect((form == "pad" ? w : 2 * w) <= width && h <= height)
            }
        }
    }

    /// Pages of other shapes keep them, and those that would leave a line of paper free fill their page.
    @Test func otherShapesAreFitted() throws {
        let layout = try Self.layout("ltr", pages: 4, shape: 0.707)
        let (width, height) = layout.pageSize
        #expect(layout.size(ofShape: 0.7072) == (width, height))
        #expect(layout.size(ofShape: 2) == (width, Int((Double(width) / 2).rounded())))
        #expect(layout.size(ofShape: 0.25) == (Int((Double(height) / 4).rounded()), height))
    }

    /// The edges of pages grow on one side by what they lose on the other: 1.5 % of a page's length in all.
    @Test func thicknessStaysTheSame() throws {
        let layout = try Self.layout("ltr", pages: 301)
        let edges = (0..<layout.spreads).map { index -> (Int, Int) in
            let spread = layout.spread(index)
            return (spread.before?.edges ?? 0, spread.beyond?.edges ?? 0)
        }
        let all = 0.015 * Double(layout.length)
        #expect(edges.allSatisfy { abs(Double($0.0 + $0.1) - all) <= 1 })
        #expect(edges.first?.0 == 0 && abs(Double(edges[75].0) - all / 2) <= 1)
        #expect(zip(edges, edges.dropFirst()).allSatisfy { $0.0.0 <= $0.1.0 && $0.0.1 >= $0.1.1 })
    }

    @Test(arguments: ["", "left", "ltr,", "ltr,cover", "cover", "pad,no-cover", "ltr,pad"]) func otherWordsAreRefused(
        text: String
    ) {
        #expect(throws: OptionError.self) { try BookLayout.Form(parsing: text) }
    }
}
