import FlipBase
import FlipMedia

/// Decides what is drawn over the frames, where and when.
extension Planner {
    /// The width of a film that is given no size, in percent of the frame's.
    fileprivate static let overlayFilmWidth = 25.0

    /// The overlays, with the place and the time of each.
    /// - Parameter frames: the form of the frames that they are drawn over.
    mutating func overlays(
        _ clips: [RenderPlan.Clip], _ timeline: Timeline, _ frames: VideoConform
    ) throws(MediaError) -> [PlacedOverlay] {
        if settings.isStill { return [] }
        guard settings.overlays.count <= OverlaySpec.limit else {
            throw MediaError(.usage, "there are more than \(OverlaySpec.limit) overlays")
        }
        var known: [String: MediaInfo] = [:]
        var placed: [PlacedOverlay] = []
        for spec in settings.overlays {
            let overlay: PlacedOverlay?
            switch spec.content {
            case .text(let text):
                let art = try TextArt(text, spec, labels: labels(clips), over: frames)
                overlay = PlacedOverlay(spec, .text(art), timeline, frames)
            case .file(let path):
                let info: MediaInfo
                if let same = known[path] {
                    info = same
                } else {
                    info = try MediaProbe.probe(path: path, isCancelled: isCancelled)
                    known[path] = info
                }
                overlay = try file(info, spec, timeline, frames)
            }
            if let overlay {
                placed.append(overlay)
            } else {
                let end = (Rational(timeline.frames) / frames.frameRate).decimalText
                try warn(
                    "the overlay \(spec.path.map { "'\($0)'" } ?? "'\(spec.shownText)'") is never seen, since the output "
                        + "ends at \(end) s")
            }
        }
        return placed
    }

    /// What texts can say of each clip.
    private func labels(_ clips: [RenderPlan.Clip]) -> [ClipLabel] {
        clips.enumerated().map { index, clip in
            let number = composition.inputs[index].number ?? ClipSpec.Number(index + 1, of: clips.count)
            var title = clip.title
            if title == nil, clip.video != nil { title = clip.input.chapterTitle }
            return ClipLabel(number: number.value, count: number.count, title: title ?? "")
        }
    }

    private mutating func file(
        _ info: MediaInfo, _ spec: OverlaySpec, _ timeline: Timeline, _ frames: VideoConform
    ) throws(MediaError) -> PlacedOverlay? {
        guard let video = info.video else {
            throw MediaError(.badInput, "\(info.name) has no video stream, so it can't be drawn over the frames")
        }
        let box = try OverlayBox(spec, video, in: frames, name: info.name)
        if let loss = frames.colorLoss(of: video) { try warn("\(info.name) \(loss)") }
        let content: PlacedOverlay.Content
        if video.isStill {
            let input = InputClip(.file(info), ClipUse(span: TimeSpan(duration: Rational(1))))
            content = .picture(OverlayStill(input, box, over: frames, opacity: spec.opacity))
        } else {
            let input = InputClip(.file(info), ClipUse(all: video)).withoutPackets
            for sentence in input.complaints { try warn(sentence) }
            let conform = try frames.forOverlay(
                video, hasAlpha: video.pixelFormat.hasAlpha, size: (box.width, box.height))
            let clip = RenderPlan.Clip(
                input: input, conform: conform, conversions: conform.conversions(from: input), title: nil,
                partNumber: nil, continuesChapter: false, isMuted: true, gain: 0, loudness: nil, motion: nil, films: [])
            content = .film(OverlayFilm(clip: clip, box: box, count: conform.frameCount(of: input.use)))
        }
        return PlacedOverlay(spec, content, timeline, frames)
    }
}

extension PlacedOverlay {
    /// Nil if it is never seen.
    fileprivate init?(_ spec: OverlaySpec, _ content: Content, _ timeline: Timeline, _ conform: VideoConform) {
        let frame = { (time: Rational) in (time * conform.frameRate).rounded() }
        let start = frame(spec.start)
        var end = min(spec.end.map(frame) ?? timeline.frames, timeline.frames)
        // A film plays once.
        if case .film(let film) = content { end = min(end, start + film.count) }
        guard start < end else { return nil }
        self.init(spec: spec, content: content, frames: start..<end)
    }
}

extension OverlayBox {
    /// Where a picture or film lies in the frame.
    /// - Throws: `usage` if it would be larger than the frame.
    fileprivate init(_ spec: OverlaySpec, _ video: VideoInfo, in frame: VideoConform, name: String) throws(MediaError) {
        let shape = Rational(video.displayWidth, video.displayHeight)
        let (stepX, stepY) = (frame.pixelFormat.chromaStepX, frame.pixelFormat.chromaStepY)
        var wide = spec.width?.pixels(of: frame.width)
        var high = spec.height?.pixels(of: frame.height)
        if wide == nil, high == nil {
            if video.isStill {
                (wide, high) = (video.displayWidth, video.displayHeight)
                if video.displayWidth > frame.width || video.displayHeight > frame.height {
                    let isWider = shape > Rational(frame.width, frame.height)
                    (wide, high) = isWider ? (frame.width, nil) : (nil, frame.height)
                }
            } else {
                wide = OverlaySpec.Length.percent(Planner.overlayFilmWidth).pixels(of: frame.width)
            }
        }
        var width = max(wide ?? (Rational(high ?? 1) * shape).rounded(), 1)
        var height = max(high ?? (Rational(width) / shape).rounded(), 1)
        if !video.isStill {
            // The planes of films are drawn as they are, so they consist of whole chroma samples.
            width = max(stepX, width / stepX * stepX)
            height = max(stepY, height / stepY * stepY)
        }
        guard width <= frame.width, height <= frame.height else {
            throw MediaError(
                .usage,
                "the overlay \(name) would be \(width)x\(height), larger than the frame of \(frame.width)x\(frame.height) "
                    + "(give a smaller width or height)")
        }
        let margin = spec.margin.pixels(of: min(frame.width, frame.height))
        let corner = { (side: Int, length: Int, share: Double, step: Int) in
            let exact = Double(margin) + share * Double(side - length - 2 * margin)
            let place = min(max(exact, 0), Double(side - length))
            let whole = Int((place / Double(step)).rounded()) * step
            return whole + length > side ? max(0, whole - step) : whole
        }
        self.init(
            x: corner(frame.width, width, spec.place.x, stepX), y: corner(frame.height, height, spec.place.y, stepY),
            width: width, height: height)
    }
}
