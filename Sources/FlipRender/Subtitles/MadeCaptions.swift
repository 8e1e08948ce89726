import FlipFiles

/// Captions that were made for the output and are in no file of the user's.
package struct MadeCaptions: Sendable {
    /// What messages and plans call them.
    package var name: String
    /// A file with the captions as SRT, in the time of the output.
    package var file: NamelessFile
    /// The language as a three-letter code; nil if it isn't known.
    package var language: String?
    /// Whether they translate others. They are a track in any case, and of that language.
    package var isTranslation = false

    package init(name: String, file: NamelessFile) { (self.name, self.file) = (name, file) }
}

/// Times as files of subtitles have them.
package enum SubtitleClock {
    /// A time in hours, minutes, seconds and a fraction of `digits` digits, at most 3.
    package static func text(_ milliseconds: Int, point: String, digits: Int) -> String {
        let pad = { (value: Int, count: Int) in String(String(value + 1000).suffix(count)) }
        let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000)
        return "\(pad(seconds / 3600, 2)):\(pad(seconds / 60 % 60, 2)):\(pad(seconds % 60, 2))\(point)"
            + pad(rest, 3).prefix(digits)
    }
}
