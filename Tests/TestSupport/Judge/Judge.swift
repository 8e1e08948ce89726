import Foundation

/// A video stream as ffprobe decodes it: every frame, in the order of showing.
package struct VideoFacts: Sendable {
    package var codec: String
    /// Coded size in pixels, before any rotation.
    package var width: Int
    package var height: Int
    package var pixelFormat: String
    /// Frames a second as the container states them.
    package var rate: Double
    /// The display matrix's angle, counter-clockwise, as ffprobe writes it.
    package var rotation: Int
    package var sampleAspect: String
    /// Seconds a tick of the stream's time base.
    package var tick: Double
    /// Start of every decoded frame in seconds.
    package var times: [Double]
    /// How long the last frame shows, in seconds; 0 where the file does not say.
    package var lastDuration: Double
    /// colour range, space, primaries, transfer, chroma location: "unknown" where untagged.
    package var colour: [String: String]

    package var frameCount: Int { times.count }

    /// From the first frame's start to the last one's end, by timestamps.
    package var span: Double {
        guard let first = times.first, let last = times.last else { return 0 }
        let steps = zip(times.dropFirst(), times).map(-).sorted()
        let usual = steps.isEmpty ? 1 / rate : steps[steps.count / 2]
        return last - first + (lastDuration > 0 ? lastDuration : usual)
    }

    /// Whether the frames follow each other evenly at `rate`, but for the time base's rounding.
    package func isEven(atRate rate: Double) -> Bool {
        times.enumerated().allSatisfy { abs($1 - times[0] - Double($0) / rate) <= tick * 1.01 }
    }
}

/// An audio stream as ffprobe sees it.
package struct AudioFacts: Sendable {
    package var codec: String
    package var sampleRate: Int
    package var channels: Int
    /// The stream's length as the container states it, in seconds; 0 where it does not.
    package var duration: Double
}

