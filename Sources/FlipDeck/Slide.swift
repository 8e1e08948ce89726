import FlipMedia
import FlipRender

/// What a document says of one of its slides.
package struct SlideFacts: Sendable, Equatable {
    /// nil where there is none, or nothing that stands out.
    package var title: String?
    /// Seconds after which the next slide comes by itself.
    package var seconds: Rational?
    /// The transition to this slide from the one before.
    package var transition: NamedTransition?
    /// Whether the document leaves it out when it is shown.
    package var isHidden = false
    /// What on it is more than a picture of it can show.
    package var media: [SlideMedia] = []
    package var isAnimated = false

    package init(title: String? = nil, seconds: Rational? = nil, transition: NamedTransition? = nil) {
        self.title = title
        self.seconds = seconds
        self.transition = transition
    }
}

/// What a slide has besides what can be drawn of it.
package struct SlideMedia: Sendable, Equatable {
    package enum Kind: Sendable { case film, sound, narration, linkedPicture }

    package var kind: Kind
    /// The file's name, or where a link leads to.
    package var name: String

    package init(kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    /// The end of a sentence about the slide: "has a film (media1.mp4), which is not played".
    var sentence: String {
        let name = String(name.prefix(200))
        switch kind {
        case .film: return "has a film (\(name)), which is not played"
        case .sound: return "has a sound (\(name)), which is not heard"
        case .narration: return "has a recorded narration (\(name)), which is not heard (give it with --narration)"
        case .linkedPicture:
            return "links a picture (\(name)), which is not read because it lies outside of the document"
        }
    }

    static func isSound(_ name: String) -> Bool {
        ["wav", "mp3", "m4a", "wma", "ogg", "oga", "opus", "flac", "aac", "aif", "aiff", "mid", "midi", "au", "snd"]
            .contains(name.split(separator: ".").last?.lowercased() ?? "")
    }

    static func lastName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// A transition as a document names it.
package struct NamedTransition: Sendable, Equatable {
    package var name: String
    /// Seconds.
    package var duration: Rational?
    /// Where it comes from or goes to, as `SlideDirection` reads it.
    package var direction: SlideDirection?

    package init(name: String, duration: Rational? = nil, direction: SlideDirection? = nil) {
        self.name = name
        self.duration = duration
        self.direction = direction
    }
}

/// Where a transition moves to.
package enum SlideDirection: String, Sendable, Equatable {
    case left, right, up, down
}

/// One slide of a deck: what shows it, and what is known of it.
struct Slide: Sendable {
    enum Source: Sendable {
        /// Page `page` (from 1) of a PDF, which is slide `number` of the document.
        case page(PDFDeck, page: Int, number: Int)
        /// A picture or a film.
        case file(ClipSpec, MediaInfo)
    }

    var source: Source
    var facts = SlideFacts()
    /// Where it stands in the deck, from 1, hidden slides counted: what narration, timings and messages call it.
    var number = 0
    /// Seconds that were asked for this slide alone, among the inputs.
    var asked: Rational?

    /// Width over height, as shown.
    var shape: Rational {
        switch source {
        case .page(let deck, let page, _): deck.sizes[page - 1].width / deck.sizes[page - 1].height
        case .file(_, let info): Rational(info.video?.displayWidth ?? 16, info.video?.displayHeight ?? 9)
        }
    }

    /// A film's video, which has a length of its own.
    var film: VideoInfo? {
        guard case .file(_, let info) = source, let video = info.video, !video.isStill else { return nil }
        return video
    }

    /// As messages name it.
    var name: String {
        switch source {
        case .page(let deck, _, let number): "\(deck.path)#page=\(number)"
        case .file(let spec, _): spec.path
        }
    }
}

/// Slides by their numbers in the deck.
package struct SlideNumbers {
    /// The last one's number: hidden slides are counted.
    package var count: Int
    /// Of slides that are left out because they are hidden.
    package var hidden: Set<Int>
    /// The places, from 0, of those that are shown.
    package var places: [Int: Int]

    package init(count: Int, hidden: Set<Int> = [], places: [Int: Int] = [:]) {
        self.count = count
        self.hidden = hidden
        self.places = places
    }

    /// As messages name several: "slide 3", "slides 3 and 5".
    package static func words(_ numbers: [Int]) -> String {
        let shown = numbers.prefix(20).map(String.init)
        let rest = numbers.count > 20 ? ["\(numbers.count - 20) more"] : []
        let words = shown + rest
        guard words.count > 1 else { return "slide \(words.first ?? "")" }
        return "slides \(words.dropLast().joined(separator: ", ")) and \(words[words.count - 1])"
    }
}
