import FlipBase
import FlipGeometry
import FlipMedia
import FlipSplice

/// Renders single frames of a transition.
package enum StillRenderer {
    /// Writes one frame of the transition at the first join of `plan`, between the first clip's last frame and the second's
    /// first. It is at `progress` (0...1, after easing), or at that time of a gesture. With a shutter, it is the frame that a
    /// join shows at the first time when the transition is that far. Throws `MediaError`, or `CancellationError` if `isCancelled`
    /// returns true before the file is moved into place; a file that was there before is then kept.
    /// - Returns: the number of frames decoded, of both clips together.
    @discardableResult
    package static func write(_ plan: RenderPlan, progress: Double, isCancelled: () -> Bool = { false }) throws -> Int {
        let spec = plan.transitions[0]
        guard let look = spec.look else { throw MediaError(.usage, "a cut has no frame of its own") }
        let ends = try TransitionEnds(plan)
        let frame: VideoFrame
        if look.look.shutter > 0, progress > 0, progress < 1 {
            let time = spec.gesture == nil ? spec.time(of: progress) : progress
            frame = try ends.draw(look, spec, at: time)
        } else {
            frame = try ends.draw(look, progress: spec.gesture == nil ? progress : spec.progress(at: progress))
        }
        try plan.write(frame, as: plan.video, isCancelled: isCancelled)
        return ends.decodedFrames
    }
}

/// The two frames between which single frames of a transition are drawn: the last frame of the clip before a join and the
/// first frame of the clip after it.
struct TransitionEnds {
    private let track: VideoTrack
    private let from: VideoFrame
    private let to: VideoFrame
    private let conform: VideoConform
    /// The number of frames of the transition.
    private let count: Int
    private let clocks: StageClocks

    /// Reads the two frames at join `join`. The clip before it is decoded from a random access point near its end, if it
    /// has one.
    init(_ plan: RenderPlan, join: Int = 0) throws {
        clocks = StageClocks(plan)
        track = try VideoTrack(plan, clocks)
        from = try track.stream(join, from: plan.timeline.clips[join].frames - 1).next()
        to = try track.stream(join + 1).next()
        conform = plan.clips[join].conform
        count = plan.timeline.joins[join].frames
        track.closeAll()
    }

    /// The number of frames decoded so far, including those before the frames that are shown.
    var decodedFrames: Int { clocks.kinds.reduce(0) { $0 + $1.clocks.decoding.count } }

    /// Draws the frame of `look` at `progress` (0...1, after easing).
    func draw(_ look: StyledLook, progress: Double) throws -> VideoFrame { try track.draw(look, progress, from, to) }

    /// Draws the frame of `look` at `time` (0...1, before easing), with the motion blur of the transition's frames.
    func draw(_ look: StyledLook, _ spec: TransitionSpec, at time: Double) throws -> VideoFrame {
        try track.draw(look, spec, at: time, of: count, from, to)
    }

    /// Draws a page that is lifted by `bump` of a whole turn, with the background on its other side and beneath it: the
    /// first one, against the motion of `look`, if `bump` is negative, otherwise the second one.
    func draw(_ look: StyledLook, bump: Double) throws -> VideoFrame {
        var turned = look.look
        if bump < 0 { turned.direction = turned.direction == .forward ? .backward : .forward }
        var against = try StyledLook(style: look.style, look: turned)
        against.background = look.background
        return try track.draw(against, abs(bump), bump < 0 ? from : to, try conform.blankFrame())
    }
}

extension RenderPlan {
    /// Writes `frame`, encoded as `video`, as the whole output. Throws `MediaError`, or `CancellationError` if
    /// `isCancelled` returns true before the file is moved into place.
    func write(_ frame: VideoFrame, as video: VideoEncoding, isCancelled: () -> Bool = { false }) throws {
        let writer = try MediaWriter(path: path, container: container, video: video, overwrite: overwrites)
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
