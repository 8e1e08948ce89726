import FlipBase
import FlipRender
import Synchronization
import TestSupport
import Testing

/// How a run proceeds.
@Suite(.serialized) struct PipelineTests {
    let folder = TemporaryFolder.make()

    /// A picture of 200 frames that is followed by a clip.
    private func plan(_ path: String, segments: Int? = nil) throws -> RenderPlan {
        let clips = try Clips.shared.get()
        var picture = ClipSpec(
            path: try clips.make("pipeline-still.png", "-f lavfi -i testsrc2=s=320x180:d=1 -frames:v 1"))
        picture.stillDuration = Rational(8)
        var output = OutputSettings(path: path)
        output.videoCodec = "ffv1"
        output.threads = 2
        if let segments { output.segments = .every(.frames(segments)) }
        return try Planner.plan(
            Composition(
                inputs: [picture, ClipSpec(path: try clips.pattern("pipeline-clip", frames: 10, size: "320x180"))],
                transitions: [try TransitionSpec(parsing: "cut")], output: output))
    }

    /// An encoder that gets every frame of a held picture is not asked for all of them at once: progress goes with it,
    /// and so does what depends on that, which is the audio and the end of a run that is cancelled.
    @Test(arguments: [nil, 150]) func aHeldPictureIsEncodedStepByStep(segments: Int?) throws {
        let plan = try plan(folder / "out.mkv", segments: segments)
        let bytes = Mutex<[Int: Int]>([:])
        _ = try Pipeline(plan).run { progress in bytes.withLock { $0[progress.frames] = progress.bytes } }
        let (early, late) = try bytes.withLock { try (#require($0[20]), #require($0[140])) }
        #expect(late > 3 * early, "\(early) bytes after 20 frames, \(late) after 140")
    }

    @Test func aHeldPictureCanBeCancelled() throws {
        let pipeline = Pipeline(try plan(folder / "out.mkv"))
        let last = Atomic(0)
        #expect(throws: CancellationError.self) {
            _ = try pipeline.run { progress in
                last.store(progress.frames, ordering: .relaxed)
                if progress.frames == 5 { pipeline.cancel() }
            }
        }
        #expect(last.load(ordering: .relaxed) == 5)
        #expect(try folder.names.isEmpty)
    }
}
