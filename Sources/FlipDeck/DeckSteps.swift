import FlipBase
import FlipRender

/// When the steps of a deck's slides come: those pictures of a slide that its clicks bring, which share its number, its time and
/// its chapter.
struct DeckSteps {
    /// A picture that is shown from a frame of the output on.
    struct Picture {
        /// The page of the document; nil for the slide as it is.
        var page: Int?
        var start: Int
    }

    /// The pictures of each slide, in order. The first begins with the slide.
    private(set) var pictures: [[Picture]] = []
    /// The times at which each slide's steps come, in seconds of the output; the slide's start for slides without steps.
    private(set) var times: [[Rational]] = []
    private(set) var warnings: [String] = []

    private let timeline: DeckTimeline
    private let rate: Rational

    init(
        _ slides: [Slide], _ spec: DeckSpec, _ timeline: DeckTimeline, _ voices: Narration.Voices, _ notes: DeckNotes,
        _ speech: Speech?, rate: Rational
    ) {
        (self.timeline, self.rate) = (timeline, rate)
        var recorded: [Int: Narration.Voice] = [:]
        if case .slides(let all) = voices { recorded = all }
        var excess: [Int] = []
        for (index, slide) in slides.enumerated() {
            let input = spec.inputs[slide.input]
            guard slide.steps.count > 1, input.motion == nil, input.captions == nil else {
                pictures.append([Picture(page: nil, start: timeline.starts[index])])
                times.append([Rational(timeline.starts[index]) / rate])
                continue
            }
            if notes.clicks(index) >= slide.steps.count { excess.append(slide.number) }
            let offsets = Offsets(
                count: slide.steps.count, length: seconds(timeline.starts[index + 1] - timeline.starts[index]),
                transition: seconds(timeline.firstFullFrame(index).output - timeline.starts[index]),
                voice: recorded[index]?.length)
            let known = offsets.known(slide, spec, speech?.spoken[index], recorded[index], notes.shares(index), rate)
            add(slide, index, offsets.filled(known))
        }
        if !excess.isEmpty {
            warnings.append(
                "the notes of \(SlideNumbers.words(excess)) have more marks [click] than there are clicks, and those that are too "
                    + "many are left out")
        }
    }

    private func seconds(_ frames: Int) -> Rational { Rational(frames) / rate }

    /// Adds the pictures of a slide whose steps come so many seconds after its start.
    private mutating func add(_ slide: Slide, _ index: Int, _ offsets: [Rational]) {
        let start = timeline.starts[index]
        let end = timeline.starts[index + 1]
        // The transition ends with the first picture.
        let least = min(timeline.firstPicture(index), end - 1)
        var (shown, starts): ([Picture], [Rational]) = ([], [])
        for (page, offset) in zip(slide.steps, [.zero] + offsets) {
            let frame = start + (offset * rate).rounded()
            let place = starts.isEmpty ? start : min(max(frame, least, shown.last?.start ?? start), end - 1)
            starts.append(seconds(place))
            if let last = shown.last, last.start == place {
                shown[shown.count - 1].page = page
            } else if shown.last?.page != page {
                shown.append(Picture(page: page, start: place))
            }
        }
        pictures.append(shown)
        times.append(starts)
    }

    /// The number of frames of picture `number` of slide `index`, whose clip is `length` frames long.
    func frames(_ index: Int, _ number: Int, of length: Int) -> Int {
        let offset = offset(index, number)
        return (number + 1 < pictures[index].count ? self.offset(index, number + 1) : length) - offset
    }

    /// The frame of the slide's clip with which picture `number` begins.
    func offset(_ index: Int, _ number: Int) -> Int {
        if number == 0 { return 0 }
        let full = timeline.firstFullFrame(index)
        return pictures[index][number].start - full.output + full.clip
    }

    /// The frame of the output, and that of the slide's clip, with which a step of slide `index` begins. The first begins after
    /// the transition.
    func begin(_ index: Int, _ step: Int) -> (output: Int, clip: Int) {
        let full = timeline.firstFullFrame(index)
        let starts = times[index]
        guard step > 0, starts.count > 1 else { return full }
        let frame = max((starts[min(step, starts.count - 1)] * rate).rounded(), full.output)
        return (frame, frame - full.output + full.clip)
    }

    /// The index of the first clip of slide `index`, where each picture is a clip.
    func clip(_ index: Int) -> Int { pictures[..<index].reduce(0) { $0 + $1.count } }

    /// How long a slide stays without the transition to it so that what begins with a step lasts for so many seconds, where steps
    /// come evenly or in the time that is asked for.
    static func stay(
        _ slide: Slide, _ spec: DeckSpec, from step: Int, seconds: Rational, _ rate: Rational
    ) -> Rational {
        if step == 0 { return seconds }
        if case .each(let time) = spec.builds { return time.seconds(at: rate) * Rational(step) + seconds }
        return seconds * Rational(slide.steps.count, slide.steps.count - step)
    }

    /// How long a slide stays at least for its steps, in seconds.
    static func leastStay(_ slide: Slide, _ spec: DeckSpec, transition: Int, _ rate: Rational) -> Rational {
        guard slide.steps.count > 1, case .each(let time) = spec.builds else { return .zero }
        return Rational(transition) / rate + time.seconds(at: rate) * Rational(slide.steps.count)
    }
}

/// When the steps of a slide come, in seconds after its start.
private struct Offsets {
    /// The number of steps, including the one with which the slide begins.
    var count: Int
    /// The slide's time, and that of the transition to it.
    var length: Rational
    var transition: Rational
    /// The length of what is said; nil if nothing is.
    var voice: Rational?

    /// The first of these that is known: where the notes that are spoken have marks, the time asked for each step, the clicks
    /// that PowerPoint recorded, and where notes that are shown have marks.
    /// - Parameter shares: the places of the marks as shares of the notes.
    func known(
        _ slide: Slide, _ spec: DeckSpec, _ spoken: Speech.Spoken?, _ voice: Narration.Voice?, _ shares: [Rational],
        _ rate: Rational
    ) -> [Rational] {
        if let spoken, spoken.pieces.count > 1 { return spoken.pieces.dropFirst().map(\.start) }
        if case .each(let time) = spec.builds {
            return (1..<count).map { transition + time.seconds(at: rate) * Rational($0) }
        }
        // The recorded clicks are those of the recorded narration.
        let recorded = (slide.facts.builds?.recorded ?? []).map { transition + $0 }
        let isOwn = voice.map { $0.stored != nil } ?? true
        if isOwn, let last = recorded.last, last < length { return recorded }
        return shares.map { $0 * (self.voice ?? length) }
    }

    /// `known` with the steps that follow, which share the rest of the time evenly.
    func filled(_ known: [Rational]) -> [Rational] {
        let known = Array(known.prefix(count - 1))
        let start = known.last ?? (voice == nil ? transition : .zero)
        let end = max(voice ?? length, start)
        let rest = count - known.count
        return known + (1..<max(1, rest)).map { start + (end - start) * Rational($0, rest) }
    }
}
