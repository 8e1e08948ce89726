import ArgumentParser
import BenchSupport
import FlipGeometry
import FlipRaster
import Foundation

@main
struct RasterBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the cost of transition frames.",
        subcommands: [Look.self, Everything.self, Kernels.self, Instructions.self, Draw.self],
        defaultSubcommand: Look.self)
}

/// Prints the wall and processor time of `memcpy` and of styles: a quick look while working.
struct Look: ParsableCommand {
    @Argument(
        help: "WIDTH HEIGHT DEPTH THREADS FRAMES, as many as are given, and names of styles (default: all) or xfade.")
    var words: [String] = []

    func run() throws {
        var numbers = words.compactMap { Int($0) }
        numbers += [1920, 1080, 8, 1, 60].dropFirst(numbers.count)
        let (threads, frames) = (numbers[3], numbers[4])
        let subject = Subject(width: numbers[0], height: numbers[1], depth: numbers[2])
        let clips = BenchClips.cold(subject)
        let ring = clips.from.count
        print("\(subject.width)x\(subject.height) \(subject.depth) bit, \(threads) threads: ms of wall and CPU a frame")
        let copy = Peers.memcpy(clips, runs: 3).cold
        print("memcpy", String(format: "%.3f %.3f", copy.wall, copy.processor))
        if words.contains("xfade") {
            let costs = try Peers.xfade(["fade"], of: .system, subject, runs: 3)
            for (name, cost) in costs { print("xfade=\(name)", String(format: "%.3f", cost)) }
        }
        let names = words.filter { Int($0) == nil }
        for name in StyledLook.measured where names.isEmpty || names.contains(name) {
            let look = try StyledLook(measuring: name)
            let renderer = subject.renderer(threads: threads)
            let cost = Cost.median(runs: 1, frames: frames) { index in
                let turn = index % ring
                renderer.render(
                    look, frame: index, of: frames, from: clips.from[turn], to: clips.to[turn],
                    into: clips.target[turn])
            }
            print(name, String(format: "%.3f %.3f", cost.wall, cost.processor))
        }
        let cost = MovingStill(subject).cost(clips, runs: 1, frames: frames)
        print(MovingStill.name, String(format: "%.3f %.3f", cost.wall, cost.processor))
    }
}

/// Compares everything with `memcpy` and ffmpeg.
struct Everything: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "report")

    @Flag(help: "Measure less.") var quick = false
    @Option(help: "Also write a report to this file.") var json: String?

    func run() throws {
        let report = try Report.measured(isQuick: quick)
        print("\(report.machine), \(report.cores) cores\n\n\(report.table)")
        try Output.write(report, to: json)
    }
}

/// Measures all styles at every kernel level.
struct Kernels: ParsableCommand {
    @Flag(help: "Measure less.") var quick = false

    func run() throws { print(try Report.ofKernels(isQuick: quick)) }
}

/// Prints the instructions per frame and per pixel, as valgrind counts them. The frame is small because valgrind is slow.
struct Instructions: ParsableCommand {
    @Option(help: "Also write a report to this file.") var json: String?

    func run() throws {
        struct Row: Codable {
            var style: String
            var pixelFormat: String
            var instructions: Double
        }
        var rows: [Row] = []
        print("| 640x360 | format | million instructions a frame | a pixel |\n| --- | --- | --- | --- |")
        for depth in [8, 10] {
            let subject = Subject(width: 640, height: 360, depth: depth)
            for name in StyledLook.measured {
                guard let count = try Counts.instructions(name, subject) else {
                    throw Program.Failure(description: "counting instructions needs valgrind")
                }
                rows.append(Row(style: name, pixelFormat: subject.pixelFormat, instructions: count))
                print(
                    "| \(name) | \(subject.pixelFormat) |",
                    String(format: "%.2f | %.2f |", count / 1e6, count / Double(640 * 360)))
            }
        }
        try Output.write(rows, to: json)
    }
}

/// Draws a style, and prints the kilobytes that it took beyond the pictures; for the commands that count.
struct Draw: ParsableCommand {
    @Argument var style: String
    @Argument var width: Int
    @Argument var height: Int
    @Argument var depth: Int
    @Argument var threads: Int
    @Argument var frames: Int
    @Argument var repeats: Int

    func run() throws {
        let subject = Subject(width: width, height: height, depth: depth)
        let look = try StyledLook(measuring: style)
        let clips = BenchClips(subject, frames: 1)
        let before = Machine.memory("VmRSS")
        let renderer = subject.renderer(threads: threads)
        for index in 0..<frames * repeats {
            renderer.render(
                look, frame: index % frames, of: frames, from: clips.from[0], to: clips.to[0], into: clips.target[0])
        }
        print(max(0, Machine.memory("VmHWM") - before))
    }
}
