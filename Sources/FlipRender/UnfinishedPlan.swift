import FlipMedia

/// What can't be planned before the first clip, which is passed on as it comes, has ended. Until then the plan takes the clip
/// to be as long as any clip may be: its frames are the output's first ones, but for those of its transition.
package struct UnfinishedPlan: Sendable {
    let composition: Composition
    /// What is known of the inputs.
    let infos: [MediaInfo]
    package let input: LiveInput

    /// The whole plan; to be asked when the clip's last frame was read.
    func finished() throws(MediaError) -> RenderPlan {
        var composition = composition
        // It is all one pass.
        composition.output.segments = .off
        return try Planner.plan(composition, measured: infos.map(\.measured))
    }

    /// Frames at the end of the clip that are held back for its transition, at most.
    static func held(_ plan: RenderPlan) -> Int { plan.timeline.joins.first?.spent ?? 0 }

    /// The plan for people, as far as it goes.
    func description(of plan: RenderPlan) -> String {
        let video = plan.video
        return """
            output \(plan.path): \(video.width)x\(video.height) \(video.pixelFormat) at \(video.frameRate) fps, \
            \(video.codec ?? plan.container.defaultVideoCodec)
            input 1 \(plan.clips[0].info.name): passed on as it comes, \(UnfinishedPlan.held(plan)) frames late
            """
    }
}
