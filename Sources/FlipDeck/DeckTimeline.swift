import FlipBase
import FlipMedia
import FlipRender

/// When each slide starts, in output frames.
///
/// A slide starts with the first frame of the transition to it and lasts until the next slide starts. Times are added
/// up exactly and only the sums are rounded, so that rounding errors don't accumulate. A picture's clip is extended by
/// the frames of its transitions, so that slide times don't depend on them; a film has only its own length.
package struct DeckTimeline {
    /// The first frame of each slide, and after them the number of frames in all.
    package private(set) var starts: [Int] = [0]
    /// The length in frames of the transition to each slide; 0 for the first slide and for cuts.
    package private(set) var changes: [Int]
    /// The length of each clip, in frames.
    package private(set) var lengths: [Int] = []
    package private(set) var warnings: [String] = []

    /// How long a slide stays.
    package enum Time {
        /// For this number of seconds.
        case length(Rational)
        /// Until this time of the output, in seconds.
        case end(Rational)
        /// For the length of the film.
        case film
    }

    /// The number and the name of a slide, for messages.
    package struct Label {
        package var number: Int
        package var name: String

        package init(_ number: Int, _ name: String) { (self.number, self.name) = (number, name) }
    }

    private let slides: [Label]
    private let specs: [TransitionSpec]
    private let rate: Rational
    private let films: [Int?]
    /// Whether each slide stays for less than the least time between transitions.
    private let isBrief: [Bool]

    /// - Parameters:
    ///   - specs: the transition to each slide; the first one is ignored.
    ///   - films: the length in frames of each slide that is a film; nil for the others.
    ///   - cutBelow: the least time of the slides on both sides of a transition; where one stays for less, there is a cut.
    package init(
        _ slides: [Label], times: [Time], specs: [TransitionSpec], films: [Int?], rate: Rational,
        cutBelow: TransitionDuration? = nil
    ) throws(MediaError) {
        (self.slides, self.specs, self.rate, self.films) = (slides, specs, rate, films)
        isBrief = Self.brief(times, films, rate: rate, cutBelow?.seconds(at: rate))
        changes = []
        changes = specs.indices.map(wanted)
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
                    .badInput, "the deck is longer than \((Self.longest / Rational(86400)).rounded()) days, the limit")
            }
            let end = max((now * rate).rounded(), starts[index] + 1)
            if case .film = time { starts.append(starts[index] + ownFrames(index)) } else { starts.append(end) }
            changes[index] = min(changes[index], max(0, starts[index + 1] - starts[index] - (isHeld(index) ? 1 : 0)))
        }
        warn()
        lengths = try slides.indices.map { index throws(MediaError) in try length(index) }
    }

    /// The longest deck, in seconds: 30 days.
    private static let longest = Rational(30 * 86400)

    /// The length in frames that is asked for the transition to slide `index` by `specs`.
    static func asked(_ index: Int, _ specs: [TransitionSpec], _ rate: Rational) -> Int {
        index == 0 || specs[index].look == nil ? 0 : specs[index].duration.frames(at: rate)
    }

    /// The same in this deck, where slides that stay briefly have none.
    private func wanted(_ index: Int) -> Int {
        index > 0 && (isBrief[index - 1] || isBrief[index]) ? 0 : Self.asked(index, specs, rate)
    }

    /// Which slides stay for less than `least` seconds.
    private static func brief(_ times: [Time], _ films: [Int?], rate: Rational, _ least: Rational?) -> [Bool] {
        guard let least else { return times.map { _ in false } }
        var start = Rational.zero
        return zip(times, films).map { time, film in
            let length: Rational
            switch time {
            case .length(let seconds): length = seconds
            case .end(let second): length = second - start
            case .film: length = Rational(film ?? 1) / rate
            }
            start = start + length
            return length < least
        }
    }

    /// The frame of the output at which slide `index` is first seen without a transition, and the one of its clip.
    func firstFullFrame(_ index: Int) -> (output: Int, clip: Int) {
        (starts[index] + changes[index], isHeld(index) ? 0 : changes[index])
    }

    /// The first frame of the output at which slide `index` can have another picture, since the transition to it needs the
    /// first.
    func firstPicture(_ index: Int) -> Int { starts[index] + changes[index] + (isHeld(index) ? 1 : 0) }

    /// Whether the transition to slide `index` freezes both clips.
    private func isHeld(_ index: Int) -> Bool { changes[index] > 0 && specs[index].overlap?.isFrozen == true }

    /// The number of frames that the transition to slide `index` takes from this slide's clip, and also from the one
    /// before; 0 if it freezes both.
    private func spent(_ index: Int) -> Int { index < changes.count && !isHeld(index) ? changes[index] : 0 }

    /// If a film is too short for the transitions at both of its ends, limits each of them to half of the film.
    private mutating func fitFilms() {
        for (index, frames) in films.enumerated() {
            guard let frames, spent(index) + spent(index + 1) > frames else { continue }
            for change in [index, index + 1] where spent(change) > frames / 2 { changes[change] = frames / 2 }
        }
    }

    /// The number of frames from a film's start to the next slide's start, if the film is shown whole.
    private func ownFrames(_ index: Int) -> Int {
        guard let frames = films[index] else { return 1 }
        return max(1, frames - spent(index + 1) + (isHeld(index) ? changes[index] : 0))
    }

    /// The length of clip `index` in frames: the slide's time, plus the frames of the next transition, minus those of a
    /// transition to it that freezes the clips.
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

    /// Adds one warning for all transitions that were shortened.
    private mutating func warn() {
        let short = specs.indices.filter { changes[$0] < wanted($0) }
        guard let first = short.first else { return }
        if short.count == 1 {
            warnings.append(
                "the transition to slide \(slides[first].number) is \(changes[first]) frames long instead of \(wanted(first)) "
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
