import BenchSupport
import FlipGeometry
import FlipRaster
import Foundation

extension StyledLook {
    /// What is measured: the default look of every style, and what is drawn in another way: named looks, and frames with
    /// motion blur. The curl is tilted, `peel` is straight, the angle of `book` changes, and `desk` steps back.
    static let measured =
        Styles.all.map(\.name) + ["peel", "book", "desk"] + ["flip", "fold", "push"].map { $0 + shutter }

    /// What follows the name of a style that is measured with motion blur.
    private static let shutter = ", shutter 180"

    /// The style or the named look called `name`.
    init(measuring name: String) throws(OptionError) {
        let isStyle = Styles.all.contains { $0.name == name }
        if name.hasSuffix(StyledLook.shutter) {
            let style = String(name.dropLast(StyledLook.shutter.count))
            try self.init(style: style, look: nil, options: [(.shutter, "180")])
            return
        }
        try self.init(style: isStyle ? name : nil, look: isStyle ? nil : name, options: [])
    }
}

/// One line of the report.
struct ReportRow: Codable {
    /// A style or a named look, or what they are compared with.
    var name: String
    var width: Int
    var height: Int
    var pixelFormat: String
    var threads: Int
    /// Wall time and processor time, in milliseconds per frame.
    var wall: Double?
    var processor: Double
    var megapixelsPerSecond: Double?
    /// The peak memory beyond the pictures, in kilobytes.
    var memory: Int?
    /// The calls of malloc per frame, after the first transition.
    var allocations: Double?
    /// The processor time as a multiple of a cold memcpy's, and as a fraction of ffmpeg's xfade with `fade` and with
    /// `wipeleft`.
    var timesMemcpy: Double?
    var partOfFade: Double?
    var partOfWipe: Double?
    /// The same of `fade` in a further ffmpeg.
    var partOfOtherFade: Double?
}

/// Everything that was measured in one run.
struct Report: Codable {
    var machine: String
    var cores: Int
    var rows: [ReportRow]

    /// Measures all styles in all sizes and formats, together with their peers; if `isQuick`, fewer of them.
    static func measured(isQuick: Bool) throws -> Report {
        var report = Report(
            machine: Machine.name, cores: ProcessInfo.processInfo.activeProcessorCount, rows: [])
        for (width, height) in isQuick ? [(1920, 1080)] : [(1920, 1080), (3840, 2160)] {
            for depth in [8, 10] {
                try report.measure(Subject(width: width, height: height, depth: depth), isQuick: isQuick)
            }
        }
        return report
    }

    private mutating func measure(_ subject: Subject, isQuick: Bool) throws {
        let runs = isQuick ? 3 : 7
        let clips = BenchClips.cold(subject)
        let copy = Peers.memcpy(clips, runs: runs)
        let xfade = try Peers.xfade(["fade", "wipeleft"], of: .system, subject, runs: isQuick ? 1 : 3)
        let other = try Peers.xfade(["fade"], of: .other, subject, runs: isQuick ? 1 : 3)["fade"]
        for (name, cost) in [("memcpy, cold", copy.cold), ("memcpy, warm", copy.warm)] {
            rows.append(ReportRow(name, subject, threads: 1, wall: cost.wall, processor: cost.processor))
        }
        for (name, processor) in xfade.sorted(by: { $0.key < $1.key }) {
            rows.append(ReportRow("xfade=\(name)", subject, threads: 1, wall: nil, processor: processor))
        }
        if let other, let version = FFmpeg.other?.version {
            rows.append(ReportRow("xfade=fade, \(version)", subject, threads: 1, wall: nil, processor: other))
        }
        for name in StyledLook.measured {
            for threads in [1, 2] {
                let cost = try Report.cost(of: name, subject, clips, threads: threads, runs: runs)
                var row = ReportRow(name, subject, threads: threads, wall: cost.wall, processor: cost.processor)
                row.memory = try Counts.memory(name, subject, threads: threads)
                // With several threads, it depends on chance which thread's buffers grow when.
                if threads == 1 && (!isQuick || subject.depth == 8) {
                    row.allocations = try Counts.allocations(name, subject, threads: threads)
                }
                row.compare(memcpy: copy.cold.processor, xfade, other: other)
                rows.append(row)
            }
        }
        let still = MovingStill(subject).cost(clips, runs: runs)
        var row = ReportRow(MovingStill.name, subject, threads: 1, wall: still.wall, processor: still.processor)
        row.compare(memcpy: copy.cold.processor, xfade, other: other)
        rows.append(row)
        Output.note("\(subject.width)x\(subject.height) \(subject.pixelFormat)")
    }

