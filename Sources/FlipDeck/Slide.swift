import FlipBase
import FlipMedia
import FlipFiles
import FlipGeometry
import FlipRender

/// What a document says of one of its slides.
package struct SlideFacts: Sendable, Equatable {
    /// The title; nil if there is none, or no text that stands out.
    package var title: String?
    /// The speaker notes, a line for each paragraph; nil if there are none, or they were not wanted.
    package var notes: String?
    /// The seconds after which the next slide comes by itself; nil if it doesn't.
    package var seconds: Rational?
    /// The transition from the previous slide to this one; nil if none is given.
    package var transition: NamedTransition?
    /// The sound of that transition; nil for none.
    package var sound: SlideSound?
    /// Whether the slide is left out of presentations.
    package var isHidden = false
    /// The films, sounds and linked pictures of the slide, which a picture of it can't show.
    package var media: [SlideMedia] = []
    package var isAnimated = false
    /// The effects on the slide, click by click; nil if there are none, or they aren't known.
    var builds: Builds?
    /// The page among the slide's own that shows it before the first click and after each; empty for slides of one picture.
    package var steps: [Int] = []
    /// Whether anything on the slide can be clicked to go elsewhere.
    package var hasLinks = false
    /// Whether somebody has commented on the slide.
    package var hasComments = false
    /// Whether the page has films or sounds as annotations, of which a PDF's pages show at most a picture.
    package var hasMediaAnnotations = false
    /// The number that a PDF gives the page, which builds of one slide have in common; nil for none.
    package var label: String?

    package init(title: String? = nil, seconds: Rational? = nil, transition: NamedTransition? = nil) {
        (self.title, self.seconds, self.transition) = (title, seconds, transition)
    }
}

