import BenchSupport
import Foundation

/// The costs of other operations on frames of the same size and format.
enum Peers {
    /// The cost of copying a frame from memory that is not cached (cold) and from memory that is (warm).
    static func memcpy(_ clips: BenchClips, runs: Int) -> (cold: Cost, warm: Cost) {
        let ring = clips.from.count
        let sources = [clips.from, clips.to].flatMap { $0 }
        let cold = Cost.median(runs: runs, frames: 2 * ring) { index in
            clips.target[index % ring].copy(sources[index])
        }
        let warm = Cost.median(runs: runs, frames: 2 * ring) { _ in clips.target[0].copy(clips.from[0]) }
        return (cold, warm)
    }

    /// The processor time of `xfade` in an ffmpeg, in milliseconds per frame, without reading but with the conversion back
    /// to the clips' format; empty without ffmpeg.
    static func xfade(
        _ names: [String], of ffmpeg: FFmpeg?, _ subject: Subject, runs: Int
    ) throws -> [String: Double] {
        guard let ffmpeg else { return [:] }
        let frames = subject.width > 2000 ? 20 : 60
        let folder = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let paths = ["from", "to"].map { "\(folder)/raster-bench-\(getpid())-\($0).raw" }
        defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
        for (part, path) in paths.enumerated() { try write(subject, part: part, frames: frames, to: path) }
        let inputs = paths.flatMap {
            [
                "-f", "rawvideo", "-video_size", "\(subject.width)x\(subject.height)", "-pixel_format",
                subject.pixelFormat, "-framerate", "30", "-i", $0,
            ]
        }
        let words = [ffmpeg.program, "-v", "error", "-nostdin", "-filter_complex_threads", "1"] + inputs
        let measure = { (arguments: [String]) in
            try Program.run(words + arguments + ["-f", "null", "-"]).processorSeconds
        }
        var reading: [Double] = []
        var drawing: [String: [Double]] = [:]
        for _ in 0..<runs {
            reading.append(try measure(["-map", "0:v", "-map", "1:v"]))
            for name in names {
                let graph =
                    "[0:v][1:v]xfade=transition=\(name):duration=\(Double(frames) / 30):offset=0,"
                    + "format=\(subject.pixelFormat)"
                drawing[name, default: []].append(try measure(["-filter_complex", graph]))
            }
        }
        return drawing.mapValues { (Cost.middle($0) - Cost.middle(reading)) * 1000 / Double(frames) }
    }

    private static func write(_ subject: Subject, part: Int, frames: Int, to path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let file = FileHandle(forWritingAtPath: path) else {
            throw Program.Failure(description: "cannot write \(path)")
        }
        let pictures = (0..<4).map { BenchPicture(subject.format, subject.width, subject.height, seed: 2 * $0 + part) }
        for frame in 0..<frames {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(subject.bytes)
            pictures[frame % pictures.count].appendSamples(to: &bytes)
            try file.write(contentsOf: Data(bytes))
        }
        try file.close()
    }
}
