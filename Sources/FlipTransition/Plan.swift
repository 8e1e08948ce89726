import FlipMedia
import FlipRender

/// What will be done, known before anything is written: a value that prints itself.
public struct Plan: Sendable, CustomStringConvertible {
    private let plan: RenderPlan
    private let pipes: KeptInputs

    /// - Parameter pipes: what keeps the inputs that come through pipes.
    init(_ plan: RenderPlan, _ pipes: KeptInputs) {
        self.plan = plan
        self.pipes = pipes
    }

    /// Frames of the output.
    public var frames: Int { plan.timeline.frames }
    /// Frames whose packets are taken over as they are.
    public var copiedFrames: Int { plan.timeline.copiedFrames }
    /// Of the output, in pixels.
    public var size: Output.Size { Output.Size(width: plan.video.width, height: plan.video.height) }
    /// Of the output.
    public var frameRate: Output.FrameRate {
        Output.FrameRate(plan.video.frameRate.numerator, plan.video.frameRate.denominator)
    }
    /// The output's length.
    public var duration: Duration { Duration(plan.seconds) }
    /// Which frames of the output each transition makes, from the first join on; an empty range is a cut.
    public var transitions: [Range<Int>] { plan.timeline.joins.map { $0.start..<$0.start + $0.frames } }
    /// What you should know, a sentence each.
    public var warnings: [String] { plan.warnings }
    /// The output, then one line a stretch of it.
    public var description: String { plan.description }

    /// Renders, encodes and writes the output, which appears when it is complete: where anything ends the rendering, a file that
    /// was there before is untouched and nothing is left beside it.
    ///
    /// The work is done in threads of its own, so that it holds up no task. Cancelling the task that waits for it ends it after the
    /// frames under way, with `CancellationError`.
    ///
    /// - Parameter progress: called after every frame from the threads that encode, one call at a time; what it does holds
    ///   them up.
    /// - Throws: `FlipError`, or `CancellationError`.
    public func render(
        progress: @escaping @Sendable (RenderProgress) -> Void = { _ in }
    ) async throws -> RenderSummary {
        let pipeline = Pipeline(plan)
        return try await WorkerThread.run { [pipes] in
            try withExtendedLifetime(pipes) {
                RenderSummary(try pipeline.run { progress(RenderProgress($0, total: frames)) })
            }
        } cancel: {
            pipeline.cancel()
        }
    }
}

/// How far a rendering has come.
public struct RenderProgress: Sendable, Hashable {
    /// Frames that are done.
    public let frames: Int
    /// Frames in all.
    public let total: Int
    /// Since it began.
    public let elapsed: Duration
    /// Written so far.
    public let bytes: Int

    /// 0...1.
    public var fraction: Double { total > 0 ? Double(frames) / Double(total) : 1 }

    init(_ progress: Pipeline.Progress, total: Int) {
        frames = progress.frames
        self.total = total
        elapsed = .seconds(progress.seconds)
        bytes = progress.bytes
    }
}

/// What a rendering did.
public struct RenderSummary: Sendable, Hashable {
    /// Frames that went through the encoder.
    public let framesEncoded: Int
    /// Taken over packet by packet.
    public let framesCopied: Int
    /// Size of the output.
    public let bytes: Int
    /// What it took, planning not included.
    public let elapsed: Duration
    /// What you should know, a sentence each: the plan's warnings, and what was wrong with the clips.
    public let warnings: [String]

    init(_ report: RenderReport) {
        framesEncoded = report.framesEncoded
        framesCopied = report.framesCopied
        bytes = report.bytes
        elapsed = .seconds(report.seconds)
        warnings = report.warnings
    }
}
