import FlipMedia
import Foundation
import Testing

/// Real clips for tests, which are not part of the repository.
enum Clips {
    /// The clips' folder: FLIPTRANSITION_MEDIA, or else `shared/media` beside the package; nil if there is none.
    static let folder: String? = {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let beside = package.appendingPathComponent("../shared/media").standardized.path
        let folder = ProcessInfo.processInfo.environment["FLIPTRANSITION_MEDIA"] ?? beside
        return FileManager.default.fileExists(atPath: folder + "/MEDIA.md") ? folder : nil
    }()

    static let areHere: ConditionTrait = .enabled(
        if: folder != nil, "the test clips are not here; set FLIPTRANSITION_MEDIA to their folder")

    static func path(_ name: String) -> String { "\(folder ?? "")/\(name)" }
}

/// What other programs report about a file or decode from it.
enum Judge {
    static func run(_ program: String, _ arguments: [String]) throws -> (output: Data, status: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (output, process.terminationStatus)
    }

    /// The fields of ffprobe's CSV output.
    static func probe(_ path: String, stream: String, entries: String) throws -> [String] {
        let result = try run(
            "ffprobe",
            [
                "-v", "error", "-count_frames", "-select_streams", stream, "-show_entries", entries, "-of", "csv=p=0",
                path,
            ])
        return String(decoding: result.output, as: UTF8.self).split { $0 == "," || $0.isNewline }.map(String.init)
    }

    /// The frames of a file as raw video, as ffmpeg decodes, filters and converts them.
    static func frames(_ path: String, filter: String, format: String) throws -> Data {
        try run(
            "ffmpeg",
            [
                "-v", "error", "-i", path, "-vf", filter, "-fps_mode", "passthrough", "-pix_fmt", format, "-f",
                "rawvideo", "-",
            ]
        ).output
    }

    /// The first audio channel of a file as ffmpeg decodes it.
    static func samples(_ path: String) throws -> [Float] {
        let data = try run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-af", "pan=mono|c0=c0", "-f", "f32le", "-"]
        )
        .output
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}

/// A temporary folder that is removed after the test.
final class Scratch {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("flip-media-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? [] }
}

extension VideoConform {
    /// A conform that leaves the video unchanged, provided that frames can be drawn in its pixel format.
    init(like video: VideoInfo) {
        self.init(
            width: video.displayWidth, height: video.displayHeight, frameRate: video.frameRate,
            pixelFormat: video.pixelFormat, colour: video.colour)
    }
}

extension VideoFrame {
    /// The visible samples of all planes, in order and without row padding.
    func bytes(_ format: PixelFormat) -> Data {
        var data = Data()
        for index in 0..<format.planeCount {
            let size = format.planeSize(index, width: width, height: height)
            let (base, stride) = plane(index)
            for row in 0..<size.height {
                data.append(Data(bytes: base + row * stride, count: size.width * format.bytesPerSample))
            }
        }
        return data
    }
}
