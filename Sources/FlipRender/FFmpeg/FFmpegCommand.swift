import FlipMedia

/// A plan as one run of the stock ffmpeg command (`FFmpegGraph`), as words and for a shell.
package struct FFmpegCommand: Sendable {
    package let graph: FFmpegGraph
    /// The command's words, ffmpeg first.
    package let words: [String]
    /// What the output will lack beside the plan's, a sentence each.
    package let warnings: [String]

    /// Throws `MediaError` for what a graph can't do.
    package init(_ plan: RenderPlan) throws(MediaError) {
        let graph = try FFmpegGraph(plan)
        self.graph = graph
        // The graph counts the files' own times and turns pictures itself.
        var words = ["ffmpeg", plan.overwrites ? "-y" : "-n", "-copyts"]
        for clip in plan.clips {
            // Otherwise a name with % in it is that of a sequence.
            if clip.video.isStill, clip.info.path.contains("%") { words += ["-f", "image2", "-pattern_type", "none"] }
            words += ["-noautorotate", "-i", FFmpegCommand.file(clip.info.path)]
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
            warnings.append("the transitions' frames have 8 bits, as frei0r has no more; all others keep theirs")
        }
        if !plan.chapters.isEmpty { warnings.append("chapters are left out") }
        if plan.video.hdr != nil { warnings.append("HDR metadata is left out") }
        self.warnings = warnings
    }

    /// A path that the command takes for no option and no protocol.
    private static func file(_ path: String) -> String {
        path == "-" || !(path.hasPrefix("-") || path.contains(":")) ? path : "file:" + path
    }

    /// The command for a shell, a line for each input and for what else is long.
    package var text: String {
        var text = ""
        for (index, word) in words.enumerated() {
            let isPair = index > 0 && words[index - 1].hasPrefix("-") && index < words.count - 1
            text += index == 0 ? "" : isPair || index < 3 ? " " : " \\\n  "
            text += FFmpegCommand.quoted(word)
        }
        return text
    }

    /// A word as every shell reads it.
    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                        || "-_./:=+,%@".unicodeScalars.contains(scalar))
            }
        if isPlain { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
