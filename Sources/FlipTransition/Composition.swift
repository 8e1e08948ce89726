import FlipBase
import FlipFiles
import FlipRender

/// A sequence of clips, and how each is joined to the next. This is a plain value: no file has been opened yet.
public struct Composition: Sendable {
    /// The clips, one or more, of any size, frame rate and format. The first video among them determines the output's.
    public var clips: [Clip]
    /// The transitions in the order of the joins; the last one serves all further joins. If empty, all are page flips.
    public var transitions: [Transition]
    /// Whether warnings are treated as errors, and damage in a clip ends the rendering.
    public var isStrict = false

    /// `clips` joined by `transitions`.
    public init(_ clips: [Clip], transitions: [Transition] = []) {
        (self.clips, self.transitions) = (clips, transitions)
    }

    /// `clips` with the same transition for all joins.
    public init(_ clips: [Clip], _ transition: Transition) { self.init(clips, transitions: [transition]) }

    /// Examines the clips and plans how to make `output`. Nothing is opened for writing.
    ///
    /// Throws `FlipError` if the output can't be made, and `CancellationError` if the task is canceled.
    public func plan(_ output: Output) async throws -> Plan {
        let asked = try FlipError.mapping { try composition(output.settings()) }
        let (cancelling, pipes) = (Cancellation(), KeptInputs(asked.files))
        let plan = try await WorkerThread.run {
            try cancelling.rethrow { try Planner.plan(asked) { cancelling.isCancelled } }
        } cancel: {
            cancelling.cancel()
        }
        try Task.checkCancellation()
        return Plan(plan, pipes)
    }

    /// Plans and renders `output` in one step; see `Plan.render(progress:)`.
    public func render(
        _ output: Output, progress: @escaping @Sendable (RenderProgress) -> Void = { _ in }
    ) async throws -> RenderSummary {
        try await plan(output).render(progress: progress)
    }

    /// Writes one frame of a transition as a picture. The transition is from the last frame of clip `join` to the first
    /// frame of the next clip.
    ///
    /// - Parameters:
    ///   - output: a picture file (`.png`, `.jpg`, `.tiff`, `.ppm`, `.yuv` ...), or any container, which then has one
    ///     frame.
    ///   - progress: the progress after easing, 0...1; 0 and 1 give the clips' own frames.
    ///   - join: the index of the join; 0 is the one between the first and the second clip.
    /// - Throws: `FlipError`, or `CancellationError` if the task was canceled before the picture was complete; an
    ///   existing file is then untouched.
    public func writeStill(_ output: Output, progress: Double, join: Int = 0) async throws {
        guard (0...1).contains(progress) else {
            throw FlipError(.usage, "invalid progress \(progress) (expected 0...1)")
        }
        guard join >= 0, join + 1 < clips.count else {
            throw FlipError(.usage, "there is no join \(join) between \(clips.count) clips (expected 0 for the first)")
        }
        var pair = self
        pair.clips = [clips[join], clips[join + 1]]
        pair.transitions = transitions.isEmpty ? [] : [transitions[min(join, transitions.count - 1)]]
        var composition = try FlipError.mapping { try pair.composition(output.settings(isStill: true)) }
        // With `freeze`, the pictures are the last and the first frame of the clips, whatever the transition's length.
        composition.transitions[0].overlap = .freeze
        let asked = composition
        let (cancelling, pipes) = (Cancellation(), KeptInputs(asked.files))
        try await WorkerThread.run {
            try withExtendedLifetime(pipes) {
                try cancelling.rethrow {
                    let plan = try Planner.plan(asked) { cancelling.isCancelled }
                    try StillRenderer.write(plan, progress: progress) { cancelling.isCancelled }
                }
            }
        } cancel: {
            cancelling.cancel()
        }
    }

    private func composition(_ settings: OutputSettings) throws -> FlipRender.Composition {
        let joins = transitions.isEmpty ? [try Transition()] : transitions
        var composition = FlipRender.Composition(
            inputs: try clips.map { try $0.spec }, transitions: try joins.map { try $0.checkedSpec() }, output: settings
        )
        composition.isStrict = isStrict
        return composition
    }
}
