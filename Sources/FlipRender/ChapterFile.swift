import FlipBase
import FlipMedia

/// The chapters of an output as a text for YouTube's descriptions, `0:00 Title` on a line each, or in ffmpeg's metadata
/// format.
package struct ChapterFile {
    /// The file's contents.
    package let text: String
    /// What YouTube won't accept of them, one sentence each.
    package let warnings: [String]

    /// The shortest chapter that YouTube accepts, in seconds, and the least number of chapters.
    private static let shortest = 10
    private static let fewest = 3

    /// Whether a file of this name has ffmpeg's metadata format.
    private static func isMetadata(_ path: String) -> Bool {
        [".ffmeta", ".ffmetadata"].contains(where: path.lowercased().hasSuffix)
    }

    /// - Parameters:
    ///   - path: the file's name, whose ending decides about the format.
    ///   - length: the output's length in seconds.
    package init(_ chapters: [Chapter], length: Rational, path: String) {
        let named = chapters.enumerated().map { index, chapter in
            var chapter = chapter
            chapter.title = chapter.title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if chapter.title.isEmpty { chapter.title = "Chapter \(index + 1)" }
            return chapter
        }
        if Self.isMetadata(path) {
            (text, warnings) = (Self.metadata(named), [])
            return
        }
        // Players show a chapter from the second on in which it begins.
        var rows = named.map { (second: $0.start.roundedDown, title: $0.title) }
        // The list has to begin at the beginning.
        if let first = rows.first, first.second > 0 { rows.insert((0, "Start"), at: 0) }
        text = rows.map { "\(Rational($0.second).playTime()) \($0.title)\n" }.joined()
        let ends = rows.dropFirst().map(\.second) + [length.roundedDown]
        let short = zip(rows, ends).filter { $1 - $0.second < Self.shortest }.map(\.0)
        var warnings: [String] = []
        if rows.count < Self.fewest {
            warnings.append("\(path): YouTube shows chapters only if there are \(Self.fewest) or more")
        }
        if let first = short.first {
            let others = short.count == 1 ? "" : " and \(short.count - 1) more"
            warnings.append(
                "\(path): the chapter at \(Rational(first.second).playTime())\(others) "
                    + "\(short.count == 1 ? "is" : "are") shorter than the \(Self.shortest) s that YouTube asks for")
        }
        self.warnings = warnings
    }

    /// The chapters in ffmpeg's metadata format, in milliseconds.
    private static func metadata(_ chapters: [Chapter]) -> String {
        let milliseconds = { (time: Rational) in (time * Rational(1000)).rounded() }
        return ";FFMETADATA1\n"
            + chapters.map { chapter in
                let title = chapter.title.map { "=;#\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
                return "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(milliseconds(chapter.start))\n"
                    + "END=\(milliseconds(chapter.end))\ntitle=\(title)\n"
            }.joined()
    }
}
