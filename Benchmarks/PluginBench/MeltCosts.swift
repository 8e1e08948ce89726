import BenchSupport
import Foundation

/// The cost of transitions in melt: processor milliseconds per frame, without reading, converting and writing.
///
/// All runs differ only in the transition. At progress 0, the mixer copies its first picture, so a transition costs
/// what its run takes beyond that run, plus the copy itself.
struct MeltCosts: Codable {
    /// The cost of MLT's `affine` turning the second clip about an axis, as a card turns.
    var affine: Double
    /// The cost of the mixer's flip.
    var flip: Double

    private static let frames = 50

    /// Measures the costs; nil without melt or ffmpeg.
    /// - Parameters:
    ///   - plugins: the mixer's folder.
    ///   - copy: the milliseconds that the mixer takes for a copy.
    static func measured(plugins: String, copy: Double, rounds: Int) throws -> MeltCosts? {
        guard Program.exists("melt"), Program.exists("ffmpeg") else { return nil }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("plugin-bench-\(getpid())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let clips = try ["testsrc2", "mandelbrot"].map { source in
            let path = "\(folder)/\(source).mkv"
            try Program.run([
                "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "\(source)=s=1920x1080:r=25", "-frames:v",
                "\(frames)", "-c:v", "mpeg2video", "-q:v", "4", "-g", "1", "-pix_fmt", "yuv420p", path,
            ])
            return path
        }
        let mixer = ["frei0r.fliptransition"]
        let kinds = [
            mixer + ["progress=0"], mixer + ["progress=0=0; -1=1"],
            ["affine", "transition.fix_rotate_y=0", "transition.rotate_y=3.6"],
        ]
        var costs = kinds.map { _ in [Double]() }
        for _ in 0..<rounds {
            for (index, kind) in kinds.enumerated() {
                let run = try run(clips, mixer: kind, plugins: plugins, hashes: folder + "/frames.txt")
                costs[index].append(run.processorSeconds * 1000 / Double(frames))
            }
        }
        let middles = costs.map(Cost.middle)
        return MeltCosts(affine: middles[2] - middles[0] + copy, flip: middles[1] - middles[0] + copy)
    }

    /// Mixes two clips over their whole length. On a busy machine, melt may end before its first frame; it is then run
    /// again.
    private static func run(
        _ clips: [String], mixer: [String], plugins: String, hashes: String
    ) throws -> Program {
        for _ in 1...5 {
            let run = try Program.run(
                ["env", "FREI0R_PATH=\(plugins)", "melt", "-silent", "-profile", "atsc_1080p_25"]
                    + clips.flatMap { [$0, "in=0", "out=\(frames - 1)"] } + ["-mix", "\(frames)", "-mixer"] + mixer + [
                        "-consumer", "avformat:\(hashes)", "f=framecrc", "vcodec=rawvideo", "pix_fmt=yuv420p", "an=1",
                        "real_time=-1",
                    ])
            let lines = try String(contentsOfFile: hashes, encoding: .utf8).split(separator: "\n")
            if lines.count(where: { !$0.hasPrefix("#") }) == frames { return run }
        }
        throw Program.Failure(description: "melt does not write \(frames) frames")
    }
}
