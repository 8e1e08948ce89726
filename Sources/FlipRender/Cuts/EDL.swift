import FlipBase
import Foundation

/// Edit decision lists, of which the content says whether they are of CMX 3600, mpv or MPlayer.
enum EDL {
    static func read(_ text: String, into writer: CutWriter) throws(MediaError) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map {
            Line(number: $0 + 1, text: $1.trimmingCharacters(in: .whitespaces.union(["\u{FEFF}"])))
        }.filter { !$0.words.isEmpty }
        guard let first = lines.first else { return }
        if first.text.hasPrefix("# mpv EDL v") { return try MPVList.read(lines, into: writer) }
        if lines.contains(where: { CMXEvent.isEvent($0.words) }) { return try CMXList.read(lines, into: writer) }
        if let line = lines.first(where: { !$0.text.hasPrefix("#") }), MPlayerList.isEntry(line) {
            return try MPlayerList.read(lines, into: writer)
        }
        throw writer.file.error(
            first.number, "this is no EDL of a kind that is known (expected CMX 3600, mpv EDL or MPlayer's)")
    }

    /// A line that is not blank.
    struct Line {
        let number: Int
        let text: String
        var words: [Substring] { text.split(whereSeparator: \.isWhitespace) }
    }
}
