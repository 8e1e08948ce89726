import FlipBase
import FlipMedia
import FlipSplice

/// What is done if a partly copied file does not turn out as intended: everything is encoded.
package struct FallbackPlan: Sendable {
    let composition: Composition

    /// The plan that copies nothing, with a warning that names the failure.
    func plan(since failure: SpliceFailure) throws(MediaError) -> RenderPlan {
        var composition = composition
        composition.output.render = .full
        composition.notes.append("everything is encoded, since copying failed: \(failure.reason)")
        return try Planner.plan(composition)
    }
}
