import FlipBase
import FlipFiles
import FlipMedia
import FlipGeometry
import Foundation

/// An input as the user specifies it: a file, and the part of it to use.
package struct ClipSpec: Sendable, Hashable {
    package var path: String
    package var part: ClipPart
    /// The title of the clip's chapter; nil means the file's own title or, if it has none, its name.
    package var title: String?
    /// The number of the part among those without titles that a cut list shows of the same film, from 1; nil for the only
    /// one, and for other clips.
    package var partNumber: Int?
    /// The clip's number, and of how many, as texts over the frames have it; nil counts the clips.
    package var number: Number?
    /// Whether the clip belongs to the chapter of the clip before it.
    package var continuesChapter = false
    /// Whether the clip's own audio is left out.
    package var isMuted = false
    /// By how many decibels the clip's own audio is made louder, `gains`.
    package var gain = 0.0
    /// The integrated loudness in LUFS to which the clip's own audio is brought before `gain`; nil leaves that to
    /// `OutputSettings.clipLoudness`.
    package var loudness: Double?
    /// A file with subtitles for the clip, whose times count from the clip's first frame; nil for none.
    package var captions: String?
    /// How a still moves; nil leaves that to `OutputSettings.stillMotion`. An error for any other input.
    package var motion: StillMotion?
    /// The films that play on a page; empty for any other input. A page with films doesn't move.
    package var films: [PlacedFilm] = []
    /// How long a still is shown, in seconds; an error for any other input. Nil leaves it to `part` or the default.
    package var stillDuration: Rational?
    /// Which frames are shown when, if a timeline says so exactly; `part` is ignored then.
    package var timing: ClipTiming?
    /// The part as a cut list states it, in frames of the clip. It takes the place of `part` once the clip's rate is known.
    package var listedFrames: Range<Int>?
    /// How a cut list joins the clip to the one before it; nil if it is joined as the user asked.
    package var cut: CutJoin?
    /// What is left out of the list that the clip comes from, one sentence each.
    package var notes: [String] = []
    /// What makes the file when it is first read; nil for a file that is there.
    package private(set) var made: MadeMedia?
    /// What the clip's frames come from.
    package enum Kind: Sendable, Hashable {
        /// The file at `path`.
        case file
        /// A page of a document.
        case page(DocumentPage)
        /// Nothing: `timing.frames` frames of the background, and silence.
        case gap
    }
    package private(set) var kind = Kind.file

    /// The number of a slide.
    package struct Number: Sendable, Hashable {
        /// From 1.
        package var value: Int
        package var count: Int

        package init(_ value: Int, of count: Int) { (self.value, self.count) = (value, count) }
    }

    /// The gains of a clip's own audio, in decibels.
    package static let gains = -120.0...40

    package init(path: String, part: ClipPart = .all) { (self.path, self.part) = (path, part) }

    /// A silent clip of `frames` frames of the background.
    package static func blank(frames: Int) -> ClipSpec {
        var spec = ClipSpec(path: InputClip.Source.gap.path)
        spec.timing = ClipTiming(start: .zero, frames: frames)
        spec.kind = .gap
        return spec
    }

    /// A silent clip of `seconds` seconds of the background.
    package static func blank(seconds: Rational) -> ClipSpec {
        var spec = blank(frames: 1)
        spec.timing = nil
        spec.stillDuration = seconds
        return spec
    }

    /// Frames that another program makes.
    package init(made: MadeMedia) {
        self.init(path: made.info.path)
        self.made = made
    }

    package init(page: DocumentPage, part: ClipPart = .all) {
        self.init(path: page.name, part: part)
        kind = .page(page)
    }

    /// Parses `clip.mp4`, `clip.mp4#t=2.5,9`, `#t=9` and `#t=,9` (W3C Media Fragments 4.2.1), `#volume=0.5`,
    /// `#volume=-6dB`, `#loudness=-16`, `#captions=lines.srt`, `#zoom=1.2`, and several with `&` between them. If a file
    /// with the whole text as its name exists, the text means that file.
    package init(parsing text: String) throws(OptionError) {
        let (path, words) = Self.split(text)
        self.init(path: path)
        var names: Set<Substring> = []
        for word in words {
            let name = word.prefix { $0 != "=" }
            let value = String(word.dropFirst(name.count + 1))
            guard word.contains("="), names.insert(name).inserted, Self.names.contains(String(name)) else {
                let expected = Self.names.map { "#\($0)=" }.joined(separator: ", ")
                throw OptionError(
                    "invalid '\(word)' after the name of a clip (expected \(expected), with & between several)")
            }
            switch name {
            case "cuts":
                throw OptionError(
                    "'\(text)' stands for several parts, and one clip is expected here (give #t=start,end)")
            case "t": part = try ClipPart(parsing: value)
            case "volume": try setVolume(value)
            case "loudness": loudness = try OutputValue.loudness(value)
            case "zoom": motion = try StillMotion(parsing: value)
            case "fps":
                guard PictureFiles.isPattern(path) else {
                    throw OptionError("'\(text)': #fps= is for numbered pictures such as frames/%04d.png")
                }
                self.path += "#fps=\(try OutputValue.rate(value))"
            default: captions = value
            }
        }
    }

    /// The names that may follow a clip's `#`.
    private static let names = ["t", "volume", "loudness", "captions", "zoom", "fps", "cuts"]

    /// The path in `text`, and the words after its `#`, which say what is used of the file and how.
    package static func split(_ text: String) -> (path: String, words: [Substring]) {
        let marks = names.compactMap { text.range(of: "#\($0)=", options: .backwards)?.lowerBound }
        guard let mark = marks.max(), !FileManager.default.fileExists(atPath: text) else { return (text, []) }
        let words = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        return (String(text[..<mark]), words)
    }

    /// Sets the volume of the clip's own audio: a factor for its amplitude, or decibels with `dB`.
    package mutating func setVolume(_ text: String) throws(OptionError) {
        if text.hasSuffix("dB"), let decibels = Double(text.dropLast(2)), Self.gains.contains(decibels) {
            gain = decibels
        } else if let factor = Double(text), factor == 0 {
            isMuted = true
        } else if let factor = Double(text), factor > 0, Self.gains.contains(20 * log10(factor)) {
            gain = 20 * log10(factor)
        } else {
            throw OptionError("invalid volume '\(text)' (expected a factor, 0...100, or -120dB...40dB)")
        }
    }
}

extension ClipPart {
    /// Parses `a,b`, `a` or `,b` with an optional prefix `npt:`.
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
