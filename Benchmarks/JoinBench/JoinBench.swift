import ArgumentParser
import BenchSupport
import Foundation

@main
struct JoinBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures whole joins in comparison with other programs.")

    @Argument(help: "The path of fliptransition.") var program: String
    @Argument(help: "The folder of the source clips.") var media: String
    @Argument(help: "The folder that keeps the clips made from them.") var folder: String
    @Flag(help: "Measure copying.") var smart = false
    @Flag(help: "Measure less.") var quick = false
    @Option(help: "The number of runs to take medians of (3, or 1 if quick).") var rounds: Int?
    @Option(help: "Also write a report to this file.") var json: String?

    func run() throws {
        var report = JoinReport(
            machine: Machine.name, cores: ProcessInfo.processInfo.activeProcessorCount, rounds: usedRounds)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if smart {
            let report = try copy(report)
            print(report.text)
            return try Output.write(report, to: json)
        }
        try compare(&report)
        try grow(&report)
        print(report.text)
        try Output.write(report, to: json)
    }

    private var ours: Joiner { .fliptransition(program) }
    private var usedRounds: Int { rounds ?? (quick ? 1 : 3) }

    /// Compares the tools.
    private func compare(_ report: inout JoinReport) throws {
        var tools = [ours, .xfade, .concat] + [Joiner.otherXfade].compactMap { $0 }
        if Program.exists(Joiner.melt.program) {
            tools.append(.melt)
        } else {
            report.skipped.append("melt, which is not installed")
        }
        let films = [
            Film(width: 1920, height: 1080, seconds: quick ? 10 : 60, count: 2),
            Film(width: 1280, height: 720, seconds: quick ? 2 : 5, count: 20),
        ]
        for film in films { report.rows += try measure(film, tools, isCompared: true) }
    }

    /// Measures longer clips and more clips. An ffmpeg filter graph with many clips takes gigabytes of memory.
    private func grow(_ report: inout JoinReport) throws {
        for seconds in quick ? [3, 10, 60] : [10, 60, 600] {
            let film = Film(width: 640, height: 360, seconds: seconds, count: 2)
            report.growth += try measure(film, [ours, .xfade], isCompared: false)
        }
        for count in [2, 20, 200] {
            let film = Film(width: 640, height: 360, seconds: quick ? 2 : 5, count: count)
            report.growth += try measure(
                film, count > 20 ? [ours] : [ours, .xfade], isCompared: false)
        }
        report.skipped.append("ffmpeg xfade with 200 clips, for its memory")
    }

    /// Compares copying with encoding everything at the same settings. For clips of ten minutes, ffmpeg takes ten times as
    /// long as for one minute, so it is measured only for the short clips.
    private func copy(_ report: JoinReport) throws -> SmartReport {
        let (short, long) = (Film(width: 1920, height: 1080, seconds: 60, count: 2), 10)
        let films = [short, Film(width: 1920, height: 1080, seconds: 60 * long, count: 2)]
        let peer = try measure(short, [.xfade], isCompared: false)[0]
        let rows = try films.map { try measure($0, [.smart(program)], isCompared: false)[0] }
        return SmartReport(machine: report.machine, cores: report.cores, peer: peer, rows: rows, factors: [1, long])
    }

    /// Returns one row per tool. The tools take turns, so that a busy machine affects all of them.
    private func measure(_ film: Film, _ tools: [Joiner], isCompared: Bool) throws -> [JoinRow] {
        let clips = try film.clips(in: folder, media: media)
        var runs: [[Program]] = tools.map { _ in [] }
        for round in 1...usedRounds {
            Output.note("\(film.name), round \(round)")
            for (index, tool) in tools.enumerated() {
                runs[index].append(try Program.run(tool.command(film, clips, output(of: tool))))
            }
        }
        return try zip(tools, runs).map { tool, runs in
            let path = output(of: tool)
            defer { for file in [path, Joiner.report(of: path)] { try? FileManager.default.removeItem(atPath: file) } }
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            let isOurs = tool.name == ours.name
            // The frames after a cut are not at the same positions as those after an overlap.
            let isFaithful = isCompared && tool.name != Joiner.concat.name
            return JoinRow(
                film: film.name, tool: tool.name, wallSeconds: Cost.middle(runs.map(\.wallSeconds)),
                processorSeconds: Cost.middle(runs.map(\.processorSeconds)),
                peakBytes: Int(Cost.middle(runs.map { Double($0.peakBytes) })), bytes: size ?? 0,
                quality: isFaithful ? try Quality.measured(path, film, clips) : nil,
                stages: isCompared && isOurs ? try StageTable(report: Joiner.report(of: path)) : nil)
        }
    }

    private func output(of tool: Joiner) -> String {
        "\(folder)/output-\(tool.name.prefix { $0 != "(" }.filter(\.isLetter)).mp4"
    }
}
