import BenchSupport
import Foundation

/// The cost of a 1080p frame in GStreamer, of two pictures in I420: processor milliseconds, without making the pictures.
///
/// Both pictures are still, so that pipelines of different length differ only in the frames that are mixed.
struct GStreamerCosts: Codable {
    /// GStreamer's own `compositor`, which blends the two half and half.
    var compositor: Double
    /// The element's flip.
    var flip: Double

    private static let lengths = [20, 320]

    /// Measures the costs; nil without gst-launch-1.0.
    /// - Parameter plugin: the element's folder.
    static func measured(plugin: String, rounds: Int) throws -> GStreamerCosts? {
        guard Program.exists("gst-launch-1.0") else { return nil }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gstreamer-bench-\(getpid())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let environment = ["env", "GST_PLUGIN_PATH=\(plugin)", "GST_REGISTRY=\(folder)/registry"]
        let mixers = { (frames: Int) in
            [
                "compositor name=m sink_1::alpha=0.5",
                "fliptransition name=m n-threads=1 duration=\(Double(frames) / 30)",
            ]
        }
        var costs = [[Double]](repeating: [], count: 2)
        for _ in 0..<rounds {
            for index in costs.indices {
                let seconds = try lengths.map { frames in
                    try Program.run(environment + pipeline(mixers(frames)[index], frames: frames)).processorSeconds
                }
                costs[index].append((seconds[1] - seconds[0]) * 1000 / Double(lengths[1] - lengths[0]))
            }
        }
        return GStreamerCosts(compositor: Cost.middle(costs[0]), flip: Cost.middle(costs[1]))
    }

    private static func pipeline(_ mixer: String, frames: Int) -> [String] {
        let picture = { (pattern: String) in
            "videotestsrc num-buffers=1 pattern=\(pattern) ! video/x-raw,format=I420,width=1920,height=1080,framerate=30/1 "
                + "! imagefreeze num-buffers=\(frames) ! m."
        }
        let text = "\(mixer) ! fakesink \(picture("smpte")) \(picture("circular"))"
        return ["gst-launch-1.0", "-q"] + text.split(separator: " ").map(String.init)
    }
}
