import BenchSupport

/// How close an output is to its clips outside the transitions.
struct Quality: Codable {
    /// The PSNR over all planes, in dB.
    var psnr: Double
    /// The SSIM, 0...1.
    var ssim: Double

    /// Compares up to ten seconds before the first transition with the first clip, and as many after the last
    /// transition with the last clip, and returns the worse values of the two.
    static func measured(_ output: String, _ film: Film, _ clips: [String]) throws -> Quality {
        let alone = film.framesOfClip - Film.overlap
        let count = min(10 * Film.frameRate, alone)
        let parts = try [
            compare(output, from: alone - count, clips[0], from: alone - count, count),
            compare(output, from: film.frames - alone, clips[clips.count - 1], from: Film.overlap, count),
        ]
        return Quality(psnr: parts.map(\.psnr).min() ?? 0, ssim: parts.map(\.ssim).min() ?? 0)
    }

    private static func compare(
        _ output: String, from first: Int, _ clip: String, from start: Int, _ count: Int
    ) throws -> Quality {
        let inputs = [(output, first), (clip, start)].flatMap { path, frame in
            // Half a frame earlier, so that the first frame decoded is the intended one regardless of rounding.
            ["-ss", "\((max(0, Double(frame) - 0.5)) / Double(Film.frameRate))", "-i", path]
        }
        // Frames are paired by their time stamps, which have to be identical.
        let trim = "trim=end_frame=\(count),settb=1/\(Film.frameRate),setpts=N,split"
        let run = try Program.run(
            ["ffmpeg", "-v", "info", "-nostats", "-nostdin"] + inputs + [
                "-lavfi", "[0:v]\(trim)[a][b];[1:v]\(trim)[c][d];[a][c]psnr[p];[b][d]ssim[s]", "-map", "[p]", "-map",
                "[s]", "-f", "null", "-",
            ])
        guard let psnr = number(after: "average:", in: run.messages),
            let ssim = number(after: " All:", in: run.messages)
        else { throw Program.Failure(description: "ffmpeg gave no PSNR: \(run.messages.suffix(500))") }
        return Quality(psnr: psnr, ssim: ssim)
    }

    private static func number(after key: String, in text: String) -> Double? {
        guard let line = text.split(separator: "\n").last(where: { $0.contains(key) }) else { return nil }
        guard let start = line.range(of: key) else { return nil }
        return Double(line[start.upperBound...].prefix { $0 != " " })
    }
}
