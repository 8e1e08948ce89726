import ArgumentParser
import FlipMedia
import FlipRender

/// Says what the program sees in files.
struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: "Say what the program sees in files.")

    @Argument(help: ArgumentHelp("Files to look at.", valueName: "file"))
    var files: [String]
    @Flag(help: "As JSON: an array, one entry a file.")
    var json = false
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @Flag(help: "Show what the decoders say.")
    var verbose = false

    func run() throws {
        MediaLog.isVerbose = verbose
        try limits.apply()
        let stillDuration = InputSettings().stillDuration.seconds(at: Rational(25))
        let infos = try files.map { file in
            let spec = try ClipSpec(parsing: file)
            return try MediaProbe.probe(path: spec.path).using(spec.part, stillDuration: stillDuration)
        }
        if json { return try JSONOutput.print(infos) }
        for info in infos { print(ProbeCommand.text(info)) }
    }

    private static func text(_ info: MediaInfo) -> String {
        var lines = ["\(info.path): \(info.format), \(info.byteCount) bytes"]
        if let video = info.video {
            let shape =
                video.displayWidth == video.width && video.displayHeight == video.height
                ? "\(video.width)x\(video.height)"
                : "\(video.width)x\(video.height) shown as \(video.displayWidth)x\(video.displayHeight)"
            lines.append(
                "  \(video.isStill ? "still" : "video") \(video.streamIndex): \(video.codec), \(shape), \(video.pixelFormat), "
                    + "\(video.isVariableFrameRate ? "variable, about " : "")\(video.frameRate) fps, "
                    + "\(video.frameCount) frames, \(video.duration.doubleValue) s from \(video.start.doubleValue) s"
                    + (video.isInterlaced ? ", interlaced" : "")
                    + (video.trimText.isEmpty ? "" : ", used\(video.trimText)"))
        }
        if let audio = info.audio {
            lines.append("  audio \(audio.streamIndex): \(audio.codec), \(audio.sampleRate) Hz, \(audio.layout)")
        }
        lines += info.chapters.map { "  chapter \($0.start.decimalText) s to \($0.end.decimalText) s: \($0.title)" }
        return (lines + info.ignoredStreams.map { "  left out: stream \($0)" }).joined(separator: "\n")
    }
}
