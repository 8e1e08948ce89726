import ArgumentParser
import BenchSupport
import Foundation

@main
struct DeckBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures a deck of slides in comparison with other programs, with the same x264 settings.")

    @Argument(help: "The path of fliptransition.") var program: String
    @Argument(help: "The folder that keeps the slides, which ffmpeg draws.") var folder: String
    @Option(help: "The number of runs to take medians of.") var rounds = 3
    @Option(help: "Also write a report to this file.") var json: String?

    static let slides = 20
    static let rate = 25
    /// The frames of a slide and of a transition.
    static let hold = 75
    static let turn = 15

    struct Row: Codable {
        var tool: String
        var wallSeconds: Double
        var processorSeconds: Double
        var peakBytes: Int
        var bytes: Int
    }

    struct Report: Codable {
        var machine: String
        var cores: Int
        var rounds: Int
        var rows: [Row] = []
        var skipped: [String] = []
    }

    func run() throws {
        var report = Report(
            machine: Machine.name, cores: ProcessInfo.processInfo.activeProcessorCount, rounds: rounds)
        let pictures = try Self.draw(in: folder)
        var tools = [
            ("fliptransition --held-frames cfr", Self.ours(program, pictures, folder, "cfr")),
            ("fliptransition --held-frames vfr", Self.ours(program, pictures, folder, "vfr")),
            ("ffmpeg -loop 1, xfade", Self.ffmpeg(pictures, folder)),
            ("ffmpeg concat (cut)", Self.cut(pictures, folder)),
        ]
        if Program.exists("melt") {
            tools.append(("melt", Self.melt(pictures, folder)))
        } else {
            report.skipped.append("melt, which is not installed")
        }
        var runs = tools.map { _ in [Program]() }
        for round in 1...rounds {
            for (index, tool) in tools.enumerated() {
                Output.note("\(tool.0), round \(round)")
                runs[index].append(try Program.run(tool.1))
            }
        }
        for (tool, runs) in zip(tools, runs) {
            let output = tool.1.first { $0.hasSuffix(".mp4") } ?? ""
            let path = output.replacingOccurrences(of: "avformat:", with: "")
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            try FileManager.default.removeItem(atPath: path)
            report.rows.append(
                Row(
                    tool: tool.0, wallSeconds: Cost.middle(runs.map(\.wallSeconds)),
                    processorSeconds: Cost.middle(runs.map(\.processorSeconds)),
                    peakBytes: Int(Cost.middle(runs.map { Double($0.peakBytes) })), bytes: size ?? 0))
        }
        print(Self.text(report))
        try Output.write(report, to: json)
    }

    private static func text(_ report: Report) -> String {
        let peer = report.rows[2]
        let table = Output.table(
            ["", "wall s", "CPU s", "memory MB", "times as fast, wall", "times as fast, CPU", "output MB"],
            report.rows.map { row in
                [
                    row.tool, Output.text(row.wallSeconds, 1), Output.text(row.processorSeconds, 1),
                    Output.text(Double(row.peakBytes) / 1e6, 0), Output.text(peer.wallSeconds / row.wallSeconds, 2),
                    Output.text(peer.processorSeconds / row.processorSeconds, 2),
                    Output.text(Double(row.bytes) / 1e6, 2),
                ]
            })
        let head = "\(report.machine), \(report.cores) cores, medians of \(report.rounds)"
        return ([head, table] + report.skipped.map { "Not measured: \($0)." }).joined(separator: "\n\n")
    }

    // MARK: Slides

    /// Draws slides with a heading and lines of text on a gradient, each with its own colors and text, and returns
    /// their paths.
    private static func draw(in folder: String) throws -> [String] {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return try (0..<slides).map { index in
            let path = "\(folder)/slide\(index + 100).png"
            if FileManager.default.fileExists(atPath: path) { return path }
            let colors =
                "c0=0x\(String(0x203040 + index * 0x0a0b07, radix: 16)):c1=0x\(String(0xc0b0a0 - index * 0x050607, radix: 16))"
            let lines = (0..<12).map { line in
                "drawtext=text='\(line == 0 ? "Slide" : "line \(line) of many on slide") \(index + 1)':x=160:y=\(90 + 75 * line)"
                    + ":fontsize=\(line == 0 ? 84 : 44):fontcolor=white"
            }
            try Program.run(
                [
                    "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
                    "gradients=s=1920x1080:\(colors):x0=0:y0=0:x1=1920:y1=1080:d=1:r=1",
                    "-vf", lines.joined(separator: ","), "-frames:v", "1", path,
                ])
            return path
        }
    }

    // MARK: Tools

    private static let encoder = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p"]

    private static func ours(_ program: String, _ pictures: [String], _ folder: String, _ holds: String) -> [String] {
        [program, "deck"] + pictures + [
            "\(folder)/ours-\(holds).mp4", "--hold", "\(hold)f", "--duration", "\(turn)f", "--style", "flip", "--size",
            "1920x1080", "--fps", "\(rate)", "--preset", "veryfast", "--crf", "20", "--held-frames", holds, "-y",
        ]
    }

    /// Each picture is extended by the frames of its transition, so that all outputs have the same length.
    private static func ffmpeg(_ pictures: [String], _ folder: String) -> [String] {
        var graph: [String] = []
        for index in 1..<pictures.count {
            let before = index == 1 ? "0:v" : "v\(index - 1)"
            let (duration, offset) = (Double(turn) / Double(rate), Double(hold * index) / Double(rate))
            graph.append(
                "[\(before)][\(index):v]xfade=transition=fade:duration=\(duration):offset=\(offset)[v\(index)]")
        }
        let inputs = pictures.enumerated().flatMap { index, path in
            let frames = hold + (index < pictures.count - 1 ? turn : 0)
            return ["-loop", "1", "-framerate", "\(rate)", "-t", "\(Double(frames) / Double(rate))", "-i", path]
        }
        return ["ffmpeg", "-v", "error", "-nostdin", "-y"] + inputs
            + ["-filter_complex", graph.joined(separator: ";"), "-map", "[v\(pictures.count - 1)]"] + encoder
            + ["\(folder)/xfade.mp4"]
    }

    /// Pictures that are decoded once, without transitions: hardly more work than the encoder's.
    private static func cut(_ pictures: [String], _ folder: String) -> [String] {
        let inputs = pictures.flatMap { ["-i", $0] }
        let loops = pictures.indices.map {
            "[\($0):v]format=yuv420p,loop=loop=\(hold - 1):size=1,setpts=N/\(rate)/TB,fps=\(rate)[v\($0)]"
        }
        let names = pictures.indices.map { "[v\($0)]" }.joined()
        let graph = loops.joined(separator: ";") + ";\(names)concat=n=\(pictures.count)[v]"
        return ["ffmpeg", "-v", "error", "-nostdin", "-y"] + inputs + ["-filter_complex", graph, "-map", "[v]"]
            + encoder
            + ["\(folder)/cut.mp4"]
    }

    private static func melt(_ pictures: [String], _ folder: String) -> [String] {
        let parts = pictures.enumerated().flatMap { index, path in
            let frames = hold + (index < pictures.count - 1 ? turn : 0)
            return [path, "out=\(frames - 1)"] + (index > 0 ? ["-mix", "\(turn)", "-mixer", "luma"] : [])
        }
        return ["melt", "-silent", "-profile", "atsc_1080p_25"] + parts
            + ["-consumer", "avformat:\(folder)/melt.mp4", "vcodec=libx264", "preset=veryfast", "crf=20", "an=1"]
    }
}
