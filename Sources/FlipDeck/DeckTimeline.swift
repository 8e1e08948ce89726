import FlipMedia
import FlipRender

/// When each slide comes, in output frames.
///
/// A slide comes with the first frame of the transition to it, and has the time up to the next one's. Times are added up
/// exactly and rounded for the whole deck, so that rounding does not add up from slide to slide. What a picture's transitions
/// take is added to it, so that times don't depend on them; a film's own length is what it has.
package struct DeckTimeline {
    /// Where slide `index` comes; one more for the end.
    package private(set) var starts: [Int] = [0]
    /// Frames of the transition to slide `index`; 0 for the first, and for cuts.
    package private(set) var changes: [Int]
    /// Frames of each clip.
    package private(set) var lengths: [Int] = []
    package private(set) var warnings: [String] = []

    /// How long a slide stays.
    package enum Time {
        /// Seconds.
        case length(Rational)
        /// Up to this second of the output.
        case end(Rational)
        /// As long as the film is.
        case film
    }

    /// What messages call a slide.
    package struct Label {
        package var number: Int
        package var name: String

        package init(_ number: Int, _ name: String) {
            self.number = number
            self.name = name
        }
    }

    private let slides: [Label]
    private let specs: [TransitionSpec]
    private let rate: Rational
    private let films: [Int?]

    /// - Parameters:
    ///   - specs: of the transition to each slide; the first one's means nothing.
    ///   - films: frames of the slides that are films.
    package init(
        _ slides: [Label], times: [Time], specs: [TransitionSpec], films: [Int?], rate: Rational
    ) throws(MediaError) {
        self.slides = slides
        self.specs = specs
        self.rate = rate
        self.films = films
        changes = []
        changes = specs.indices.map(asked)
        fitFilms()
        var now = Rational.zero
        for (index, time) in times.enumerated() {
            switch time {
            case .length(let seconds): now = now + seconds
            case .end(let second): now = second
            case .film: now = now + Rational(ownFrames(index)) / rate
            }
            guard now <= Self.longest else {
                throw MediaError(
                    .badInput,
                    "the deck is longer than \((Self.longest / Rational(86400)).rounded()) days, which is refused")
            }
            let end = max((now * rate).rounded(), starts[index] + 1)
            if case .film = time { starts.append(starts[index] + ownFrames(index)) } else { starts.append(end) }
            changes[index] = min(
                changes[index], max(0, starts[index + 1] - starts[index] - (isHeld(index) ? 1 : 0)))
        }
        warn()
        lengths = try slides.indices.map { index throws(MediaError) in try length(index) }
    }

    /// Seconds: 30 days.
    private static let longest = Rational(30 * 86400)

    /// Frames that the transition to slide `index` was to have.
    private func asked(_ index: Int) -> Int {
        index == 0 || specs[index].look == nil ? 0 : specs[index].duration.frames(at: rate)
    }

    /// Whether the transition to slide `index` holds both pictures.
    private func isHeld(_ index: Int) -> Bool { changes[index] > 0 && specs[index].overlap == .freeze }

    /// Frames that the transition to slide `index` takes of it, and of the slide before.
    private func spent(_ index: Int) -> Int {
        index < changes.count && !isHeld(index) ? changes[index] : 0
    }

    /// A film gives no more to its two transitions than it has.
    private mutating func fitFilms() {
        for (index, frames) in films.enumerated() {
            guard let frames, spent(index) + spent(index + 1) > frames else { continue }
            for change in [index, index + 1] where spent(change) > frames / 2 {
                changes[change] = frames / 2
            }
        }
    }

    /// Frames from a film's start to the next slide's, where it is shown whole.
    private func ownFrames(_ index: Int) -> Int {
        guard let frames = films[index] else { return 1 }
        return max(1, frames - spent(index + 1) + (isHeld(index) ? changes[index] : 0))
    }

    /// Frames of clip `index`: its time, what it has to give to the next transition, but not what the one before held.
    private func length(_ index: Int) throws(MediaError) -> Int {
        let time = starts[index + 1] - starts[index]
        let length = time + spent(index + 1) - (isHeld(index) ? changes[index] : 0)
        if let frames = films[index], length > frames {
            throw MediaError(
                .badInput,
                "slide \(slides[index].number), \(slides[index].name), is a film of \((Rational(frames) / rate).decimalText) s and can't stay "
                    + "for \((Rational(length) / rate).decimalText) s (give it a shorter time)")
        }
        return length
    }

    /// One sentence, however many there are.
    private mutating func warn() {
        let short = specs.indices.filter { changes[$0] < asked($0) }
        guard let first = short.first else { return }
        if short.count == 1 {
            warnings.append(
                "the transition to slide \(slides[first].number) is \(changes[first]) frames long instead of \(asked(first)) "
                    + "because the slides are too short for more")
            return
        }
        let frames = short.map { changes[$0] }
        let (least, most) = (frames.min() ?? 0, frames.max() ?? 0)
        warnings.append(
            "the transitions to \(SlideNumbers.words(short.map { slides[$0].number })) are "
                + (least == most ? "\(least)" : "\(least) to \(most)")
                + " frames long, shorter than asked, because the slides are too short for more")
    }
}
