import FlipBase
import FlipMedia

/// What can't be planned before a live first clip has ended. Until then the plan assumes that the clip has the maximum
/// length, and its frames are written as they come in, except those that its transition may need.
package struct UnfinishedPlan: Sendable {
    let composition: Composition
    /// The inputs as probed; the length of the first one is not known yet.
    let sources: [InputClip.Source]
    package let input: LiveInput

    /// The complete plan. Must not be called before the clip's last frame has been read.
    func finished() throws(MediaError) -> RenderPlan {
        var composition = composition
        // The output is being written in one pass already.
        composition.output.segments = .off
        return try Planner.plan(composition, measured: sources.map(\.measured))
    }

    /// The maximum number of frames at the clip's end that are held back for its transition.
    static func held(_ plan: RenderPlan) -> Int { plan.timeline.joins.first?.spent ?? 0 }

    /// The plan as text for users, as far as it is known.
    func description(of plan: RenderPlan) -> String {
        let video = plan.video
        return """
            output \(plan.path): \(video.width)x\(video.height) \(video.pixelFormat) at \(video.frameRate) fps, \
            \(video.codec ?? plan.container.defaultVideoCodec)
            input 1 \(plan.clips[0].name): passed on as it comes, \(UnfinishedPlan.held(plan)) frames late
            """
    }
}
