import Foundation
import Synchronization

/// A video stream as ffprobe decodes it: every frame, in presentation order.
package struct VideoFacts: Sendable {
    package var codec: String
    /// The coded size in pixels, before any rotation.
    package var width: Int
    package var height: Int
    package var pixelFormat: String
    /// The frame rate that the container states, in frames per second.
    package var rate: Double
    /// The display matrix's angle in degrees, counterclockwise, as ffprobe prints it.
    package var rotation: Int
    package var sampleAspect: String
    /// The stream's time base: seconds per tick.
    package var tick: Double
    /// The presentation time of every decoded frame, in seconds.
    package var times: [Double]
    /// The last frame's duration in seconds; 0 if the file does not state it.
    package var lastDuration: Double
    /// Color range, matrix, primaries, transfer and chroma location, by ffprobe's keys; "unknown" if untagged.
    package var color: [String: String]

    package var frameCount: Int { times.count }

    /// The time from the first frame's start to the last frame's end, in seconds, by time stamps. If the last frame's
    /// duration is not stated, the median frame duration is taken.
    package var span: Double {
        guard let first = times.first, let last = times.last else { return 0 }
        let steps = zip(times.dropFirst(), times).map(-).sorted()
        let usual = steps.isEmpty ? 1 / rate : steps[steps.count / 2]
        return last - first + (lastDuration > 0 ? lastDuration : usual)
    }

    /// Whether the frames are evenly spaced at `rate`, except for the time base's rounding.
    package func isEven(atRate rate: Double) -> Bool {
        times.enumerated().allSatisfy { abs($1 - times[0] - Double($0) / rate) <= tick * 1.01 }
    }
}

/// An audio stream as ffprobe reports it.
package struct AudioFacts: Sendable {
    package var codec: String
    package var sampleRate: Int
    package var channels: Int
    /// The stream's duration in seconds as the container states it; 0 if it does not.
    package var duration: Double
}

