import FlipBase
import FlipMedia
import FlipRender

/// The films and sounds of a deck's documents: what is heard, how long slides stay for it, and which films play where.
///
/// A film or a sound of a slide plays once, from the first frame on that shows the slide without a transition. A recorded
/// narration begins with the slide, as a file of `--narration` does.
struct DeckMedia {
    /// A film or sound of a slide that plays.
    private struct Item {
        var stored: StoredMedia
        var span: TimeSpan
        var use: MediaUse
        /// The film's place on the slide; nil for a sound.
        var place: PlacedFilm.Place?
        /// The number of output frames that it lasts.
        var frames: Int
        /// The step of the slide with which it begins.
        var step = 0
    }

    /// The films and sounds of each slide.
    private var items: [[Item]] = []
    private let specs: [TransitionSpec]
    private let rate: Rational
    private let slides: [Slide]

    /// - Parameter specs: the transition to each slide.
    init(_ slides: [Slide], _ specs: [TransitionSpec], rate: Rational) {
        (self.specs, self.rate) = (specs, rate)
        self.slides = slides
        items = slides.map { slide in
            slide.facts.media.compactMap { media in
                guard media.kind != .narration, let stored = media.stored, let use = media.use,
                    let span = use.span(of: stored.duration)
                else { return nil }
                var item = Item(stored: stored, span: span, use: use, frames: 0)
                item.frames = max(1, (span.duration * rate).rounded())
                if slide.steps.count > 1, let builds = slide.facts.builds {
                    item.step = min(builds.beginning(of: use.shape), slide.steps.count - 1)
                }
                if media.kind == .film, case .page(let deck, let page, _) = slide.source {
                    item.place = use.frame.place(on: deck.sizes[page - 1])
                }
                return item
            }
        }
    }

    /// How long slide `index` stays at least, in seconds, so that its films and sounds are played to their end. A sound
    /// that goes on over several slides keeps none of them waiting.
    func leastStay(_ index: Int, _ spec: DeckSpec) -> Rational {
        let change = DeckTimeline.asked(index, specs, rate)
        let times = items[index].filter { $0.place != nil || $0.use.slides == 1 }.map { item in
            Rational(change) / rate
                + DeckSteps.stay(slides[index], spec, from: item.step, seconds: Rational(item.frames) / rate, rate)
        }
        return times.max() ?? .zero
    }

    /// The films that play on slide `index`.
    /// - Parameter offset: the frame of the slide's clip from which they are shown.
    func films(_ index: Int, _ steps: DeckSteps, from offset: Int) -> [PlacedFilm] {
        items[index].compactMap { item in
            item.place.map {
                PlacedFilm(
                    item.stored, span: item.span, place: $0, start: steps.begin(index, item.step).clip - offset)
            }
        }
    }

    /// The films' audio and the sounds.
    /// - Parameter loudness: the integrated loudness in LUFS to which each is brought; nil to leave them as they are.
    func sounds(_ timeline: DeckTimeline, _ steps: DeckSteps, loudness: Double?) -> [SoundSpec] {
        var sounds: [SoundSpec] = []
        for (index, items) in items.enumerated() {
            for item in items where !item.use.isMuted && item.stored.info.audio != nil {
                let start = steps.begin(index, item.step).output
                let last = min(index + max(1, item.place == nil ? item.use.slides : 1), timeline.starts.count - 1)
                let room = Rational(timeline.starts[last] - start) / rate
                guard room > .zero else { continue }
                let end = item.span.start + min(item.span.duration, room)
                var sound = SoundSpec(
                    stored: item.stored, part: ClipPart(start: item.span.start, end: end),
                    start: .time(Rational(start) / rate))
                sound.loudness = loudness
                if item.place != nil || item.use.slides == 1 { sound.role = .voice }
                sounds.append(sound)
            }
        }
        return sounds
    }

    /// A sentence for each film and sound whose end comes after its slide's.
    func losses(_ timeline: DeckTimeline, _ steps: DeckSteps) -> [String] {
        var losses: [String] = []
        for (index, items) in items.enumerated() {
            for item in items where item.place != nil || item.use.slides == 1 {
                let room = timeline.starts[index + 1] - steps.begin(index, item.step).output
                guard item.frames > room else { continue }
                losses.append(
                    "slide \(slides[index].number) stays for too short a time to play all of \(item.stored.name): the last "
                        + "\((Rational(item.frames - room) / rate).decimalText) s are left out")
            }
        }
        return losses
    }

    /// `voices` with the recorded narration of the slides that have none in them. One narration of the whole deck leaves
    /// no room for others.
    static func voices(
        _ voices: Narration.Voices, of slides: [Slide], trimsSilence: Bool
    ) throws(MediaError) -> Narration.Voices {
        var own: [Int: Narration.Voice] = [:]
        if case .whole = voices { return voices }
        if case .slides(let given) = voices { own = given }
        for (index, slide) in slides.enumerated() where own[index] == nil {
            let narration = slide.facts.media.first { $0.kind == .narration && $0.stored != nil }
            guard let media = narration, let stored = media.stored, let span = media.use?.span(of: stored.duration)
            else { continue }
            own[index] = try Narration.voice(
                stored, span, least: slide.facts.seconds ?? .zero, trimsSilence: trimsSilence)
        }
        return own.isEmpty ? voices : .slides(own)
    }
}
