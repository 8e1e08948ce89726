import FlipDeck
import Testing

/// The order of the letters in titles that are read from right to left.
@Suite struct ReadingOrderTests {
    /// Words stand on the page from left to right, and are read from right to left. The texts are those that pdftotext 22.12
    /// has of a page that Chromium printed.
    @Test func titlesReadFromRightToLeft() {
        let pages = [
            [line("ءايزيفلا يف ةمدقم", 40), line("انه ريغص صن", 14)], [line("2024 םלוע םולש", 40), line("ןטק", 14)],
            [line("שדח Python 3.5 רועיש", 40), line("ןטק", 14)], [line("Plain title", 40), line("small", 14)],
        ]
        let plain = """
            \u{202b}مقدمة في الفيزياء\u{202c}
            \u{202b}نص صغير هنا\u{202c}
            \u{c}\u{202b}שלום עולם \u{202a}2024\u{202c}\u{202c}
            \u{202b}קטן\u{202c}
            \u{c}\u{202b}שיעור \u{202a} Python 3.5\u{202c}חדש\u{202c}
            \u{202b}קטן\u{202c}
            \u{c}Plain title
            small
            \u{c}
            """
        #expect(
            PageTitles.titles(of: PageTitles.ordered(pages, like: plain)) == [
                "مقدمة في الفيزياء", "שלום עולם 2024", "שיעור Python 3.5 חדש", "Plain title",
            ])
        // Text that isn't found stays as it is.
        #expect(PageTitles.titles(of: PageTitles.ordered(pages, like: ""))[1] == "2024 םלוע םולש")
    }

    private func line(_ text: String, _ height: Double) -> PageTitles.Line {
        PageTitles.Line(text, top: 100 - height, bottom: 100)
    }
}