/// ffprobe and ffmpeg, who decide what a file is.
package enum Judge {
    /// Options of ffmpeg's `scale` for results that don't depend on the processor, with a chroma sample for every pixel: since FFmpeg 7
    /// pixels share them in pairs unless told otherwise.
    package static let exactScaling = "flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact"

    /// What goes before `-i` for the whole coded picture: ffmpeg cuts off what is outside a MOV file's clean aperture since 7.1.
    private static let wholePicture: [String] = {
        let words = (try? Tool.run("ffmpeg", ["-version"]).text.split(separator: " ")) ?? []
        let version = words.count > 2 ? words[2].split(separator: ".").compactMap { Int($0) } : []
        return version.lexicographicallyPrecedes([7, 1]) ? [] : ["-apply_cropping", "codec"]
    }()

    /// ffprobe's JSON for `path`.
    package static func probe(_ path: String, _ options: [String]) throws -> [String: Any] {
        let run = try Tool.succeed("ffprobe", ["-v", "error", "-of", "json"] + options + [path])
        guard let object = try JSONSerialization.jsonObject(with: run.output) as? [String: Any] else {
            throw ToolError("ffprobe said nothing about \(path)")
        }
        return object
    }

    /// The first real video stream with all its frames decoded; throws where there is none.
    package static func video(_ path: String) throws -> VideoFacts {
        let object = try probe(
            path, ["-select_streams", "v:0", "-show_frames", "-show_streams", "-show_entries", "stream_side_data"])
        guard let stream = (object["streams"] as? [[String: Any]])?.first else {
            throw ToolError("\(path) has no video stream")
        }
        let frames = object["frames"] as? [[String: Any]] ?? []
        let times = frames.compactMap { number($0["best_effort_timestamp_time"]) }
        guard times.count == frames.count else { throw ToolError("\(path) has frames without a time") }
        let sides = stream["side_data_list"] as? [[String: Any]] ?? []
        let last = frames.last ?? [:]
        let colourKeys = ["color_range", "color_space", "color_primaries", "color_transfer", "chroma_location"]
        return VideoFacts(
            codec: stream["codec_name"] as? String ?? "", width: stream["width"] as? Int ?? 0,
            height: stream["height"] as? Int ?? 0, pixelFormat: stream["pix_fmt"] as? String ?? "",
            rate: ratio(stream["r_frame_rate"]), rotation: sides.compactMap { $0["rotation"] as? Int }.first ?? 0,
            sampleAspect: stream["sample_aspect_ratio"] as? String ?? "1:1", tick: ratio(stream["time_base"]),
            times: times, lastDuration: number(last["duration_time"]) ?? number(last["pkt_duration_time"]) ?? 0,
            colour: Dictionary(uniqueKeysWithValues: colourKeys.map { ($0, stream[$0] as? String ?? "unknown") }))
    }

    /// The first audio stream; nil where there is none.
    package static func audio(_ path: String) throws -> AudioFacts? {
        let object = try probe(path, ["-select_streams", "a:0", "-show_streams"])
        guard let stream = (object["streams"] as? [[String: Any]])?.first else { return nil }
        return AudioFacts(
            codec: stream["codec_name"] as? String ?? "", sampleRate: Int(stream["sample_rate"] as? String ?? "") ?? 0,
            channels: stream["channels"] as? Int ?? 0, duration: number(stream["duration"]) ?? 0)
    }

    /// The time of the first frame that is decoded of a stream, in seconds; nil where there is none.
    package static func firstTime(_ path: String, _ stream: String) throws -> Double? {
        let object = try probe(
            path,
            [
                "-select_streams", stream, "-read_intervals", "%+#2", "-show_entries",
                "frame=best_effort_timestamp_time",
            ])
        return (object["frames"] as? [[String: Any]])?.first.flatMap { number($0["best_effort_timestamp_time"]) }
    }

    /// What ffmpeg complains about when it decodes every stream; empty for a sound file.
    package static func complaints(_ path: String) throws -> String {
        let run = try Tool.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-xerror", "-err_detect", "explode", "-i", path, "-map", "0", "-f", "null",
                "-",
            ])
        return run.status == 0 ? run.messages : run.story
    }

    /// A hash of each decoded video frame, or of `frames` of them, in `pixelFormat` where one is given, after `filter`.
    package static func frameHashes(
        _ path: String, pixelFormat: String? = nil, frames: Range<Int>? = nil, filter: String? = nil
    ) throws -> [String] {
        let selection = frames.map { "select=between(n\\,\($0.lowerBound)\\,\($0.upperBound - 1))" }
        let filters = [filter, selection].compactMap(\.self).joined(separator: ",")
        let select = filters.isEmpty ? [] : ["-vf", filters]
        let run = try Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + wholePicture + ["-i", path, "-map", "0:v:0", "-fps_mode", "passthrough"]
                + select
                + (pixelFormat.map { ["-pix_fmt", $0] } ?? []) + ["-f", "framemd5", "-"])
        return run.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { String($0.split(separator: ",").last ?? "").trimmingCharacters(in: .whitespaces) }
    }

    /// The hash of the frame that ffmpeg shows when it is sent to `time`, in seconds, and what it complains about on the way.
    package static func frameHash(_ path: String, at time: Double) throws -> (hash: String, complaints: String) {
        let run = try Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-ss", "\(time)", "-i", path, "-map", "0:v:0", "-frames:v", "1", "-f",
                "framemd5", "-",
            ])
        let line = run.text.split(separator: "\n").last { !$0.hasPrefix("#") }
        let hash = line?.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
        return (hash ?? "", run.messages)
    }

    /// How near each frame of a video is to that of another, in dB over all planes.
    package static func psnr(_ path: String, _ reference: String) throws -> [Double] {
        let folder = try TemporaryFolder()
        let log = folder / "psnr.txt"
        try Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", path, "-i", reference, "-lavfi",
                "[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]psnr=stats_file=\(log)", "-f",
                "null",
                "-",
            ])
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map { line in
            let word = line.split(separator: " ").first { $0.hasPrefix("psnr_avg:") }?.dropFirst(9)
            return word.flatMap { Double($0) } ?? 0
        }
    }

    /// Decoded audio as interleaved floats at the stream's own rate and layout.
    package static func samples(_ path: String) throws -> [Float] {
        let folder = try TemporaryFolder()
        let raw = folder / "audio.f32"
        try Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", path, "-map", "0:a:0", "-c:a", "pcm_f32le", "-f", "f32le", raw])
        let data = try Data(contentsOf: URL(fileURLWithPath: raw))
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    static func number(_ value: Any?) -> Double? {
        (value as? String).flatMap(Double.init) ?? (value as? Double)
    }

    /// "30000/1001" as a number; 0 where it is none.
    static func ratio(_ value: Any?) -> Double {
        let parts = (value as? String ?? "").split(separator: "/").compactMap { Double($0) }
        return parts.count == 2 && parts[1] != 0 ? parts[0] / parts[1] : 0
    }
}
