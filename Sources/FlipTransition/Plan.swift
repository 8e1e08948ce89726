import FlipFiles
import FlipRender

/// What rendering will do, known before anything is written; `description` shows it as text.
public struct Plan: Sendable, CustomStringConvertible {
    private let plan: RenderPlan
    private let pipes: KeptInputs

    /// - Parameter pipes: keeps the data of inputs that are pipes, so that they can be read again.
    init(_ plan: RenderPlan, _ pipes: KeptInputs) { (self.plan, self.pipes) = (plan, pipes) }

    /// The number of frames of the output.
    public var frames: Int { plan.timeline.frames }
    /// The number of frames whose packets are copied instead of encoded.
    public var copiedFrames: Int { plan.timeline.copiedFrames }
    /// The output's frame size, as coded. Where frames are copied, players may turn them, or show their pixels wider.
    public var size: Output.Size { Output.Size(width: plan.video.width, height: plan.video.height) }
    /// The output's frame rate.
    public var frameRate: Output.FrameRate {
        Output.FrameRate(plan.video.frameRate.numerator, plan.video.frameRate.denominator)
    }
    /// The output's duration.
    public var duration: Duration { Duration(plan.seconds) }
    /// The range of output frames that each transition makes, in the order of the joins; an empty range is a cut.
    public var transitions: [Range<Int>] { plan.timeline.joins.map { $0.start..<$0.start + $0.frames } }
    /// The warnings, one sentence each.
    public var warnings: [String] { plan.warnings }
    /// The output, followed by one line for each stretch of it.
    public var description: String { plan.description }

    /// Renders, encodes and writes the output, which appears only when it is complete: if rendering fails or is
    /// canceled, an existing file is untouched and nothing is left beside it.
    ///
    /// The work is done in separate threads, so that it blocks no task. Cancelling the task that awaits it ends the
    /// rendering after the frames in progress, with `CancellationError`.
    ///
    /// - Parameter progress: called after every frame from the encoding threads, one call at a time; they are blocked
    ///   until it returns.
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

/// The progress of a rendering.
public struct RenderProgress: Sendable, Hashable {
    /// The number of frames that are done.
    public let frames: Int
    /// The total number of frames.
    public let total: Int
    /// The time since the rendering began.
    public let elapsed: Duration
    /// The number of bytes written so far.
    public let bytes: Int

    /// The fraction of frames that are done, 0...1.
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
    /// The number of frames that were encoded.
    public let framesEncoded: Int
    /// The number of frames that were copied packet by packet.
    public let framesCopied: Int
    /// The output's size, in bytes.
    public let bytes: Int
    /// The time that rendering took, without planning.
    public let elapsed: Duration
    /// The warnings, one sentence each: the plan's, and what was wrong with the clips.
    public let warnings: [String]

    init(_ report: RenderReport) {
        framesEncoded = report.framesEncoded
        framesCopied = report.framesCopied
        bytes = report.bytes
        elapsed = .seconds(report.seconds)
        warnings = report.warnings
    }
}
