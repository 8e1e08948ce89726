import FlipMedia
import FlipRender

/// Clips one after another, and how each is joined to the next. A value; nothing has been opened yet.
public struct Composition: Sendable {
    /// One or more, of any size, rate and format; the first film among them says what the output is like.
    public var clips: [Clip]
    /// The first is that from the first clip to the second, and so on; the last serves all further joins. Empty is a page flip.
    public var transitions: [Transition]
    /// Whether what would be a warning is an error, and damage in a clip ends the rendering.
    public var isStrict = false

    /// `clips` joined by `transitions`.
    public init(_ clips: [Clip], transitions: [Transition] = []) {
        self.clips = clips
        self.transitions = transitions
    }

    /// The same with one transition for all joins.
    public init(_ clips: [Clip], _ transition: Transition) { self.init(clips, transitions: [transition]) }

    /// Looks at the clips, and says what will be done for `output`. Nothing is opened for writing.
    ///
    /// Throws `FlipError` where it can't be done, and `CancellationError`.
    public func plan(_ output: Output) async throws -> Plan {
        let asked = try FlipError.mapping { try composition(output.settings()) }
        let (cancelling, pipes) = (CancelFlag(), KeptInputs(asked.files))
        let plan = try await WorkerThread.run {
            try cancelling.rethrow { try Planner.plan(asked) { cancelling.isSet } }
        } cancel: {
            cancelling.set()
        }
        try Task.checkCancellation()
        return Plan(plan, pipes)
    }

    /// Plans and renders `output` in one go; see `Plan.render(progress:)`.
    public func render(
        _ output: Output, progress: @escaping @Sendable (RenderProgress) -> Void = { _ in }
    ) async throws -> RenderSummary {
        try await plan(output).render(progress: progress)
    }

    /// Writes one frame of a transition as a picture: between the last frame of clip `join` and the first of the next.
    ///
    /// - Parameters:
    ///   - output: a picture (`.png`, `.jpg`, `.tiff`, `.ppm`, `.yuv` ...), or one frame in any container.
    ///   - progress: 0...1, after easing; 0 and 1 are the clips' own frames.
    ///   - join: 0 is that between the first and the second clip.
    /// - Throws: `FlipError`, or `CancellationError` where the task was cancelled before the picture was there; a file that was
    ///   there before is then untouched.
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
        // The clips' own ends, however long the transition is.
        composition.transitions[0].overlap = .freeze
        let asked = composition
        let (cancelling, pipes) = (CancelFlag(), KeptInputs(asked.files))
        try await WorkerThread.run {
            try withExtendedLifetime(pipes) {
                try cancelling.rethrow {
                    let plan = try Planner.plan(asked) { cancelling.isSet }
                    try StillRenderer.write(plan, progress: progress) { cancelling.isSet }
                }
            }
        } cancel: {
            cancelling.set()
        }
    }

    private func composition(_ settings: OutputSettings) throws -> FlipRender.Composition {
        let joins = transitions.isEmpty ? [try Transition()] : transitions
        var composition = FlipRender.Composition(
            inputs: try clips.map { try $0.spec }, transitions: joins.map(\.spec), output: settings)
        composition.isStrict = isStrict
        return composition
    }
}
