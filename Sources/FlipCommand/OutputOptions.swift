import ArgumentParser
import FlipMedia
import FlipGeometry
import FlipRender
import Foundation

/// The options of a video.
struct OutputOptions: ParsableArguments {
    @OptionGroup var frames: FrameOptions
    @Option(
        help: .option("Settings for \(OutputPreset.list).", "purpose"), completion: .words(OutputPreset.names))
    var presetFor: String?
    @Option(
        parsing: .unconditional,
        help: .detail(
            "The size of the file, which it comes within 2 % of and never exceeds; for libx264 and libx265.",
            values: "10M, 800k ...", "bytes"))
    var targetSize: String?
    @Option(help: .detail("Audio encoder.", default: "the container's", "name"), completion: .audioEncoders)
    var audioCodec: String?
    @Option(
        parsing: .unconditional,
        help: .detail(
            "Audio bit rate of a lossy encoder.", values: "192k, 1M ...", default: "192k", "rate"))
    var audioBitrate: String?
    @Option(
        parsing: .unconditional,
        help: .detail(
            "Audio samples per second.", values: "\(OutputValue.sampleRates)", default: "the highest of the clips",
            "n"))
    var audioRate: String?
    @Option(
        help: .detail(
            "Audio channels.", values: OutputValue.layouts.joined(separator: "|"), default: "the first clip's",
            "layout"), completion: .list(OutputValue.layouts))
    var audioLayout: String?
    @Flag(help: .detail("Write no audio."))
    var noAudio = false
    @Flag(help: .detail("Start a chapter with each clip, named by its title or file name."))
    var chapters = false
    @Option(
        help: .detail(
            "A subtitle track for the whole output, from a file with SRT, WebVTT or ASS. Give it again for more.",
            "file"),
        completion: .file(extensions: ["srt", "vtt", "ass"]))
    var captions: [String] = []
    @Option(
        help: .detail(
            "Draw captions into the picture: those of --captions and #captions=, else the first subtitle track.",
            values: "outline, box, or styles of ASS such as FontSize=28,Bold=1", "style"),
        completion: .words("outline|box"))
    var burnCaptions: String?
    @OptionGroup var overlays: OverlayOptions
    @Option(
        help: .detail(
            "The language of the audio and subtitle tracks that name none.", values: "de, deu, pt-BR ...", "code"))
    var language: String?
    @Option(
        help: .detail(
            "Set a tag of the output, or remove one with an empty value. Give it again for more.", "key=value"))
    var metadata: [String] = []
    @Option(
        help: .detail(
            "The timecode of the output's first frame, HH:MM:SS:FF, or HH:MM:SS;FF if it drops frames.",
            default: "the first clip's", "time"))
    var timecode: String?
    @Option(
        help: .detail(
            "Let stills without #zoom= move: slowly in or out, as each picture's name decides.",
            values: "none|kenburns",
            default: "none", "motion"), completion: .words("none|kenburns"))
    var stillMotion: String?
    @Option(
        parsing: .unconditional,
        help: .detail("Fade in at the beginning, picture and sound.", values: "1.5, 500ms or 30f", "time"))
    var fadeIn: String?
    @Option(
        parsing: .unconditional,
        help: .detail("Fade out at the end, picture and sound.", values: "1.5, 500ms or 30f", "time"))
    var fadeOut: String?
    @Option(
        help: .detail("The color of these fades.", values: "a CSS color name or #rrggbb", default: "black", "color"),
        completion: .values(of: .through))
    var fadeColor: String?
    @Option(
        help: .detail(
            "The curve of audio crossfades.", values: "equal-power|linear|none", default: "equal-power", "curve"),
        completion: .words("equal-power|linear|none"))
    var audioCurve: String?
    @Option(
        help: .option(
            "Copy packets outside transitions; smart insists on it.",
            values: "full|auto|smart", default: "full", "mode"), completion: .words("full|auto|smart"))
    var render: String?
    @Option(
        parsing: .unconditional,
        help: .detail(
            "Bring the audio to this integrated loudness in LUFS (EBU R 128), with a true peak of at most -1 dBTP.",
            values: "-70...-5, such as -14, -16 or -23", default: "as it is", "LUFS"))
    var loudness: String?
    @Option(
        parsing: .unconditional,
        help: .detail(
            "Bring the audio of each clip, and each narration, to this loudness in LUFS before it is mixed.",
            values: "-70...-5", default: "as it is", "LUFS"))
    var clipLoudness: String?
    @Option(
        help: .detail(
            "Copied audio: move a clip's to the nearest packet, by up to half a packet, or encode what lies elsewhere.",
            values: "near|exact", default: "near", "mode"), completion: .words("near|exact"))
    var audioCopy: String?
    @Option(
        help: .detail(
            "Encode in parallel segments, such as 10 (seconds) or 250f (frames) long; auto does so for long outputs with 8 threads or more.",
            values: "off|auto|LENGTH", default: "auto", "length"), completion: .words("off|auto"))
    var segments: String?
    @Option(
        help: .detail(
            "Write a held picture as frames of one length, or as one long frame.", values: "cfr|vfr", default: "cfr",
            "mode"), completion: .words("cfr|vfr"))
    var heldFrames: String?

    /// The settings for an output at `path`: the options that were given, over the settings of `base`.
    func settings(path: String, over base: OutputSettings? = nil) throws(OptionError) -> OutputSettings {
        var settings = try frames.settings(path: path, over: base)
        if base == nil { settings.segments = .auto }
        try settings.set(given)
        if noAudio { settings.hasAudio = false }
        if chapters { settings.marksClips = true }
        try overlays.apply(to: &settings)
        for text in metadata { settings.metadata.append(try OutputValue.tag(text)) }
        if !captions.isEmpty { settings.captions = captions }
        return settings
    }
}
