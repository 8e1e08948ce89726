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

    package init(title: String? = nil, seconds: Rational? = nil, transition: NamedTransition? = nil) {
        self.title = title
        self.seconds = seconds
        self.transition = transition
    }
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
        /// Page `number` (from 1) of a PDF.
        case page(PDFDeck, number: Int)
        /// A picture or a film.
        case file(ClipSpec, MediaInfo)
    }

    var source: Source
    var facts = SlideFacts()

    /// Width over height, as shown.
    var shape: Rational {
        switch source {
        case .page(let deck, let number): deck.sizes[number - 1].width / deck.sizes[number - 1].height
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
        case .page(let deck, let number): "\(deck.path)#page=\(number)"
        case .file(let spec, _): spec.path
        }
    }
}
