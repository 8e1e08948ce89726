import FlipBase
import FlipGeometry
import FlipRender
import TestSupport
import Testing

/// Rendering of single frames of a transition.
struct StillRendererTests {
    let folder = TemporaryFolder.make()
    private static let keyframes = 10

    private func plan(_ path: String, frames: Int = 1500, overwrites: Bool = false) throws -> RenderPlan {
        let clips = try Clips.shared.get()
        let long = try clips.make(
            "still-long-\(frames).mp4", "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v \(frames) -pix_fmt yuv420p",
            "-c:v libx264 -preset ultrafast -g \(Self.keyframes)")
        let second = try clips.pattern("still-second", frames: 30, size: "64x48")
        var output = OutputSettings(path: path)
        output.isStill = true
        output.overwrites = overwrites
        return try Planner.plan(
            Composition(
                inputs: [ClipSpec(path: long), ClipSpec(path: second)],
                transitions: [
                    TransitionSpec(look: try StyledLook(style: "flip", look: nil, options: []), overlap: .freeze)
                ],
                output: output))
    }

    /// Of a clip of one minute, at most the last two GOPs are decoded, and of the second clip only what is decoded
    /// ahead.
    @Test func onlyTheEndIsDecoded() throws {
        let plan = try plan(folder / "still.png")
        let decoded = try StillRenderer.write(plan, progress: 0)
        #expect(decoded <= 2 * Self.keyframes + 16)
        let last = try Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", plan.clips[0].input.path, "-i", folder / "still.png",
                "-filter_complex",
                "[0]select=eq(n\\,1499),scale=\(Judge.exactScaling),format=gbrp[a];"
                    + "[1]format=gbrp[b];[a][b]psnr=stats_file=-", "-fps_mode", "passthrough", "-f", "null", "-",
            ])
        let line = try #require(last.text.split(separator: "\n").first { $0.contains("psnr_avg:") })
        let value = try #require(line.split(separator: " ").first { $0.hasPrefix("psnr_avg:") }?.dropFirst(9))
        #expect(value == "inf" || (Double(value) ?? 0) > 40, "\(line)")
    }

    @Test func aCancelledStillLeavesWhatWasThere() throws {
        let path = folder / "still.png"
        let precious = Data("precious".utf8)
        try precious.write(to: path)
        let plan = try plan(path, frames: 40, overwrites: true)
        #expect(throws: CancellationError.self) {
            try StillRenderer.write(plan, progress: 0.5, isCancelled: { true })
        }
        #expect(try Data(contentsOf: path) == precious)
        #expect(try folder.names == ["still.png"])
    }

    /// Planning stops soon after it is canceled: later clips are not opened.
    @Test func planningCanBeCancelled() throws {
        let (clips, folder) = try (Clips.shared.get(), TemporaryFolder())
        let a = try clips.pattern("still-second", frames: 30, size: "64x48")
        let composition = Composition(
            inputs: [ClipSpec(path: a), ClipSpec(path: "/nowhere/at-all.mp4")],
            transitions: [TransitionSpec(look: nil)], output: OutputSettings(path: folder / "out.mp4"))
        let error = #expect(throws: MediaError.self) { try Planner.plan(composition, isCancelled: { true }) }
        #expect(error?.message.contains("cancelled") == true, "\(String(describing: error))")
    }
}
