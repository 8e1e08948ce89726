import FlipBase
import FlipMedia
import FlipSplice

/// What is done if an output that is put together from several parts does not turn out as intended: all its frames are
/// encoded in one pass.
package struct FallbackPlan: Sendable {
    let composition: Composition
    /// The inputs as they were probed.
    let sources: [InputClip.Source]

    /// The plan for one pass, with a warning that names the failure.
    func plan(since failure: SpliceFailure, copying: Bool) throws(MediaError) -> RenderPlan {
        var composition = composition
        composition.output.render = .full
        composition.output.segments = .off
        composition.output.repeatsHolds = false
        composition.notes.append(
            copying
                ? "everything is encoded, since copying failed: \(failure.reason)"
                : "everything is encoded in one pass, since its parts could not be put together: \(failure.reason)")
        return try Planner.plan(composition, measured: sources)
    }
}
