import FlipBase
import FlipFiles
import FlipMedia

/// Examines the inputs, and warns of what the output can't keep of them.
extension Planner {
    /// Probes the inputs.
    mutating func probe() throws(MediaError) -> [InputClip.Source] {
        guard let first = composition.inputs.first, composition.reading.passesOn, first == ClipSpec(path: first.path),
            LiveProbe.isPipe(first.path)
        else { return try probe(composition.inputs) }
        let rest = composition.inputs.dropFirst()
        if rest.contains(where: { $0.path == first.path }) {
            passingRefusal = "it is used more than once"
            return try probe(composition.inputs)
        }
        // Errors in the other inputs are reported before waiting for the first one.
        let others = try probe(Array(rest))
        passingRefusal = passingRefusal(others)
        if passingRefusal == nil {
            let probe = try LiveProbe(
                path: first.path, audioTracks: composition.reading.audioTracks,
                takesUnevenFrames: settings.frameRate != nil)
            switch probe {
            case .live(let info, let input): return [.live(info, input)] + others
            case .kept(let reason): passingRefusal = reason
            }
        }
        return try probe([first]) + others
    }

    /// Why no first clip, whatever it is, can be passed on live, as a clause; nil if nothing prevents it.
    private func passingRefusal(_ others: [InputClip.Source]) -> String? {
        if settings.render != .full {
            return "--render \(settings.render.rawValue) has to know the whole clip to find what can be copied"
        }
        if case .every = settings.segments { return "--segments was asked for" }
        if settings.hasCaptions || settings.captionStyle != nil { return "there are captions" }
        if !settings.overlays.isEmpty { return "there are overlays" }
        if settings.fadeOut != nil { return "the end fades out" }
        if settings.loudness != nil { return "the loudness of the whole is measured first" }
        if settings.clipLoudness != nil { return "the loudness of each clip is measured first" }
        if settings.marksClips || others.contains(where: { $0.info?.chapters.isEmpty == false }) {
            return "there are chapters"
        }
        let hasSounds = !composition.sounds.isEmpty || composition.transitions.contains { $0.sound != nil }
        return hasSounds ? "there are other sounds" : nil
    }

    /// The number of files that are probed at the same time, at most: each may have a large frame in memory.
    private static let filesProbedAtOnce = 4

    private func probe(_ inputs: [ClipSpec]) throws(MediaError) -> [InputClip.Source] {
        var known: Set<String> = []
        let paths = inputs.filter { $0.kind == .file && $0.made == nil && known.insert($0.path).inserted }.map(\.path)
        let (reading, parses, isCancelled) = (composition.reading, settings.render != .full, isCancelled)
        let results = try Work.map(
            paths, workers: min(settings.threads, Self.filesProbedAtOnce), name: "probe"
        ) { path throws(MediaError) in
            try MediaProbe.probe(
                path: path, audioTracks: reading.audioTracks, parsesPackets: parses, isHasty: reading.isHasty,
                isCancelled: isCancelled)
        }
        let infos = Dictionary(uniqueKeysWithValues: zip(paths, results))
        return inputs.compactMap { spec in
            switch spec.kind {
            case .gap: .gap
            case .page(let page): .page(page)
            case .file: (spec.made?.info ?? infos[spec.path]).map { .file($0) }
            }
        }
    }

    /// Warns of gaps in numbered pictures.
    mutating func warnOfMissingPictures() throws(MediaError) {
        for path in Set(composition.inputs.map(\.path)).sorted() where PictureFiles.isPattern(path) {
            let missing = try PictureFiles(path).missing
            guard !missing.isEmpty else { continue }
            let list = missing.prefix(10).map(String.init).joined(separator: ", ") + (missing.count > 10 ? " ..." : "")
            try warn("\(path): the pictures \(list) are missing, and those behind them follow at once")
        }
    }

