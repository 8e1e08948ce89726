import FlipBase
import FlipClip
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
        /// The length of that part, in seconds.
        var length: Rational
        /// The file that a document stores; nil for a file of the user's.
        var stored: StoredMedia?
        /// How long the slide stays at least, in seconds.
        var least = Rational.zero
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

    private static let endings: Set<String> = [
        "wav", "m4a", "mp3", "flac", "ogg", "oga", "opus", "aac", "mka", "mp4", "aif", "aiff", "webm",
    ]

    /// - Parameter path: a folder with `01.wav`, `02.m4a` and so on, named by the slides' numbers; or one file.
    init(_ path: String?, _ numbers: SlideNumbers, trimsSilence: Bool) throws(MediaError) {
        guard let path else { return }
        try Confinement.check(path)
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw MediaError(.missingInput, "cannot read the narration '\(path)': no such file or directory")
        }
        guard isDirectory.boolValue else {
            voices = .whole(try Self.voice(path, trimsSilence: trimsSilence))
            return
        }
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
            .filter { !$0.hasPrefix(".") }.sorted()
        let names = all.filter { Self.endings.contains(URL(fileURLWithPath: $0).pathExtension.lowercased()) }
        if names.count < all.count {
            let others = all.filter { !names.contains($0) }
            let words = others.prefix(10).map { "'\($0)'" } + (others.count > 10 ? ["\(others.count - 10) more"] : [])
            warnings.append("\(path): left out \(words.joined(separator: ", ")), which are not audio files")
        }
        var files: [Int: String] = [:]
        var voices: [Int: Voice] = [:]
        for name in names {
            let file = "\(path)/\(name)"
            let number = try Self.number(file, name, numbers)
            if let other = files.updateValue(file, forKey: number) {
                throw MediaError(.badInput, "'\(file)' and '\(other)' are both for slide \(number)")
            }
            guard let index = numbers.indices[number] else {
                warnings.append("'\(file)' is for slide \(number), which is hidden, so it is not heard")
                continue
            }
            voices[index] = try Self.voice(file, trimsSilence: trimsSilence)
            self.files[index] = file
        }
        guard !files.isEmpty else {
            throw MediaError(.badInput, "the folder '\(path)' has no narration (expected 01.wav, 02.m4a ...)")
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
        var all = speech.spoken.mapValues(\.voice)
        if case .slides(let recorded) = voices { all.merge(recorded) { $1 } }
        voices = .slides(all)
        warnings += speech.warnings
    }

    /// The number of the slide that the file is for, which is the first number in `name`: 7 in "07", "slide-07" and "7
    /// Results".
    private static func number(_ file: String, _ name: String, _ numbers: SlideNumbers) throws(MediaError) -> Int {
        let digits = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
            .drop { !("0"..."9").contains($0) }.prefix { ("0"..."9").contains($0) }
        guard let number = Int(digits) else {
            throw MediaError(.badInput, "'\(file)' has no slide number in its name (expected 01.wav, 02.wav ...)")
        }
        guard (1...numbers.count).contains(number) else {
            throw MediaError(.badInput, "'\(file)' is for slide \(number), and the deck has \(numbers.count)")
        }
        return number
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
