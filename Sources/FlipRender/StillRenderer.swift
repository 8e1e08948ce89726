import FlipGeometry
import FlipMedia

/// Single frames of a transition.
package enum StillRenderer {
    /// Writes one frame of the first join of `plan`, at `progress` (0...1, after easing), between the first clip's last
    /// frame and the second's first. Throws `MediaError`.
    package static func write(_ plan: RenderPlan, progress: Double) throws {
        guard let look = plan.transitions[0].look else { throw MediaError(.usage, "a cut has no frame of its own") }
        let clock = StageClock()
        let track = try VideoTrack(plan, decoding: clock, rendering: clock)
        let outgoing = track.stream(0)
        var from = try outgoing.next()
        for _ in 1..<plan.timeline.clips[0].frames { from = try outgoing.next() }
        let frame = try track.draw(look, progress, from, try track.stream(1).next())
        let writer = try MediaWriter(
            path: plan.path, container: plan.container, video: plan.video, audio: nil, overwrite: plan.overwrites)
        do {
            try writer.write(frame, at: 0)
            _ = try writer.finish()
        } catch {
            writer.cancel()
            throw error
        }
    }
}