/// Facts about files as reported by ffprobe and ffmpeg, which judge the program's outputs.
package enum Judge {
    /// Options of ffmpeg's `scale` filter that make its results independent of the processor and give every pixel a
    /// chroma sample of its own: since FFmpeg 7, two neighboring pixels share one by default.
    package static let exactScaling = "flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact"

    /// The options before `-i` that keep the whole coded picture: since FFmpeg 7.1, ffmpeg crops a MOV file to its
    /// clean aperture.
    private static let wholePicture = isFFmpeg71 ? ["-apply_cropping", "codec"] : []

    /// Whether this is FFmpeg 7.1 or later.
    package static let isFFmpeg71: Bool = {
        let words = (try? Tool.run("ffmpeg", ["-version"]).text.split(separator: " ")) ?? []
        let version = words.count > 2 ? words[2].split(separator: ".").compactMap { Int($0) } : []
        return !version.lexicographicallyPrecedes([7, 1])
    }()

    /// What the tools have said of files that have not changed since, which tests ask for again and again.
    private static let known = Mutex<[[String]: ToolRun]>([:])

    /// Runs `program`, which reads nothing but the file at `path`, unless the same was asked of the same bytes before.
    private static func ask(_ program: String, _ arguments: [String], of path: String) throws -> ToolRun {
        guard let state = try? FileManager.default.attributesOfItem(atPath: path), let size = state[.size],
            let inode = state[.systemFileNumber], let time = state[.modificationDate] as? Date
        else { return try Tool.run(program, arguments) }
        let question = [program, "\(size)", "\(inode)", "\(time.timeIntervalSinceReferenceDate)"] + arguments
        if let answer = known.withLock({ $0[question] }) { return answer }
        let answer = try Tool.run(program, arguments)
        known.withLock { known in
            // Few are asked for again after so many others.
            if known.count >= 100 { known.removeAll() }
            known[question] = answer
        }
        return answer
    }

    /// The same for a program that has to succeed.
    private static func learn(_ program: String, _ arguments: [String], of path: String) throws -> ToolRun {
        let run = try ask(program, arguments, of: path)
        guard run.status == 0 else { throw ToolError(run.story) }
        return run
    }

    /// The JSON object that ffprobe prints for `path` with `options`.
    package static func probe(_ path: String, _ options: [String]) throws -> [String: Any] {
        let run = try learn("ffprobe", ["-v", "error", "-of", "json"] + options + [path], of: path)
        guard let object = try JSONSerialization.jsonObject(with: run.output) as? [String: Any] else {
            throw ToolError("ffprobe said nothing about \(path)")
        }
        return object
    }

    package static func probe(_ path: String, _ words: Words...) throws -> [String: Any] { try probe(path, words.list) }

    /// What exiftool finds in a file: numbers and texts as they are stored, by the names of its tags.
    package static func exif(_ path: String) throws -> [String: String] {
        let lines = try learn("exiftool", ["-S", "-n", path], of: path).text.split(separator: "\n")
        return Dictionary(
            lines.compactMap { line in
                line.firstRange(of: ": ").map { (String(line[..<$0.lowerBound]), String(line[$0.upperBound...])) }
            }, uniquingKeysWith: { one, _ in one })
    }

    /// The fields of a stream that ffprobe prints, in its own order, with the number of decoded frames counted.
    package static func fields(_ path: String, stream: String, entries: String) throws -> [String] {
        try Tool.succeed(
            "ffprobe", "-v error -count_frames -select_streams \(stream) -show_entries \(entries) -of csv=p=0 \(path)"
        ).text.split { $0 == "," || $0.isNewline }.map(String.init)
    }

    /// The first video stream with all its frames decoded; throws if there is none.
    package static func video(_ path: String) throws -> VideoFacts {
        let object = try probe(path, "-select_streams v:0 -show_frames -show_streams -show_entries stream_side_data")
        guard let stream = (object["streams"] as? [[String: Any]])?.first else {
            throw ToolError("\(path) has no video stream")
        }
        let frames = object["frames"] as? [[String: Any]] ?? []
        let times = frames.compactMap { number($0["best_effort_timestamp_time"]) }
        guard times.count == frames.count else { throw ToolError("\(path) has frames without a time") }
        let sides = stream["side_data_list"] as? [[String: Any]] ?? []
        let last = frames.last ?? [:]
        let colorKeys = ["color_range", "color_space", "color_primaries", "color_transfer", "chroma_location"]
        return VideoFacts(
            codec: stream["codec_name"] as? String ?? "", width: stream["width"] as? Int ?? 0,
            height: stream["height"] as? Int ?? 0, pixelFormat: stream["pix_fmt"] as? String ?? "",
            rate: ratio(stream["r_frame_rate"]), rotation: sides.compactMap { $0["rotation"] as? Int }.first ?? 0,
            sampleAspect: stream["sample_aspect_ratio"] as? String ?? "1:1", tick: ratio(stream["time_base"]),
            times: times, lastDuration: number(last["duration_time"]) ?? number(last["pkt_duration_time"]) ?? 0,
            color: Dictionary(uniqueKeysWithValues: colorKeys.map { ($0, stream[$0] as? String ?? "unknown") }))
    }

    /// The first audio stream; nil if there is none.
    package static func audio(_ path: String, track: Int = 0) throws -> AudioFacts? {
        let object = try probe(path, ["-select_streams", "a:\(track)", "-show_streams"])
        guard let stream = (object["streams"] as? [[String: Any]])?.first else { return nil }
        return AudioFacts(
            codec: stream["codec_name"] as? String ?? "", sampleRate: Int(stream["sample_rate"] as? String ?? "") ?? 0,
            channels: stream["channels"] as? Int ?? 0, duration: number(stream["duration"]) ?? 0)
    }

    /// The time of the first decoded frame of a stream, in seconds; nil if there is none.
    package static func firstTime(_ path: String, _ stream: String) throws -> Double? {
        let object = try probe(
            path, "-select_streams \(stream) -read_intervals %+#2 -show_entries frame=best_effort_timestamp_time")
        return (object["frames"] as? [[String: Any]])?.first.flatMap { number($0["best_effort_timestamp_time"]) }
    }

    /// The errors that ffmpeg reports when it decodes every stream; empty for an intact file.
    package static func complaints(_ path: String) throws -> String {
        let run = try ask(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-xerror", "-err_detect", "explode", "-i", path, "-map", "0", "-c:s", "copy"]
                + ["-f", "null", "-"], of: path)
        return run.status == 0 ? run.messages : run.story
    }

    /// The MD5 hash of each packet of audio stream `track`, counted from 0.
    package static func audioPacketHashes(_ path: String, track: Int = 0) throws -> [String] {
        let object = try probe(
            path, "-select_streams a:\(track) -show_packets -show_entries packet=data_hash -show_data_hash md5")
        return (object["packets"] as? [[String: Any]] ?? []).compactMap { $0["data_hash"] as? String }
    }

    /// The MD5 hash of each decoded video frame, or of those in `frames`, after `filter` and converted to `pixelFormat`
    /// if given.
    /// - Parameter asCoded: whether the frames stay as they are decoded, instead of being turned as the file states.
    package static func frameHashes(
        _ path: String, pixelFormat: String? = nil, frames: Range<Int>? = nil, filter: String? = nil,
        asCoded: Bool = false
    ) throws -> [String] {
        let selection = frames.map { "select=between(n\\,\($0.lowerBound)\\,\($0.upperBound - 1))" }
        let filters = [filter, selection].compactMap(\.self).joined(separator: ",")
        let select = filters.isEmpty ? [] : ["-vf", filters]
        let run = try learn(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + wholePicture + (asCoded ? ["-noautorotate"] : [])
                + ["-i", path, "-map", "0:v:0", "-fps_mode", "passthrough"] + select
                + (pixelFormat.map { ["-pix_fmt", $0] } ?? []) + ["-f", "framemd5", "-"], of: path)
        return run.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { String($0.split(separator: ",").last ?? "").trimmingCharacters(in: .whitespaces) }
    }

    /// The hash of the frame that ffmpeg decodes after seeking to `time`, in seconds, and the errors it reports on the
    /// way.
    package static func frameHash(_ path: String, at time: Double) throws -> (hash: String, complaints: String) {
        let run = try Tool.ffmpeg("-ss \(time) -i \(path) -map 0:v:0 -frames:v 1 -f framemd5 -")
        let line = run.text.split(separator: "\n").last { !$0.hasPrefix("#") }
        let hash = line?.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
        return (hash ?? "", run.messages)
    }

    /// The PSNR of each frame of a video against that of `reference`, in dB over all planes.
    package static func psnr(_ path: String, _ reference: String) throws -> [Double] {
        let folder = try TemporaryFolder()
        let log = folder / "psnr.txt"
        try Tool.ffmpeg(
            "-i \(path) -i \(reference) -lavfi",
            "[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]psnr=stats_file=\(log) -f null -")
        return try String(contentsOf: log).split(separator: "\n").map { line in
            let word = line.split(separator: " ").first { $0.hasPrefix("psnr_avg:") }?.dropFirst(9)
            return word.flatMap { Double($0) } ?? 0
        }
    }

    /// The decoded video as raw frames, filtered and converted by ffmpeg.
    package static func frames(_ path: String, filter: String, format: String) throws -> Data {
        try Tool.ffmpeg("-i \(path) -vf \(filter) -fps_mode passthrough -pix_fmt \(format) -f rawvideo -").output
    }

    /// The decoded audio as floats at the stream's own sample rate: those of one channel, or by default of all channels,
    /// interleaved.
    package static func samples(_ path: String, channel: Int? = nil, track: Int = 0) throws -> [Float] {
        let folder = try TemporaryFolder()
        let raw = folder / "audio.f32"
        try Tool.ffmpeg(
            "-i \(path) -map 0:a:\(track) \(channel.map { ["-af", "pan=mono|c0=c\($0)"] } ?? []) -c:a pcm_f32le",
            "-f f32le \(raw)")
        let data = try Data(contentsOf: raw)
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    static func number(_ value: Any?) -> Double? { (value as? String).flatMap(Double.init) ?? (value as? Double) }

    /// The value of a ratio such as "30000/1001"; 0 if it is not a valid ratio.
    static func ratio(_ value: Any?) -> Double {
        let parts = (value as? String ?? "").split(separator: "/").compactMap { Double($0) }
        return parts.count == 2 && parts[1] != 0 ? parts[0] / parts[1] : 0
    }
}
