import FlipBase
import FlipFiles
import FlipMedia
import Foundation

/// Decides which subtitle tracks the output has.
extension Planner {
    /// The maximum number of subtitle tracks in an output.
    private static let maxTracks = 64

    /// The output's subtitle tracks: those of the clips, then captions; and the captions that are drawn into the picture.
    /// Warns of what the container can't hold.
    mutating func subtitleTracks(
        _ clips: [RenderPlan.Clip], _ timeline: Timeline, _ container: Container
    ) throws(MediaError) -> (tracks: [SubtitleTrack], burned: BurnedCaptions?) {
        if settings.isStill { return ([], nil) }
        let span = { (clip: Int) in timeline.times[timeline.clips[clip].start..<timeline.clips[clip].end] }
        var own: [[PlacedSubtitles]] = []
        var captions: [[PlacedSubtitles]] = []
        for (index, clip) in clips.enumerated() {
            let origin = (clip.video?.start ?? .zero) + clip.use.firstShown
            own.append(
                try chosen(clip).map {
                    PlacedSubtitles(
                        path: clip.input.path, info: $0, jumps: clip.info?.jumps, clip: index, origin: origin,
                        span: span(index))
                })
            captions.append([])
            guard let path = composition.inputs[index].captions else { continue }
            let info = try captionInfo(path).info
            captions[index].append(
                PlacedSubtitles(path: path, info: info, clip: index, origin: clip.use.firstShown, span: span(index)))
        }
        var rows: [[PlacedSubtitles]] = []
        // Only text can be converted, so each format of pictures has tracks of its own.
        let kinds = Set(own.joined().map(\.kind)).sorted { ($0.isEmpty ? 0 : 1, $0) < ($1.isEmpty ? 0 : 1, $1) }
        for kind in kinds { rows += matched(own.map { $0.filter { $0.kind == kind } }) }
        let captionRows = rows.count
        rows += matched(captions)
        let whole = TimeSpan(start: .zero, duration: timeline.seconds)
        for path in settings.captions {
            let (info, starts) = try captionInfo(path)
            try warnOfLateCaptions(starts, end: whole.end, of: path)
            rows.append([PlacedSubtitles(path: path, info: info, clip: nil, origin: .zero, span: whole)])
        }
        for made in settings.madeCaptions {
            let path = made.file.location
            rows.append([
                PlacedSubtitles(
                    path: path, info: try MediaProbe.captions(path: path).info, clip: nil, origin: .zero, span: whole,
                    made: made)
            ])
        }
        let burned = try burned(&rows, captionRows)
        var tracks: [SubtitleTrack] = []
        var firstCaption: Int?
        for (index, row) in rows.enumerated() {
            guard let track = try track(row, container) else { continue }
            if index >= captionRows, burned == nil { firstCaption = firstCaption ?? tracks.count }
            tracks.append(track)
        }
        for index in tracks.indices {
            let made = tracks[index].sources.lazy.compactMap(\.made).first
            let language = made?.isTranslation == true ? nil : settings.language
            tracks[index].tags = tracks[index].tags.named(language ?? made?.language)
        }
        // Captions that were asked for are shown without being chosen. MP4 files mark their first track in any case.
        if let firstCaption, !tracks.contains(where: \.tags.isDefault) {
            tracks[firstCaption].tags.dispositions.append("default")
        }
        if tracks.count > Self.maxTracks {
            try warn(
                "only \(Self.maxTracks) of \(tracks.count) subtitle tracks are carried over (--subtitle-tracks chooses them)"
            )
        }
        return (Array(tracks.prefix(Self.maxTracks)), burned)
    }

    /// Takes the subtitles that are drawn into the picture out of `rows`: the captions, which begin at `captions`, or else
    /// the first track. Nil if none are to be drawn.
    private mutating func burned(_ rows: inout [[PlacedSubtitles]], _ captions: Int) throws(MediaError)
        -> BurnedCaptions?
    {
        guard let style = settings.captionStyle else { return nil }
        let first = captions < rows.count ? captions : rows.firstIndex { $0.contains { $0.info.isText } }
        guard let first else {
            throw MediaError(
                .usage,
                "there are no subtitles to draw (--burn-captions needs --captions, or a clip with text subtitles)")
        }
        let last =
            captions < rows.count
            ? rows[captions...].firstIndex { $0.contains { $0.made?.isTranslation == true } } ?? rows.count : first + 1
        let sources = rows[first..<last].flatMap { $0 }
        rows.removeSubrange(first..<last)
        if let font = style.font, InstalledFonts.missing([font]) == [font] {
            try warn("--burn-captions: the font \(font) isn't installed, so another takes its place")
        }
        return try BurnedCaptions(sources, style: style)
    }

