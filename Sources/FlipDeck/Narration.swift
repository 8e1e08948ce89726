import FlipBase
import FlipFiles
import FlipMedia
import FlipRender
import Foundation

/// The narration: an audio file for each slide, or one for the whole deck.
struct Narration {
    /// An audio file and the part of it that is heard.
    struct Voice {
        var path: String
        var part: ClipPart
        /// The length of what is heard, in seconds.
        var length: Rational
        /// The file that a document stores; nil for a file of the user's.
        var stored: StoredMedia?
        /// Further files that are heard so many seconds after the beginning of the first.
        var further: [(path: String, part: ClipPart, start: Rational)] = []
        /// How long the slide stays at least, in seconds.
        var least = Rational.zero
        /// Which of the slides that share the voice this is, from 0, and their number. It starts with the first of them, and
        /// `length` is the share of each.
        var step = (index: 0, count: 1)
    }

    enum Voices {
        case none
        /// A voice for each narrated slide, by the slide's index among those shown.
        case slides([Int: Voice])
        case whole(Voice)
    }

    var voices = Voices.none
    /// The user's files for single slides, by the slides' indices among those shown.
    private(set) var files: [Int: String] = [:]
    private(set) var warnings: [String] = []

    /// The endings of audio files' names.
    static let endings: Set<String> = [
        "wav", "m4a", "mp3", "flac", "ogg", "oga", "opus", "aac", "mka", "mp4", "aif", "aiff", "webm",
    ]

    /// - Parameters:
    ///   - path: a folder with `01.wav`, `02.m4a` and so on, named by the slides' numbers; or one file.
    ///   - root: the path of a folder that no link in that folder leads out of; nil for no restriction.
    init(_ path: String?, _ numbers: SlideNumbers, trimsSilence: Bool, root: String?) throws(MediaError) {
        guard let path else { return }
        try Confinement.check(path)
        guard let isFolder = Files.isFolder(path) else {
            throw MediaError(.missingInput, "cannot read the narration '\(path)': no such file or directory")
        }
        guard isFolder else {
            voices = .whole(try Self.voice(path, trimsSilence: trimsSilence))
            return
        }
        let found = try SlideFiles(in: path, Self.endings, numbers, root: root)
        guard !found.paths.isEmpty else {
            throw MediaError(.badInput, "the folder '\(path)' has no narration (expected 01.wav, 02.m4a ...)")
        }
        if let warning = found.warning(in: path, kind: "audio files") { warnings.append(warning) }
        try add(found, numbers, trimsSilence: trimsSilence)
    }

    /// Takes the files that `found` has for slides that are shown.
    mutating func add(_ found: SlideFiles, _ numbers: SlideNumbers, trimsSilence: Bool) throws(MediaError) {
        var voices: [Int: Voice] = [:]
        for (number, file) in found.paths.sorted(by: { $0.key < $1.key }) {
            guard let index = numbers.indices[number] else {
                warnings.append("'\(file)' is for slide \(number), which is hidden, so it is not heard")
                continue
            }
            voices[index] = try Self.voice(file, trimsSilence: trimsSilence)
            files[index] = file
        }
        self.voices = .slides(voices)
    }

    /// Adds files for single slides, which take the place of those that are there already.
    /// - Parameter paths: the path for each slide that is shown; nil for none.
    /// - Throws: also if one narration covers all slides.
    mutating func add(_ paths: [String?], trimsSilence: Bool) throws(MediaError) {
        var all: [Int: Voice] = [:]
        switch voices {
        case .none: break
        case .slides(let voices): all = voices
        case .whole(let voice):
            guard let path = paths.compactMap(\.self).first else { return }
            throw MediaError(
                .usage,
                "'\(voice.path)' is one narration for all slides and leaves no room for '\(path)' (give a folder)")
        }
        for (index, path) in paths.enumerated() {
            guard let path else { continue }
            all[index] = try Self.voice(path, trimsSilence: trimsSilence)
            files[index] = path
        }
        if !all.isEmpty { voices = .slides(all) }
    }

    /// Adds the speech of slides that have no recording.
    mutating func add(_ speech: Speech) {
        var all: [Int: Voice] = [:]
        for (first, spoken) in speech.spoken {
            for step in 0..<spoken.steps {
                var voice = spoken.voice
                voice.length = voice.length / Rational(spoken.steps)
                voice.step = (step, spoken.steps)
                all[first + step] = voice
            }
        }
        if case .slides(let recorded) = voices { all.merge(recorded) { $1 } }
        voices = .slides(all)
        warnings += speech.warnings
    }

    /// The recorded narration that a document stores, in seconds `span` of it.
    static func voice(
        _ stored: StoredMedia, _ span: TimeSpan, least: Rational, trimsSilence: Bool
    ) throws(MediaError) -> Voice {
        var heard = span
        if trimsSilence {
            guard let audible = try stored.info.audibleSpan(duration: span.end) else {
                throw MediaError(
                    .badInput, "the narration \(stored.name) is silent throughout (leave out --trim-silence to use it)")
            }
            let start = max(audible.start, span.start)
            heard = TimeSpan(start: start, duration: max(audible.end - start, Rational(1, 100)))
        }
        return Voice(
            path: stored.info.path, part: ClipPart(start: heard.start, end: heard.end), length: heard.duration,
            stored: stored, least: least)
    }

    private static func voice(_ path: String, trimsSilence: Bool) throws(MediaError) -> Voice {
        guard let (info, length) = try MediaProbe.probeAudio(path: path), length > .zero else {
            throw MediaError(.badInput, "'\(path)' has no audio")
        }
        guard trimsSilence else { return Voice(path: path, part: .all, length: length) }
        guard let span = try info.audibleSpan(duration: length) else {
            throw MediaError(.badInput, "'\(path)' is silent throughout (leave out --trim-silence to use it)")
        }
        return Voice(path: path, part: ClipPart(start: span.start, end: span.end), length: span.duration)
    }
}
