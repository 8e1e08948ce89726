import FlipMedia

/// What is done where a file that was partly copied does not come out as it was meant: everything is encoded.
package struct FallbackPlan: Sendable {
    let composition: Composition

    /// The plan that copies nothing.
    func plan(since failure: SpliceFailure) throws(MediaError) -> RenderPlan {
        var composition = composition
        composition.output.render = .full
        composition.notes.append("everything is encoded, since copying failed: \(failure.reason)")
        return try Planner.plan(composition)
    }
}
