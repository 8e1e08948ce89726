import BenchSupport

/// A program that joins clips: one row of the table.
struct Joiner: Sendable {
    var name: String
    /// The program that must be installed.
    var program: String
    /// The command that joins `clips` of a film into `output`.
    var command: @Sendable (_ film: Film, _ clips: [String], _ output: String) -> [String]

    static func fliptransition(_ program: String) -> Joiner {
        Joiner(name: "fliptransition", program: program) { _, clips, output in
            [program] + clips + ["--duration", "0.6", "--preset", "veryfast", "--crf", "20"]
                + ["--audio-bitrate", "192k", "-y", "--report", report(of: output), output]
        }
    }

    /// The path of the report in which fliptransition states what its stages took.
    static func report(of output: String) -> String { output + ".json" }

    /// fliptransition copying the frames that no transition touches.
    static func smart(_ program: String) -> Joiner {
        Joiner(name: "fliptransition --render smart", program: program) { _, clips, output in
            [program] + clips + ["--duration", "0.6", "--render", "smart", "--preset", "veryfast", "--crf", "20"]
                + ["--audio-bitrate", "192k", "-y", "--report", report(of: output), output]
        }
    }

    static let xfade = Joiner(name: "ffmpeg xfade", program: "ffmpeg") { film, clips, output in
        xfade(film, clips, output)
    }

    /// The same with a further ffmpeg; nil if none was named.
    static let otherXfade = FFmpeg.other.map { ffmpeg in
        Joiner(name: "ffmpeg \(ffmpeg.version) xfade", program: ffmpeg.program) { film, clips, output in
            [ffmpeg.program] + xfade(film, clips, output).dropFirst()
        }
    }

    private static func xfade(_ film: Film, _ clips: [String], _ output: String) -> [String] {
        var graph: [String] = []
        for index in 1..<clips.count {
            let before = index == 1 ? ("0:v", "0:a") : ("v\(index - 1)", "a\(index - 1)")
            let offset = Double(index * (film.framesOfClip - Film.overlap)) / Double(Film.frameRate)
            graph.append(
                "[\(before.0)][\(index):v]xfade=transition=fade:duration=0.6:offset=\(offset)[v\(index)]")
            graph.append("[\(before.1)][\(index):a]acrossfade=d=0.6[a\(index)]")
        }
        let last = clips.count - 1
        graph.append("[v\(last)]format=yuv420p[v]")
        return ffmpeg(clips, graph, audio: "a\(last)", output)
    }

    /// A hard cut, which takes only decoders and the encoder.
    static let concat = Joiner(name: "ffmpeg concat (cut)", program: "ffmpeg") { _, clips, output in
        let inputs = clips.indices.map { "[\($0):v][\($0):a]" }.joined()
        return ffmpeg(clips, ["\(inputs)concat=n=\(clips.count):v=1:a=1[v][a]"], audio: "a", output)
    }

    static let melt = Joiner(name: "melt", program: "melt") { _, clips, output in
        let mix = ["-mix", "\(Film.overlap)", "-mixer", "luma", "-mixer", "mix:-1"]
        return ["melt", "-silent", clips[0]] + clips.dropFirst().flatMap { [$0] + mix }
            + ["-consumer", "avformat:\(output)", "vcodec=libx264", "preset=veryfast", "crf=20", "acodec=aac"]
            + ["ab=192k", "movflags=+faststart"]
    }

    private static func ffmpeg(
        _ clips: [String], _ graph: [String], audio: String, _ output: String
    ) -> [String] {
        ["ffmpeg", "-v", "error", "-nostdin", "-y"] + clips.flatMap { ["-i", $0] }
            + ["-filter_complex", graph.joined(separator: ";"), "-map", "[v]", "-map", "[\(audio)]"]
            + Encoding.veryfast + ["-movflags", "+faststart", output]
    }
}
