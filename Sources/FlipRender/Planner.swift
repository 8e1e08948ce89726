import FlipBase
import FlipFiles
import FlipGeometry
import FlipMedia
import FlipSplice
import Foundation

/// Turns a composition into a plan: probes the inputs, chooses the output's properties, and checks everything that can
/// be checked before the output is opened.
package struct Planner {
    /// What the user asked for, as far as it isn't settled yet: parts of cut lists become times, and a preset becomes settings.
    var composition: Composition
    /// The first clip if it is passed on live and has not ended yet; nil otherwise.
    private var live: LiveInput?
    /// The inputs as measured.
    var sources: [InputClip.Source] = []
    /// Why a first clip from a pipe is not passed on live, as a clause; nil if it is, or doesn't come from a pipe.
    var passingRefusal: String?
    /// What is copied, if an earlier plan has found it out; nil to find it out.
    var settledCopies: CopyPlan?
    /// Why the output is encoded more than once.
    var passes = EncodingPasses.one
    var settings: OutputSettings { composition.output }
    /// Warnings for the user, each once. All of them are added by `warn`.
    private(set) var warnings: [String] = []
    /// What there is to say and is no warning.
    var remarks: [String] = []

    /// Polled while inputs are probed; planning ends with an error once it returns true.
    let isCancelled: @Sendable () -> Bool

    private init(_ composition: Composition, isCancelled: @escaping @Sendable () -> Bool = { false }) {
        (self.composition, self.isCancelled) = (composition, isCancelled)
    }

    /// The plan for `composition`. Throws `MediaError` with a message of one sentence if there can't be one.
    /// - Parameter isCancelled: polled while inputs are probed; planning ends with an error once it returns true.
    package static func plan(
        _ composition: Composition, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(MediaError) -> RenderPlan {
        var planner = Planner(composition, isCancelled: isCancelled)
        let plan = try planner.plan()
        let standard = OutputRule.standardCodec(in: plan.container, isHDR: plan.video.color.isHDR)
        let hasDefaultCodec = planner.settings.videoCodec != nil || plan.video.codec == standard
        let format = plan.video.pixelFormat
        let codec = plan.video.codec ?? plan.container.defaultVideoCodec
        let hasDefaultFormat = planner.settings.pixelFormat != nil || format == pixelFormat(for: format, codec: codec)
        guard composition.output.render == .auto, plan.copying == nil,
            !hasDefaultCodec || !plan.form.isDefault || !hasDefaultFormat
        else { return plan }
        // The clips' codec and form were chosen only for copying. Since nothing is copied, they have no use.
        var encoded = planner.composition
        encoded.output.render = .full
        var second = Planner(encoded, isCancelled: isCancelled)
        second.passingRefusal = planner.passingRefusal
        var other = try second.plan(planner.sources)
        (other.copyRefusals, other.clipRefusals) = (plan.copyRefusals, plan.clipRefusals)
        return other
    }

    /// The complete plan for `composition`, whose inputs have been measured. Once a live clip has ended, it agrees with the unfinished
    /// plan up to the end of that clip.
    /// - Parameter copies: what is copied; nil to find it out.
    static func plan(
        _ composition: Composition, measured sources: [InputClip.Source], copying copies: CopyPlan? = nil
    ) throws(MediaError) -> RenderPlan {
        var planner = Planner(composition)
        planner.settledCopies = copies
        return try planner.plan(sources)
    }

    /// - Parameter known: the inputs, if they have been probed already; nil to probe them.
    private mutating func plan(_ known: [InputClip.Source]? = nil) throws(MediaError) -> RenderPlan {
        for note in composition.notes { try warn(note) }
        guard !composition.inputs.isEmpty else { throw MediaError(.usage, "there is nothing to render") }
        let container = try OutputChoice.container(settings)
        try OutputChoice.check(settings, inputs: composition.files, container: container)
        try settings.presetFor?.check(container, path: settings.path)
        if settings.holds == .vfr, !container.storesLongFrames {
            throw MediaError(
                .usage,
                "\(container.name) files need a constant frame rate (give --held-frames cfr, or name an mp4, mkv or webm)"
            )
        }
        try settlePasses()
        if let known {
            sources = known
        } else {
            sources = try probe()
            try warnOfMissingPictures()
            try settleParts()
            if let input = sources.first?.live, let video = sources[0].video {
                input.begin(video)
                live = input
            }
        }
        let times = shownTimes()
        let form = OutputForm(sources, shownFor: times, composition, container)
        let rule = try OutputRule(sources, shownFor: times, settings, among: form.members)
        let first = rule.picture
        let measures = sources.compactMap(\.video)
        try applyPreset(first, measures)
        var deciders = rule.deciders
        let standard = OutputRule.standardCodec(in: container, isHDR: first.color.isHDR)
        let codec = settings.videoCodec ?? copyEncoder(like: rule.film, container) ?? standard
        if settings.videoCodec != nil {
            deciders.videoCodec = .option
        } else if codec != container.defaultVideoCodec {
            deciders.videoCodec = codec == standard ? deciders.color : .input(rule.filmIndex)
        }
        if settings.pixelFormat != nil { deciders.pixelFormat = .option }
        let source = rule.pixelFormat(keepsBest: settings.keepsBest)
        let keepsAlpha = keepsAlpha(of: measures, codec: codec, source)
        var encoding = try videoEncoding(first: first, source, codec: codec, container, form, keepsAlpha: keepsAlpha)
        encoding.hdr = first.hdr?.raised(
            to: measures.filter { $0.color.transfer == first.color.transfer }.compactMap(\.hdr))
        let inputs = try trim(sources, rate: encoding.frameRate, keepsTimes: form.keepsTimes)
        // Frames are drawn in a planar format, and converted at the end for an encoder that takes only packed ones.
        let planar = keepsAlpha ? source.withAlpha : source.nearestPlanar
        let format = encoding.pixelFormat.isPlanarNative ? encoding.pixelFormat : planar ?? source
        let background = settings.background ?? (keepsAlpha ? .transparent : .black)
        var conform = VideoConform(
            width: encoding.width, height: encoding.height, frameRate: encoding.frameRate, pixelFormat: format,
            color: encoding.pixelFormat == format
                ? encoding.color : Planner.color(first.color, for: format, codec: codec),
            fit: settings.fit,
            background: (background.red, background.green, background.blue))
        (conform.form, conform.keepsTimes) = (form.coded, form.keepsTimes)
        conform.backgroundAlpha = background.alpha
        conform.deinterlaces = composition.reading.deinterlaces
        var clips: [RenderPlan.Clip] = []
        for (input, spec) in zip(inputs, composition.inputs) {
            clips.append(
                RenderPlan.Clip(
                    input: input, conform: conform, conversions: conform.conversions(from: input), title: spec.title,
                    partNumber: spec.partNumber, continuesChapter: spec.continuesChapter, isMuted: spec.isMuted,
                    gain: spec.gain, loudness: spec.loudness ?? settings.clipLoudness,
                    motion: try motion(of: input, spec, conform)?.coded(for: form.coded.transform),
                    films: settings.isStill ? [] : spec.films))
        }
        try warnOfDynamicRange(clips)
        try warnOfColorLoss(clips)
        try warnOfReductions(clips, encoding, like: rule)
        let transitions = try transitions(clips, rate: encoding.frameRate)
        var timeline = try timeline(clips, transitions, rate: encoding.frameRate)
        var fades = FilmFades(settings, total: timeline.frames, rate: encoding.frameRate)
        if form.keepsTimes {
            (clips, timeline) = keepingTimes(clips, timeline, fades)
            encoding.keptTimes = timeline.times
            fades = FilmFades(settings, total: timeline.frames, rate: encoding.frameRate)
        }
        clips = zip(clips, timeline.clips).map { clip, place in
            clip.use.kept != nil ? clip : clip.with(clip.input.extended(by: place.handles, clip.conform))
        }
        if fades.isShortened(settings, rate: encoding.frameRate) {
            try warn("the fades are shorter than asked for, since the output has only \(timeline.frames) frames")
        }
        var (copying, refusals, clipRefusals) = try copying(clips, encoding, container, form, timeline, fades)
        // The index of a long file takes megabytes, and is needed no more.
        clips = clips.map { $0.with($0.input.withoutPackets) }
        if let copying {
            timeline = timeline.copying(within: fades.steady, copying.stretches)
            clips = copying.decodable(clips)
            encoding.options = copying.track.encoderOptions(for: encoding)
        }
        if let plan = copying, plan.track.keepsDynamicMetadata {
            copying?.track = plan.track.carryingMetadata(from: FrameOrigins(timeline, clips, plan).origin)
            encoding.dolbyVision = clips.first?.video?.dolbyVision
        }
        encoding.projection = try projection(of: clips, container)
        try checkMetadata(clips, encoding, container, isCarried: copying?.track.keepsDynamicMetadata == true)
        let segments =
            live == nil
            ? try segments(clips, encoding, container, timeline)
            : [0..<timeline.frames]
        if segments.count > 1 {
            encoding.isSegmented = true
            encoding.threads = 1
        }
        let chapters = try chapters(clips, timeline, container)
        let audioTracks = try audioTracks(clips, timeline, container, fades, isCopied: copying != nil, &deciders)
        if audioTracks.isEmpty { live?.leaveOutAudio() }
        if audioTracks.isEmpty, settings.loudness != nil || settings.clipLoudness != nil {
            let option = settings.loudness == nil ? "--clip-loudness" : "--loudness"
            try warn("there is no audio to bring to a loudness (\(option) has no effect)")
        }
        let extra = audioTracks.first?.sounds.filter { $0.clip == nil } ?? []
        for sentence in inputs.flatMap(\.complaints) + extra.flatMap(\.complaints) { try warn(sentence) }
        var (subtitles, burned) = try subtitleTracks(clips, timeline, container)
        subtitles += try dataTracks(clips, timeline, container)
        let overlays = try overlays(clips, timeline, conform)
        let metadata = try metadata(of: inputs, container, encoding.frameRate)
        try warnOfStreams(inputs)
        try warnOfLeftovers(container, frames: timeline.frames)
        let plan = RenderPlan(
            clips: clips, inputs: composition.inputs, transitions: transitions,
            timeline: timeline, path: settings.path, container: container, overwrites: settings.overwrites,
            video: encoding, passes: passes, form: form, deciders: deciders, audioTracks: audioTracks,
            audioCurve: settings.audioCurve,
            loudness: audioTracks.isEmpty ? nil : settings.loudness, subtitles: subtitles, burned: burned,
            overlays: overlays, metadata: metadata, chapters: chapters, background: background,
            givenBackground: settings.background, preset: settings.appliedPreset, fades: fades, holds: settings.holds,
            repeatsHolds: settings.repeatsHolds, threads: settings.threads,
            isStrict: composition.isStrict, renderSegments: segments, cache: settings.cache, copying: copying,
            copyRefusals: refusals,
            clipRefusals: clipRefusals,
            passingRefusal: passingRefusal,
            unfinished: live.map { UnfinishedPlan(composition: composition, sources: sources, input: $0) },
            fallback: fallback(copying, segments.count),
            remarks: composition.remarks + [likeness(rule, encoding)].compactMap(\.self) + remarks, warnings: warnings)
        if case .size(let size) = passes { return try plan.fitted(to: size) }
        return plan
    }

    private func fallback(_ copying: CopyPlan?, _ segments: Int) -> FallbackPlan? {
        let hasParts = copying != nil || segments > 1 || settings.holds == .cfr && settings.repeatsHolds
        let fewer = copying?.withoutRecoveryPoints
        guard live == nil, hasParts, copying == nil || settings.render != .smart || fewer != nil else { return nil }
        return FallbackPlan(composition: composition, sources: sources.map(\.withoutPackets), copies: fewer)
    }

    // MARK: Output

    /// - Parameter source: the pixel format that the output follows.
    private func videoEncoding(
        first: VideoInfo, _ source: PixelFormat, codec: String, _ container: Container, _ form: OutputForm,
        keepsAlpha: Bool
    ) throws(MediaError) -> VideoEncoding {
        // Packets that are copied have the clips' own format.
        let isKept = !form.members.isEmpty && CopyCodecs.takes(source, of: codec)
        let opaque = isKept ? source : Planner.pixelFormat(for: source, codec: codec)
        let wanted = keepsAlpha ? opaque.withAlpha ?? opaque : opaque
        let pixelFormat =
            settings.pixelFormat.map { Encoders.layout(of: $0, for: codec) }
            ?? Encoders.pixelFormat(for: codec, wanted: wanted)
        var size = form.size(of: first, settings)
        if settings.size == nil && Encoders.needsWholeChroma(codec: codec) {
            size = (
                Planner.wholeChroma(size.width, pixelFormat.chromaStepX),
                Planner.wholeChroma(size.height, pixelFormat.chromaStepY)
            )
        }
        try Limits.check(width: size.width, height: size.height)
        guard size.width * size.height <= InputLimits.maxPixels else {
            throw MediaError(
                .usage,
                "invalid size \(size.width)x\(size.height) (expected up to \(InputLimits.maxPixels) pixels, the limit of "
                    + "--max-pixels)")
        }
        var encoding = VideoEncoding(
            codec: codec, crf: settings.crf, bitrate: settings.videoBitrate, preset: settings.preset,
            pixelFormat: pixelFormat, width: size.width, height: size.height,
            frameRate: settings.frameRate ?? form.frameRate ?? first.frameRate,
            color: Planner.color(of: first, for: pixelFormat, codec: codec, size), options: settings.videoOptions,
            threads: settings.threads)
        encoding.form = form.coded
        try Encoders.check(encoding, in: container)
        if let option = passes.sizeOption(settings), !VideoEncoding.encodersInPasses.contains(codec) {
            throw MediaError(.usage, "\(option) needs the encoder libx264 or libx265, and this one is \(codec)")
        }
        return encoding
    }

    /// Whether the output has alpha: either the pixel format asked for has it, or if none was asked for, an input has
    /// it and the encoder takes it.
    private func keepsAlpha(of videos: [VideoInfo], codec: String, _ source: PixelFormat) -> Bool {
        if let format = settings.pixelFormat { return format.hasAlpha }
        return videos.contains { $0.pixelFormat.hasAlpha }
            && Encoders.takesAlpha(codec: codec, with: Planner.pixelFormat(for: source, codec: codec))
    }

    /// The display size of `video` in pixels, or that of `width` pixels with the same aspect ratio.
    static func size(of video: VideoInfo, width: Int?) -> (width: Int, height: Int) {
        let (shownWidth, shownHeight) = (video.displayWidth, video.displayHeight)
        guard let width else { return (shownWidth, shownHeight) }
        return (width, max(2, Rational(width * shownHeight, shownWidth).rounded()))
    }

    /// The color description of an output of `format` that follows `first`. That of a video is kept. Stills, pages and
    /// R'G'B' have none that video players know, so they get what players expect.
    private static func color(
        of first: VideoInfo, for format: PixelFormat, codec: String, _ size: (width: Int, height: Int)
    ) -> ColorDescription {
        guard first.isStill || first.pixelFormat.isRGB, !format.isRGB else {
            return color(first.isStill ? first.color.inCommonGamut : first.color, for: format, codec: codec)
        }
        let video = first.color.asVideo(width: size.width, height: size.height, keepsGamut: !first.isStill)
        return color(video, for: format, codec: codec)
    }

    /// `color` adapted to `format` and the encoder: RGB has no Y'CbCr matrix, and Y'CbCr can't keep the identity
    /// matrix of RGB. Some encoders know only one range or one matrix.
    static func color(_ color: ColorDescription, for format: PixelFormat, codec: String) -> ColorDescription {
        var color = color
        if format.isRGB {
            color.matrix = "gbr"
            color.isFullRange = true
        } else if color.matrix == "gbr" {
            color.matrix = nil
            color.isFullRange = nil
        }
        if !format.isRGB, let matrix = Encoders.fixedMatrix(codec: codec) { color.matrix = matrix }
        if Encoders.needsFullRange(codec: codec) { color.isFullRange = true }
        return color
    }

    /// The output's default pixel format. Codecs for viewing get 4:2:0, which plays anywhere, with 8 bits, or 10 if the
    /// clip has more than 8. Other codecs keep the clip's format, or the nearest planar one.
    private static func pixelFormat(for source: PixelFormat, codec: String) -> PixelFormat {
        if Encoders.isForViewing(codec: codec) {
            return PixelFormat(name: source.depth > 8 ? "yuv420p10le" : "yuv420p") ?? source
        }
        return source.nearestPlanar
    }

    /// The largest multiple of `step` that is at most `size`, and no less than `step`.
    private static func wholeChroma(_ size: Int, _ step: Int) -> Int { max(size / step * step, step) }

    /// Warns if programs that read the output, a sequence of pictures, would go on with frames of an earlier one.
    private mutating func warnOfLeftovers(_ container: Container, frames: Int) throws(MediaError) {
        guard container.isPicture, settings.overwrites, let names = FrameNames(settings.path),
            let path = names.leftover(after: frames)
        else { return }
        try warn(
            "'\(path)' is left from a longer sequence, and seems to continue this one of \(frames) frames (remove it and "
                + "those after it)")
    }

    /// Adds a warning, or throws it if the composition is strict. Every warning of a plan passes through here.
    mutating func warn(_ sentence: String) throws(MediaError) {
        if warnings.contains(sentence) { return }
        try Strictness.check([sentence], isStrict: composition.isStrict)
        warnings.append(sentence)
    }
}
