import BenchSupport
import Foundation

/// Measures whole joins in comparison with other programs.
///
///     join-bench PROGRAM MEDIA FOLDER [--smart] [--quick] [--rounds N] [--json FILE]
///
/// PROGRAM is fliptransition, MEDIA is the folder of the source clips, and FOLDER keeps the clips made from them.
@main
struct JoinBench {
    let folder: String
    let media: String
    let ours: Joiner
    let isQuick: Bool
    var report: JoinReport

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        func value(_ name: String) -> String? {
            arguments.firstIndex(of: name).flatMap { arguments.dropFirst($0 + 1).first }
        }
        guard arguments.count >= 3 else { throw Program.Failure(description: "PROGRAM MEDIA FOLDER are needed") }
        let isQuick = arguments.contains("--quick")
        let rounds = value("--rounds").flatMap { Int($0) } ?? (isQuick ? 1 : 3)
        var bench = JoinBench(
            folder: arguments[2], media: arguments[1], ours: .fliptransition(arguments[0]), isQuick: isQuick,
            report: JoinReport(
                machine: Machine.name, cores: ProcessInfo.processInfo.activeProcessorCount, rounds: rounds))
        try FileManager.default.createDirectory(atPath: bench.folder, withIntermediateDirectories: true)
        if arguments.contains("--smart") {
            let report = try bench.copy(.smart(arguments[0]))
            print(report.text)
            return try Output.write(report, to: value("--json"))
        }
        try bench.compare()
        try bench.grow()
        print(bench.report.text)
        try Output.write(bench.report, to: value("--json"))
    }

    /// Compares the tools.
    private mutating func compare() throws {
        var tools = [ours, .xfade, .concat]
        if Program.exists(Joiner.melt.program) {
            tools.append(.melt)
        } else {
            report.skipped.append("melt, which is not installed")
        }
        let films = [
            Film(width: 1920, height: 1080, seconds: isQuick ? 10 : 60, count: 2),
            Film(width: 1280, height: 720, seconds: isQuick ? 2 : 5, count: 20),
        ]
        for film in films { report.rows += try measure(film, tools, isCompared: true) }
    }

    /// Measures longer clips and more clips. An ffmpeg filter graph with many clips takes gigabytes of memory.
    private mutating func grow() throws {
        for seconds in isQuick ? [3, 10, 60] : [10, 60, 600] {
            let film = Film(width: 640, height: 360, seconds: seconds, count: 2)
            report.growth += try measure(film, [ours, .xfade], isCompared: false)
        }
        for count in [2, 20, 200] {
            let film = Film(width: 640, height: 360, seconds: isQuick ? 2 : 5, count: count)
            report.growth += try measure(film, count > 20 ? [ours] : [ours, .xfade], isCompared: false)
        }
        report.skipped.append("ffmpeg xfade with 200 clips, for its memory")
    }

    /// Compares copying with encoding everything at the same settings. For clips of ten minutes, ffmpeg would take
    /// nearly ten times as long as for one minute, half an hour, so it is measured only for the short clips.
    private mutating func copy(_ smart: Joiner) throws -> SmartReport {
        let (short, long) = (Film(width: 1920, height: 1080, seconds: 60, count: 2), 10)
        let films = [short, Film(width: 1920, height: 1080, seconds: 60 * long, count: 2)]
        let peer = try measure(short, [.xfade(Encoding.usual)], isCompared: false)[0]
        let rows = try films.map { try measure($0, [smart], isCompared: false)[0] }
        return SmartReport(machine: report.machine, cores: report.cores, peer: peer, rows: rows, factors: [1, long])
    }

    /// Returns one row per tool. The tools take turns, so that a busy machine affects all of them.
    private func measure(_ film: Film, _ tools: [Joiner], isCompared: Bool) throws -> [JoinRow] {
        let clips = try film.clips(in: folder, media: media)
        var runs: [[Program]] = tools.map { _ in [] }
        for round in 1...report.rounds {
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
