import FlipBase
import FlipClip
import FlipGeometry
import FlipMedia
import FlipSplice

/// Renders single frames of a transition.
package enum StillRenderer {
    /// Writes one frame of the transition at the first join of `plan`, at `progress` (0...1, after easing), between the
    /// first clip's last frame and the second's first. Throws `MediaError`, or `CancellationError` if `isCancelled`
    /// returns true before the file is moved into place; a file that was there before is then kept.
    /// - Returns: the number of frames decoded, of both clips together.
    @discardableResult
    package static func write(
        _ plan: RenderPlan, progress: Double, isCancelled: () -> Bool = { false }
    ) throws -> Int {
        guard let look = plan.transitions[0].look else { throw MediaError(.usage, "a cut has no frame of its own") }
        let ends = try TransitionEnds(plan)
        try plan.write(try ends.draw(look, progress: progress), as: plan.video, isCancelled: isCancelled)
        return ends.decodedFrames
    }
}

/// The two frames between which single frames of a transition are drawn: the last frame of a plan's first clip and the
/// first frame of its second.
struct TransitionEnds {
    private let track: VideoTrack
    private let from: VideoFrame
    private let to: VideoFrame

    private let clocks: StageClocks

    /// Reads the two frames. The first clip is decoded from a random access point near its end, if it has one.
    init(_ plan: RenderPlan) throws {
        clocks = StageClocks(plan)
        track = try VideoTrack(plan, clocks)
        from = try track.stream(0, from: plan.timeline.clips[0].frames - 1).next()
        to = try track.stream(1).next()
    }

    /// The number of frames decoded so far, including those before the frames that are shown.
    var decodedFrames: Int { clocks.kinds.reduce(0) { $0 + $1.clocks.decoding.count } }

    /// Draws the frame of `look` at `progress` (0...1, after easing).
    func draw(_ look: StyledLook, progress: Double) throws -> VideoFrame { try track.draw(look, progress, from, to) }
}

extension RenderPlan {
    /// Writes `frame`, encoded as `video`, as the whole output. Throws `MediaError`, or `CancellationError` if
    /// `isCancelled` returns true before the file is moved into place.
    func write(_ frame: VideoFrame, as video: VideoEncoding, isCancelled: () -> Bool = { false }) throws {
        let writer = try MediaWriter(path: path, container: container, video: video, sound: nil, overwrite: overwrites)
        do {
            try writer.write(frame, at: 0)
            if isCancelled() { throw CancellationError() }
            _ = try writer.finish()
        } catch {
            writer.cancel()
            throw error
        }
    }
}
