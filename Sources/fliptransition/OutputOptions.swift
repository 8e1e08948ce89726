import ArgumentParser
import FlipGeometry
import FlipMedia
import FlipRender
import Foundation

/// What the output is like.
struct OutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Frame size; the first clip's.", valueName: "WxH"))
    var size: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frame rate (25, 30000/1001, 59.94); the first clip's.", valueName: "rate"))
    var fps: String?
    @Option(help: ArgumentHelp("Clips of another shape: pad, crop or stretch.", valueName: "fit"))
    var fit = "pad"
    @Option(help: ArgumentHelp("Behind pages and around clips: a CSS name or #rrggbb.", valueName: "color"))
    var background = "black"
    @Option(help: ArgumentHelp("Encoder; the container's usual one.", valueName: "name"))
    var videoCodec: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Quality for encoders that have it (x264: 18).", valueName: "n"))
    var crf: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Video bits a second (5M, 800k).", valueName: "rate"))
    var bitrate: String?
    @Option(help: ArgumentHelp("Speed preset of the encoder (x264: medium).", valueName: "name"))
    var preset: String?
    @Option(help: ArgumentHelp("Pixel format, planar.", valueName: "name"))
    var pixFmt: String?
    @Option(help: ArgumentHelp("Further encoder options, key=value:key=value.", valueName: "list"))
    var videoOptions: String?
    @Option(help: ArgumentHelp("Audio encoder.", valueName: "name"))
    var audioCodec: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Audio bits a second (192k).", valueName: "rate"))
    var audioBitrate: String?
    @Flag(help: "Write no audio.")
    var noAudio = false
    @Flag(help: "Begin a chapter with each clip, of its title or file name.")
    var chapters = false
    @Option(help: ArgumentHelp("How audio changes over: equal-power, linear or none.", valueName: "curve"))
    var audioCurve = AudioCurve.equalPower.rawValue
    @Option(help: ArgumentHelp("Container; by the output's name.", valueName: "muxer"))
    var format: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Threads to use; one a processor.", valueName: "n"))
    var threads: String?
    @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace an existing output.")
    var overwrite = false

    /// The settings for an output at `path`.
    func settings(path: String) throws(OptionError) -> OutputSettings {
        var settings = OutputSettings(path: path)
        settings.format = format
        settings.size = try size.map(OutputOptions.parseSize)
        settings.frameRate = try fps.map(OutputOptions.parseRate)
        settings.fit = try OutputOptions.word("fit", fit)
        settings.background = try Color(parsing: background)
        settings.videoCodec = videoCodec
        settings.crf = try crf.map { text throws(OptionError) in try OutputOptions.number("crf", text, in: 0...255) }
        settings.videoBitrate = try bitrate.map { text throws(OptionError) in try OutputOptions.bits("bitrate", text) }
        settings.preset = preset
        settings.pixelFormat = try pixFmt.map(OutputOptions.parsePixelFormat)
        settings.videoOptions = try OutputOptions.parseList(videoOptions)
        settings.audioCodec = audioCodec
        settings.audioBitrate = try audioBitrate.map { text throws(OptionError) in
            try OutputOptions.bits("audio-bitrate", text)
        }
        settings.hasAudio = !noAudio
        settings.marksClips = chapters
        settings.audioCurve = try OutputOptions.word("audio-curve", audioCurve)
        settings.threads = try OutputOptions.parseThreads(threads)
        settings.overwrites = overwrite
        return settings
    }

    private static func parseSize(_ text: String) throws(OptionError) -> (width: Int, height: Int) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1], (2...16384).contains(width),
            (2...16384).contains(height)
        else { throw OptionError("invalid size '\(text)' (expected WIDTHxHEIGHT, each 2...16384)") }
        return (width, height)
    }

    private static func parseRate(_ text: String) throws(OptionError) -> Rational {
        guard let rate = Rational(parsing: text), rate >= Rational(1, 100), rate <= Rational(1000) else {
            throw OptionError("invalid fps '\(text)' (expected a rate such as 25, 30000/1001 or 59.94, 0.01...1000)")
        }
        return rate
    }

    private static func parsePixelFormat(_ text: String) throws(OptionError) -> PixelFormat {
        guard let format = PixelFormat(name: text), format.isPlanarNative else {
            throw OptionError(
                "unusable pix-fmt '\(text)' (expected a planar format such as yuv420p, yuv422p10le, gbrp or yuva444p10le)"
            )
        }
        return format
    }

    private static func parseList(_ text: String?) throws(OptionError) -> [(key: String, value: String)] {
        var list: [(key: String, value: String)] = []
        for entry in (text ?? "").split(separator: ":") {
            let parts = entry.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else {
                throw OptionError("invalid video-options '\(entry)' (expected key=value:key=value)")
            }
            list.append((String(parts[0]), String(parts[1])))
        }
        return list
    }

    private static func parseThreads(_ text: String?) throws(OptionError) -> Int {
        guard let text else { return min(ProcessInfo.processInfo.activeProcessorCount, 256) }
        guard let count = Int(text), (1...256).contains(count) else {
            throw OptionError("invalid threads '\(text)' (expected 1...256)")
        }
        return count
    }

    private static func number(_ name: String, _ text: String, in range: ClosedRange<Double>) throws(OptionError)
        -> Double
    {
        guard let value = Double(text), range.contains(value) else {
            throw OptionError("invalid \(name) '\(text)' (expected \(range.lowerBound)...\(range.upperBound))")
        }
        return value
    }

    /// A bit rate with an optional k or M.
    private static func bits(_ name: String, _ text: String) throws(OptionError) -> Int {
        let scale: Double = text.hasSuffix("k") ? 1e3 : text.hasSuffix("M") ? 1e6 : 1
        guard let value = Double(scale == 1 ? text : String(text.dropLast())), (1000...2e9).contains(value * scale)
        else {
            throw OptionError("invalid \(name) '\(text)' (expected bits a second such as 192k or 5M, 1k...2000M)")
        }
        return Int(value * scale)
    }

    private static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ text: String
    ) throws(OptionError) -> Word {
        guard let word = Word(rawValue: text) else {
            throw OptionError(
                "invalid \(name) '\(text)' (expected \(Word.allCases.map(\.rawValue).joined(separator: "|")))")
        }
        return word
    }
}
