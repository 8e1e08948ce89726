import FlipClip
import FlipGeometry
import FlipMedia
import FlipRender
import Foundation

/// A media file on its way from the demuxer to the drawn frame: it is probed, planned as both clips of a join, decoded,
/// conformed, drawn and written. It may be refused, but must not cause a crash, a hang or a leak.
final class MediaTarget: Sendable {
    static let shared = MediaTarget()

    private let folder: URL
    /// The largest number of frames for which a join is rendered.
    private static let limit = 64

    private init() {
        // In memory if possible, because a file is written for each input.
        let root = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let folder = URL(fileURLWithPath: root).appendingPathComponent("fliptransition-fuzz-\(getpid())")
        self.folder = folder
        MediaTarget.must { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        atexit { try? FileManager.default.removeItem(at: MediaTarget.shared.folder) }
        // Large pictures take long and find nothing that small ones don't.
        InputLimits.maxPixels = 1 << 20
    }

    func run(_ bytes: UnsafeBufferPointer<UInt8>) {
        let input = folder.appendingPathComponent("input").path
        let output = folder.appendingPathComponent("output.y4m").path
        MediaTarget.must { try Data(buffer: bytes).write(to: URL(fileURLWithPath: input)) }
        try? join(input, output)
        let left = MediaTarget.must { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
        precondition(Set(left).isSubset(of: ["input", "output.y4m"]), "left behind: \(left)")
    }

    /// Returns the result of `body`, and stops the run if it throws: such an error is the machine's fault, not the
    /// input's.
    private static func must<Result>(_ body: () throws -> Result) -> Result {
        do { return try body() } catch { preconditionFailure("\(error)") }
    }

    private func join(_ input: String, _ output: String) throws {
        var settings = OutputSettings(path: output)
        settings.size = (64, 36)
        settings.pixelFormat = PixelFormat(name: "yuv420p")
        settings.overwrites = true
        settings.threads = 1
        let transition = TransitionSpec(look: try StyledLook(style: Styles.named("flip")), duration: .frames(2))
        let plan = try Planner.plan(
            Composition(
                inputs: [ClipSpec(path: input), ClipSpec(path: input)], transitions: [transition], output: settings))
        _ = plan.description
        if plan.timeline.frames <= MediaTarget.limit {
            _ = try Pipeline(plan).run { _ in }
        } else {
            let clip = plan.clips[0]
            let reader = try VideoReader(clip.input, conform: clip.conform, threads: 1)
            for _ in 0..<MediaTarget.limit where try reader.next() == nil { break }
        }
        try listen(to: plan.clips[0])
    }

    /// Decodes the first tenth of a second of the clip's audio.
    private func listen(to clip: RenderPlan.Clip) throws {
        guard let info = clip.info, info.audio != nil else { return }
        let conform = AudioConform(sampleRate: 48000)
        let reader = try AudioReader(info: info, conform: conform, origin: info.audioOrigin)
        let channels = (0..<conform.channels).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 4800) }
        defer { for channel in channels { channel.deallocate() } }
        try reader.read(4800, into: channels)
    }
}

/// The entry point that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    MediaTarget.shared.run(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}
