import Foundation

/// One frame of a video as a few gray samples, as ffmpeg shows it: rotated, with square pixels, over black where it is
/// transparent, and padded with black bars to the frame size asked for.
package struct Thumbnail: Sendable {
    package static let width = 32
    package static let height = 32
    /// The gray levels, 0...255, row by row.
    package let samples: [Double]

    /// Frame `index` of the first video stream of `path` that isn't cover art, in a frame of `shape` pixels; nil if
    /// ffmpeg decodes none.
    package init?(_ path: String, frame index: Int, shape: (width: Int, height: Int)) throws {
        let (width, height) = shape
        let filters = [
            "select=eq(n\\,\(index))", "scale=iw*sar:ih", "setsar=1", "format=gbrap", "premultiply=inplace=1",
            "format=gbrp", "scale=\(width):\(height):force_original_aspect_ratio=decrease",
            "pad=\(width):\(height):(ow-iw)/2:(oh-ih)/2", "scale=\(Self.width):\(Self.height):flags=area",
            "format=gray",
        ].joined(separator: ",")
        let run = try Tool.run(
            "ffmpeg", "-nostdin -v error -i \(path) -map 0:V:0 -vf \(filters) -frames:v 1 -fps_mode passthrough",
            "-f rawvideo -")
        guard run.output.count == Self.width * Self.height else { return nil }
        samples = run.output.map(Double.init)
    }

    private var mean: Double { samples.reduce(0, +) / Double(samples.count) }
    private var deviation: Double {
        let mean = mean
        return (samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(samples.count)).squareRoot()
    }

    /// The correlation of the two pictures' samples: 1 for the same picture, and 1 if both are plain. It ignores
    /// differences in contrast and brightness, which tone mapping and ranges cause.
    package func likeness(_ other: Thumbnail) -> Double {
        let (mine, others) = (mean, other.mean)
        if deviation < 3, other.deviation < 3 { return 1 }
        let product = zip(samples, other.samples).reduce(0) { $0 + ($1.0 - mine) * ($1.1 - others) }
        return product / Double(samples.count) / max(deviation * other.deviation, 1e-9)
    }
}
