import TestSupport
import Testing

/// What is copied, and what is said of it.
extension CommandTests {
    /// What ffprobe says of the form of the video.
    static func form(_ path: String) throws -> [String] {
        let object = try Judge.probe(
            path,
            [
                "-select_streams", "v:0", "-show_entries",
                "stream=width,height,sample_aspect_ratio,pix_fmt,color_space:stream_side_data=displaymatrix,rotation",
            ])
        let stream = try #require((object["streams"] as? [[String: Any]])?.first)
        let sides = stream["side_data_list"] as? [[String: Any]] ?? []
        let keys = ["width", "height", "sample_aspect_ratio", "pix_fmt", "color_space"]
        let values = keys.map { "\($0)=\(stream[$0] ?? "")" }
        // Where nothing is stated, pixels are square.
        return values.map {
            $0.hasPrefix("sample_aspect_ratio=") && !$0.contains(":") ? "sample_aspect_ratio=1:1" : $0
        } + sides.flatMap { side in ["displaymatrix", "rotation"].map { "\($0)=\(side[$0] ?? "")" } }
    }

    /// The stretches that `plan` says are copied: their place in the output, the clip's index, and the clip's first frame there.
    static func copies(_ plan: [String: Any]) throws -> [(place: Range<Int>, clip: Int, first: Int)] {
        let segments = try #require(plan["segments"] as? [[String: Any]])
        return try segments.filter { $0["kind"] as? String == "copy" }.map { segment in
            let numbers = try ["start", "frames", "input", "firstFrame"].map { try #require(segment[$0] as? Int) }
            return (numbers[0]..<numbers[0] + numbers[1], numbers[2], numbers[3])
        }
    }

    /// Expects that the frames of `output` that `plan` says are copied are those of `sources`, as they are coded.
    /// Returns the number of these frames.
    /// - Parameter starts: the first frame of each source that is used; 0 if it is missing.
    static func expectCopies(
        _ output: String, of sources: [String], from starts: [Int] = [], _ plan: [String: Any]
    ) throws -> Int {
        let hashes = try Judge.frameHashes(output, asCoded: true)
        let own = try sources.map { try Judge.frameHashes($0, asCoded: true) }
        let copies = try copies(plan)
        for (place, clip, first) in copies {
            try #require(place.upperBound <= hashes.count)
            let start = first + (starts.isEmpty ? 0 : starts[clip])
            #expect(hashes[place] == own[clip][start..<start + place.count], "frames \(place) of clip \(clip)")
        }
        return copies.map(\.place.count).reduce(0, +)
    }

    /// Expects that `output`, which has so many frames at 30 a second, shows the right one after seeks to random times.
    static func expectSeeks(_ output: String, frames: Int) throws {
        let hashes = try Judge.frameHashes(output)
        try #require(hashes.count == frames)
        var random = SplitMix64(seed: 7)
        for _ in 0..<(Places.runsSlowTests ? 50 : 8) {
            let index = Int.random(in: 1..<frames, using: &random)
            // AVI has no time stamps between frames: seeks round to the nearest frame.
            let frame = try Judge.frameHash(output, at: (Double(index) - 0.4) / 30)
            #expect(frame == (hashes[index], ""), "frame \(index)")
        }
    }
}
