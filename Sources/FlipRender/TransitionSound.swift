import FlipBase
import FlipFiles
import FlipGeometry
import FlipSamples
import Foundation

/// A short sound on a transition, as the user specifies it. Its marked moment falls on the transition's landing frame,
/// the first one after the overlap.
package struct TransitionSound: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
        /// A sound that the program makes itself, after the page's movement.
        case made(PageSound.Kind)
        /// The audio file at this path.
        case file(String)
        /// A sound stored in a document, as a file and by its name there. It begins with the transition instead.
        case stored(NamelessFile, name: String)
    }

    package var source: Source
    /// The marked moment, in seconds from the sound's start; nil for a file's loudest moment, and where the page lands
    /// in a sound that is made.
    package var mark: Rational?
    /// The gain in dB.
    package var gain = 0.0

    /// The longest sound, in seconds.
    package static let longest = Rational(60)
    /// The gains that a user may ask for, in dB.
    package static let gains = -60.0...20.0

    package init(_ source: Source, mark: Rational? = nil) { (self.source, self.mark) = (source, mark) }

    /// The words for no sound and for those that are made.
    package static let words = PageSound.Kind.allCases.map(\.rawValue) + ["none"]

    /// Parses `page`, `leaf`, `board`, `FILE` or `FILE@SECONDS`; `none` gives nil. If a file with the whole text as its name exists, the
    /// text means that file.
    /// - Parameter folder: what a relative path is relative to, with its slash; empty for the working directory.
    package static func parsing(_ text: String, in folder: String = "") throws(OptionError) -> TransitionSound? {
        if text == "none" { return nil }
        if let kind = PageSound.Kind(rawValue: text) { return TransitionSound(.made(kind)) }
        guard !text.isEmpty else {
            throw OptionError(
                "invalid sound '' (expected a file, a file and a time such as thud.wav@0.2, \(words.joined(separator: ", ")))"
            )
        }
        let path = { (name: Substring) in name.hasPrefix("/") ? String(name) : folder + name }
        let exists = { (name: Substring) in FileManager.default.fileExists(atPath: path(name)) }
        guard let at = text.lastIndex(of: "@"), at > text.startIndex, !exists(text[...]) else {
            return TransitionSound(.file(path(text[...])))
        }
        let (name, time) = (text[..<at], text[text.index(after: at)...])
        if let mark = Rational(playTime: String(time)) { return TransitionSound(.file(path(name)), mark: mark) }
        guard exists(name) else { return TransitionSound(.file(path(text[...]))) }
        throw OptionError("invalid time '\(time)' in sound '\(text)' (expected seconds, as in thud.wav@0.2)")
    }

    /// The path of the file; nil if the user knows none.
    package var path: String? {
        switch source {
        case .made, .stored: nil
        case .file(let path): path
        }
    }

    /// The sound in the form that `parsing` reads, without its gain; nil for one that is stored in a document.
    package var text: String? {
        let time = mark.map { "@\($0.nanosecondText)" } ?? ""
        return switch source {
        case .made(let kind): kind.rawValue
        case .file(let path): path + time
        case .stored: nil
        }
    }
}
