import FlipBase
import FlipFiles
import FlipMedia
import Foundation

/// How slides' notes are spoken.
package struct SpeechSpec: Sendable {
    package var command: SpeechCommand
    /// The folder in which speech is kept for further runs; nil for the one in the user's cache folder.
    package var cache: String?

    package init(command: SpeechCommand, cache: String?) { (self.command, self.cache) = (command, cache) }
}

/// The speech of a deck's slides, made by a program of the user's, or kept from an earlier run.
struct Speech {
    /// A slide to speak.
    struct Request: Sendable {
        /// The slide's index among those shown, how many slides from there on share the speech as steps of one slide, and
        /// the slide's number.
        var index: Int
        var steps = 1
        var number: Int
        var notes: String
        /// The language for programs that are told it, such as "de" or "pt-BR"; empty for others.
        var language = ""
        /// Which part of the slide's notes this is, from 0, and of how many.
        var part = (index: 0, count: 1)
    }

    /// A part of what is said on a slide.
    struct Piece: Sendable {
        /// When it begins, in seconds after the first.
        var start: Rational
        /// When somebody speaks in it; nil if it is empty.
        var rhythm: SpeechRhythm?
    }

    /// The speech of a slide.
    struct Spoken: Sendable {
        var voice: Narration.Voice
        /// The number of slides that share the speech.
        var steps = 1
        /// The parts of it, one of which begins with each step of a slide whose notes say so; else one.
        var pieces: [Piece]
    }

    /// The speech of each slide that has one, by the slide's index.
    private(set) var spoken: [Int: Spoken] = [:]
    private(set) var warnings: [String] = []

    /// Speaks `requests`, up to `workers` of them at a time.
    /// - Parameters:
    ///   - trimsSilence: whether silence before and after the speech is left out.
    ///   - cache: what the run keeps, if it bounds the folder of speech, too; nil if it keeps nothing else.
    /// - Throws: `missingCodec` if the program isn't installed. A program that fails only costs its slide its speech.
    init(
        _ requests: [Request], _ spec: SpeechSpec, workers: Int, trimsSilence: Bool, cache: WorkCache?
    ) throws(MediaError) {
        if requests.isEmpty { return }
        let maker = try SpeechMaker(spec, trimsSilence: trimsSilence)
        // Slides with the same notes have the same speech.
        let groups = Dictionary(grouping: requests, by: maker.key).sorted { $0.value[0].index < $1.value[0].index }
        let results = try Work.map(groups, workers: workers, name: "speech") { group throws(MediaError) in
            try maker.make(group.value[0], key: group.key)
        }
        if spec.cache == nil, cache == nil { SpeechMaker.trim() }
        var parts: [Int: [Int: Spoken]] = [:]
        var silent: Set<Int> = []
        for (group, result) in zip(groups, results) {
            switch result {
            case .success(let spoken):
                for request in group.value { parts[request.index, default: [:]][request.part.index] = spoken }
            case .failure(let failure):
                silent.formUnion(group.value.map(\.index))
                let numbers = Set(group.value.map(\.number)).sorted()
                warnings.append(
                    "\(SlideNumbers.words(numbers)) \(numbers.count == 1 ? "is" : "are") silent, because the notes couldn't be spoken: "
                        + "\(spec.command.name) \(failure.reason)")
            }
        }
        for request in requests where !silent.contains(request.index) {
            guard let own = parts[request.index] else { continue }
            spoken[request.index] = Spoken(own, count: request.part.count, steps: request.steps)
        }
    }
}

extension Speech.Spoken {
    /// What is said in parts, one after the other.
    /// - Parameters:
    ///   - parts: those that aren't empty, by their numbers; not empty.
    ///   - count: the number of all parts.
    fileprivate init?(_ parts: [Int: Speech.Spoken], count: Int, steps: Int) {
        guard let first = parts.min(by: { $0.key < $1.key }) else { return nil }
        self = first.value
        self.steps = steps
        var length = Rational.zero
        pieces = (0..<count).map { number in
            guard let part = parts[number] else { return Speech.Piece(start: length, rhythm: nil) }
            defer { length = length + part.voice.length }
            if number > first.key { voice.further.append((part.voice.path, part.voice.part, length)) }
            return Speech.Piece(start: length, rhythm: part.pieces.first?.rhythm)
        }
        voice.length = length
    }
}

/// Why a slide can't be spoken.
private struct SpeechFailure: Error {
    /// The end of a sentence that begins with the program's name.
    var reason: String
}

/// Makes speech, or finds it in the folder in which it is kept.
private struct SpeechMaker: Sendable {
    private let spec: SpeechSpec
    private let trimsSilence: Bool
    private let folder: String

    /// The longest time that the program may take for a slide, in seconds.
    private static let longest = 300