    /// The clips: the inputs with the parts that are used. Warns of a trim that ends after its clip.
    /// - Parameter keepsTimes: whether films keep the times of their own frames.
    mutating func trim(
        _ sources: [InputClip.Source], rate: Rational, keepsTimes: Bool
    ) throws(MediaError) -> [InputClip] {
        let stillDuration = composition.reading.stillDuration.seconds(at: rate)
        var clips: [InputClip] = []
        for (spec, source) in zip(composition.inputs, sources) {
            var clip = InputClip(source, try use(of: source, spec, stillDuration: stillDuration, rate: rate))
            if settings.render != .full, let span = clip.plainSpan(at: rate, keepsTimes: keepsTimes) {
                clip.use = ClipUse(span: span)
            }
            clips.append(clip)
        }
        return clips
    }

    /// How long each input is shown, in seconds; for items of a timeline, in frames of the timeline at a rate of 25.
    func shownTimes() -> [Rational] {
        let stillDuration = composition.reading.stillDuration.seconds(at: Rational(25))
        return zip(composition.inputs, sources).map { spec, source in
            if let timing = spec.timing { return Rational(timing.frames) / Rational(25) }
            let still = spec.stillDuration ?? stillDuration
            let span =
                source.info == nil
                ? spec.part.still(still) : (try? source.info?.use(of: spec.part, stillDuration: still))?.span
            return span?.duration ?? .zero
        }
    }

    /// A sentence about the input that the output is like if nobody asked for it and it isn't the first; nil otherwise.
    func likeness(_ rule: OutputRule, _ encoding: VideoEncoding) -> String? {
        guard settings.like == nil, settings.slides == nil, !settings.isStill, let index = rule.likeIndex, index > 0,
            let first = sources.first?.video, !first.isStill,
            (first.displayWidth, first.displayHeight) != (encoding.width, encoding.height)
                || first.frameRate != encoding.frameRate
        else { return nil }
        return
            "the output is like \(sources[index].path), which is shown longest: \(encoding.width)x\(encoding.height) at "
            + "\(encoding.frameRate) fps (--like first takes \(sources[0].path))"
    }

    private mutating func use(
        of source: InputClip.Source, _ spec: ClipSpec, stillDuration: Rational, rate: Rational
    ) throws(MediaError) -> ClipUse {
        let stillDuration = spec.stillDuration ?? stillDuration
        guard let info = source.info else {
            // Pages and gaps have a frame for every time.
            if let timing = spec.timing { return timing.ofStill(rate: rate) }
            guard let span = spec.part.still(stillDuration) else {
                throw MediaError(.badInput, "'\(source.path)' is to be shown for no time")
            }
            return ClipUse(span: span)
        }
        if let timing = spec.timing {
            let timed = try info.use(as: timing, rate: rate)
            try warn(of: timed, info, isHeard: !spec.isMuted && settings.hasAudio)
            return timed.use
        }
        if spec.stillDuration != nil, info.video?.isStill == false {
            throw MediaError(
                .badInput, "\(info.name) is not a still, so it can't be held (trim it by start and end)")
        }
        let use = try info.use(of: spec.part, stillDuration: stillDuration)
        if let end = spec.part.end, let video = info.video, !video.isStill, end > video.duration {
            try warn(
                "\(info.name) ends at \(video.duration.decimalText) s, before its trim does "
                    + "(\(end.decimalText) s)")
        }
        return use
    }

    /// How a still moves; nil if it doesn't. Throws if an input that moves by itself is to be moved, or if the still would
    /// be too large.
    func motion(of input: InputClip, _ spec: ClipSpec, _ conform: VideoConform) throws(MediaError) -> StillMotion? {
        if settings.isStill || !spec.films.isEmpty { return nil }
        guard input.isStill, input.video != nil else {
            if spec.motion == nil { return nil }
            throw MediaError(.badInput, "\(input.name) is not a still, so it can't be zoomed")
        }
        let motion = spec.motion ?? (settings.stillMotion == .kenburns ? StillMotion(kenBurns: input.path) : nil)
        guard let motion, motion.start != motion.end || motion.zoom > 1 else { return nil }
        if conform.pixelFormat.hasAlpha {
            throw MediaError(
                .usage, "\(input.name) can't be zoomed in an output with alpha (give --pix-fmt yuv420p)")
        }
        let (width, height) = motion.size(of: conform)
        guard width * height <= InputLimits.maxPixels, max(width, height) <= Limits.sides.upperBound else {
            throw MediaError(
                .usage, "\(input.name) can't be zoomed: at this size of the output it would be \(width)x\(height)")
        }
        return motion
    }

