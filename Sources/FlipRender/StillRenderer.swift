import FlipGeometry
import FlipMedia

/// Single frames of a transition.
package enum StillRenderer {
    /// Writes one frame of the first join of `plan`, at `progress` (0...1, after easing), between the first clip's last
    /// frame and the second's first. Throws `MediaError`.
    package static func write(_ plan: RenderPlan, progress: Double) throws {
        guard let look = plan.transitions[0].look else { throw MediaError(.usage, "a cut has no frame of its own") }
        try plan.write(try TransitionEnds(plan).draw(look, progress: progress), as: plan.video)
    }
}

/// What a transition that stands still is between: the last frame of a plan's first clip and the first of its second.
struct TransitionEnds {
    private let track: VideoTrack
    private let from: VideoFrame
    private let to: VideoFrame

    /// Reads the two frames.
    init(_ plan: RenderPlan) throws {
        track = try VideoTrack(plan, StageClocks(plan))
        let outgoing = track.stream(0)
        var last = try outgoing.next()
        for _ in 1..<plan.timeline.clips[0].frames { last = try outgoing.next() }
        from = last
        to = try track.stream(1).next()
    }

    /// The frame of `look` at `progress`, 0...1, after easing.
    func draw(_ look: StyledLook, progress: Double) throws -> VideoFrame { try track.draw(look, progress, from, to) }
}

extension RenderPlan {
    /// Writes `frame`, encoded as `video`, as the whole output. Throws `MediaError`.
    func write(_ frame: VideoFrame, as video: VideoEncoding) throws {
        let writer = try MediaWriter(path: path, container: container, video: video, sound: nil, overwrite: overwrites)
        do {
            try writer.write(frame, at: 0)
            _ = try writer.finish()
        } catch {
            writer.cancel()
            throw error
        }
    }
}
