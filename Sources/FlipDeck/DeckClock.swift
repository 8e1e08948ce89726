import FlipBase
import FlipMedia
import FlipRender

/// How long each slide of a deck stays, and why.
struct DeckClock {
    private(set) var times: [DeckTimeline.Time] = []
    /// The number of output frames of each slide that is a clip of its own length: of the part of a film that is used, and
    /// of a picture that is shown as in joins. Nil for the others.
    private(set) var films: [Int?] = []
    /// The time that was asked for, where nothing else decides how long a slide stays; nil for the others.
    private(set) var holds: [TransitionDuration?] = []

    /// The first of these that is known applies: the timings file, the slide's narration, a film's length, the time asked
    /// for this slide, the time asked for all slides, the deck's own time, the default. But for the timings file, none of
    /// them ends a slide before its films and sounds.
    /// - Parameter least: how long each slide stays at least, in seconds, but for that.
    init(
        _ slides: [Slide], _ file: TimingsFile?, _ spec: DeckSpec, _ voices: Narration.Voices, least: [Rational],
        _ notes: DeckNotes, _ rate: Rational
    ) {
        let reading = spec.holdsForNotes ? notes.readingTimes : slides.map { _ in .zero }
        let entry = { (slide: Int) -> TimingsFile.Entry? in
            slides.indices.contains(slide) ? file?.entry(ofSlide: slides[slide].number) : nil
        }
        for (index, slide) in slides.enumerated() {
            // A spread's own time includes what is asked for its entries.
            let asked = slide.isSpread ? slide.asked : spec.inputs[slide.input].hold ?? slide.asked
            let hold =
                asked ?? spec.hold ?? .seconds(max(slide.facts.seconds ?? DeckSpec.standardHold(slide), reading[index]))
            let own = Self.length(of: slide, spec, isHeld: asked ?? spec.hold != nil, rate)
            let spoken = Self.spoken(index, isLast: index == slides.count - 1, entry(index), spec, voices, rate)
            var time = DeckTimeline.Time.film
            var isHeld = false
            if case .start(let second)? = entry(index + 1) {
                time = .end(second)
            } else if case .length(let length)? = entry(index) {
                time = .length(length.seconds(at: rate))
            } else if case .end(let second)? = spoken {
                time = .end(second)
            } else if case .length(let length)? = spoken {
                time = .length(max(length, least[index]))
            } else if own == nil {
                time = .length(max(hold.seconds(at: rate), least[index]))
                isHeld = true
            }
            let isClip = if case .film = time { true } else { slide.film != nil }
            times.append(time)
            films.append(isClip ? own : nil)
            holds.append(isHeld ? hold : nil)
        }
    }

    /// The number of output frames of a slide that is a clip of its own length; nil for the others.
    /// - Parameter isHeld: whether the user says how long it stays.
    private static func length(of slide: Slide, _ spec: DeckSpec, isHeld: Bool, _ rate: Rational) -> Int? {
        guard case .file(let clip, let info) = slide.source else { return nil }
        if slide.film == nil {
            guard spec.hasStillClips, !isHeld else { return nil }
            return spec.reading.stillDuration.frames(at: rate)
        }
        guard let use = try? info.use(of: clip.part, stillDuration: DeckSpec.standardHold) else { return nil }
        return max(1, (use.span.duration * rate).rounded())
    }

    /// The time that the narration asks for; nil if there is none.
    static func spoken(
        _ index: Int, isLast: Bool, _ entry: TimingsFile.Entry?, _ spec: DeckSpec, _ voices: Narration.Voices,
        _ rate: Rational
    ) -> DeckTimeline.Time? {
        let pause = spec.pause.map { $0.seconds(at: rate) } ?? .zero
        switch voices {
        case .slides(let voices):
            return voices[index].map { voice in
                // The pause follows the last of the slides that share a voice.
                let isEnd = voice.step.index == voice.step.count - 1
                return .length(max(isEnd ? voice.length + pause : voice.length, voice.least))
            }
        // If one narration covers all slides, a last slide whose start is given stays until the narration ends.
        case .whole(let voice):
            guard isLast, case .start(let start)? = entry, voice.length > start else { return nil }
            return .end(voice.length + pause)
        case .none: return nil
        }
    }
}