    /// The subtitles of a clip that are used.
    private mutating func chosen(_ clip: RenderPlan.Clip) throws(MediaError) -> [SubtitleInfo] {
        guard let info = clip.info, !info.subtitles.isEmpty else { return [] }
        let chosen = composition.reading.subtitleTracks.indices(of: info.subtitles.count).map { info.subtitles[$0] }
        if chosen.isEmpty { return [] }
        if clip.input.source.live != nil {
            try warn("\(clip.name): its subtitles are left out, since it is passed on as it comes")
            return []
        }
        if !clip.use.runsAtSpeed {
            try warn("\(clip.name): its subtitles are left out, since the clip runs at another speed")
            return []
        }
        return chosen
    }

    /// Warns if captions begin only after the output has ended, as in a file that belongs to another film.
    private mutating func warnOfLateCaptions(_ starts: [Rational], end: Rational, of path: String) throws(MediaError) {
        let late = starts.count { $0 >= end }
        guard late > 0 else { return }
        let count = late == 1 ? "1 caption begins" : "\(late) captions begin"
        try warn("\(MediaInfo.name(of: path)): \(count) after the end of the output at \(end.decimalText) s")
    }

    /// The subtitles of a file of captions, with the language that its name states, as in "film.de.srt", and the times
    /// in seconds at which they appear.
    private func captionInfo(_ path: String) throws(MediaError) -> (info: SubtitleInfo, starts: [Rational]) {
        let (info, starts) = try MediaProbe.captions(path: path)
        let words = (path.split(separator: "/").last ?? "").split(separator: ".")
        guard words.count > 2, let code = TrackLanguage.code(String(words[words.count - 2])) else {
            return (info, starts)
        }
        let named = SubtitleInfo(
            streamIndex: info.streamIndex, codec: info.codec, isText: info.isText,
            tags: TrackTags(language: code, title: info.tags.title, dispositions: info.tags.dispositions),
            header: info.header)
        return (named, starts)
    }

    /// The subtitles of all clips, put together to tracks of the same language.
    private func matched(_ clips: [[PlacedSubtitles]]) -> [[PlacedSubtitles]] {
        TrackMatching(clips.map { $0.map(\.info.tags) }).tracks.map { row in
            zip(clips, row).compactMap { subtitles, index in index.map { subtitles[$0] } }
        }
    }

    /// The track that `sources` become; nil, with a warning, if the container can't hold it.
    private mutating func track(_ sources: [PlacedSubtitles], _ container: Container) throws(MediaError)
        -> SubtitleTrack?
    {
        guard let first = sources.first else { return nil }
        let ending = container.extensions[0]
        if !first.info.isText {
            if container.pictureSubtitleFormats.contains(first.info.codec) {
                return SubtitleTrack(
                    codec: first.info.codec, header: first.info.header, tags: .common(sources.map(\.info.tags)),
                    sources: sources)
            }
            for source in sources {
                try warn("\(source.name): left out stream \(source.info.text): \(ending) files can't hold it (mkv may)")
            }
            return nil
        }
        guard let preferred = container.subtitleFormats.first else {
            for source in sources {
                try warn("\(source.name): left out stream \(source.info.text): \(ending) files hold no subtitles")
            }
            return nil
        }
        let (codec, header): (String, [UInt8])
        if let common = common(sources.map(\.info), container) {
            (codec, header) = common
        } else {
            (codec, header) = (preferred, try SubtitleEncoder(preferred).header)
        }
        let track = SubtitleTrack(
            codec: codec, header: header, tags: .common(sources.map(\.info.tags)), sources: sources)
        for source in sources where source.info.codec == "ass" && !track.copies(source) {
            try warn("\(source.name): the styles of its subtitles are left out, as they become \(codec)")
        }
        return track
    }

    /// The format and header in which all subtitles can be copied; nil if there is none.
    private func common(_ infos: [SubtitleInfo], _ container: Container) -> (codec: String, header: [UInt8])? {
        guard let first = infos.first, container.subtitleFormats.contains(first.codec),
            infos.allSatisfy({ $0.codec == first.codec })
        else { return nil }
        if first.codec == "ass" { return ASSStyles.merged(infos.map(\.header)).map { ("ass", $0) } }
        return infos.allSatisfy { $0.header == first.header } ? (first.codec, first.header) : nil
    }
}

extension PlacedSubtitles {
    /// What subtitles must have in common to become one track: nothing if they are text, else format and header.
    fileprivate var kind: String { info.isText ? "" : "\(info.codec) \(info.header)" }
}
