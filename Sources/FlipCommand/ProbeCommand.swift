import ArgumentParser
import FlipBase
import FlipMedia
import FlipRender

/// Reports what the program finds in files.
struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: "Show what the program sees in files.")

    @Argument(help: .option("Files to look at.", "file"), completion: .file())
    var files: [String]
    @Flag(help: .option("Print JSON: an array with an entry for each file, with an error if it can't be used."))
    var json = false
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup var messages: MessageOptions

    func run() throws {
        try messages.apply()
        try limits.apply()
        let stillDuration = InputSettings().stillDuration.seconds(at: Rational(25))
        let entries = files.map { Entry($0, stillDuration: stillDuration) }
        if json {
            try JSONOutput.print(entries.map(Headed.init))
        } else {
            for case .file(let info, let use) in entries { print(ProbeCommand.text(info, use)) }
        }
        let failures = entries.compactMap(\.failure)
        for failure in failures { Message.error(failure.message, code: failure.code) }
        if let first = failures.first { throw ExitCode(first.code) }
    }

    /// The result for one file.
    private enum Entry: Encodable {
        case file(MediaInfo, ClipUse?)
        case failure(path: String, code: Int32, message: String)

        init(_ file: String, stillDuration: Rational) {
            do {
                let spec = try ClipSpec(parsing: file)
                let info = try MediaProbe.probe(path: spec.path)
                let use = info.video == nil ? nil : try info.use(of: spec.part, stillDuration: stillDuration)
                self = .file(info, use)
            } catch {
                let (code, message) = Failure.describe(error)
                self = .failure(path: file, code: code, message: message)
            }
        }

        var failure: (code: Int32, message: String)? {
            if case .failure(_, let code, let message) = self { return (code, message) }
            return nil
        }

        private struct Failed: Encodable {
            struct Problem: Encodable {
                let kind: String
                let code: Int32
                let message: String
            }

            let path: String
            let error: Problem
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .file(let info, let use): try ProbeDocument(info, use).encode(to: encoder)
            case .failure(let path, let code, let message):
                let problem = Failed.Problem(kind: ErrorKind.name(of: code), code: code, message: message)
                try Failed(path: path, error: problem).encode(to: encoder)
            }
        }
    }

    private static func text(_ info: MediaInfo, _ use: ClipUse?) -> String {
        var lines = ["\(info.path): \(info.format), \(info.byteCount) bytes"]
        if let video = info.video {
            let part = use.map { InputClip(.file(info), $0).trimText } ?? ""
            let trim = part.isEmpty ? "" : ", used\(part)"
            let shape =
                video.displayWidth == video.width && video.displayHeight == video.height
                ? "\(video.width)x\(video.height)"
                : "\(video.width)x\(video.height) shown as \(video.displayWidth)x\(video.displayHeight)"
            lines.append(
                "  \(video.isStill ? "still" : "video") \(video.streamIndex): \(video.codec), \(shape), \(video.pixelFormat), "
                    + "\(video.isVariableFrameRate ? "variable, about " : "")\(video.frameRate) fps, "
                    + "\(video.frameCount) frames, \(video.duration.doubleValue) s from \(video.start.doubleValue) s"
                    + (video.isInterlaced ? ", interlaced" : "") + trim)
        }
        lines += info.audioTracks.map { audio in
            "  audio \(audio.streamIndex): \(audio.codec), \(audio.sampleRate) Hz, \(audio.layout)\(audio.tags.text)"
        }
        lines += info.subtitles.map { "  subtitles \($0.streamIndex): \($0.codec)\($0.tags.text)" }
        lines += info.chapters.map { "  chapter \($0.start.decimalText) s to \($0.end.decimalText) s: \($0.title)" }
        return (lines + info.ignoredStreams.map { "  left out: stream \($0)" }).joined(separator: "\n")
    }
}
