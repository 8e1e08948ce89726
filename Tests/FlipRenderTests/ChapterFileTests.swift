import FlipBase
import FlipMedia
import FlipRender
import Testing

@Suite struct ChapterFileTests {
    private func file(_ rows: [(start: Rational, title: String)], length: Int, _ path: String = "c.txt") -> ChapterFile
    {
        let ends = rows.dropFirst().map(\.start) + [Rational(length)]
        return ChapterFile(
            zip(rows, ends).map { Chapter(title: $0.title, start: $0.start, end: $1) }, length: Rational(length),
            path: path)
    }

    @Test func aLineIsAChapter() {
        let rows = [
            (Rational(0), "One"), (Rational(599, 10), "Two\nlines"), (Rational(3599), ""), (Rational(36_000), "Last"),
        ]
        let list = file(rows, length: 36_010)
        #expect(list.text == "0:00 One\n0:59 Two lines\n59:59 Chapter 3\n10:00:00 Last\n")
        #expect(list.warnings.isEmpty)
    }

    @Test func theListBeginsAtTheBeginning() {
        let list = file([(Rational(25, 2), "One"), (Rational(30), "Two")], length: 60)
        #expect(list.text == "0:00 Start\n0:12 One\n0:30 Two\n" && list.warnings.isEmpty)
    }

    @Test func whatYouTubeRefusesIsSaid() {
        let short = file([(Rational(0), "a"), (Rational(9), "b"), (Rational(19), "c")], length: 28)
        #expect(short.warnings.count == 1 && short.warnings[0].contains("0:00 and 1 more are shorter than the 10 s"))
        let few = file([(Rational(0), "a"), (Rational(10), "b")], length: 20)
        #expect(few.warnings.count == 1 && few.warnings[0].contains("3 or more"))
    }

    @Test func metadataEscapesItsSigns() {
        let list = file([(Rational(1, 3), "a=b;#\\")], length: 2, "c.ffmeta")
        #expect(list.text == ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=333\nEND=2000\ntitle=a\\=b\\;\\#\\\\\n")
        #expect(list.warnings.isEmpty)
    }
}
