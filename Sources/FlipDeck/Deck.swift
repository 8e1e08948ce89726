import FlipBase
import FlipMedia
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
    /// The captions made of notes; empty if none were asked for.
    package let captions: NoteCaptions
    /// Those in other languages, by their tags.
    package let translations: [(tag: String, captions: NoteCaptions)]
    /// What a page about the deck says; nil if none was asked for.
    let transcript: Transcript?
    /// The deck as entries of a project.
    package let entries: [DeckEntry]

    /// Whether the argument `word` names something that only a deck can show: a document or a folder.
    package static func isDeck(_ word: String) -> Bool { DeckInputs.isDeck(word) }

    /// The file extensions of the documents that decks show.
    package static let documentEndings = ["pdf"] + OfficeDeck.endings.sorted()

    package static func isFolder(_ path: String) -> Bool { DeckInputs.isFolder(path) }

    /// The film that the output is to be like; nil for the rule's own choice.
    private static func like(_ choice: LikeChoice?, _ slides: [Slide]) throws(MediaError) -> Int? {
        let index: Int?
        switch choice {
        case nil, .longest, .first: return nil
        case .number(let number): index = slides.firstIndex { $0.input == number - 1 && $0.film != nil }
        case .file(let path): index = slides.firstIndex { $0.film != nil && $0.name == path }
        }
        guard let index else {
            throw MediaError(
                .usage, "--like names a film among slides, and '\(choice?.text ?? "")' is not one of these")
        }
        return index
    }

    /// - Throws: `MediaError` or `OptionError` if the deck can't be shown as asked.
    package init(_ spec: DeckSpec) throws {
        let inputs = try DeckInputs(spec)
        let book = try spec.book.map { try DeckBook($0, inputs.slides, spec) }
        let slides = book?.slides ?? inputs.slides
        var warnings = inputs.warnings
        var output = spec.output
        let rule = SlideRule(
            slides.map(\.forRule), hasStillClips: spec.hasStillClips && !spec.holdsPictures,
            like: try Self.like(output.like, slides), output)
        let rate = rule.frameRate
        (output.frameRate, output.size, output.slides) = (rate, rule.size, rule)

        let numbers = book?.numbers ?? inputs.numbers
        notes = DeckNotes(slides, numbers)
        if let warning = notes.warning(spec) { warnings.append(warning) }
        let (narration, speech) = try Self.narration(slides, numbers, notes, spec, language: inputs.language)
        let others = try spec.translations.map { try Translation($0, slides, numbers, spec) }
        warnings += narration.warnings + others.flatMap(\.warnings) + others.compactMap { $0.silence(narration.voices) }
        let file = try spec.timings.map { path throws(MediaError) in try TimingsFile(path: path) }
        if let warning = try file?.check(numbers) { warnings.append(warning) }
        var changes = try DeckTransitions(to: slides, spec)
        if let book { try changes.turn(book, spec) }
        let specs = changes.specs
        warnings += changes.losses
        let media = DeckMedia(slides, specs, rate: rate)
        if !others.contains(where: \.isHeard) { try Self.check(spec, narration.voices) }
        let translated = others.map { $0.times(spec, rate: rate) }
        let least = slides.indices.map { index in
            let change = DeckTimeline.asked(index, specs, rate)
            let own = max(
                media.leastStay(index, spec), DeckSteps.leastStay(slides[index], spec, transition: change, rate))
            return translated.reduce(own) { max($0, $1[index]) }
        }
        let clock = DeckClock(slides, file, spec, narration.voices, least: least, notes, rate)
        let (times, lengths) = (clock.times, clock.films)
        let timeline = try DeckTimeline(
            slides.map { DeckTimeline.Label($0.number, $0.name) }, times: times, specs: specs, films: lengths,
            rate: rate, cutBelow: spec.cutBelow)
        warnings += timeline.warnings

        let steps = DeckSteps(slides, spec, timeline, narration.voices, notes, speech, rate: rate)
        warnings += media.losses(timeline, steps) + steps.warnings
        let clips = try slides.indices.map { index in
            let isWhole = lengths[index] == timeline.lengths[index]
            return try steps.pictures[index].enumerated().map { number, picture in
                let frames = steps.frames(index, number, of: timeline.lengths[index])
                var clip = try Self.clip(
                    slides[index].showing(picture.page), spec, seconds: isWhole ? nil : Rational(frames) / rate,
                    rule.frame, book?.page(index))
                clip.films = media.films(index, steps, from: steps.offset(index, number))
                clip.number = ClipSpec.Number(slides[index].number, of: numbers.count)
                clip.continuesChapter =
                    number > 0 || index > 0 && Self.continues(slides[index - 1], slides[index], spec)
                return clip
            }
        }
        let drawn = changes.drawn(timeline, steps)
        composition = Composition(
            inputs: clips.flatMap { $0 }, reading: spec.reading, transitions: drawn.isEmpty ? spec.transitions : drawn,
            output: output)
        composition.sources = spec.sources + others.flatMap(\.files)
        composition.isStrict = spec.isStrict
        composition.remarks = inputs.remarks.sentences
        if case .none = narration.voices {} else { composition.output.narrationLanguage = inputs.language }
        cueSheet = CueSheet(
            slides.indices.map { (slides[$0], clips[$0][0].title) }, numbers, times, timeline, file, rate: rate)
        let made = notes.captions(spec, timeline, rate: rate, narration.voices, speech, steps)
        composition.notes = warnings + made.warnings
        captions = made.captions
        try composition.add(captions, language: inputs.language)
        var translations: [(tag: String, captions: NoteCaptions)] = []
        for other in others {
            let made = other.notes.captions(spec, timeline, rate: rate, other.narration.voices, other.speech, steps)
            composition.notes += made.warnings.map { "\(other.spec.tag): \($0)" }
            try composition.add(made.captions, language: other.spec.language, isTranslation: true)
            translations.append((other.spec.tag, made.captions))
        }
        self.translations = translations
        let heard = others.filter(\.isHeard)
        composition.output.translations = heard.map(\.spec.language)
        composition.sounds =
            try DeckSounds(spec, [narration.voices] + heard.map(\.narration.voices), timeline, rate: rate).sounds
            + media.sounds(timeline, steps, loudness: spec.output.clipLoudness)
            + spec.sounds.map {
                $0.starting(with: { input in
                    steps.clip(slides.firstIndex { $0.lastInput >= input } ?? slides.count - 1)
                })
            }
        let recordings = narration.files.filter { speech?.spoken[$0.key] == nil }
        transcript =
            spec.hasTranscript
            ? try Transcript(
                slides, titles: slides.indices.map { clips[$0][0].title }, notes, timeline, rate: rate,
                fadeOut: spec.output.fadeOut?.frames(at: rate) ?? 0, language: inputs.language) : nil
        entries = DeckEntry.all(
            inputs, book?.beginnings, titles: clips.map { $0[0].title }, clock, recordings, changes.written)
    }

    /// What is heard of each slide: the user's recordings, or else those in the document, or else the notes, spoken.
    private static func narration(
        _ slides: [Slide], _ numbers: SlideNumbers, _ notes: DeckNotes, _ spec: DeckSpec, language: String?
    ) throws -> (Narration, Speech?) {
        var narration = try Narration(spec.narration, numbers, trimsSilence: spec.trimsSilence, root: spec.root)
        try narration.add(
            slides.map { $0.inputs.lazy.compactMap { spec.inputs[$0].narration }.first },
            trimsSilence: spec.trimsSilence)
        narration.voices = try DeckMedia.voices(narration.voices, of: slides, trimsSilence: spec.trimsSilence)
        let code = spec.output.language ?? language
        let speech = try notes.speech(
            spec, narration, language: code.map { Locale.LanguageCode($0).identifier(.alpha2) ?? $0 })
        if let speech { narration.add(speech) }
        return (narration, speech)
    }

    /// - Throws: if an option for narration is given and there is none.
    private static func check(_ spec: DeckSpec, _ voices: Narration.Voices) throws(OptionError) {
        guard case .none = voices else { return }
        for (option, isGiven) in [("--pause", spec.pause != nil), ("--trim-silence", spec.trimsSilence)] where isGiven {
            throw OptionError("\(option) has no effect by itself (give --narration or --speak)")
        }
    }

    /// Whether `slide` belongs to the chapter of the slide before it, unless it was given another title.
    private static func continues(_ before: Slide, _ slide: Slide, _ spec: DeckSpec) -> Bool {
        slide.continuesChapter(of: before) && spec.inputs[slide.input].title == spec.inputs[before.input].title
    }

    // MARK: Size

    /// The slide as an input clip. A page is drawn at the size that it has in the frame.
    /// - Parameters:
    ///   - seconds: the clip's length; nil for a film whose part is used as the user gave it.
    ///   - spread: the slide as a spread of a book; nil for other slides.
    private static func clip(
        _ slide: Slide, _ spec: DeckSpec, seconds: Rational?, _ frame: (width: Int, height: Int),
        _ spread: DocumentPage?
    ) throws(MediaError) -> ClipSpec {
        let asked = spec.inputs[slide.input]
        var clip: ClipSpec
        switch slide.source {
        case .page(let deck, let page, let number):
            let (width, height) = pageSize(slide.shape, frame, spec.output.fit)
            clip = ClipSpec(
                page: try DocumentPage(
                    document: deck.path, location: deck.location, keeper: deck.keeper, tags: deck.tags, page: page,
                    number: number, width: width, height: height))
            clip.motion = asked.motion
        case .file(let file, _): clip = file
        case .spread:
            guard let spread else { throw MediaError(.internalFault, "a spread without a book") }
            clip = ClipSpec(page: spread)
        }
        clip.captions = slide.inputs.lazy.compactMap { spec.inputs[$0].captions }.first ?? clip.captions
        if let seconds {
            let start = slide.film == nil ? .zero : clip.part.start ?? .zero
            clip.part = ClipPart(start: start, end: start + seconds)
        }
        let title = slide.inputs.lazy.compactMap { spec.inputs[$0].title }.first
        clip.title = (title ?? slide.facts.title ?? clip.title).flatMap(ChapterTitle.text)
        switch slide.source {
        case .page: clip.title = clip.title ?? "Slide \(slide.number)"
        case .spread: clip.title = clip.title ?? "Spread \(slide.number)"
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
}

extension Composition {
    /// Adds captions that were made of notes, if there are any.
    fileprivate mutating func add(
        _ captions: NoteCaptions, language: String?, isTranslation: Bool = false
    ) throws(MediaError) {
        guard var made = try captions.made() else { return }
        (made.language, made.isTranslation) = (language, isTranslation)
        output.madeCaptions.append(made)
    }
}

extension SoundSpec {
    /// The sound where the clip that it starts with is counted otherwise: clip n is clip `index(n)`.
    fileprivate func starting(with index: (Int) -> Int) -> SoundSpec {
        var sound = self
        if case .clip(let clip, let offset) = start { sound.start = .clip(index: index(clip), offset: offset) }
        return sound
    }
}
