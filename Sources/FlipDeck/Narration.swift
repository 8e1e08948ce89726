import FlipMedia
import FlipRender
import Foundation

/// What is spoken: a file for each slide, or one for all of them.
enum Narration {
    /// A file, and the part of it that is heard.
    struct Voice {
        var path: String
        var part: ClipPart
        /// Seconds.
        var length: Rational
    }

    case none
    /// By slide, counted from 0.
    case slides([Int: Voice])
    case whole(Voice)

    private static let endings: Set<String> = [
        "wav", "m4a", "mp3", "flac", "ogg", "oga", "opus", "aac", "mka", "mp4", "aif", "aiff", "webm",
    ]

    /// - Parameters:
    ///   - path: a folder with `01.wav`, `02.m4a` and so on, named by the slides' numbers; or one file.
    ///   - count: slides of the deck.
    init(_ path: String?, slides count: Int, trimsSilence: Bool) throws(MediaError) {
        guard let path else {
            self = .none
            return
        }
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw MediaError(.missingInput, "cannot read the narration '\(path)': no such file or directory")
        }
        guard isDirectory.boolValue else {
            self = .whole(try Self.voice(path, trimsSilence: trimsSilence))
            return
        }
        var voices: [Int: Voice] = [:]
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
        for name in names where !name.hasPrefix(".") {
            let url = URL(fileURLWithPath: name)
            guard Self.endings.contains(url.pathExtension.lowercased()) else { continue }
            let file = "\(path)/\(name)"
            // "07", "slide-07", "7 Results": the first number.
            let digits = url.deletingPathExtension().lastPathComponent.drop { !("0"..."9").contains($0) }
                .prefix { ("0"..."9").contains($0) }
            guard let number = Int(digits) else {
                throw MediaError(.badInput, "'\(file)' is named by no slide's number (expected 01.wav, 02.wav ...)")
            }
            guard (1...count).contains(number) else {
                throw MediaError(.badInput, "'\(file)' is for slide \(number), and the deck has \(count)")
            }
            if let other = voices[number - 1] {
                throw MediaError(.badInput, "'\(file)' and '\(other.path)' are both for slide \(number)")
            }
            voices[number - 1] = try Self.voice(file, trimsSilence: trimsSilence)
        }
        guard !voices.isEmpty else {
            throw MediaError(.badInput, "the folder '\(path)' has no narration (expected 01.wav, 02.m4a ...)")
        }
        self = .slides(voices)
    }

    private static func voice(_ path: String, trimsSilence: Bool) throws(MediaError) -> Voice {
        let info = try MediaProbe.probe(path: path)
        guard let length = try MediaProbe.audioDuration(of: info), length > .zero else {
            throw MediaError(.badInput, "'\(path)' has no audio")
        }
        guard trimsSilence else { return Voice(path: path, part: .all, length: length) }
        guard let span = try SilenceScan.loudSpan(of: info, duration: length) else {
            throw MediaError(.badInput, "'\(path)' is silent throughout (leave out --trim-silence to use it)")
        }
        return Voice(path: path, part: ClipPart(start: span.start, end: span.end), length: span.duration)
    }
}
