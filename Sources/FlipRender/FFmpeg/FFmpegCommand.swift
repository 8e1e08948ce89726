import FlipBase
import FlipMedia

/// A plan as a single run of the stock ffmpeg command with an `FFmpegGraph`, as arguments and as text for a shell.
package struct FFmpegCommand: Sendable {
    package let graph: FFmpegGraph
    /// The command's arguments, `ffmpeg` first.
    package let words: [String]
    /// What the command's output lacks compared with the plan's, one sentence each.
    package let warnings: [String]

    /// Throws `MediaError` if the plan has something that a filter graph can't do.
    package init(_ plan: RenderPlan) throws(MediaError) {
        let codec = plan.video.codec ?? plan.container.defaultVideoCodec
        if Encoders.takesOnlyUploads(codec: codec) {
            throw MediaError(
                .usage,
                "the command would have to upload frames for the encoder '\(codec)', which isn't supported (give a software "
                    + "encoder such as libx264)")
        }
        let graph = try FFmpegGraph(plan)
        self.graph = graph
        // The graph works with the files' own time stamps and rotates frames itself.
        var words = ["ffmpeg", plan.overwrites ? "-y" : "-n", "-copyts"]
        for clip in plan.clips {
            // Otherwise ffmpeg takes a name with % in it for an image sequence.
            if clip.input.isStill, clip.input.path.contains("%") { words += ["-f", "image2", "-pattern_type", "none"] }
            words += ["-noautorotate", "-i", FFmpegCommand.file(clip.input.path)]
        }
        words += ["-filter_complex", graph.text, "-map", graph.videoLabel]
        var options = plan.video.commandOptions(in: plan.container)
        if let audio = plan.audio, let label = graph.audioLabel {
            words += ["-map", label]
            options += audio.commandOptions(in: plan.container)
        }
        options += [("map_metadata", "-1"), ("map_chapters", "-1")] + plan.container.commandOptions
        words += options.flatMap { ["-" + $0.name, $0.value] }
        self.words = words + [FFmpegCommand.file(plan.path)]
        var warnings: [String] = []
        if plan.video.pixelFormat.depth > 8 {
            warnings.append(
                "the transitions' frames have 8 bits, the most that frei0r has; all others keep their depth")
        }
        if plan.subtitles.contains(where: { !$0.isData }) { warnings.append("subtitles are left out") }
        if plan.subtitles.contains(where: \.isData) { warnings.append("data tracks are left out") }
        if !plan.chapters.isEmpty { warnings.append("chapters are left out") }
        if plan.video.hdr != nil { warnings.append("HDR metadata is left out") }
        self.warnings = warnings
    }

    /// `path` in a form that ffmpeg takes neither for an option nor for a protocol.
    private static func file(_ path: String) -> String {
        path == "-" || !(path.hasPrefix("-") || path.contains(":")) ? path : "file:" + path
    }

    /// The command as text for a shell, on several lines with about one option each.
    package var text: String {
        var text = ""
        for (index, word) in words.enumerated() {
            let isPair = index > 0 && words[index - 1].hasPrefix("-") && index < words.count - 1
            text += index == 0 ? "" : isPair || index < 3 ? " " : " \\\n  "
            text += ShellText.quoted(word)
        }
        return text
    }
}
