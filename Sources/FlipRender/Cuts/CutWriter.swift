import FlipBase
import FlipMedia
import FlipFiles
import Foundation

/// Collects the parts that a reader finds in a cut list, and checks what all kinds of lists have in common.
final class CutWriter {
    let file: ListFile
    /// The film whose parts the list names; nil if it names films itself.
    let base: ClipSpec?
    private(set) var entries: [InputList.Entry] = []
    /// What is left out of the list, one sentence each.
    private(set) var notes: [String] = []

    init(path: String, base: ClipSpec?) {
        file = ListFile(path: path)
        self.base = base
    }

    /// The latest time in a list, in seconds: 30 days.
    static let longest = Rational(30 * 86400)

    func note(_ sentence: String) {
        if !notes.contains(sentence) { notes.append(sentence) }
    }

    /// The whole film whose parts are shown: the one that was given with the list, or else the one that the list calls
    /// `name`.
    /// - Parameter line: the line of the list that the film is named in.
    func film(_ name: String?, line: Int) throws(MediaError) -> ClipSpec {
        if let base { return base }
        guard let name = name?.trimmingCharacters(in: .whitespaces), !name.isEmpty else {
            throw file.error(line, "no film is named (write film.mp4#cuts=\(file.path))")
        }
        return ClipSpec(path: file.resolve(name))
    }

    /// Adds a part of `film`. A `start` of nil is its beginning, and an `end` of nil its end.
    func add(
        _ film: ClipSpec, from start: Rational?, to end: Rational?, title: String? = nil, join: CutJoin? = nil,
        line: Int
    ) throws(MediaError) {
        for time in [start, end].compactMap(\.self) where time > Self.longest || time < .zero {
            throw file.error(line, "a time lies outside of the 30 days that a list may have")
        }
        if let end, end <= start ?? .zero { throw file.error(line, "the part ends before it begins") }
        var clip = film
        clip.part = ClipPart(start: start, end: end)
        try add(clip, title: title, join: join, line: line)
    }

    /// Adds a clip.
    func add(_ clip: ClipSpec, title: String? = nil, join: CutJoin? = nil, line: Int) throws(MediaError) {
        guard entries.count < InputList.maximumCount else {
            throw file.error(line, "there are more than \(InputList.maximumCount) parts")
        }
        var clip = clip
        let title = title?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        if !title.isEmpty { clip.title = title }
        clip.cut = join
        entries.append(InputList.Entry(line: line, clip: clip))
    }

    /// The time that the text of a list states in seconds or h:mm:ss; nil for empty text.
    func time(_ text: String, line: Int) throws(MediaError) -> Rational? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if text.isEmpty { return nil }
        // Programs write more decimal places than matter.
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let short = parts.count == 2 && parts[1].allSatisfy(\.isASCII) ? "\(parts[0]).\(parts[1].prefix(9))" : text
        guard short == text || parts[1].allSatisfy(\.isNumber), let time = Rational(playTime: short) else {
            throw file.error(line, "invalid time '\(text.prefix(40))' (expected seconds or h:mm:ss)")
        }
        return time
    }
}

extension JSONText {
    /// A time in seconds, or another number of 0 or more; nil for other values.
    var listNumber: Rational? {
        guard let number, number >= 0, number < 1e9 else { return nil }
        return Rational(Int((number * 1e9).rounded()), 1_000_000_000)
    }

    /// A whole number of 0 or more; nil for other values.
    var listCount: Int? {
        guard let number, number >= 0, number < 1e12, number == number.rounded() else { return nil }
        return Int(number)
    }
}
