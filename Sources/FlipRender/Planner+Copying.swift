import FlipBase
import FlipBitstream
import FlipFiles
import FlipMedia
import FlipSplice

/// Decides which video need not be encoded again.
extension Planner {
    /// What is copied of `clips`, why the others are not copied, one clause each, and the same for each clip. With `--render smart`,
    /// throws if a clip can't be copied.
    /// - Parameter keepsMetadata: whether HDR10+ and Dolby Vision are kept if all clips have them and are copied.
    func copying(
        _ clips: [RenderPlan.Clip], _ encoding: VideoEncoding, _ container: Container, _ form: OutputForm,
        _ timeline: Timeline, _ fades: FilmFades, keepsMetadata: Bool = true
    ) throws(MediaError) -> (plan: CopyPlan?, refusals: [String], ofClips: [String?]) {
        var ofClips = [String?](repeating: nil, count: clips.count)
        if settings.render == .full { return (nil, [], ofClips) }
        if let settledCopies { return try worthwhile(settledCopies, [], ofClips, timeline, fades) }
        let insists = settings.render == .smart
        let codec: any CopyCodec
        switch try copyCodec(clips, encoding, container) {
        case .success(let known): codec = known
        case .failure(let refusal):
            if insists { throw MediaError(.usage, "nothing can be copied (--render smart): \(refusal.reason)") }
            return (nil, [refusal.reason], ofClips)
        }
        let keepsMetadata = keepsMetadata && codec is NALCodec && Self.canCarryMetadata(of: clips)
        var track = SplicedTrack(codec, in: container, keepsDynamicMetadata: keepsMetadata)
        var known: [String: Result<CodedVideo, CopyRefusal>] = [:]
        var sources: [CopyPlan.Source?] = []
        var refusals: [String] = []
        for (index, clip) in clips.enumerated() {
            // As the frames of transitions do, these come from no packets.
            if let reason = clip.madeReason {
                sources.append(nil)
                ofClips[index] = reason
                continue
            }
            switch try source(clip, encoding, form, &track, &known) {
            case .success(let source): sources.append(source)
            case .failure(let refusal):
                let sentence = "\(clip.name) \(refusal.reason)"
                if insists { throw MediaError(.badInput, "not all can be copied (--render smart): \(sentence)") }
                sources.append(nil)
                ofClips[index] = refusal.reason
                if !refusals.contains(sentence) { refusals.append(sentence) }
            }
        }
        if keepsMetadata, sources.contains(where: { $0 == nil }) {
            return try copying(clips, encoding, container, form, timeline, fades, keepsMetadata: false)
        }
        return try worthwhile(CopyPlan(sources: sources, track: track), refusals, ofClips, timeline, fades)
    }

    /// The plan, with the refusals, if it copies anything of `timeline`.
    private func worthwhile(
        _ plan: CopyPlan, _ refusals: [String], _ ofClips: [String?], _ timeline: Timeline, _ fades: FilmFades
    ) throws(MediaError) -> (plan: CopyPlan?, refusals: [String], ofClips: [String?]) {
        if timeline.copying(within: fades.steady, plan.stretches).copiedFrames > 0 { return (plan, refusals, ofClips) }
        let tooShort = "the clips have too few frames between keyframes away from the transitions"
        if settings.render == .smart {
            throw MediaError(.badInput, "nothing can be copied (--render smart): \(tooShort)")
        }
        return (nil, refusals.isEmpty ? [tooShort] : refusals, ofClips)
    }

    /// The encoder whose frames can stand beside packets copied from clips like `video`; nil if there is none, the user
    /// chose a codec, or nothing is to be copied.
    func copyEncoder(like video: VideoInfo, _ container: Container) -> String? {
        settings.render == .full || settings.videoCodec != nil ? nil : settings.copyEncoder(like: video, container)
    }

    /// The output's codec for copying, or why nothing can be copied into the output.
    private func copyCodec(
        _ clips: [RenderPlan.Clip], _ encoding: VideoEncoding, _ container: Container
    ) throws(MediaError) -> Result<any CopyCodec, CopyRefusal> {
        if OutputPlace(settings.path).isStream {
            let name = settings.path == "-" ? "standard output" : "an output that is not a regular file"
            return .failure(CopyRefusal("\(name) cannot be read again to check the seams"))
        }
        if settings.holds == .vfr {
            return .failure(CopyRefusal("copied frames have a constant duration (not with --held-frames vfr)"))
        }
        if clips.allSatisfy({ $0.info == nil }) { return .failure(CopyRefusal("pages have no packets")) }
        // FFV1's header has all that its options decide, and it is compared.
        if !settings.videoOptions.isEmpty, encoding.codec != "ffv1" {
            let preset = settings.appliedPreset.flatMap { $0.options.contains("--video-options") ? $0.name : nil }
            let option = preset.map { "--preset-for \($0)" } ?? "--video-options"
            return .failure(CopyRefusal("\(option) may be incompatible with the clips' packets"))
        }
        if settings.captionStyle != nil { return .failure(CopyRefusal("--burn-captions changes the picture")) }
        if !settings.overlays.isEmpty { return .failure(CopyRefusal("overlays change the picture")) }
        if composition.isStrict { return .failure(CopyRefusal("--strict wants every frame decoded")) }
        let name = Encoders.codec(of: encoding.codec ?? container.defaultVideoCodec)
        let films = clips.filter { !$0.input.isStill && $0.info?.made == nil }
        let model = films.first { $0.video?.codec == name } ?? films.first ?? clips.first { $0.info != nil }
        guard let info = model?.info, let codec = try CopyCodecs.codec(for: encoding, in: container, like: info) else {
            return .failure(Self.mismatch(model?.video, container))
        }
        return codec.refusal(of: encoding).map { .failure($0) } ?? .success(codec)
    }

