import FlipGeometry
import FlipMedia
import FlipRender

/// A deck as a composition: the one place where slides, times, transitions and sounds come together, whichever command asked.
package struct Deck {
    package private(set) var composition: Composition
    /// What the user should know besides.
    package private(set) var warnings: [String]

    /// Whether `word` names what only a deck can show: a document or a folder.
    package static func isDeck(_ word: String) -> Bool { DeckInputs.isDeck(word) }

    /// - Throws: `MediaError` or `OptionError` where the deck can't be shown as asked.
    package init(_ spec: DeckSpec) throws {
        let inputs = try DeckInputs(spec)
        let slides = inputs.slides
        warnings = inputs.warnings
        let films = slides.compactMap(\.film)
        var output = spec.output
        let rate = output.frameRate ?? films.first?.frameRate ?? Rational(25)
        output.frameRate = rate
        if output.size == nil, films.isEmpty { output.size = Self.size(of: slides[0].shape) }
        let frame =
            output.size ?? films.first.map { ($0.displayWidth / 2 * 2, $0.displayHeight / 2 * 2) } ?? (1920, 1080)

        let narration = try Narration(spec.narration, slides: slides.count, trimsSilence: spec.trimsSilence)
        let times = try Self.times(of: slides, spec, narration, rate)
        let specs = slides.indices.map { Self.transition(to: $0, slides, spec) }
        let lengths = slides.map { slide in Self.frames(ofFilm: slide, rate) }
        let timeline = try DeckTimeline(slides, times: times, specs: specs, films: lengths, rate: rate)
        if spec.isStrict, let warning = timeline.warnings.first { throw MediaError(.usage, warning) }
        warnings += timeline.warnings

        let clips = try slides.indices.map { index in
            try Self.clip(
                slides[index], index: index, seconds: Rational(timeline.lengths[index]) / rate, frame, spec.output.fit)
        }
        // What the timeline has shortened is exactly as long.
        let changes = slides.indices.dropFirst().map { index in
            timeline.changes[index] > 0
                ? TransitionSpec(
                    look: specs[index].look, duration: .frames(timeline.changes[index]), overlap: specs[index].overlap)
                : TransitionSpec(look: nil)
        }
        composition = Composition(
            inputs: clips, reading: spec.reading, transitions: changes.isEmpty ? spec.transitions : changes,
            output: output)
        composition.isStrict = spec.isStrict
        composition.sounds = try DeckSounds(spec, narration, timeline, rate: rate).sounds
    }

    // MARK: Size

    /// The largest that fits 1920x1080, of whole chroma samples.
    private static func size(of shape: Rational) -> (width: Int, height: Int) {
        let even = { (size: Rational) in max(2, (size / Rational(2)).rounded() * 2) }
        return shape > Rational(16, 9)
            ? (1920, min(1080, even(Rational(1920) / shape))) : (min(1920, even(Rational(1080) * shape)), 1080)
    }

    /// The slide as an input: a page is drawn at the size it has in the frame.
    private static func clip(
        _ slide: Slide, index: Int, seconds: Rational, _ frame: (width: Int, height: Int), _ fit: VideoConform.Fit
    ) throws(MediaError) -> ClipSpec {
        var clip: ClipSpec
        switch slide.source {
        case .page(let deck, let number):
            let (width, height) = pageSize(slide.shape, frame, fit)
            clip = ClipSpec(
                page: try DocumentPage(
                    document: deck.path, location: deck.location, keeper: deck.keeper, number: number, width: width,
                    height: height))
        case .file(let spec, _): clip = spec
        }
        let start = slide.film == nil ? .zero : clip.part.start ?? .zero
        clip.part = ClipPart(start: start, end: start + seconds)
        clip.title = slide.facts.title ?? clip.title
        if case .page = slide.source { clip.title = clip.title ?? "Slide \(index + 1)" }
        return clip
    }

    private static func pageSize(
        _ shape: Rational, _ frame: (width: Int, height: Int), _ fit: VideoConform.Fit
    ) -> (width: Int, height: Int) {
        let isWider = shape > Rational(frame.width, frame.height)
        let width = (Rational(frame.height) * shape / Rational(2)).rounded() * 2
        let height = (Rational(frame.width) / shape / Rational(2)).rounded() * 2
        switch fit {
        case .stretch: return frame
        case .pad:
            return isWider
                ? (frame.width, max(2, min(height, frame.height))) : (max(2, min(width, frame.width)), frame.height)
        case .crop: return isWider ? (max(width, frame.width), frame.height) : (frame.width, max(height, frame.height))
        }
    }

    // MARK: Time

    /// Frames of what is used of a film; nil of a picture.
    private static func frames(ofFilm slide: Slide, _ rate: Rational) -> Int? {
        guard case .file(let spec, let info) = slide.source, slide.film != nil,
            let used = try? info.using(spec.part, stillDuration: DeckSpec.standardHold).video?.used
        else { return nil }
        return max(1, (used.duration * rate).rounded())
    }

    /// How long each slide stays: what the timings say, else its narration, a film's length, what was asked of all, what the
    /// deck says, and else the usual.
    private static func times(
        of slides: [Slide], _ spec: DeckSpec, _ narration: Narration, _ rate: Rational
    ) throws(MediaError) -> [DeckTimeline.Time] {
        let file = try spec.timings.map { path throws(MediaError) in try TimingsFile(path: path) }
        try file?.check(slides: slides.count)
        let entry = { (index: Int) -> TimingsFile.Entry? in
            file.flatMap { $0.entries.indices.contains(index) ? $0.entries[index] : nil }
        }
        return slides.indices.map { index in
            if case .start(let second)? = entry(index + 1) { return .end(second) }
            if case .length(let time)? = entry(index) { return .length(time.seconds(at: rate)) }
            switch narration {
            case .slides(let voices):
                if let voice = voices[index] { return .length(voice.length + spec.pause) }
            // What is spoken for all slides ends with the last.
            case .whole(let voice):
                if index == slides.count - 1, case .start(let start)? = entry(index), voice.length > start {
                    return .end(voice.length + spec.pause)
                }
            case .none: break
            }
            if slides[index].film != nil { return .film }
            if let hold = spec.hold { return .length(hold.seconds(at: rate)) }
            return .length(slides[index].facts.seconds ?? DeckSpec.standardHold)
        }
    }

    // MARK: Look

    private static func transition(to index: Int, _ slides: [Slide], _ spec: DeckSpec) -> TransitionSpec {
        let asked = spec.transition(to: max(1, index))
        guard spec.usesOwnTransitions, let own = slides[index].facts.transition else { return asked }
        return TransitionNames.spec(own, duration: asked.duration, overlap: asked.overlap) ?? asked
    }
}
