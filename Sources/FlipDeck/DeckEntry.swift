import FlipMedia
import FlipRender

/// A slide of a deck as an entry of a project: what it shows, and what makes it the slide that it is.
package struct DeckEntry: Sendable {
    package enum Source: Sendable {
        /// Slide `number` of the document at `path`, from 1.
        case page(path: String, number: Int)
        /// A picture or a film.
        case clip(ClipSpec)
    }

    package var source: Source
    /// Whether the document hides the slide, so that it isn't shown.
    package var isHidden = false
    /// Whether it is a picture.
    package var isStill = false
    /// The title of the slide's chapter; nil for none.
    package var title: String?
    /// How long the slide stays; nil if something else decides about that, such as its narration.
    package var hold: TransitionDuration?
    /// The path of the slide's narration; nil for none of the user's.
    package var narration: String?
    /// The transition to the next slide; nil after the last one.
    package var transition: TransitionSpec?

    package init(source: Source) { self.source = source }

    /// The entries of all slides, hidden ones included.
    /// - Parameters:
    ///   - beginnings: the spread that begins with each page, by the pages' indices; nil if there is no book.
    ///   - titles: the title of each slide that is shown.
    ///   - recordings: the user's narration, by the slides' indices among those shown.
    ///   - transitions: the transition to each slide that is shown.
    static func all(
        _ inputs: DeckInputs, _ beginnings: [Int: Int]?, titles: [String?], _ clock: DeckClock,
        _ recordings: [Int: String], _ transitions: [TransitionSpec]
    ) -> [DeckEntry] {
        var entries: [DeckEntry] = []
        let slides = inputs.slides
        let numbers = inputs.numbers
        for number in 1...max(numbers.count, 1) {
            guard let index = numbers.indices[number] else {
                if let slide = inputs.hidden[number] {
                    var entry = DeckEntry(source: .page(path: slide.path, number: slide.number))
                    entry.isHidden = true
                    entries.append(entry)
                }
                continue
            }
            var entry = DeckEntry(source: slides[index].entry)
            entry.isStill = slides[index].picture != nil
            guard let index = beginnings.map({ $0[index] }) ?? index else {
                entries.append(entry)
                continue
            }
            entry.title = titles[index]
            entry.hold = clock.holds[index]
            entry.narration = recordings[index]
            entry.transition = index + 1 < transitions.count ? transitions[index + 1] : nil
            entries.append(entry)
        }
        return entries
    }
}

extension Slide {
    fileprivate var entry: DeckEntry.Source {
        switch source {
        case .page(let deck, _, let number): .page(path: deck.path, number: number)
        case .file(let clip, _): .clip(clip)
        case .spread(let pages): pages.min { $0.key < $1.key }?.value.entry ?? .page(path: name, number: number)
        }
    }
}