    init(_ spec: SpeechSpec, trimsSilence: Bool) throws(MediaError) {
        (self.spec, self.trimsSilence) = (spec, trimsSilence)
        guard let place = spec.cache ?? WorkCache.userFolder.map({ $0 + "/speech" }) else {
            throw MediaError(
                .usage, "there is no folder in which to keep the speech (set HOME, or give --speech-cache)")
        }
        if let cache = spec.cache { try Confinement.check(cache) }
        do {
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw MediaError(
                .cannotCreate, "cannot make the folder '\(place)' for speech (give another one with --speech-cache)")
        }
        // The program may not know what a relative path is relative to, or take it for an option.
        folder = Files.realPath(place) ?? place
        if spec.cache == nil { Confinement.allow(folder) }
    }

    /// Removes what wasn't used for longest, if there is much, from the program's own folder. No other run removes anything
    /// as long as this one lasts.
    static func trim() {
        guard let folder = WorkCache.userFolder,
            let cache = try? WorkCache(folder, limit: WorkCache.standardLimit)
        else { return }
        cache.trim([.speech])
        cache.hold()
    }

    /// The text as the program gets it: with an empty line between paragraphs, at which it makes a pause.
    private static func text(_ notes: String) -> String { notes.replacing("\n", with: "\n\n") + "\n" }

    /// The name under which the speech of a slide is kept: the hash of the command and the text, and of the slide's
    /// number and the language if the command uses them.
    func key(_ request: Speech.Request) -> String {
        let further =
            (spec.command.usesNumber ? ["\(request.number)"] : [])
            + (request.language.isEmpty ? [] : [request.language])
        return SHA256.hash((spec.command.words + further + [Self.text(request.notes)]).joined(separator: "\0").utf8)
    }

    func make(_ request: Speech.Request, key: String) throws(MediaError) -> Result<Speech.Spoken, SpeechFailure> {
        let path = folder + "/" + key + ".wav"
        // What is kept may have been damaged.
        if access(path, R_OK) == 0, case .success(let spoken) = read(path) {
            // Speech that is used stays.
            utimensat(AT_FDCWD, path, nil, 0)
            return .success(spoken)
        }
        // A short name, since programs such as espeak-ng cut off long paths.
        guard let place = TemporaryPlace(beside: folder + "/" + key.prefix(8), kind: .privateFolder) else {
            throw MediaError(.cannotCreate, "cannot write into '\(folder)' (give another one with --speech-cache)")
        }
        defer { place.remove() }
        let (input, output) = (place.path + "/notes.txt", place.path + "/speech.wav")
        let text = Array(Self.text(request.notes).utf8)
        let standardInput = try NamelessFile()
        try standardInput.append(text)
        lseek(standardInput.descriptor, 0, SEEK_SET)
        guard (try? Data(text).write(to: URL(fileURLWithPath: input))) != nil else {
            throw MediaError(.io, "cannot write into '\(folder)' (is the disk full?)")
        }
        let limits = HelperProgram.Limits(seconds: Self.longest, memory: nil)
        let words = spec.command.words(input: input, output: output, slide: request.number, language: request.language)
        if let reason = try HelperProgram.run(command: words, input: standardInput, limits: limits) {
            return .failure(SpeechFailure(reason: reason))
        }
        if case .failure(let failure) = read(output) { return .failure(failure) }
        guard rename(output, path) == 0 else {
            throw MediaError(.io, "cannot write '\(path)': \(MediaError.systemReason)")
        }
        return read(path)
    }

    /// The speech in the file at `path`, in which something has to be heard.
    private func read(_ path: String) -> Result<Speech.Spoken, SpeechFailure> {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return .failure(SpeechFailure(reason: "wrote no file in the place of {out}"))
        }
        guard status.st_size > 0 else { return .failure(SpeechFailure(reason: "wrote an empty file")) }
        do throws(MediaError) {
            guard let (info, length) = try MediaProbe.probeAudio(path: path), length > .zero else {
                return .failure(SpeechFailure(reason: "wrote a file without audio"))
            }
            let scan = try info.silenceScan(duration: length)
            guard let audible = scan.audible, let span = scan.span(within: length) else {
                return .failure(SpeechFailure(reason: "wrote nothing but silence"))
            }
            let start = trimsSilence ? span.start : .zero
            let part = trimsSilence ? ClipPart(start: span.start, end: span.end) : ClipPart.all
            let moved = { (span: TimeSpan) in TimeSpan(start: span.start - start, duration: span.duration) }
            return .success(
                Speech.Spoken(
                    voice: Narration.Voice(path: path, part: part, length: trimsSilence ? span.duration : length),
                    pieces: [
                        Speech.Piece(
                            start: .zero,
                            rhythm: SpeechRhythm(
                                audible: moved(audible),
                                pauses: scan.pauses(atLeast: SpeechRhythm.shortest).map(moved)))
                    ]))
        } catch {
            return .failure(SpeechFailure(reason: "wrote a file that can't be read as audio"))
        }
    }
}