/// A film, a sound or a linked picture on a slide.
package struct SlideMedia: Sendable, Equatable {
    package enum Kind: Sendable { case film, sound, narration, linkedPicture }

    package var kind: Kind
    /// The file's name, or the target of a link.
    package var name: String
    /// The name of the document's part that holds it, such as "ppt/media/media1.mp4"; nil if none does.
    package var part: String?
    /// How a picture on the slide uses it; nil if none does.
    package var use: MediaUse?
    /// What can be played of it; nil as long as that wasn't wanted, and if it can't be played.
    package var stored: StoredMedia?
    /// Why it can't be played, as the end of a sentence; nil if there is nothing more to say.
    package var reason: String?

    package init(kind: Kind, name: String) { (self.kind, self.name) = (kind, name) }

    /// Sets the part of the document that holds the medium; where there is none, the reason: it lies outside of the document, or
    /// its name is unusual.
    mutating func lies(in part: String?, isOutside: Bool) {
        self.part = part
        if part == nil { reason = isOutside ? "it lies outside of the document" : "its name in the file is unusual" }
    }

    /// The end of a sentence about what the slide lacks: "has a film (media1.mp4), which is not played". Nil if it lacks
    /// nothing.
    var sentence: String? {
        let name = String(name.prefix(200))
        let why = reason.map { ": \($0)" } ?? ""
        if stored != nil {
            guard kind == .film, use?.isCropped == true else { return nil }
            return "has a film (\(name)) that is cropped on the slide, and all of it is shown"
        }
        switch kind {
        case .film: return "has a film (\(name)), which is not played\(why)"
        case .sound: return "has a sound (\(name)), which is not heard\(why)"
        case .narration:
            return "has a recorded narration (\(name)), which is not heard (give it with --narration)\(why)"
        case .linkedPicture:
            return "links a picture (\(name)), which is not read because it lies outside of the document"
        }
    }

    /// Leaves it unplayed, for a reason that ends a sentence.
    mutating func refuse(_ why: String) { (stored, reason) = (nil, why) }

    static func isSound(_ name: String) -> Bool {
        ["wav", "mp3", "m4a", "wma", "ogg", "oga", "opus", "flac", "aac", "aif", "aiff", "mid", "midi", "au", "snd"]
            .contains(name.split(separator: ".").last?.lowercased() ?? "")
    }

    static func lastName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// The sound of a transition to a slide, which a document stores.
package struct SlideSound: Sendable, Equatable {
    /// The name of the document's part, such as "ppt/media/audio1.wav".
    package var part: String
    /// A file with the part's contents; nil until they are wanted, and if they are not a sound that can be used.
    package var file: NamelessFile?

    package init(part: String) { self.part = part }

    var name: String { SlideMedia.lastName(part) }
}

/// A transition as a document names it.
package struct NamedTransition: Sendable, Equatable {
    package var name: String
    /// The duration in seconds; nil if none is given.
    package var duration: Rational?
    /// The direction in which the transition moves; nil if none is given.
    package var direction: SlideDirection?
    /// The axis along which it moves both ways; nil if it has a direction, or neither.
    package var axis: Orientation?

    package init(name: String, duration: Rational? = nil, direction: SlideDirection? = nil, axis: Orientation? = nil) {
        (self.name, self.duration, self.direction, self.axis) = (name, duration, direction, axis)
    }
}

/// The direction in which a transition moves.
package enum SlideDirection: String, Sendable, Equatable {
    case left, right, up, down

    var isHorizontal: Bool { self == .left || self == .right }
}

/// One slide of a deck: its source, and what is known of it.
struct Slide: Sendable {
    enum Source: Sendable {
        /// Page `page` (from 1) of a PDF, which is slide `number` of the document.
        case page(PDFDeck, page: Int, number: Int)
        /// A picture or a film.
        case file(ClipSpec, MediaInfo)
        /// The pages of a book that are seen at a time, by their numbers from 0.
        case spread([Int: Slide])
    }

    var source: Source
    var facts = SlideFacts()
    /// The pages that show the slide before the first click and after each; empty for slides of one picture.
    var steps: [Int] = []
    /// The slide's number in the deck, from 1, with hidden slides counted. Narration, timings and messages refer to it.
    var number = 0
    /// The indices of the deck's inputs that it comes from: one, or two of a spread.
    var inputs = [0]
    /// The first of them.
    var input: Int { inputs[0] }
    /// The last of them, after which its transition comes.
    var lastInput: Int { inputs[inputs.count - 1] }
    /// The time asked for this slide alone among the inputs; nil if none was.
    var asked: TransitionDuration?

    /// Whether the slide is a further build of `other`: the next page of the same document, with the same label and title.
    func builds(on other: Slide) -> Bool {
        follows(other) && facts.label != nil && facts.label == other.facts.label && facts.title == other.facts.title
    }

    /// Whether the slide belongs to the chapter of `other`: as a further build of it, or in a document without labels, which
    /// can't tell builds, because it has the same title.
    func continuesChapter(of other: Slide) -> Bool {
        if builds(on: other) { return true }
        return follows(other) && facts.label == nil && other.facts.label == nil && facts.title != nil
            && facts.title == other.facts.title
    }

    /// Whether the slide is the next page of the same document.
    private func follows(_ other: Slide) -> Bool {
        guard case .page(let deck, let page, _) = source, case .page(let otherDeck, let otherPage, _) = other.source
        else { return false }
        return deck.location == otherDeck.location && page == otherPage + 1
    }

    /// The slide with another page of its document as its picture.
    func showing(_ page: Int?) -> Slide {
        guard let page, case .page(let deck, _, let number) = source else { return self }
        var slide = self
        slide.source = .page(deck, page: page, number: number)
        return slide
    }

    var isSpread: Bool { if case .spread = source { true } else { false } }

    /// The display aspect ratio.
    var shape: Rational {
        switch source {
        case .page(let deck, let page, _): deck.sizes[page - 1].width / deck.sizes[page - 1].height
        case .file(_, let info): Rational(info.video?.displayWidth ?? 16, info.video?.displayHeight ?? 9)
        case .spread: DeckBook.shape
        }
    }

    /// The video of a film; nil for pages and stills.
    var film: VideoInfo? { video.flatMap { $0.isStill ? nil : $0 } }

    /// A picture's only frame, as video; nil for pages and films.
    var picture: VideoInfo? { video.flatMap { $0.isStill ? $0 : nil } }

    /// What the rule for the output's size, rate and color knows of the slide.
    var forRule: SlideRule.Slide { film.map { .film($0) } ?? picture.map { .picture($0) } ?? .page(shape) }

    private var video: VideoInfo? {
        guard case .file(_, let info) = source else { return nil }
        return info.video
    }

    /// The slide's name in messages.
    var name: String {
        switch source {
        case .page(let deck, _, let number): "\(deck.path)#page=\(number)"
        case .file(let spec, _): spec.path
        case .spread(let pages): pages.min { $0.key < $1.key }?.value.name ?? "spread \(number)"
        }
    }
}

/// The numbers of a deck's slides.
package struct SlideNumbers {
    /// The number of slides, hidden ones included.
    package var count: Int
    /// The numbers of the hidden slides.
    package var hidden: Set<Int>
    /// The index, among the slides that are shown, of each slide number.
    package var indices: [Int: Int]

    package init(count: Int, hidden: Set<Int> = [], indices: [Int: Int] = [:]) {
        (self.count, self.hidden, self.indices) = (count, hidden, indices)
    }

    /// Several slides as messages name them: "slide 3", "slides 3 and 5".
    package static func words(_ numbers: [Int]) -> String {
        let shown = numbers.prefix(20).map(String.init)
        let rest = numbers.count > 20 ? ["\(numbers.count - 20) more"] : []
        let words = shown + rest
        guard words.count > 1 else { return "slide \(words.first ?? "")" }
        return "slides \(words.dropLast().joined(separator: ", ")) and \(words[words.count - 1])"
    }
}
