import FlipBase
import FlipGeometry
import FlipMedia
import Foundation

/// Parsers for the values of output options as users type them. Each throws an error that says what was expected.
package enum OutputValue {
    /// The sides of a size that a user may ask for. A side of one pixel only follows from a clip that has one.
    private static let sides = 2...Limits.sides.upperBound
    /// The range of sizes, as help shows it.
    package static var sizes: String {
        "\(sides.lowerBound)x\(sides.lowerBound)...\(sides.upperBound)x\(sides.upperBound)"
    }

    /// The names of sizes of 16:9 that are in common use.
    private static let namedSizes = [
        "720p": (1280, 720), "1080p": (1920, 1080), "1440p": (2560, 1440), "2160p": (3840, 2160), "4k": (3840, 2160),
    ]

    /// Parses `1280x720`, `720p`, `1080p`, `1440p`, `2160p` or `4k`.
    package static func size(_ text: String) throws(OptionError) -> (width: Int, height: Int) {
        if let (width, height) = namedSizes[text.lowercased()] { return (width, height) }
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1], sides.contains(width),
            sides.contains(height)
        else {
            throw OptionError(
                "invalid size '\(text)' (expected WIDTHxHEIGHT, each \(sides), or 720p, 1080p, 1440p, 2160p or 4k)")
        }
        return (width, height)
    }

    package static func rate(_ text: String) throws(OptionError) -> Rational {
        guard let rate = Rational(parsing: text), rate >= Rational(1, 100), rate <= Rational(1000) else {
            throw OptionError("invalid fps '\(text)' (expected a rate such as 25, 30000/1001 or 59.94, 0.01...1000)")
        }
        return rate
    }

    package static func pixelFormat(_ text: String) throws(OptionError) -> PixelFormat {
        guard let format = PixelFormat(name: text), format.isPlanarNative else {
            throw OptionError(
                "unusable pix-fmt '\(text)' (expected a planar format such as yuv420p, yuv422p10le, gbrp or yuva444p10le)"
            )
        }
        return format
    }

    /// Parses encoder options, `key=value:key=value`. `\:` is a colon within a value. An entry without `=` continues
    /// the last option before it that holds a list, as in `x265-params=aq-mode=3:no-sao`.
    package static func options(_ text: String) throws(OptionError) -> [(key: String, value: String)] {
        var list: [(key: String, value: String)] = []
        for entry in entries(of: text) where !entry.isEmpty {
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2, !entry.hasPrefix("=") {
                list.append((parts[0], parts[1]))
            } else if !entry.contains("="), let index = list.lastIndex(where: { EncoderFiles.isList($0.key) }) {
                list[index].value += ":" + entry
            } else {
                throw OptionError("invalid video-options '\(entry)' (expected key=value:key=value)")
            }
        }
        return list
    }

    /// Encoder options as `options` parses them.
    static func text(of options: [(key: String, value: String)]) -> String {
        options.map { "\($0.key)=\($0.value.replacing(":", with: "\\:"))" }.joined(separator: ":")
    }

    /// The channel layouts that an output may be asked to have.
    package static let layouts = ["mono", "stereo", "5.1", "7.1"]

    package static func layout(_ text: String) throws(OptionError) -> String {
        try choice("audio-layout", text, of: layouts)
    }

    /// Parses a sample rate in Hz.
    package static func sampleRate(_ text: String) throws(OptionError) -> Int {
        guard let rate = Int(text), sampleRates.contains(rate) else {
            throw OptionError("invalid audio-rate '\(text)' (expected \(sampleRates), such as 48000)")
        }
        return rate
    }

    /// The sample rates that an output may be asked to have, in Hz.
    package static let sampleRates = 8000...192_000

    package static func preset(_ text: String) throws(OptionError) -> OutputPreset {
        guard let preset = OutputPreset.all.first(where: { $0.name == text }) else {
            throw OptionError("invalid preset-for '\(text)' (expected \(OutputPreset.names))")
        }
        return preset
    }

    /// The parts of `text` between unescaped colons.
    static func entries(of text: String) -> [String] {
        var entries = [""]
        var isEscaped = false
        for character in text {
            if isEscaped, character != ":" { entries[entries.count - 1].append("\\") }
            if character == ":", !isEscaped {
                entries.append("")
            } else if character != "\\" || isEscaped {
                entries[entries.count - 1].append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        if isEscaped { entries[entries.count - 1].append("\\") }
        return entries
    }

    /// The default number of threads: one per active processor, as far as `Limits.threads` allows.
    package static var defaultThreads: Int {
        min(ProcessInfo.processInfo.activeProcessorCount, Limits.threads.upperBound)
    }

    package static func threads(_ text: String) throws(OptionError) -> Int {
        guard let count = Int(text), Limits.threads.contains(count) else {
            throw OptionError("invalid threads '\(text)' (expected \(Limits.threads))")
        }
        return count
    }

    package static func number(_ name: String, _ text: String, in range: ClosedRange<Double>) throws(OptionError)
        -> Double
    {
        guard let value = Double(text), range.contains(value) else {
            throw OptionError("invalid \(name) '\(text)' (expected \(range.lowerBound)...\(range.upperBound))")
        }
        return value
    }

    /// The loudnesses, in LUFS, to which audio can be brought.
    package static let loudnesses = -70.0 ... -5

    /// Parses a loudness in LUFS, with or without the unit.
    package static func loudness(_ text: String, of name: String = "loudness") throws(OptionError) -> Double {
        let number = text.hasSuffix("LUFS") ? String(text.dropLast(4)) : text
        guard let value = Double(number), loudnesses.contains(value) else {
            throw OptionError("invalid \(name) '\(text)' (expected LUFS, -70...-5, such as -16)")
        }
        return value
    }

    /// Whether frames that are flagged as interlaced are deinterlaced.
    package static func deinterlaces(_ text: String) throws(OptionError) -> Bool {
        try choice("deinterlace", text, of: ["auto", "off"]) == "auto"
    }

    /// Parses a bit rate in bits per second, with an optional suffix k or M.
    package static func bits(_ name: String, _ text: String) throws(OptionError) -> Int {
        guard let rate = amount(text, ["k": 1e3, "M": 1e6]), (1000...2e9).contains(rate) else {
            throw OptionError("invalid \(name) '\(text)' (expected a bit rate such as 192k or 5M, 1k...2000M)")
        }
        return Int(rate)
    }

    /// Parses a number of bytes, with an optional suffix k, M or G for its powers of 1000, as file sizes are advertised.
    package static func bytes(_ name: String, _ text: String) throws(OptionError) -> Int {
        let number = text.hasSuffix("B") ? text.dropLast() : text[...]
        guard let size = amount(number, ["k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9]), (1e4...1e13).contains(size) else {
            throw OptionError("invalid \(name) '\(text)' (expected bytes such as 10M, 800k or 1.5G; at least 10k)")
        }
        return Int(size)
    }

    /// The number in `text`, times that of the unit behind it; nil if there is no number, or another unit.
    package static func amount(_ text: some StringProtocol, _ units: [Character: Double]) -> Double? {
        let scale = text.last.flatMap { units[$0] }
        return Double(String(scale == nil ? text[...] : text.dropLast())).map { $0 * (scale ?? 1) }
    }

    /// A bit rate as `bits` parses it.
    static func text(ofBits rate: Int) -> String { rate % 1000 == 0 ? "\(rate / 1000)k" : String(rate) }

    /// Parses a choice of tracks: `all`, or numbers from 1 such as `2,1`.
    /// - Parameter allowsNone: whether `none` is a choice, too.
    package static func tracks(
        _ name: String, _ text: String, allowsNone: Bool = false
    ) throws(OptionError) -> TrackChoice {
        if text == "all" { return .all }
        if text == "none", allowsNone { return .none }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.allSatisfy({ (1...999).contains($0) }), Set(numbers).count == numbers.count else {
            let words = allowsNone ? "all, none" : "all"
            throw OptionError("invalid \(name) '\(text)' (expected \(words), or numbers in 1...999 such as 2,1)")
        }
        return .numbers(numbers)
    }

    /// Parses a tag, `key=value`; an empty value removes it.
    package static func tag(_ text: String) throws(OptionError) -> (key: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let key = parts.first, !key.isEmpty,
            key.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_-. ".contains($0)) }),
            parts[1].utf8.count <= 1 << 14, !parts[1].contains("\0")
        else { throw OptionError("invalid metadata '\(text)' (expected key=value, such as title=Holidays)") }
        guard key.lowercased() == "creation_time", !parts[1].isEmpty else { return (key.lowercased(), parts[1]) }
        guard let date = RecordingDate(parts[1]) else {
            throw OptionError("invalid creation_time '\(parts[1])' (expected a date such as 2026-05-17T14:30:00Z)")
        }
        return (key.lowercased(), date.text)
    }

    /// Parses a value that is one of `words`.
    package static func choice(_ name: String, _ text: String, of words: [String]) throws(OptionError) -> String {
        guard words.contains(text) else {
            throw OptionError("invalid \(name) '\(text)' (expected \(words.joined(separator: "|")))")
        }
        return text
    }

    /// Parses a value that is the word for one of the cases of a type.
    package static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ text: String
    ) throws(OptionError) -> Word {
        let words = Word.allCases.map(\.rawValue)
        return Word(rawValue: try choice(name, text, of: words))!
    }
}