    /// Whether all clips have the same kinds of dynamic metadata, and what they say can be said of the encoded frames as well.
    private static func canCarryMetadata(of clips: [RenderPlan.Clip]) -> Bool {
        guard let first = clips.first?.video, !first.dynamicMetadata.isEmpty else { return false }
        let isClear = !first.dynamicMetadata.contains(.dolbyVision) || first.dolbyVision?.isCarried == true
        return isClear
            && clips.allSatisfy {
                $0.video?.dynamicMetadata == first.dynamicMetadata && $0.video?.dolbyVision == first.dolbyVision
            }
    }

    /// Why nothing can be joined with packets of `clip` in `container`, and what to name instead.
    private static func mismatch(_ clip: VideoInfo?, _ container: Container) -> CopyRefusal {
        let codec = clip?.codec ?? ""
        guard let row = CopyCodecs.all.first(where: { $0.name == codec }) else {
            return CopyRefusal("packets of \(codec) can't be joined with frames of this output")
        }
        guard row.containers.contains(container.name) else {
            let endings = row.containers.compactMap { Container.named($0)?.extensions.first }
            return CopyRefusal(
                "\(row.title) is not copied into \(container.extensions[0]) files (name one of \(endings.joined(separator: ", ")))"
            )
        }
        return CopyRefusal(
            "\(row.title) is joined with frames of \(row.encoder) in one of \(row.pixelFormats.joined(separator: ", "))"
        )
    }

    /// Whether the packets of `clip` have the same color description as the output's.
    static func hasColors(of encoding: VideoEncoding, codec: String, _ clip: VideoInfo) -> Bool {
        color(clip.color, for: encoding.pixelFormat, codec: codec)
            .agrees(with: encoding.color, for: encoding.pixelFormat)
    }

    private func source(
        _ clip: RenderPlan.Clip, _ encoding: VideoEncoding, _ form: OutputForm, _ track: inout SplicedTrack,
        _ known: inout [String: Result<CodedVideo, CopyRefusal>]
    ) throws(MediaError) -> Result<CopyPlan.Source, CopyRefusal> {
        let refusal =
            clip.video.flatMap { CodedVideo.refusal(of: $0, as: track.codec) }
            ?? form.refusal(of: clip, in: encoding, codec: encoding.codec ?? "")
        if let refusal { return .failure(refusal) }
        let kept = clip.use.kept
        guard let firstFrame = kept.map({ $0.firstPicture - $0.own.lowerBound }) ?? clip.input.firstUsedFrame else {
            return .failure(CopyRefusal("begins between two frames"))
        }
        let video: Result<CodedVideo, CopyRefusal>
        if let same = known[clip.input.path] {
            video = same
        } else {
            video =
                clip.info.map { CodedVideo.video(of: $0, as: track.codec) } ?? .failure(CopyRefusal("is not a file"))
        }
        known[clip.input.path] = video
        return video.flatMap { video in
            track.add(video).map { CopyPlan.Source(clip: $0, firstFrame: firstFrame, own: kept?.own) }
        }
    }
}

extension RenderPlan.Clip {
    /// Why there is nothing that could be copied, in a gap or in what another program renders; nil for other clips.
    fileprivate var madeReason: String? {
        if case .gap = input.source { return "shows nothing" }
        return info?.made.map { "is rendered by \($0.maker): \($0.reason)" }
    }
}

extension OutputSettings {
    /// The encoder whose frames can stand beside packets copied from clips like `video`; nil if there is none, or it has neither
    /// the preset nor the CRF that was asked for.
    func copyEncoder(like video: VideoInfo, _ container: Container) -> String? {
        CopyCodecs.encoder(like: video, in: container).flatMap { name in
            (preset == nil || Encoders.hasOption(name, "preset")) && (crf == nil || Encoders.hasOption(name, "crf"))
                ? name : nil
        }
    }
}
