import FlipBase
import FlipMedia
import FlipFiles
import FlipGeometry
import FlipRender

/// The captions that slides' notes become.
package struct NoteCaptions {
    /// A caption and the time at which it begins, in seconds of the output. It ends where the next one begins, or its
    /// slide ends.
    package struct Cue: Equatable {
        package var text: String
        package var span: TimeSpan

        package init(_ text: String, _ span: TimeSpan) { (self.text, self.span) = (text, span) }
    }

    package private(set) var cues: [Cue] = []

    package init() {}

    /// Adds the captions of a slide that is shown during `slide`. They fill this span, and each lasts in proportion to
    /// its length.
    /// - Parameter speech: the speech of the same text, in which sentences end at pauses; nil if it isn't spoken.
    package mutating func add(_ notes: String, slide: TimeSpan, speech: SpeechRhythm? = nil) {
        let paragraphs = CaptionText.paragraphs(of: notes)
        let groups = paragraphs.flatMap(\.self)
        // Text that is spoken lasts as long as it takes to say, and other text as long as it takes to read.
        let length = speech == nil ? { CaptionText.width($0) + 1 } : SpokenLength.of
        let captions = groups.map { CaptionText.captions(for: $0.joined(separator: " ")) }
        var lengths = captions.map { $0.map(length) }
        guard !lengths.isEmpty else { return }
        if speech == nil {
            var all = Self.readable(lengths.flatMap { $0 }, captions.flatMap { $0 }, slide.duration)[...]
            for index in lengths.indices {
                let count = lengths[index].count
                lengths[index] = Array(all.prefix(count))
                all = all.dropFirst(count)
            }
        }
        var ends = Self.divide(from: slide.start, to: slide.end, lengths.map { $0.reduce(0, +) })
        if let speech {
            let sentences = speech.ends(of: paragraphs.map { $0.joined().map(SpokenLength.of) })
            var next = 0
            ends = groups.map { group in
                next += group.count
                return slide.start + sentences[next - 1]
            }
        }
        // Speech that the slide is too short for is cut off with it.
        ends = ends.map { min($0, slide.end) }
        ends[ends.count - 1] = slide.end
        var start = slide.start
        for (index, end) in ends.enumerated() {
            // The pause after the last sentence does not belong to it.
            let isLast = index == ends.count - 1
            let spoken = isLast ? speech.map { min(slide.start + $0.audible.end, end) } ?? end : end
            let time = max(start, spoken) - start
            let weights = speech == nil ? lengths[index] : Self.readable(lengths[index], captions[index], time)
            var parts = Self.divide(from: start, to: start + time, weights)
            parts[parts.count - 1] = end
            for (caption, next) in zip(captions[index], parts) where next > start {
                cues.append(Cue(caption, TimeSpan(start: start, duration: next - start)))
                start = next
            }
        }
    }

    /// How many letters can be read in a second, and the shortest time of a caption in seconds. Guides for subtitles allow 15 to
    /// 20 letters and 5/6 s.
    static let readingSpeed = (easy: 15, most: 20)
    static let shortest = Rational(5, 6)

    /// The seconds that a caption is to be read in at least.
    static func leastTime(_ caption: String) -> Rational {
        max(shortest, Rational(CaptionText.width(caption), readingSpeed.most))
    }

    /// `weights` by which `captions` divide so many seconds, changed as far as it takes for each to last long enough to be read,
    /// if there is time for that.
    private static func readable(_ weights: [Int], _ captions: [String], _ seconds: Rational) -> [Int] {
        let least = captions.map(leastTime)
        let milliseconds = { (time: Rational) in max(1, (time * Rational(1000)).rounded()) }
        guard least.reduce(.zero, +) < seconds else { return weights }
        var lifted: Set<Int> = []
        while true {
            let rest = weights.indices.filter { !lifted.contains($0) }
            let time = seconds - lifted.map { least[$0] }.reduce(.zero, +)
            let sum = max(1, rest.reduce(0) { $0 + weights[$1] })
            let share = { (index: Int) in time * Rational(weights[index], sum) }
            let short = rest.filter { share($0) < least[$0] }
            if short.isEmpty {
                return lifted.isEmpty
                    ? weights : weights.indices.map { milliseconds(lifted.contains($0) ? least[$0] : share($0)) }
            }
            lifted.formUnion(short)
        }
    }

    /// The ends of the parts between two times whose lengths are in proportion to `weights`, to the millisecond.
    private static func divide(from start: Rational, to end: Rational, _ weights: [Int]) -> [Rational] {
        let total = max(1, weights.reduce(0, +))
        var sum = 0
        return weights.map { weight in
            sum += weight
            let time = start + (end - start) * Rational(sum, total)
            return sum == total ? end : Rational((time * Rational(1000)).rounded(), 1000)
        }
    }

    // MARK: File

    /// The captions as an SRT file. Times are rounded down, so that the frame at which a caption begins shows it.
    package var srt: String {
        cues.enumerated().map { index, cue in
            "\(index + 1)\n\(Self.clock(cue.span.start)) --> \(Self.clock(cue.span.end))\n\(cue.text)\n\n"
        }.joined()
    }

    /// The captions as a WebVTT file.
    package var vtt: String {
        cues.reduce("WEBVTT\n\n") { text, cue in
            let plain = cue.text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            return text
                + "\(Self.clock(cue.span.start, point: ".")) --> \(Self.clock(cue.span.end, point: "."))\n\(plain)\n\n"
        }
    }

    /// The captions for the output; nil if there are none.
    func made() throws(MediaError) -> MadeCaptions? {
        if cues.isEmpty { return nil }
        let file = try NamelessFile()
        try file.append(Array(srt.utf8))
        return MadeCaptions(name: "the slides' notes", file: file)
    }

    private static func clock(_ time: Rational, point: String = ",") -> String {
        let scaled = time * Rational(1000)
        return SubtitleClock.text(scaled.numerator / scaled.denominator, point: point, digits: 3)
    }
}

/// What is written of a deck besides the video, once that is there.
package protocol DeckFile {
    func write() throws
}

/// A file for the captions that notes become, SubRip or WebVTT.
package struct CaptionsFile: DeckFile {
    private let output: SideOutput
    private let text: String

    /// Throws if the name of the file doesn't say what it is to be.
    package static func check(_ path: String) throws(OptionError) {
        guard path.lowercased().hasSuffix(".srt") || path.lowercased().hasSuffix(".vtt") else {
            throw OptionError("'\(path)' is no name for captions (expected FILE.srt or FILE.vtt)")
        }
    }

    /// Checks everything that can be checked before the video is made.
    /// - Parameter outputs: the paths of the run's other outputs.
    package init(
        _ path: String, _ captions: NoteCaptions, of deck: Deck, outputs: [String]
    ) throws(MediaError) {
        output = try SideOutput(
            path, name: "captions", overwrites: deck.composition.output.overwrites, inputs: deck.composition.files,
            outputs: outputs)
        text = path.lowercased().hasSuffix(".vtt") ? captions.vtt : captions.srt
    }

    /// The file for captions of the language `tag` beside the one at `path`: `lines.de.vtt` beside `lines.vtt`.
    package static func path(_ path: String, tag: String) -> String { path.dropLast(4) + "." + tag + path.suffix(4) }

    package func write() throws(MediaError) { try output.write(Array(text.utf8)) }
}
