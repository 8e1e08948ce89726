import FlipBase
import FlipBitstream
import FlipFiles
import FlipMedia

/// Decides which tracks of data the output has, such as the telemetry of cameras.
extension Planner {
    /// The clips' data as tracks: each clip's ends where the next clip's begins. Warns of what is left out.
    ///
    /// Tracks whose packets are described alike become one: of each clip the first, then the second, and so on.
    mutating func dataTracks(
        _ clips: [RenderPlan.Clip], _ timeline: Timeline, _ container: Container
    ) throws(MediaError) -> [SubtitleTrack] {
        if settings.isStill { return [] }
        var tracks: [(kind: DataKind, sources: [PlacedSubtitles])] = []
        for (index, clip) in clips.enumerated() {
            var counts: [DataKind: Int] = [:]
            for info in clip.info?.dataTracks ?? [] {
                if let reason = refusal(info, of: clip, container) {
                    try warn(
                        "\(clip.name): left out the data track\(info.tags.text) (stream \(info.streamIndex), \(info.codec)): \(reason)"
                    )
                    continue
                }
                var kind = DataKind(codec: info.codec, header: info.header)
                counts[kind, default: 0] += 1
                kind.number = counts[kind] ?? 1
                let placed = placed(info, of: index, clips, timeline)
                if let track = tracks.firstIndex(where: { $0.kind == kind }) {
                    tracks[track].sources.append(placed)
                } else {
                    tracks.append((kind, [placed]))
                }
            }
        }
        return tracks.map { kind, sources in
            SubtitleTrack(
                codec: kind.codec, isData: true, header: kind.header, tags: .common(sources.map(\.info.tags)),
                sources: sources)
        }
    }

    /// What a track of data holds, and its number among the clip's tracks of the same kind.
    private struct DataKind: Hashable {
        var codec: String
        var header: [UInt8]
        var number = 0
    }

    /// Why a track of data is left out; nil if it is kept.
    private func refusal(_ data: SubtitleInfo, of clip: RenderPlan.Clip, _ container: Container) -> String? {
        let isStream = OutputPlace(settings.path).isStream
        if !container.holds(data, throughPipe: isStream) {
            if container.holds(data, throughPipe: false) { return "it can't be written through a pipe" }
            let others = Container.all.filter { $0.holds(data, throughPipe: isStream) }.map { $0.extensions[0] }
            return "\(container.extensions[0]) files can't hold it"
                + (others.isEmpty ? "" : " (\(others.joined(separator: " and ")) may)")
        }
        if clip.input.source.live != nil { return "the clip is passed on as it comes" }
        return clip.use.runsAtSpeed ? nil : "the clip runs at another speed"
    }

    private func placed(
        _ info: SubtitleInfo, of index: Int, _ clips: [RenderPlan.Clip], _ timeline: Timeline
    ) -> PlacedSubtitles {
        let (clip, start) = (clips[index], timeline.clips[index].start)
        let next = index + 1 < clips.count ? timeline.clips[index + 1].start : timeline.frames
        var placed = PlacedSubtitles(
            path: clip.input.path, info: info, jumps: clip.info?.jumps, clip: index,
            origin: (clip.video?.start ?? .zero) + clip.use.firstShown, span: timeline.times[start..<max(start, next)])
        placed.pictureEnd = clip.video.map { $0.start + $0.duration }
        placed.endsTrack =
            index + 1 < clips.count
            && clips[index + 1].info?.dataTracks.contains { $0.codec == info.codec } != true
        return placed
    }
}
