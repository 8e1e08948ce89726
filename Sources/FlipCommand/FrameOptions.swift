import ArgumentParser
import FlipBase
import FlipFiles
import FlipGeometry
import FlipMedia
import FlipRender
import Foundation

/// The size, rate and background of frames, whatever becomes of them.
struct ShapeOptions: ParsableArguments {
    @Option(
        help: .detail(
            "The input whose size, rate, color and codec the output has.", values: "longest|first|NUMBER|FILE",
            default: "longest, the one that is shown for the longest time", "input"), completion: .file())
    var like: String?
    @Option(
        help: .option(
            "Frame size, or 720p, 1080p, 1440p or 4k.", values: "\(OutputValue.sizes)", default: "as --like", "WxH"),
        completion: .sizes)
    var size: String?
    @Option(
        parsing: .unconditional,
        help: .option("Frame rate.", values: "25, 30000/1001, 59.94 ...", default: "as --like", "rate"),
        completion: .rates)
    var fps: String?
    @Option(
        help: .detail(
            "How clips of another shape fill the frame.", values: "pad|crop|stretch|blur", default: "pad", "fit"),
        completion: .words("pad|crop|stretch|blur"))
    var fit: String?
    @Option(
        help: .detail(
            "The color behind pages and around clips.", values: "a CSS name or #rrggbb[aa]",
            default: "black, or transparent if the output stores transparency", "color"), completion: .colors)
    var background: String?

    /// Sets what was given.
    func apply(to settings: inout OutputSettings) throws(OptionError) {
        try settings.set(given)
    }
}

/// The options of the frames of an output, which pictures and videos have in common.
struct FrameOptions: ParsableArguments {
    @OptionGroup var shape: ShapeOptions
    @Option(help: .option("Video encoder.", default: "the container's", "name"), completion: .videoEncoders)
    var videoCodec: String?
    @Option(
        parsing: .unconditional,
        help: .option("Quality; lower is better.", values: "0...255", default: "18 for libx264", "n"))
    var crf: String?
    @Option(
        parsing: .unconditional,
        help: .detail("Video bit rate; without it, the quality decides.", values: "5M, 800k ...", "rate"))
    var bitrate: String?
    @Option(
        help: .detail("Speed preset of the encoder.", default: "the encoder's, medium for libx264", "name"),
        completion: .presets)
    var preset: String?
    @Option(
        help: .detail(
            "Pixel format, planar.", values: "yuv420p, yuv422p10le, gbrp ...", default: "by clips and encoder", "name"),
        completion: .pixelFormats)
    var pixFmt: String?
    @Option(
        help: .detail(
            "Further encoder options; the rest of the list after x265-params= belongs to that option.",
            values: "key=value:key=value", "list"))
    var videoOptions: String?
    @Option(
        name: [.customShort("f"), .long],
        help: .detail("Container; needed for an output without a file name.", default: "by the output's name", "muxer"),
        completion: .formats)
    var format: String?
    @Option(
        parsing: .unconditional,
        help: .detail("Threads to use.", values: "\(Limits.threads)", default: "one per processor", "n"))
    var threads: String?
    @Flag(name: .customLong("two-pass"), help: .private)
    var twoPass = false
    @Option(name: .customLong("pass"), parsing: .unconditional, help: .private)
    var pass: String?
    @OptionGroup var overwriting: OverwriteOptions

    /// The settings for an output at `path`: the options that were given, over the settings of `base`.
    func settings(path: String, over base: OutputSettings? = nil) throws(OptionError) -> OutputSettings {
        if twoPass || pass != nil {
            throw OptionError("\(twoPass ? "--two-pass" : "--pass"): \(EncoderFiles.passHint)")
        }
        var settings = base ?? OutputSettings(path: path)
        settings.path = path
        try shape.apply(to: &settings)
        // A quality takes the place of a project's bit rate, and the other way round.
        if crf != nil || bitrate != nil { (settings.crf, settings.videoBitrate) = (nil, nil) }
        try settings.set(given)
        // No option may name a file where files are confined to a folder.
        if Confinement.isAgents, let name = EncoderFiles.firstOption(in: settings.videoOptions) {
            throw OptionError(EncoderFiles.refusal(of: name))
        }
        settings.threads = try threads.map(OutputValue.threads) ?? OutputValue.defaultThreads
        settings.overwrites = try overwriting.overwrites
        return settings
    }
}

/// What becomes of an existing output.
struct OverwriteOptions: ParsableArguments {
    @Flag(name: [.customShort("y"), .long], help: .option("Replace an existing output."))
    var overwrite = false
    @Flag(name: [.customShort("n"), .long], help: .detail("Fail if the output exists, which is the default."))
    var noOverwrite = false

    /// Whether existing outputs are replaced.
    var overwrites: Bool {
        get throws(OptionError) {
            if overwrite, noOverwrite {
                throw OptionError("--overwrite (-y) and --no-overwrite (-n) exclude each other (give one of them)")
            }
            return overwrite
        }
    }
}
