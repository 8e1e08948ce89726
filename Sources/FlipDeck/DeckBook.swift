import FlipBase
import FlipGeometry
import FlipMedia
import FlipRender

/// A deck whose pages are the leaves of a bound book: each spread takes the place of a slide.
struct DeckBook {
    let layout: BookLayout
    /// The spreads, as slides.
    let slides: [Slide]
    /// The color of what the book lies on.
    let ground: Color

    init(_ form: BookLayout.Form, _ pages: [Slide], _ spec: DeckSpec) throws {
        if let film = pages.first(where: { $0.film != nil }) {
            throw MediaError(.usage, "a book has pages and pictures, and '\(film.name)' is a film (leave out --book)")
        }
        if spec.output.stillMotion != .none || spec.inputs.contains(where: { $0.motion != nil }) {
            throw MediaError(.usage, "a book lies still (leave out --still-motion and zoom, or --book)")
        }
        if spec.usesOwnTransitions {
            throw MediaError(.usage, "a book turns its own pages (leave out --slide-transitions, or --book)")
        }
        let ground = spec.output.background ?? spec.transitions.lazy.compactMap(\.look?.background).first ?? Looks.desk
        guard ground.alpha == 1 else {
            throw MediaError(.usage, "a book lies on something, and the background is transparent (give an opaque one)")
        }
        let rule = SlideRule([.page(Self.shape)], hasStillClips: false, spec.output)
        let frame = rule.frame
        layout = BookLayout(
            form, pages: pages.count, shape: Self.mostFrequent(pages.map(\.shape)).doubleValue, width: frame.width,
            height: frame.height)
        guard layout.isLargeEnough else {
            throw MediaError(
                .usage, "a book has no room in \(frame.width)x\(frame.height) pixels (give a larger --size)")
        }
        self.ground = ground
        slides = try (0..<layout.spreads).map { [layout] index throws(MediaError) in
            try Self.slide(index, layout.spread(index), pages, spec, rate: rule.frameRate)
        }
    }

    /// The aspect ratio of a book's frame if nothing else is asked for.
    static let shape = Rational(16, 9)

    /// The aspect ratio that most pages have, of several the first one.
    private static func mostFrequent(_ shapes: [Rational]) -> Rational {
        let counts = shapes.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        let most = counts.values.max()
        return shapes.first { counts[$0] == most } ?? Rational(1)
    }

    /// A spread as a slide. What is said of its pages is said of it.
    private static func slide(
        _ index: Int, _ spread: BookLayout.Spread, _ pages: [Slide], _ spec: DeckSpec, rate: Rational
    ) throws(MediaError) -> Slide {
        let numbers = [spread.before?.page, spread.beyond?.page].compactMap(\.self)
        let seen = numbers.map { pages[$0] }
        var slide = Slide(source: .spread(Dictionary(uniqueKeysWithValues: zip(numbers, seen))))
        let notes = seen.compactMap(\.facts.notes)
        let times = seen.compactMap(\.facts.seconds)
        slide.facts.title = seen.lazy.compactMap(\.facts.title).first
        slide.facts.notes = notes.isEmpty ? nil : notes.joined(separator: "\n")
        slide.facts.seconds = times.isEmpty ? nil : times.reduce(.zero, +)
        slide.number = index + 1
        slide.inputs = seen.map(\.input)
        if seen.count == 2, seen[0].input == seen[1].input { slide.inputs.removeLast() }
        // What an entry asks for its slides counts once for a spread; what pages have themselves is added up.
        let held = slide.inputs.compactMap { spec.inputs[$0].hold }
        let asked = seen.filter { spec.inputs[$0.input].hold == nil }.compactMap(\.asked) + held
        slide.asked =
            asked.count < 2 ? asked.first : .seconds(asked.map { $0.seconds(at: rate) }.reduce(.zero, +))
        for (key, count) in [
            ("narration", slide.inputs.count { spec.inputs[$0].narration != nil }),
            ("captions", slide.inputs.count { spec.inputs[$0].captions != nil }),
        ] where count > 1 {
            throw MediaError(.usage, "spread \(index + 1) has \(key) for both its pages (give it to one of them)")
        }
        return slide
    }

    /// The spread that begins with each page; nothing for those that are second in one.
    var beginnings: [Int: Int] {
        let first = slides.indices.compactMap { index -> (Int, Int)? in
            guard case .spread(let pages) = slides[index].source, let page = pages.keys.min() else { return nil }
            return (page, index)
        }
        return Dictionary(uniqueKeysWithValues: first)
    }

    var numbers: SlideNumbers {
        SlideNumbers(
            count: slides.count, indices: Dictionary(uniqueKeysWithValues: slides.indices.map { ($0 + 1, $0) }))
    }

    /// The spread `index`, which is drawn when it is needed.
    func page(_ index: Int) throws(MediaError) -> DocumentPage {
        guard case .spread(let slides) = slides[index].source else {
            throw MediaError(.internalFault, "a book has a slide that is not a spread")
        }
        var pages: [Int: BookSpread.Page] = [:]
        for (number, slide) in slides {
            switch slide.source {
            case .page(let deck, let page, let own):
                let size = layout.size(ofShape: slide.shape.doubleValue)
                pages[number] = .page(
                    try DocumentPage(
                        document: deck.path, location: deck.location, keeper: deck.keeper, tags: deck.tags, page: page,
                        number: own, width: size.width, height: size.height))
            case .file(_, let info): pages[number] = .file(info)
            case .spread: break
            }
        }
        return BookSpread(layout, index, pages: pages, ground: ground).page
    }
}
