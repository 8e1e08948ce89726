import FlipMedia

/// What need not be encoded again.
extension Planner {
    /// What of `clips` is copied, and why the others are not. Throws where all have to be.
    func copying(
        _ clips: [RenderPlan.Clip], _ encoding: VideoEncoding, _ container: Container, _ timeline: Timeline
    ) throws(MediaError) -> (plan: CopyPlan?, refusals: [String]) {
        if settings.render == .full { return (nil, []) }
        let insists = settings.render == .smart
        if let refusal = outputRefusal(encoding, container) {
            if insists { throw MediaError(.usage, "nothing can be copied (--render smart): \(refusal)") }
            return (nil, [refusal])
        }
        var track = SplicedTrack()
        var known: [String: Result<CodedVideo, CopyRefusal>] = [:]
        var sources: [CopyPlan.Source?] = []
        var refusals: [String] = []
        for clip in clips {
            switch try source(clip, encoding, &track, &known) {
            case .success(let source): sources.append(source)
            case .failure(let refusal):
                let sentence = "\(clip.info.path) \(refusal.reason)"
                if insists { throw MediaError(.badInput, "not all can be copied (--render smart): \(sentence)") }
                sources.append(nil)
                if !refusals.contains(sentence) { refusals.append(sentence) }
            }
        }
        let plan = CopyPlan(sources: sources, track: track)
        if timeline.copying(plan.stretch).copiedFrames > 0 { return (plan, refusals) }
        let tooShort = "the clips have too few frames between keyframes away from the transitions"
        if insists { throw MediaError(.badInput, "nothing can be copied (--render smart): \(tooShort)") }
        return (nil, refusals.isEmpty ? [tooShort] : refusals)
    }

    /// Why nothing can be copied into this output; nil where something may be.
    private func outputRefusal(_ encoding: VideoEncoding, _ container: Container) -> String? {
        if !SplicedTrack.fits(container, encoding) {
            return "the output has to be H.264 of libx264 in yuv420p, in mp4, mov or mkv"
        }
        if settings.path == "-" { return "standard output cannot be read again to check the seams" }
        if !settings.videoOptions.isEmpty { return "--video-options may not go with what the clips bring along" }
        if composition.isStrict { return "--strict wants every frame decoded" }
        return nil
    }

    private func source(
        _ clip: RenderPlan.Clip, _ encoding: VideoEncoding, _ track: inout SplicedTrack,
        _ known: inout [String: Result<CodedVideo, CopyRefusal>]
    ) throws(MediaError) -> Result<CopyPlan.Source, CopyRefusal> {
        if !clip.conversions.isEmpty {
            return .failure(
                CopyRefusal("does not fit the output as it is (\(clip.conversions.joined(separator: ", ")))"))
        }
        if clip.video.colour != encoding.colour {
            return .failure(CopyRefusal("has other colour tags than the output"))
        }
        guard let firstFrame = clip.video.firstUsedFrame else {
            return .failure(CopyRefusal("begins between two frames"))
        }
        let video: Result<CodedVideo, CopyRefusal>
        if let same = known[clip.info.path] { video = same } else { video = try CodedVideo.read(clip.info) }
        known[clip.info.path] = video
        return video.flatMap { video in
            guard let copied = track.add(video) else {
                return .failure(CopyRefusal("brings more parameter sets than there are numbers for"))
            }
            return .success(CopyPlan.Source(clip: copied, firstFrame: firstFrame))
        }
    }
}
