import FlipBase
import FlipMedia

/// Decides whether the output is rendered in segments, and which.
extension Planner {
    /// The ranges of output frames that are encoded on their own; the whole output if it is encoded in one pass. Throws
    /// if segments of a given length were asked for but are impossible.
    func segments(
        _ clips: [RenderPlan.Clip], _ encoding: VideoEncoding, _ container: Container, _ timeline: Timeline
    ) throws(MediaError) -> [Range<Int>] {
        let whole = [0..<timeline.frames]
        if settings.cache != nil, settings.segments.followsSlides, timeline.copiedFrames == 0 {
            let isRefused = settings.holds == .vfr || Encoders.segmentRefusal(encoding, in: container) != nil
            return isRefused ? whole : timeline.cutAtClips(atLeast: Int(encoding.frameRate.doubleValue.rounded(.up)))
        }
        guard
            let length = settings.segments.length(
                frames: timeline.frames, group: encoding.keyframeInterval, frameRate: encoding.frameRate)
        else { return whole }
        let refusal =
            settings.holds == .vfr
            ? "frames of any length (--held-frames vfr) are written in one pass"
            : Encoders.segmentRefusal(encoding, in: container)
        let segments = timeline.cut(every: length)
        if segments.count < 2, refusal == nil { return whole }
        switch settings.segments {
        case .off: return whole
        case .auto:
            let isWorthIt =
                settings.threads >= SegmentChoice.leastThreads && segments.count >= settings.threads
                && clips.allSatisfy {
                    $0.video?.canBeginAnywhere ?? true || $0.conform.frameCount(of: $0.use) < length
                }
            return refusal == nil && isWorthIt ? segments : whole
        case .every:
            if let refusal { throw MediaError(.usage, "nothing can be rendered in segments: \(refusal)") }
            return segments
        }
    }
}
