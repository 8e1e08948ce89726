import FlipBase
import FlipMedia
import FlipFiles
import FlipRender
import Foundation

/// The notes of a deck's slides, and what is made of them.
package struct DeckNotes {
    /// The number of each slide that is shown, and its notes; nil for none.
    package let slides: [(number: Int, text: String?)]
    /// The number of slides, hidden ones included.
    private let count: Int
    /// The slides by the notes that they share: each by itself, but the steps of one slide that all have the same notes
    /// together, so that these are spoken and shown once.
    private var runs: [Range<Int>] = []
    /// The notes of each slide without the marks of clicks: for each step a part if they have marks, else one. Nil for none.
    private var parts: [[String]?] = []
    /// The number of marks in each slide's notes.
    private var marks: [Int] = []

    init(_ slides: [Slide], _ numbers: SlideNumbers) {
        self.slides = slides.map { ($0.number, $0.facts.notes) }
        count = numbers.count
        for slide in slides {
            let found = slide.facts.notes.map(ClickMarks.parts) ?? []
            marks.append(max(0, found.count - 1))
            guard let plain = slide.facts.notes.flatMap(ClickMarks.plain) else {
                parts.append(nil)
                continue
            }
            let steps = slide.steps.count
            guard steps > 1, found.count > 1 else {
                parts.append([plain])
                continue
            }
            // Marks for which there is no click separate nothing.
            let rest = found.dropFirst(steps - 1).filter { !$0.isEmpty }.joined(separator: "\n")
            parts.append(found.count <= steps ? found : found.prefix(steps - 1) + [rest])
        }
        for (index, slide) in slides.enumerated() {
            if index > 0, slide.facts.notes != nil, slide.facts.notes == slides[index - 1].facts.notes,
                slide.builds(on: slides[index - 1])
            {
                runs[runs.count - 1] = runs[runs.count - 1].lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
    }

    /// The seconds that it takes to read each slide's share of its notes, rounded up to tenths; 0 for no notes.
    var readingTimes: [Rational] {
        runs.flatMap { run in
            let time = parts[run.lowerBound]?.map(Self.readingTime).reduce(.zero, +) ?? .zero
            let tenths = time * Rational(10, run.count)
            let count = (tenths.numerator + tenths.denominator - 1) / tenths.denominator
            return run.map { _ in Rational(count, 10) }
        }
    }

    /// The seconds that it takes to read a text as captions.
    private static func readingTime(_ text: String) -> Rational {
        let captions = CaptionText.paragraphs(of: text).joined().flatMap { sentences in
            CaptionText.captions(for: sentences.joined(separator: " "))
        }
        let least = captions.map(NoteCaptions.leastTime).reduce(.zero, +)
        return max(least, Rational(CaptionText.width(text), NoteCaptions.readingSpeed.easy))
    }

    /// The number of marks of clicks in the notes of a slide.
    func clicks(_ index: Int) -> Int { marks[index] }

    /// The notes of a slide without marks of clicks; nil for none.
    func plain(_ index: Int) -> String? { parts[index]?.joined(separator: "\n") }

    /// The places of the marks in a slide's notes, as shares of these; empty if the notes have none.
    func shares(_ index: Int) -> [Rational] {
        guard let parts = parts[index], parts.count > 1 else { return [] }
        let times = parts.map(Self.readingTime)
        let total = max(Rational(1, 1000), times.reduce(.zero, +))
        return (1..<times.count).map { times[..<$0].reduce(.zero, +) / total }
    }

    /// A text file for each slide that is shown: its name, by the slide's number, and its content.
    var files: [(name: String, text: String)] {
        let digits = max(2, "\(count)".count)
        return slides.map { number, text in (number.padded(to: digits) + ".txt", text.map { $0 + "\n" } ?? "") }
    }

    /// Says that notes were asked for in vain; nil if they weren't.
    func warning(_ spec: DeckSpec) -> String? {
        guard spec.needsNotes, !spec.hasTranscript, slides.allSatisfy({ $0.text == nil }) else { return nil }
        return "no slide that is shown has notes"
    }

    /// The speech of all slides without a recording; nil if none is asked for.
    /// - Parameter language: the language of the notes, as a tag; nil if it isn't known.
    func speech(_ spec: DeckSpec, _ narration: Narration, language: String?) throws(MediaError) -> Speech? {
        guard let speech = spec.speech else { return nil }
        let told = speech.command.usesLanguage ? language : ""
        var recorded: Set<Int> = []
        switch narration.voices {
        case .none: break
        case .slides(let voices): recorded = Set(voices.keys)
        case .whole:
            // Translations may be left to speak.
            if speech.command.usesLanguage, !spec.translations.isEmpty { return nil }
            throw MediaError(
                .usage,
                "--narration with one file for all slides leaves nothing to speak (give a folder, or leave out --speak)"
            )
        }
        let requests = runs.flatMap { run -> [Speech.Request] in
            guard let parts = parts[run.lowerBound], !run.contains(where: recorded.contains) else { return [] }
            return parts.enumerated().filter { !$1.isEmpty }.map { part, text in
                Speech.Request(
                    index: run.lowerBound, steps: run.count, number: slides[run.lowerBound].number, notes: text,
                    language: told ?? "", part: (part, parts.count))
            }
        }
        guard told != nil || requests.isEmpty else {
            throw MediaError(
                .usage, "--speak has {language}, and the documents don't say which is theirs (give --language)")
        }
        return try Speech(
            requests, speech, workers: spec.output.threads, trimsSilence: spec.trimsSilence, cache: spec.output.cache)
    }

    /// The notes as captions of the output, none if they aren't asked for; and warnings about captions for which there is too
    /// little time.
    func captions(
        _ spec: DeckSpec, _ timeline: DeckTimeline, rate: Rational, _ voices: Narration.Voices, _ speech: Speech?,
        _ steps: DeckSteps
    ) -> (captions: NoteCaptions, warnings: [String]) {
        var captions = NoteCaptions()
        guard spec.captionsFromNotes else { return (captions, []) }
        var isHeard = { (_: Int) in false }
        switch voices {
        case .none: break
        case .slides(let voices): isHeard = { voices[$0] != nil }
        case .whole: isHeard = { _ in true }
        }
        var (unheard, heard) = (HastyNotes(), HastyNotes())
        let time = { (index: Int) in Rational(timeline.starts[index]) / rate }
        for run in runs {
            guard let parts = parts[run.lowerBound] else { continue }
            let (start, end) = (time(run.lowerBound), time(run.upperBound))
            let pieces = speech?.spoken[run.lowerBound]?.pieces
            // Parts begin with the slide's steps, and what is spoken where it is heard.
            var starts = pieces.map { $0.map { min(start + $0.start, end) } } ?? steps.times[run.lowerBound]
            if parts.count == 1 { starts = [start] }
            let first = captions.cues.count
            for (index, text) in parts.enumerated() where index < starts.count {
                let last = index + 1 < min(parts.count, starts.count) ? starts[index + 1] : end
                let span = TimeSpan(start: starts[index], duration: last - starts[index])
                captions.add(text, slide: span, speech: pieces.flatMap { $0[index].rhythm })
            }
            let numbers = run.map { slides[$0].number }
            if run.contains(where: isHeard) {
                heard.add(numbers, captions.cues[first...])
            } else {
                let letters = parts.reduce(0) { $0 + CaptionText.width($1) }
                unheard.add(numbers, captions.cues[first...], speed: Rational(letters) / (end - start))
            }
        }
        return (captions, [unheard.unheard, heard.heard].compactMap(\.self))
    }
}

/// Slides whose captions don't last long enough to be read.
private struct HastyNotes {
    private var numbers: [Int] = []
    /// The letters a second of the fastest caption.
    private var fastest = 0

    /// - Parameter speed: how many letters are to be read in a second; nil if a voice says how long captions last, so that short
    ///   ones are right.
    mutating func add(_ numbers: [Int], _ cues: ArraySlice<NoteCaptions.Cue>, speed: Rational? = nil) {
        // Times are rounded.
        let tolerance = Rational(1, 100)
        let most = Rational(NoteCaptions.readingSpeed.most)
        let speeds = cues.compactMap { cue -> Rational? in
            let width = Rational(CaptionText.width(cue.text))
            let least = speed == nil ? width / most : NoteCaptions.leastTime(cue.text)
            return cue.span.duration + tolerance < least ? width / cue.span.duration : nil
        }
        guard let fast = speeds.max() else { return }
        self.numbers += numbers
        fastest = max(fastest, (speed ?? fast).rounded())
    }

    private var limit: String {
        let most = NoteCaptions.readingSpeed.most
        return fastest > most
            ? "up to \(fastest) letters a second, of which \(most) can be read" : "some captions have less than 5/6 s"
    }

    /// What is said of slides that nobody hears; nil if there are none.
    var unheard: String? {
        if numbers.isEmpty { return nil }
        return
            "\(SlideNumbers.words(numbers)) \(numbers.count == 1 ? "stays" : "stay") for too short a time to read the notes as "
            + "captions: \(limit) (give --hold notes, or have the notes spoken with --speak)"
    }

    /// What is said of slides with speech; nil if there are none.
    var heard: String? {
        if numbers.isEmpty { return nil }
        return
            "the notes of \(SlideNumbers.words(numbers)) are spoken faster than captions can be read: \(limit) (a slower voice, or "
            + "shorter addresses and numbers, would help)"
    }
}

/// The folder into which notes are written, one text file for each slide that is shown: `01.txt`, `02.txt` and so on, by
/// the slides' numbers.
package struct NotesFolder: DeckFile {
    private let path: String
    private let files: [(name: String, text: String)]
    private let overwrites: Bool
    private let inputs: [String]
    private let outputs: [String]

    /// Checks everything that can be checked before the video is made.
    /// - Parameter outputs: the paths of the run's other outputs.
    package init(_ path: String, _ deck: Deck, overwrites: Bool, outputs: [String]) throws(MediaError) {
        var folder = path
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        self.path = folder
        (self.overwrites, self.outputs) = (overwrites, outputs)
        inputs = deck.composition.files
        files = deck.notes.files
        guard let isFolder = Files.isFolder(folder) else {
            // In a folder that is still to be made, nothing can be replaced.
            try OutputPlace.check(folder, overwrites: false, inputs: [])
            return
        }
        guard isFolder else {
            throw MediaError(.cannotCreate, "\(folder) is not a folder (--notes-out needs one for its files)")
        }
        for file in files { _ = try output(file.name) }
    }

    /// Writes all files, and makes the folder if there is none.
    package func write() throws(MediaError) {
        if mkdir(path, 0o777) != 0, errno != EEXIST {
            throw MediaError(.cannotCreate, "cannot make the folder \(path): \(MediaError.systemReason)")
        }
        for (name, text) in files { try output(name).write(Array(text.utf8)) }
    }

    private func output(_ name: String) throws(MediaError) -> SideOutput {
        try SideOutput(path + "/" + name, name: "notes", overwrites: overwrites, inputs: inputs, outputs: outputs)
    }
}
