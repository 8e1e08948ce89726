import FlipBase
import FlipClip
import FlipGeometry
import FlipRender
import Foundation

/// A deck turned into a composition. Slides, times, transitions and sounds are put together here for every command.
package struct Deck {
    /// The composition; its notes say which parts of the deck aren't shown or heard as asked for.
    package var composition: Composition
    /// The deck's times as a file for `--timings`.
    package let cueSheet: CueSheet
    package let notes: DeckNotes

    /// Whether the argument `word` names something that only a deck can show: a document or a folder.
    package static func isDeck(_ word: String) -> Bool { DeckInputs.isDeck(word) }

    /// - Throws: `MediaError` or `OptionError` if the deck can't be shown as asked.
    package init(_ spec: DeckSpec) throws {
        let inputs = try DeckInputs(spec)
        let slides = inputs.slides
        var warnings = inputs.warnings
        let films = slides.compactMap(\.film)
        var output = spec.output
        let rate = output.frameRate ?? films.first?.frameRate ?? Rational(25)
        output.frameRate = rate
        if output.size == nil, films.isEmpty { output.size = Self.size(of: slides[0].shape) }
        let frame =
            output.size ?? films.first.map { ($0.displayWidth / 2 * 2, $0.displayHeight / 2 * 2) } ?? (1920, 1080)

        let numbers = inputs.numbers
        notes = DeckNotes(slides, numbers)
        if let warning = notes.warning(spec) { warnings.append(warning) }
        var narration = try Narration(spec.narration, numbers, trimsSilence: spec.trimsSilence)
        // Recordings in a document are heard rather than its notes.
        narration.voices = try DeckMedia.voices(narration.voices, of: slides, trimsSilence: spec.trimsSilence)
        let speech = try notes.speech(spec, narration)
        if let speech { narration.add(speech) }
        warnings += narration.warnings
        let file = try spec.timings.map { path throws(MediaError) in try TimingsFile(path: path) }
        if let warning = try file?.check(numbers) { warnings.append(warning) }
        guard !spec.transitions.contains(where: { $0.overlap == .handles }) else {
            throw MediaError(
                .usage, "decks have no overlap 'handles': slides stay for their time anyway (give play or freeze)")
        }
        let (specs, losses) = Self.transitions(to: slides, spec)
        warnings += losses
        let media = DeckMedia(slides, specs, rate: rate)
        try Self.check(spec, narration.voices)
        let times = Self.times(of: slides, file, spec, narration.voices, media, rate)
        let lengths = slides.map { slide in Self.frames(ofFilm: slide, rate) }
        let timeline = try DeckTimeline(
            slides.map { DeckTimeline.Label($0.number, $0.name) }, times: times, specs: specs, films: lengths,
            rate: rate, cutBelow: spec.cutBelow)
        warnings += timeline.warnings + media.losses(timeline)

        let clips = try slides.indices.map { index in
            let isWhole = lengths[index] == timeline.lengths[index]
            var clip = try Self.clip(
                slides[index], seconds: isWhole ? nil : Rational(timeline.lengths[index]) / rate, frame, spec.output.fit
            )
            clip.films = media.films(index, timeline)
            clip.continuesChapter = index > 0 && slides[index].builds(on: slides[index - 1])
            return clip
        }
        // Each transition gets exactly the frames that the timeline has left it.
        let changes = slides.indices.dropFirst().map { index -> TransitionSpec in
            var change = specs[index]
            change.duration = .frames(timeline.changes[index])
            return timeline.changes[index] > 0 ? change : TransitionSpec(look: nil)
        }
        composition = Composition(
            inputs: clips, reading: spec.reading, transitions: changes.isEmpty ? spec.transitions : changes,
            output: output)
        composition.isStrict = spec.isStrict
        composition.notes = warnings
        composition.remarks = inputs.remarks.sentences
        cueSheet = CueSheet(
            slides.indices.map { (slides[$0], clips[$0].title) }, numbers, times, timeline, file, rate: rate)
        if let captions = try notes.captions(spec, timeline, rate: rate, speech) {
            composition.output.madeCaptions.append(captions)
        }
        composition.sounds =
            try DeckSounds(spec, narration.voices, timeline, rate: rate).sounds
            + media.sounds(timeline, loudness: spec.output.clipLoudness)
    }

    /// - Throws: if an option for narration is given and there is none.
    private static func check(_ spec: DeckSpec, _ voices: Narration.Voices) throws(OptionError) {
        guard case .none = voices else { return }
        for (option, isGiven) in [("--pause", spec.pause != nil), ("--trim-silence", spec.trimsSilence)] where isGiven {
            throw OptionError("\(option) has no effect by itself (give --narration or --speak)")
        }
    }

    // MARK: Size

    /// The largest size of this aspect ratio that fits 1920x1080, with an even width and height for subsampled chroma.
    private static func size(of shape: Rational) -> (width: Int, height: Int) {
        let even = { (size: Rational) in max(2, (size / Rational(2)).rounded() * 2) }
        return shape > Rational(16, 9)
            ? (1920, min(1080, even(Rational(1920) / shape))) : (min(1920, even(Rational(1080) * shape)), 1080)
    }

    /// The slide as an input clip. A page is drawn at the size that it has in the frame.
    /// - Parameter seconds: the clip's length; nil for a film whose part is used as the user gave it.
    private static func clip(
        _ slide: Slide, seconds: Rational?, _ frame: (width: Int, height: Int), _ fit: VideoConform.Fit
    ) throws(MediaError) -> ClipSpec {
        var clip: ClipSpec
        switch slide.source {
        case .page(let deck, let page, let number):
            let (width, height) = pageSize(slide.shape, frame, fit)
            clip = ClipSpec(
                page: try DocumentPage(
                    document: deck.path, location: deck.location, keeper: deck.keeper, page: page, number: number,
                    width: width, height: height))
        case .file(let spec, _): clip = spec
        }
        if let seconds {
            let start = slide.film == nil ? .zero : clip.part.start ?? .zero
            clip.part = ClipPart(start: start, end: start + seconds)
        }
        clip.title = (slide.facts.title ?? clip.title).flatMap(ChapterTitle.text)
        switch slide.source {
        case .page: clip.title = clip.title ?? "Slide \(slide.number)"
        case .file:
            let name = URL(fileURLWithPath: clip.path).deletingPathExtension().lastPathComponent
            clip.title = clip.title ?? ChapterTitle.text(name)
        }
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
        case .pad, .blur:
            return isWider
                ? (frame.width, max(2, min(height, frame.height))) : (max(2, min(width, frame.width)), frame.height)
        case .crop: return isWider ? (max(width, frame.width), frame.height) : (frame.width, max(height, frame.height))
        }
    }

    // MARK: Time

    /// The number of output frames of the part of a film that is used; nil for pages and stills.
    private static func frames(ofFilm slide: Slide, _ rate: Rational) -> Int? {
        guard case .file(let spec, let info) = slide.source, slide.film != nil,
            let use = try? info.use(of: spec.part, stillDuration: DeckSpec.standardHold)
        else { return nil }
        return max(1, (use.span.duration * rate).rounded())
    }

    /// How long each slide stays. The first of these that is known applies: the timings file, the slide's narration, a
    /// film's length, the time asked for this slide, the time asked for all slides, the deck's own time, the default.
    /// But for the timings file, none of them ends a slide before its films and sounds.
    private static func times(
        of slides: [Slide], _ file: TimingsFile?, _ spec: DeckSpec, _ voices: Narration.Voices, _ media: DeckMedia,
        _ rate: Rational
    ) -> [DeckTimeline.Time] {
        let entry = { (slide: Int) -> TimingsFile.Entry? in
            slides.indices.contains(slide) ? file?.entry(ofSlide: slides[slide].number) : nil
        }
        let pause = spec.pause.map { $0.seconds(at: rate) } ?? .zero
        return slides.indices.map { index in
            let stay = { (time: Rational) in DeckTimeline.Time.length(max(time, media.leastStay(index))) }
            if case .start(let second)? = entry(index + 1) { return .end(second) }
            if case .length(let time)? = entry(index) { return .length(time.seconds(at: rate)) }
            switch voices {
            case .slides(let voices):
                if let voice = voices[index] { return stay(max(voice.length + pause, voice.least)) }
            // If one narration covers all slides, a last slide whose start is given stays until the narration ends.
            case .whole(let voice):
                if index == slides.count - 1, case .start(let start)? = entry(index), voice.length > start {
                    return .end(voice.length + pause)
                }
            case .none: break
            }
            if slides[index].film != nil { return .film }
            if let asked = slides[index].asked { return stay(asked) }
            if let hold = spec.hold { return stay(hold.seconds(at: rate)) }
            return stay(slides[index].facts.seconds ?? DeckSpec.standardHold)
        }
    }

    // MARK: Look

    /// The transition to each slide, and messages about transitions that aren't drawn as asked for.
    private static func transitions(
        to slides: [Slide], _ spec: DeckSpec
    ) -> (specs: [TransitionSpec], losses: [String]) {
        var losses: [String] = []
        let changes = slides.count - 1
        if spec.transitions.count > max(1, changes) {
            losses.append(
                "\(spec.transitions.count) transitions were given for \(changes) changes of slides, so the last "
                    + "\(spec.transitions.count - changes) are left out")
        }
        var unknown = TransitionList()
        var nearest = TransitionList()
        let specs = slides.enumerated().map { index, slide -> TransitionSpec in
            let asked = spec.transition(to: max(1, index))
            guard spec.usesOwnTransitions else { return asked }
            var drawn = asked
            if let own = slide.facts.transition {
                if let known = TransitionNames.spec(own, duration: asked.duration, overlap: asked.overlap) {
                    drawn = known
                    drawn.sound = asked.sound
                }
                // The transition to the first slide is never drawn, so it isn't reported.
                let row = TransitionNames.row(own.name)
                if index > 0, row == nil { unknown.add(own.name, slide.number) }
                if index > 0, row?.isNearest == true, let style = drawn.look?.style.name {
                    nearest.add("\(own.name) as \(style)", slide.number)
                }
            }
            guard let sound = slide.facts.sound, let file = sound.file else { return drawn }
            if index == 0 || drawn.look == nil {
                losses.append(
                    "slide \(slide.number) has a transition with a sound (\(sound.name)), which is not heard because nothing is "
                        + "drawn")
            }
            drawn.sound = TransitionSound(.stored(file, name: sound.name))
            drawn.sound?.gain = asked.sound?.gain ?? 0
            return drawn
        }
        if let text = unknown.text {
            losses.append(
                "these of the deck's transitions aren't known, and the look asked for is drawn instead: \(text)")
        }
        if let text = nearest.text {
            losses.append("these of the deck's transitions are drawn as the style that comes nearest: \(text)")
        }
        return (specs, losses)
    }
}

/// Transitions in the order in which they were first seen, and the slides that they lead to.
private struct TransitionList {
    private var rows: [(name: String, slides: [Int])] = []

    mutating func add(_ name: String, _ slide: Int) {
        guard let place = rows.firstIndex(where: { $0.name == name }) else { return rows.append((name, [slide])) }
        rows[place].slides.append(slide)
    }

    /// The transitions as messages name them; nil if there are none.
    var text: String? {
        if rows.isEmpty { return nil }
        return rows.map { "\($0.name) (\(SlideNumbers.words($0.slides)))" }.joined(separator: ", ")
    }
}
