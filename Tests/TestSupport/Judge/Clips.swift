import Foundation
import Synchronization

/// Clips that ffmpeg makes for tests, each only once per run. Tests that run concurrently may ask for the same clip, and
/// processes share theirs in the folder FLIPTRANSITION_CLIPS, if there is one.
package final class Clips: Sendable {
    private let folder: TemporaryFolder
    private let common = ProcessInfo.processInfo.environment["FLIPTRANSITION_CLIPS"]
    private let recipes = Mutex<[String: Recipe]>([:])

    /// How a file is made. The thread that holds the lock is making it.
    private final class Recipe: Sendable {
        let arguments: [String]
        /// Where it is, once it is made.
        let place = Mutex<String?>(nil)

        init(_ arguments: [String]) { self.arguments = arguments }
    }

    package init() throws { folder = try TemporaryFolder() }

    /// The clips that all tests of a run share; their folder is removed when the process exits.
    package static let shared: Result<Clips, any Error> = Result {
        atexit {
            if let clips = try? Clips.shared.get() { try? FileManager.default.removeItem(atPath: clips.folder.path) }
        }
        return try Clips()
    }

    /// The path of the file `name` in the clips' folder, which ffmpeg makes with `arguments` if it does not exist yet.
    ///
    /// Throws if another test makes a file of that name with other arguments, because which of the two a test gets
    /// would depend on the order of the tests.
    package func make(_ name: String, _ arguments: [String]) throws -> String {
        let recipe = recipes.withLock { recipes in
            let recipe = recipes[name] ?? Recipe(arguments)
            recipes[name] = recipe
            return recipe
        }
        guard recipe.arguments == arguments else {
            throw ToolError("two tests make \(name): one by \(recipe.arguments), the other by \(arguments)")
        }
        return try recipe.place.withLock { place in
            if let place { return place }
            let made = try common.map { try shared(name, arguments, in: $0) } ?? brew(name, arguments)
            place = made
            return made
        }
    }

    package func make(_ name: String, _ words: Words...) throws -> String { try make(name, words.list) }

    private func brew(_ name: String, _ arguments: [String]) throws -> String {
        try Tool.ffmpeg("-y \(Self.tagging(arguments)) \(folder / name)")
        return folder / name
    }

    /// The path of the file among those that all processes use. What is there once is never replaced, so that no test sees
    /// a file change.
    private func shared(_ name: String, _ arguments: [String], in common: String) throws -> String {
        // Other arguments make another file, as where another process has used the name for something else.
        let sum = arguments.joined(separator: "\n").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        let place = "\(common)/\(String(sum, radix: 16))"
        if !FileManager.default.fileExists(atPath: "\(place)/\(name)") {
            let made = try brew(name, arguments)
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try? FileManager.default.linkItem(atPath: made, toPath: "\(place)/\(name)")
            try FileManager.default.removeItem(atPath: made)
        }
        return "\(place)/\(name)"
    }

    /// `arguments` with a filter that tags the frames as the encoder's options state.
    ///
    /// Since FFmpeg 7, an encoder takes primaries and transfer only from the frames and ignores `-color_primaries` and
    /// `-color_trc`.
    private static func tagging(_ arguments: [String]) -> [String] {
        let names = [
            "-color_range": "range", "-colorspace": "colorspace", "-color_primaries": "color_primaries",
            "-color_trc": "color_trc",
        ]
        // If an option is repeated, the last one counts, as in ffmpeg.
        let values = Dictionary(
            zip(arguments, arguments.dropFirst()).compactMap { name, value in names[name].map { ($0, value) } },
            uniquingKeysWith: { $1 })
        guard !values.isEmpty, let place = arguments.firstIndex(of: "-vf") else { return arguments }
        var tagging = arguments
        tagging[place + 1] += ",setparams=" + values.map { "\($0)=\($1)" }.sorted().joined(separator: ":")
        return tagging
    }

    /// A lossless clip of `frames` frames of a moving test pattern (each frame differs) in `pixelFormat`, tagged as
    /// BT.709 unless RGB.
    package func pattern(
        _ name: String, frames: Int, rate: String = "25", size: String = "160x90", pixelFormat: String = "yuv420p",
        hue: Int = 0, sound: Bool = false
    ) throws -> String {
        let isRGB = pixelFormat.hasPrefix("gbr")
        return try make(
            name + ".mkv", "-f lavfi -i testsrc2=s=\(size):r=\(rate):d=1000",
            "\(sound ? ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=1000"] : []) -frames:v \(frames)",
            "-vf hue=h=\(hue),format=\(pixelFormat) -c:v ffv1",
            "\(isRGB ? [] : ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"])",
            "\(sound ? ["-c:a", "pcm_s16le", "-shortest"] : [])")
    }

    /// The number of frames of `long`.
    package static let longFrames = 500

    /// A clip whose joins last for so long, with a slow preset at least, that they can be disturbed.
    package func long() throws -> String {
        try make(
            "long.mkv", "-f lavfi -i testsrc2=s=640x360:r=25:d=1000 -frames:v \(Self.longFrames) -pix_fmt yuv420p",
            "-c:v libx264 -preset ultrafast -crf 18 -g 25")
    }

    /// `seconds` of video and audio in which the k-th flash and click come together at `events[k]` seconds: a white
    /// frame among dark ones, and one millisecond of nearly full level in silence.
    package func flashAndClick(
        _ name: String, seconds: Double, events: [Double], rate: String = "30", size: String = "160x90",
        sampleRate: Int = 48000, channels: Int = 2,
        codecs: [String] = ["-c:v", "libx264", "-c:a", "aac", "-b:a", "256k"]
    ) throws -> String {
        let isEvent = events.map { "between(t,\($0)-0.001,\($0)+0.001)" }.joined(separator: "+")
        let isClick = events.map { "between(t,\($0)-0.0005,\($0)+0.0005)" }.joined(separator: "+")
        let channel = "0.9*(\(isClick))"
        return try make(
            name,
            [
                "-f", "lavfi", "-i", "color=c=0x202020:s=\(size):r=\(rate):d=\(seconds)", "-f", "lavfi", "-i",
                "aevalsrc='\(Array(repeating: channel, count: channels).joined(separator: "|"))':s=\(sampleRate):d=\(seconds)",
                "-vf", "drawbox=c=white:t=fill:enable='\(isEvent)',format=yuv420p", "-preset", "ultrafast",
            ] + codecs)
    }

    /// A lossless clip of `seconds` of dark video with a tone of `frequency` Hz at half of full scale.
    package func tone(
        _ name: String, frequency: Int, seconds: Double, rate: String = "25", sampleRate: Int = 48000
    ) throws -> String {
        try make(
            name + ".mkv", "-f lavfi -i color=c=0x202020:s=64x36:r=\(rate):d=\(seconds)",
            "-f lavfi -i aevalsrc='0.5*sin(2*PI*\(frequency)*t)':s=\(sampleRate):d=\(seconds) -c:v ffv1",
            "-c:a pcm_s16le")
    }

    /// Writes a copy of the clip at `path`, of which a packet of the video can't be decoded as it should be, since it is overwritten
    /// from byte `offset` on.
    package static func damage(packet number: Int, of path: String, from offset: Int, as copy: String) throws {
        let packets = try Judge.rows(path, "packets", "-select_streams v -show_entries packet=pos,size")
        let values = ["pos", "size"].compactMap { (packets[number][$0] as? String).flatMap { Int($0) } }
        guard values.count == 2 else { throw ToolError("ffprobe doesn't say where packet \(number) of \(path) is") }
        var bytes = try Data(contentsOf: path)
        for index in values[0] + offset..<values[0] + values[1] { bytes[index] = 0x55 }
        try bytes.write(to: copy)
    }

    /// The path of the clip at `path` with an attached text, which joins leave out with a warning. It is made in
    /// `folder`.
    package static func addAttachment(to path: String, in folder: TemporaryFolder) throws -> String {
        try "A line.\n".write(to: folder / "lines.txt")
        let result = folder / "attached.mkv"
        try Tool.ffmpeg(
            "-i \(path) -attach \(folder / "lines.txt") -metadata:s:t mimetype=text/plain -c copy \(result)")
        return result
    }

    /// The path of the clip at `path` with subtitle streams from `files`, in their own formats or in `codec`. It is made
    /// in `folder`.
    package static func addSubtitles(
        _ files: [(path: String, language: String)], to path: String, codec: String = "copy", as name: String,
        in folder: TemporaryFolder
    ) throws -> String {
        var arguments = ["-nostdin", "-v", "error", "-i", path] + files.flatMap { ["-i", $0.path] }
        arguments += (0...files.count).flatMap { ["-map", "\($0)"] } + ["-c", "copy", "-c:s", codec]
        for (index, file) in files.enumerated() {
            arguments += ["-metadata:s:s:\(index)", "language=\(file.language)"]
        }
        try Tool.succeed("ffmpeg", arguments + [folder / name])
        return folder / name
    }
}

extension Judge {
    /// The indices of the white frames that `Clips.flashAndClick` put among dark ones.
    package static func flashes(_ path: String, width: Int, height: Int) throws -> [Int] {
        try pictures(path, pixelFormat: "gray", width: width, height: height).enumerated().filter {
            $0.element[plane: 0, x: width / 2, y: height / 2] > 180
        }.map(\.offset)
    }
}