    /// The cost of a whole default transition of 0.6 s at 30 frames per second.
    private static func cost(
        of name: String, _ subject: Subject, _ clips: BenchClips, threads: Int, runs: Int,
        level: KernelLevel = .best
    ) throws -> Cost {
        let look = try StyledLook(measuring: name)
        let renderer = subject.renderer(threads: threads, level: level)
        var next = 0
        return Cost.median(runs: runs, frames: 18) { index in
            let ring = next % clips.from.count
            next += 1
            renderer.render(
                look, frame: index, of: 18, from: clips.from[ring], to: clips.to[ring], into: clips.target[ring])
        }
    }

    /// The processor time of all styles with one thread, in milliseconds per frame of 1080p, at every kernel level that
    /// this machine has, and how many times as fast each is as the first; as a Markdown table.
    static func ofKernels(isQuick: Bool) throws -> String {
        let subject = Subject(width: 1920, height: 1080, depth: 8)
        let (clips, levels) = (BenchClips.cold(subject), KernelLevel.available)
        let lines = try StyledLook.measured.map { name in
            let costs = try levels.map { level in
                try cost(of: name, subject, clips, threads: 1, runs: isQuick ? 3 : 7, level: level).processor
            }
            return [name] + costs.map { Output.text($0, 3) }
                + costs.dropFirst().map { Output.text(costs[0] / $0, 2) }
        }
        let head = ["CPU ms a frame"] + levels.map(\.rawValue) + levels.dropFirst().map { "gain of \($0.rawValue)" }
        return "\(Machine.name)\n\n" + Output.table(head, lines)
    }

    /// The report as a Markdown table.
    var table: String {
        let head =
            [
                "", "size", "format", "threads", "wall ms", "CPU ms", "Mpixel/s", "memory MB", "mallocs", "x memcpy",
                "of fade", "of wipeleft",
            ] + (FFmpeg.other.map { ["of fade, \($0.version)"] } ?? [])
        let lines = rows.map { row in
            [
                row.name, "\(row.width)x\(row.height)", row.pixelFormat, "\(row.threads)", Output.text(row.wall, 3),
                Output.text(row.processor, 3), Output.text(row.megapixelsPerSecond, 0),
                Output.text(row.memory.map { Double($0) / 1024 }, 1),
                Output.text(row.allocations, 1), Output.text(row.timesMemcpy, 1), Output.text(row.partOfFade, 3),
                Output.text(row.partOfWipe, 3),
            ] + (FFmpeg.other == nil ? [] : [Output.text(row.partOfOtherFade, 3)])
        }
        return Output.table(head, lines)
    }
}

extension ReportRow {
    init(_ name: String, _ subject: Subject, threads: Int, wall: Double?, processor: Double) {
        self.init(
            name: name, width: subject.width, height: subject.height, pixelFormat: subject.pixelFormat,
            threads: threads, wall: wall, processor: processor,
            megapixelsPerSecond: wall.map { Double(subject.width * subject.height) / 1000 / $0 })
    }

    /// - Parameters:
    ///   - memcpy: the processor time of a copy of the same frame, in milliseconds.
    ///   - xfade: that of each transition of the system's ffmpeg.
    ///   - other: that of a further ffmpeg's `fade`; nil for none.
    mutating func compare(memcpy: Double, _ xfade: [String: Double], other: Double?) {
        timesMemcpy = processor / memcpy
        partOfFade = xfade["fade"].map { processor / $0 }
        partOfWipe = xfade["wipeleft"].map { processor / $0 }
        partOfOtherFade = other.map { processor / $0 }
    }
}
