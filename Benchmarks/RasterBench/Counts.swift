import BenchSupport
import FlipGeometry
import FlipRaster
import Foundation

/// Measurements that do not depend on how busy the machine is. To count, this program draws one style under valgrind
/// with one and with two transitions; the difference is the cost of a transition after the first.
enum Counts {
    private static let frames = 4

    /// The peak memory of a renderer beyond its pictures, in kilobytes.
    static func memory(_ style: String, _ subject: Subject, threads: Int) throws -> Int {
        let run = try Program.run(command(style, subject, threads: threads, frames: 18, repeats: 1))
        return Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    /// The calls of malloc per frame; nil without valgrind.
    static func allocations(_ style: String, _ subject: Subject, threads: Int) throws -> Double? {
        try difference(style, subject, threads, ["--tool=memcheck", "--undef-value-errors=no"]) { line in
            guard let start = line.range(of: "total heap usage: ") else { return nil }
            return line[start.upperBound...].prefix { $0 != " " }
        }
    }

    /// The instructions per frame; nil without valgrind.
    static func instructions(_ style: String, _ subject: Subject) throws -> Double? {
        try difference(style, subject, 1, ["--tool=callgrind", "--callgrind-out-file=/dev/null"]) { line in
            guard let start = line.range(of: "Collected : ") else { return nil }
            return line[start.upperBound...]
        }
    }

    private static func difference(
        _ style: String, _ subject: Subject, _ threads: Int, _ tool: [String], _ number: (Substring) -> Substring?
    ) throws -> Double? {
        guard Program.exists("valgrind") else { return nil }
        let totals = try [1, 2].map { repeats -> Double in
            let run = try Program.run(
                ["valgrind"] + tool + command(style, subject, threads: threads, frames: frames, repeats: repeats))
            let found = run.messages.split(separator: "\n").compactMap(number).last ?? ""
            guard let count = Double(found.filter(\.isNumber)) else {
                throw Program.Failure(description: "valgrind counted nothing: \(run.messages.suffix(500))")
            }
            return count
        }
        return (totals[1] - totals[0]) / Double(frames)
    }

    private static func command(
        _ style: String, _ subject: Subject, threads: Int, frames: Int, repeats: Int
    ) -> [String] {
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        let numbers = [subject.width, subject.height, subject.depth, threads, frames, repeats]
        return [program, "draw", style] + numbers.map(String.init)
    }
}

extension Subject {
    func renderer(threads: Int, level: KernelLevel = .best) -> TransitionRenderer {
        TransitionRenderer(
            format: format, width: width, height: height, background: .black, threads: threads, level: level)
    }
}

extension TransitionRenderer {
    /// Draws frame `index` of a transition of `count` frames, with the look's easing and shutter.
    func render(
        _ look: StyledLook, frame index: Int, of count: Int, from: BenchPicture, to: BenchPicture,
        into target: BenchPicture
    ) {
        render(
            look, at: TransitionTime.ofFrame(index, in: count), spacing: TransitionTime.spacing(of: count),
            progress: { look.look.easing($0) },
            from: from.view, to: to.view, into: target.view)
    }
}
