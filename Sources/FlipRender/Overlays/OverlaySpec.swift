import FlipBase
import FlipMedia
import FlipGeometry

/// A picture, a film or a text that is drawn over the frames, as the user specifies it.
package struct OverlaySpec: Sendable, Equatable {
    /// What is drawn.
    package enum Content: Sendable, Equatable {
        /// The picture or film at a path.
        case file(String)
        /// A text of one or more lines, whose braces have not been filled in yet.
        case text(String)
    }

    /// On what it is drawn.
    package enum Layer: String, Sendable, CaseIterable, Codable {
        /// On the joined picture, so that it stands still while pages turn.
        case above
        /// On the frames of each clip, so that it turns with the page.
        case page
    }

    /// A length in the frame.
    package enum Length: Sendable, Hashable {
        case pixels(Int)
        /// In percent of a side of the frame.
        case percent(Double)

        /// The length in pixels, where the side has so many.
        func pixels(of side: Int) -> Int {
            switch self {
            case .pixels(let count): count
            case .percent(let share): Int((Double(side) * share / 100).rounded())
            }
        }
    }

    package var content: Content
    package var place: FramePlace
    package var layer = Layer.above
    /// From 0, which is not seen, to 1.
    package var opacity = 1.0
    /// The distance from the frame's edges; percents are of the frame's smaller side.
    package var margin = Length.percent(3)
    /// The size of a picture or film; nil for its own, or for the one that follows from the other with its aspect ratio.
    package var width: Length?
    package var height: Length?
    /// The time of the output at which it is first seen, in seconds.
    package var start = Rational.zero
    /// The time of the output at which it is seen no longer, in seconds; nil for the end.
    package var end: Rational?
    /// Whether a film's audio is heard.
    package var isHeard = false
    /// The height of a line of text; percents are of the frame's height.
    package var size = Length.percent(4)
    package var color = Color.white
    /// The name of the text's font; nil for the system's font without serifs.
    package var font: String?
    /// Whether there is a box behind the text.
    package var hasBox = false

    package init(_ content: Content, at place: FramePlace) { (self.content, self.place) = (content, place) }

    /// The path of the picture or film; nil for a text.
    package var path: String? { if case .file(let path) = content { path } else { nil } }

    /// The film's audio as a sound of the output; nil if it isn't heard.
    /// - Parameter loudness: the integrated loudness in LUFS to which it is brought; nil to leave it as it is.
    func sound(loudness: Double?) -> SoundSpec? {
        guard isHeard, let path else { return nil }
        var part = ClipPart.all
        part.end = end.map { $0 - start }
        var sound = SoundSpec(path: path, part: part, start: .time(start))
        sound.role = .voice
        sound.loudness = loudness
        return sound
    }
}

/// What a text can say of the clip that is shown.
struct ClipLabel: Sendable, Hashable {
    /// The slide's number in a deck, and the clip's in a join, from 1.
    var number: Int
    /// The number of slides or clips.
    var count: Int
    /// The title of its chapter.
    var title: String
}

/// The words in braces that a text over the frames may have.
enum OverlayWord: String, CaseIterable {
    case slide, slides, title

    /// What stands in place of the word while a clip is shown.
    func text(of label: ClipLabel) -> String {
        switch self {
        case .slide: String(label.number)
        case .slides: String(label.count)
        case .title: label.title
        }
    }

    /// Whether `text` has one of these words, so that it differs between clips.
    static func isIn(_ text: String) -> Bool { allCases.contains { text.contains("{\($0.rawValue)}") } }

    /// `text` with the words filled in.
    static func fill(_ text: String, _ label: ClipLabel) -> String {
        var rest = text[...]
        var filled = ""
        while let brace = rest.firstIndex(of: "{") {
            filled += rest[..<brace]
            rest = rest[brace...]
            guard let word = allCases.first(where: { rest.hasPrefix("{\($0.rawValue)}") }) else {
                filled.append(rest.removeFirst())
                continue
            }
            filled += word.text(of: label)
            rest = rest.dropFirst(word.rawValue.count + 2)
        }
        return filled + rest
    }
}
