import FlipBase
import FlipMedia

/// Decides which telemetry the output has.
extension Planner {
    /// The clips' telemetry as a track: each clip's ends where the next clip's begins. Nil if there is none. Warns of telemetry
    /// that is left out.
    mutating func telemetry(
        _ clips: [RenderPlan.Clip], _ timeline: Timeline, _ container: Container
    ) throws(MediaError) -> SubtitleTrack? {
        if settings.isStill { return nil }
        var sources: [PlacedSubtitles] = []
        for (index, clip) in clips.enumerated() {
            guard let info = clip.info?.telemetry else { continue }
            let reason: String? =
                if !container.holdsTelemetry {
                    "\(container.extensions[0]) files can't hold it (mp4 and mov may)"
                } else if clip.input.source.live != nil {
                    "the clip is passed on as it comes"
                } else if !clip.use.runsAtSpeed {
                    "the clip runs at another speed"
                } else {
                    nil
                }
            if let reason {
                try warn("\(clip.name): left out the telemetry (stream \(info.streamIndex), \(info.codec)): \(reason)")
                continue
            }
            let start = timeline.clips[index].start
            let next = index + 1 < clips.count ? timeline.clips[index + 1].start : timeline.frames
            var placed = PlacedSubtitles(
                path: clip.input.path, info: info, jumps: clip.info?.jumps, clip: index,
                origin: (clip.video?.start ?? .zero) + clip.use.firstShown,
                span: timeline.times[start..<max(start, next)])
            placed.pictureEnd = clip.video.map { $0.start + $0.duration }
            placed.endsTrack = index + 1 < clips.count && clips[index + 1].info?.telemetry == nil
            sources.append(placed)
        }
        guard let first = sources.first else { return nil }
        return SubtitleTrack(
            codec: first.info.codec, header: [], tags: .common(sources.map(\.info.tags)), sources: sources)
    }
}
