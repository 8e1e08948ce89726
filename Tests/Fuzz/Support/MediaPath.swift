import FlipBase
import FlipGeometry
import FlipMedia
import FlipRender

/// The program's path of a media file, from the demuxer to the drawn frame or the copied packet. The file may be
/// refused, but must not cause a crash, a hang or a leak.
package struct MediaPath {
    private let input: String

    /// The largest number of frames for which a join is rendered.
    private static let limit = 64
    private static let drawn = "drawn.y4m"
    private static let copies = ["copied.mkv", "copied.mp4"]

    /// Writes the file that `bytes` are.
    package init(of bytes: UnsafeBufferPointer<UInt8>) {
        // Large pictures take long and find nothing that small ones don't.
        InputLimits.maxPixels = 1 << 20
        input = ScratchFolder.shared.write(bytes, to: "input")
    }

    /// Joins the file, or `part` of it, with itself: it is probed, planned as both clips, decoded, conformed, drawn and
    /// written. Of long clips, only the first frames are decoded.
    package func join(_ part: ClipPart = .all) throws {
        var settings = OutputSettings(path: ScratchFolder.shared.path(MediaPath.drawn))
        settings.size = (64, 36)
        settings.pixelFormat = PixelFormat(name: "yuv420p")
        let plan = try plan(part, settings)
        if plan.timeline.frames <= MediaPath.limit {
            _ = try Pipeline(plan).run { _ in }
        } else {
            let clip = plan.clips[0]
            let reader = try VideoReader(clip.input, conform: clip.conform, threads: 1)
            for _ in 0..<MediaPath.limit where try reader.next() == nil { break }
        }
        try listen(to: plan.clips[0])
    }

    /// Joins the file with itself and copies what can be copied: packets of the video, the audio and the subtitles, and
    /// chapters. Long clips are only planned.
    package func copy() {
        for output in MediaPath.copies {
            var settings = OutputSettings(path: ScratchFolder.shared.path(output))
            settings.render = .auto
            settings.preset = "ultrafast"
            guard let plan = try? plan(.all, settings), plan.timeline.frames <= MediaPath.limit else { continue }
            _ = try? Pipeline(plan).run { _ in }
        }
    }

    /// The file as the program describes it.
    /// - Parameter isHasty: whether packets in the middle may be left unread.
    package func probe(isHasty: Bool = false) throws -> MediaInfo {
        try MediaProbe.probe(path: input, isHasty: isHasty)
    }

    /// The length of the file's audio in seconds; nil if it has none.
    package func probeAudio() throws -> Rational? { try MediaProbe.probeAudio(path: input)?.duration }

    /// Stops the run if something was left behind beside the file and the outputs.
    package func checkFolder() { ScratchFolder.shared.check(holdsOnly: ["input", MediaPath.drawn] + MediaPath.copies) }

    private func plan(_ part: ClipPart, _ settings: OutputSettings) throws -> RenderPlan {
        var settings = settings
        settings.overwrites = true
        settings.threads = 1
        let clips = [ClipSpec](repeating: ClipSpec(path: input, part: part), count: 2)
        let transition = TransitionSpec(look: try StyledLook(style: Styles.named("flip")), duration: .frames(2))
        let plan = try Planner.plan(Composition(inputs: clips, transitions: [transition], output: settings))
        _ = plan.description
        return plan
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