    /// Warns if a timeline asks for something that the clip doesn't have.
    private mutating func warn(of clip: TimedUse, _ info: MediaInfo, isHeard: Bool) throws(MediaError) {
        let path = info.name
        var sentences: [String] = []
        let frames = { (count: Int) in count == 1 ? "1 frame" : "\(count) frames" }
        if clip.held.head > 0 {
            sentences.append(
                "\(path): its first frame is held for \(frames(clip.held.head)), because the clip begins too late")
        }
        if clip.held.tail > 0 {
            sentences.append(
                "\(path): its last frame is held for \(frames(clip.held.tail)), because the clip ends too early")
        }
        if isHeard, info.audio != nil, !clip.use.runsAtSpeed {
            sentences.append("\(path): its audio is left out, since the clip runs at another speed")
        }
        for sentence in sentences { try warn(sentence) }
    }

    /// The video of an input, nil for a gap. Throws if it is a file without video.
    static func video(_ source: InputClip.Source) throws(MediaError) -> VideoInfo? {
        if let video = source.video, video.codec == "exr" {
            throw MediaError(
                .badInput,
                "\(source.path) holds linear light in floating point, which has no transfer function of video (convert it with ffmpeg -apply_trc "
                    + "iec61966_2_1 -i \(source.path) ... to PNG)")
        }
        guard let info = source.info, info.video == nil else { return source.video }
        throw MediaError(
            .badInput,
            info.audio == nil
                ? "\(info.name) has no video stream"
                : "\(info.name) has audio but no video stream (only video can be joined)")
    }

    /// The output's chapters; none, with a warning, if the container can't hold any.
    mutating func chapters(
        _ clips: [RenderPlan.Clip], _ timeline: Timeline, _ container: Container
    ) throws(MediaError) -> [Chapter] {
        let list = ChapterList(clips, timeline, marksClips: settings.marksClips).chapters
        if list.isEmpty || container.holdsChapters { return list }
        try warn("\(list.count) chapters are left out: \(container.name) files hold none")
        return []
    }

    /// Warns of the streams of clips that no output has; pictures have no streams beside the video anyway.
    mutating func warnOfStreams(_ clips: [InputClip]) throws(MediaError) {
        if settings.isStill { return }
        for info in clips.compactMap(\.info) where !info.ignoredStreams.isEmpty {
            let shown = info.ignoredStreams.prefix(8)
            let rest = info.ignoredStreams.count > 8 ? " and \(info.ignoredStreams.count - 8) more" : ""
            try warn("\(info.name): left out \(shown.joined(separator: ", "))\(rest)")
        }
    }

    /// Warns of inputs whose colors can't be shown as intended.
    mutating func warnOfColorLoss(_ clips: [RenderPlan.Clip]) throws(MediaError) {
        for clip in clips {
            guard let video = clip.video, let loss = clip.conform.colorLoss(of: video) else { continue }
            try warn("\(clip.input.path) \(loss)")
        }
    }

    mutating func warnOfDynamicRange(_ clips: [RenderPlan.Clip]) throws(MediaError) {
        let changed = clips.filter { clip in clip.video.map { clip.conform.changesDynamicRange(of: $0) } ?? false }
        guard let conform = changed.first?.conform else { return }
        let names = Set(changed.map { "\($0.name), which is \($0.video?.color.rangeName ?? "SDR")," })
        try warn(
            "HDR and SDR are mixed: the colors of \(names.sorted().joined(separator: " and of ")) are converted to "
                + conform.color.rangeName)
    }
}

extension InputClip {
    /// The part of a film that a timeline shows picture by picture at the film's own speed, which may be copied; nil for other
    /// clips.
    fileprivate func plainSpan(at rate: Rational, keepsTimes: Bool) -> TimeSpan? {
        guard let video, let timing = use.timing, let available = timing.available, timing.speed == Rational(1) else {
            return nil
        }
        let span = TimeSpan(start: timing.start, duration: Rational(timing.frames) / rate)
        let isOnFrames = video.frameRate == rate && (timing.start * rate).denominator == 1
        guard span.start >= available.start, span.end <= available.end,
            isOnFrames && !video.isVariableFrameRate || keepsTimes
        else { return nil }
        return span
    }
}
