import ArgumentParser
import FlipGeometry
import FlipMedia
import FlipRender
import Foundation

/// The options of the output.
struct OutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Frame size; by default the first clip's.", valueName: "WxH"))
    var size: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frame rate (25, 30000/1001, 59.94); by default the first clip's.", valueName: "rate"))
    var fps: String?
    @Option(
        help: ArgumentHelp("What to do with clips of another shape: pad (default), crop or stretch.", valueName: "fit"),
        completion: .list(["pad", "crop", "stretch"]))
    var fit: String?
    @Option(help: ArgumentHelp("The color behind pages and around clips: a CSS name or #rrggbb.", valueName: "color"))
    var background: String?
    @Option(help: ArgumentHelp("Video encoder; by default the container's own.", valueName: "name"))
    var videoCodec: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Quality for encoders that have it (x264: 18).", valueName: "n"))
    var crf: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Video bit rate (5M, 800k).", valueName: "rate"))
    var bitrate: String?
    @Option(help: ArgumentHelp("Speed preset of the encoder (x264: medium).", valueName: "name"))
    var preset: String?
    @Option(help: ArgumentHelp("Pixel format, planar.", valueName: "name"))
    var pixFmt: String?
    @Option(
        help: ArgumentHelp(
            "Further encoder options, key=value:key=value; the rest of the list after x265-params= belongs to that option.",
            valueName: "list"))
    var videoOptions: String?
    @Option(help: ArgumentHelp("Audio encoder.", valueName: "name"))
    var audioCodec: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Audio bit rate (192k).", valueName: "rate"))
    var audioBitrate: String?
    @Flag(help: "Write no audio.")
    var noAudio = false
    @Flag(help: "Start a chapter with each clip, named by its title or file name.")
    var chapters = false
    @Option(
        help: ArgumentHelp("The curve of audio crossfades: equal-power (default), linear or none.", valueName: "curve"),
        completion: .list(["equal-power", "linear", "none"]))
    var audioCurve: String?
    @Option(
        name: [.customShort("f"), .long],
        help: ArgumentHelp("Container; by default that of the output's name.", valueName: "muxer"))
    var format: String?
    @Option(
        help: ArgumentHelp(
            "Encode everything (full, default), or copy packets away from the joins where possible (auto), or fail where it isn't (smart).",
            valueName: "full|auto|smart"), completion: .list(["full", "auto", "smart"]))
    var render: String?
    @Option(
        help: ArgumentHelp(
            "Encode in parallel segments: off, auto (default: for long outputs with 8 threads or more), or segments of a length (10, 250f).",
            valueName: "off|auto|length"), completion: .list(["off", "auto"]))
    var segments: String?
    @Option(
        help: ArgumentHelp(
            "Write a held picture as frames of one length (cfr, default), or as one long frame (vfr).",
            valueName: "cfr|vfr"), completion: .list(["cfr", "vfr"]))
    var holds: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Threads to use; by default one per processor.", valueName: "n"))
    var threads: String?
    @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace an existing output.")
    var overwrite = false

    /// The settings for an output at `path`: the options that were given, over the settings of `base`.
    func settings(path: String, over base: OutputSettings? = nil) throws(OptionError) -> OutputSettings {
        var settings = base ?? OutputSettings(path: path)
        settings.path = path
        settings.format = format ?? settings.format
        settings.size = try size.map(OutputValue.size) ?? settings.size
        settings.frameRate = try fps.map(OutputValue.rate) ?? settings.frameRate
        if let fit { settings.fit = try OutputValue.word("fit", fit) }
        if let background { settings.background = try Color(parsing: background) }
        settings.videoCodec = videoCodec ?? settings.videoCodec
        if let crf { settings.crf = try OutputValue.number("crf", crf, in: 0...255) }
        if let bitrate { settings.videoBitrate = try OutputValue.bits("bitrate", bitrate) }
        settings.preset = preset ?? settings.preset
        settings.pixelFormat = try pixFmt.map(OutputValue.pixelFormat) ?? settings.pixelFormat
        if let videoOptions { settings.videoOptions = try OutputValue.options(videoOptions) }
        settings.audioCodec = audioCodec ?? settings.audioCodec
        if let audioBitrate { settings.audioBitrate = try OutputValue.bits("audio-bitrate", audioBitrate) }
        if noAudio { settings.hasAudio = false }
        if let render { settings.render = try OutputValue.word("render", render) }
        if let segments {
            settings.segments = try SegmentChoice(parsing: segments)
        } else if base == nil {
            settings.segments = .auto
        }
        if let holds { settings.holds = try OutputValue.word("holds", holds) }
        if chapters { settings.marksClips = true }
        if let audioCurve { settings.audioCurve = try OutputValue.word("audio-curve", audioCurve) }
        settings.threads = try threads.map(OutputValue.threads) ?? OutputValue.usualThreads
        settings.overwrites = overwrite
        return settings
    }
}
