import ArgumentParser
import FlipFiles
import FlipGeometry
import FlipRender
import Foundation

/// How a run reports its progress and its result.
struct RunOptions: ParsableArguments {
    @Option(help: .progress, completion: .words("plain|json"))
    var progress: String?
    @Option(
        help: .detail("Write a report of what was done; -y replaces an older one.", "file.json"),
        completion: .file(extensions: ["json"]))
    var report: String?
    @OptionGroup var messages: MessageOptions

    /// Makes all messages follow these options.
    func apply() throws(OptionError) {
        try messages.apply()
        if messages.quiet, progress != nil {
            throw OptionError("--quiet and --progress exclude each other (give one of them)")
        }
    }

    /// How progress is shown.
    var progressForm: ProgressForm {
        get throws(OptionError) { try ProgressForm(progress, isQuiet: messages.quiet) }
    }
}

/// What is written of a video beside it.
struct ChapterOptions: ParsableArguments {
    @Option(
        help: .detail(
            "Write the chapters as text for YouTube (0:00 Title), or in ffmpeg's metadata format as FILE.ffmeta.",
            "file"), completion: .file())
    var chaptersOut: String?
}

extension ArgumentHelp {
    static let progress = option(
        "Report progress as lines on standard error.", values: "plain|json", default: "one line, on a terminal only",
        "form")
}

/// JSON for programs: sorted keys, on standard output or in a file.
enum JSONOutput {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder.stable
        encoder.outputFormatting.insert(.prettyPrinted)
        return try encoder.encode(value) + Data("\n".utf8)
    }

    static func print(_ value: some Encodable) throws { try StandardOutput.write(try encode(value)) }
}
