import FlipGeometry
import FlipMedia
import Foundation

/// An input as the user names it: a file, and the part of it that is used.
package struct ClipSpec: Sendable, Hashable {
    package var path: String
    package var part: ClipPart
    /// Of its chapter; nil is what the file says, or the file's name.
    package var title: String?
    /// Whether its own audio is left out.
    package var isMuted = false
    /// Seconds that it shows, where it has to be a still.
    package var stillDuration: Rational?
    /// Where a timeline says exactly what is shown when; `part` has no say then.
    package var timing: ClipTiming?
    /// Whether it is no file but `timing.frames` frames of the background.
    package private(set) var isBlank = false
    /// Where it is a page of a document rather than a file.
    package var page: DocumentPage?

    package init(path: String, part: ClipPart = .all) {
        self.path = path
        self.part = part
    }

    /// Frames of the background, in silence.
    package static func blank(frames: Int) -> ClipSpec {
        var spec = ClipSpec(path: MediaInfo.blank.path)
        spec.timing = ClipTiming(start: .zero, frames: frames)
        spec.isBlank = true
        return spec
    }

    package init(page: DocumentPage, part: ClipPart = .all) {
        self.init(path: page.name, part: part)
        self.page = page
    }

    /// Reads `clip.mp4`, `clip.mp4#t=2.5,9`, `#t=9` and `#t=,9` (W3C Media Fragments 4.2.1). A file that is really called
    /// so is that file.
    package init(parsing text: String) throws(OptionError) {
        guard let mark = text.range(of: "#t=", options: .backwards), !FileManager.default.fileExists(atPath: text)
        else {
            self.init(path: text)
            return
        }
        self.init(
            path: String(text[..<mark.lowerBound]), part: try ClipPart(parsing: String(text[mark.upperBound...])))
    }
}

extension ClipPart {
    /// Reads `a,b`, `a` or `,b` with an optional `npt:` before it.
    init(parsing text: String) throws(OptionError) {
        let times = text.hasPrefix("npt:") ? text.dropFirst(4) : text[...]
        let ends = times.split(separator: ",", omittingEmptySubsequences: false)
        let invalid = OptionError(
            "invalid trim '#t=\(text)' (expected #t=start,end, #t=start or #t=,end in seconds or h:mm:ss, the start "
                + "before the end)")
        guard ends.count <= 2, let first = ends.first, let last = ends.last, !times.isEmpty, times != "," else {
            throw invalid
        }
        self.init()
        if !first.isEmpty {
            guard let start = Rational(playTime: String(first)) else { throw invalid }
            self.start = start
        }
        if ends.count == 2 {
            guard let end = Rational(playTime: String(last)), end > start ?? .zero else { throw invalid }
            self.end = end
        }
    }
}

extension Rational {
    /// Normal play time: seconds (`9`, `2.5`, `2.5s`), `mm:ss` or `h:mm:ss`, each with decimals.
    package init?(playTime text: String) {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 1, text.hasSuffix("s") { parts[0].removeLast() }
        guard (1...3).contains(parts.count) else { return nil }
        var sum = Rational.zero
        for (index, part) in parts.enumerated() {
            guard let value = TransitionDuration.decimal(part), index == 0 || value < Rational(60),
                index == parts.count - 1 || value.denominator == 1
            else { return nil }
            sum = sum * Rational(60) + value
        }
        self = sum
    }
}
