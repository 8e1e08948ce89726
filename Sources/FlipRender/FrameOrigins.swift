import FlipSplice

/// Which frames of the clips the output's frames show.
struct FrameOrigins: Sendable {
    private let timeline: Timeline
    private let clips: [RenderPlan.Clip]
    private let sources: [CopyPlan.Source?]
    private let segments: [(segment: Timeline.Segment, frames: Range<Int>)]

    init(_ timeline: Timeline, _ clips: [RenderPlan.Clip], _ copying: CopyPlan) {
        (self.timeline, self.clips, sources) = (timeline, clips, copying.sources)
        segments = timeline.placedSegments
    }

    /// The clip that frame `frame` of the output shows, and the number of its frame in the whole clip. Of the two clips of a transition,
    /// it is the one of which more is seen. Nil for a clip that is not copied.
    func origin(of frame: Int) -> (clip: CopiedClip, frame: Int)? {
        let place = segments.partitioningIndex { $0.frames.upperBound > frame }
        guard place < segments.count else { return nil }
        let (segment, frames) = segments[place]
        let index =
            switch segment {
            case .clip(let index, _), .copy(let index, _): index
            case .transition(let join, let count): 2 * (frame - frames.lowerBound) < count ? join : join + 1
            }
        guard let source = sources[index], let video = clips[index].video else { return nil }
        let own = min(max(frame - timeline.clips[index].start, 0), timeline.clips[index].frames - 1)
        let picture =
            clips[index].use.kept.map { kept in video.pictureTimes.partitioningIndex { $0 > kept.chosen[own] } - 1 }
            ?? own + source.firstFrame
        return (source.clip, min(max(picture, 0), video.frameCount - 1))
    }
}
