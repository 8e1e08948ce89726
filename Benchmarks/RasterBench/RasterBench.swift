import BenchSupport
import FlipGeometry
import FlipRaster
import Foundation

/// Measures the cost of transition frames.
///
///     raster-bench [WIDTH HEIGHT DEPTH THREADS FRAMES] [STYLE...]   a quick look while working
///     raster-bench report [--quick] [--json FILE]                   everything, compared with memcpy and ffmpeg
///     raster-bench instructions [--json FILE]                       instructions per frame, counted by valgrind
///     raster-bench draw STYLE WIDTH HEIGHT DEPTH THREADS FRAMES REPEATS   run by the commands that count
@main
struct RasterBench {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let json = arguments.firstIndex(of: "--json").flatMap { arguments.dropFirst($0 + 1).first }
        switch arguments.first {
        case "report":
            let report = try Report.measured(isQuick: arguments.contains("--quick"))
            print("\(report.machine), \(report.cores) cores\n\n\(report.table)")
            try Output.write(report, to: json)
        case "instructions":
            try instructions(json: json)
        case "draw":
            let numbers = arguments.dropFirst(2).compactMap { Int($0) }
            guard numbers.count == 6 else { throw Program.Failure(description: "draw STYLE and six numbers") }
            try Counts.draw(
                arguments[1], Subject(width: numbers[0], height: numbers[1], depth: numbers[2]), threads: numbers[3],
                frames: numbers[4], repeats: numbers[5])
        default:
            try look(arguments)
        }
    }

    /// Prints the wall and processor time of `memcpy` and of the styles named, or of all styles.
    private static func look(_ arguments: [String]) throws {
        var numbers = arguments.compactMap { Int($0) }
        numbers += [1920, 1080, 8, 1, 60].dropFirst(numbers.count)
        let (threads, frames) = (numbers[3], numbers[4])
        let subject = Subject(width: numbers[0], height: numbers[1], depth: numbers[2])
        let clips = BenchClips.cold(subject)
        let ring = clips.from.count
        print("\(subject.width)x\(subject.height) \(subject.depth) bit, \(threads) threads: ms of wall and CPU a frame")
        let copy = Peers.memcpy(clips, runs: 3).cold
        print("memcpy", String(format: "%.3f %.3f", copy.wall, copy.processor))
        let names = arguments.filter { Int($0) == nil }
        for style in Styles.all where names.isEmpty || names.contains(style.name) {
            let look = try StyledLook(style: style)
            let renderer = subject.renderer(threads: threads)
            let cost = Cost.median(runs: 1, frames: frames) { index in
                let turn = index % ring
                renderer.render(
                    look, progress: look.progress(index, of: frames), from: clips.from[turn].view,
                    to: clips.to[turn].view, into: clips.target[turn].view)
            }
            print(style.name, String(format: "%.3f %.3f", cost.wall, cost.processor))
        }
    }

    /// Prints the instructions per frame and per pixel. The frame is small because valgrind is slow.
    private static func instructions(json: String?) throws {
        struct Row: Codable {
            var style: String
            var pixelFormat: String
            var instructions: Double
        }
        var rows: [Row] = []
        print("| 640x360 | format | million instructions a frame | a pixel |\n| --- | --- | --- | --- |")
        for depth in [8, 10] {
            let subject = Subject(width: 640, height: 360, depth: depth)
            for style in Styles.all {
                guard let count = try Counts.instructions(style.name, subject) else {
                    throw Program.Failure(description: "counting instructions needs valgrind")
                }
                rows.append(Row(style: style.name, pixelFormat: subject.pixelFormat, instructions: count))
                print(
                    "| \(style.name) | \(subject.pixelFormat) |",
                    String(format: "%.2f | %.2f |", count / 1e6, count / Double(640 * 360)))
            }
        }
        try Output.write(rows, to: json)
    }
}
