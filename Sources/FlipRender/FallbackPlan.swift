import FlipBase
import FlipMedia
import FlipSplice

/// What is done if an output that is put together from several parts does not turn out as intended: copies begin at IDR pictures
/// only, or else all its frames are encoded in one pass.
package struct FallbackPlan: Sendable {
    let composition: Composition
    /// The inputs as they were probed.
    let sources: [InputClip.Source]
    /// What can still be copied if recovery points don't keep their word; nil if nothing was copied from any.
    let copies: CopyPlan?

    /// The plan for fewer copies or for one pass, with a warning that names the failure.
    func plan(since failure: SpliceFailure, copying: Bool) throws(MediaError) -> RenderPlan {
        var composition = composition
        if let copies {
            composition.notes.append(
                "copies begin at IDR pictures only, since those from recovery points failed: \(failure.reason)")
            return try Planner.plan(composition, measured: sources, copying: copies)
        }
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
