import BenchSupport
import Foundation

/// What one tool took for one film, as medians over the rounds.
struct JoinRow: Codable {
    var film: String
    var tool: String
    var wallSeconds: Double
    var processorSeconds: Double
    var peakBytes: Int
    var bytes: Int
    var quality: Quality?
    var stages: StageTable?
}

/// Everything that was measured in one run.
struct JoinReport: Codable {
    var machine: String
    var cores: Int
    var rounds: Int
    /// The rows in which the tools are compared.
    var rows: [JoinRow] = []
    /// The rows by length and by number of clips.
    var growth: [JoinRow] = []
    /// The tools and cases that were not measured, with the reason.
    var skipped: [String] = []

    var text: String {
        var parts = ["\(machine), \(cores) cores, medians of \(rounds)", table(rows, hasQuality: true)]
        for row in rows {
            if let stages = row.stages { parts.append("Stages of \(row.film):\n\n\(stages.table)") }
        }
        parts += ["Growth:", table(growth, hasQuality: false)]
        return (parts + skipped.map { "Not measured: \($0)." }).joined(separator: "\n\n")
    }

    /// A table of the rows, with their ratios to ffmpeg's xfade for the same film.
    private func table(_ rows: [JoinRow], hasQuality: Bool) -> String {
        var head = ["clips", "", "wall s", "CPU s", "memory MB", "x wall", "x CPU", "x memory"]
        if hasQuality { head += ["output MB", "PSNR", "SSIM"] }
        let lines = rows.map { row in
            let peer = rows.first { $0.film == row.film && $0.tool == Joiner.xfade.name }
            let megabytes = { (bytes: Int) in Double(bytes) / 1e6 }
            let cells: [(Double?, Int)] = [
                (row.wallSeconds, 1), (row.processorSeconds, 1), (megabytes(row.peakBytes), 0),
                (peer.map { row.wallSeconds / $0.wallSeconds }, 2),
                (peer.map { row.processorSeconds / $0.processorSeconds }, 2),
                (peer.map { Double(row.peakBytes) / Double($0.peakBytes) }, 2),
            ]
            let more: [(Double?, Int)] = [
                (megabytes(row.bytes), 2), (row.quality?.psnr, 2), (row.quality?.ssim, 4),
            ]
            return [row.film, row.tool] + (cells + (hasQuality ? more : [])).map { Output.text($0, $1) }
        }
        return Output.table(head, lines)
    }
}

/// The costs of copying, compared with one run of ffmpeg that encodes everything.
struct SmartReport: Codable {
    var machine: String
    var cores: Int
    var peer: JoinRow
    var rows: [JoinRow]
    /// For each row, how many times as long as the peer's clips its clips are.
    var factors: [Int]

    var text: String {
        let cells = { (row: JoinRow) in
            [
                row.film, row.tool, Output.text(row.wallSeconds, 1), Output.text(row.processorSeconds, 1),
                Output.text(Double(row.peakBytes) / 1e6, 0), Output.text(Double(row.bytes) / 1e6, 1),
            ]
        }
        let lines = zip(rows, factors).map { row, factor in
            cells(row) + [
                Output.text(Double(factor) * peer.wallSeconds / row.wallSeconds, 1),
                Output.text(Double(factor) * peer.processorSeconds / row.processorSeconds, 1),
            ]
        }
        let head = [
            "clips", "", "wall s", "CPU s", "memory MB", "output MB", "times as fast, wall", "times as fast, CPU",
        ]
        return "\(machine), \(cores) cores\n\n" + Output.table(head, [cells(peer) + ["1.0", "1.0"]] + lines)
    }
}

/// The stages of a run, as fliptransition's `--report` states them.
struct StageTable: Codable {
    struct Stage: Codable {
        var name: String
        var wallSeconds: Double?
        var processorSeconds: Double
        var count: Int?
    }
    var stages: [Stage]
    var frames: Int

    init(report path: String) throws {
        struct Report: Decodable {
            struct Stage: Decodable {
                var wallSeconds: Double
                var processorSeconds: Double
                var count: Int?
            }
            struct Stages: Decodable {
                var demuxing, decoding, conforming, rendering, encoding, audio, muxing: Stage
                var planningProcessorSeconds, innerThreadsProcessorSeconds: Double
            }
            var framesEncoded: Int
            var stages: Stages
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        let all = report.stages
        frames = report.framesEncoded
        stages = [
            ("demuxing", all.demuxing), ("decoding", all.decoding), ("conforming", all.conforming),
            ("rendering", all.rendering), ("encoding", all.encoding), ("audio", all.audio), ("muxing", all.muxing),
        ].map { Stage(name: $0, wallSeconds: $1.wallSeconds, processorSeconds: $1.processorSeconds, count: $1.count) }
        stages.append(Stage(name: "inner threads", processorSeconds: all.innerThreadsProcessorSeconds))
        stages.append(Stage(name: "planning", processorSeconds: all.planningProcessorSeconds))
    }

    var table: String {
        let total = stages.reduce(0) { $0 + $1.processorSeconds }
        return Output.table(
            ["stage", "wall s", "CPU s", "of CPU %", "CPU ms a frame", "frames or packets"],
            stages.map { stage in
                [
                    stage.name, Output.text(stage.wallSeconds, 2), Output.text(stage.processorSeconds, 2),
                    Output.text(100 * stage.processorSeconds / total, 1),
                    Output.text(1000 * stage.processorSeconds / Double(frames), 3),
                    stage.count.map { "\($0)" } ?? "",
                ]
            })
    }
}
