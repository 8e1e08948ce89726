import FlipSplice

/// How much of the clips is encoded again.
package enum RenderMode: String, Sendable, CaseIterable {
    /// All frames.
    case full
    /// Only frames that can't be copied.
    case auto
    /// Only frames near transitions; it is an error if the rest of a clip can't be copied.
    case smart
}

/// Where sounds lie whose packets are copied.
package enum AudioCopy: String, Sendable, CaseIterable {
    /// Each is moved as a whole to the nearest packet boundary of the output, by at most half a packet.
    case near
    /// All stay in their places; those whose packets lie elsewhere than the output's are encoded.
    case exact
}

extension RenderPlan {
    /// The maximum number of frames that `--render auto` could copy, judged by the clips' keyframes and formats without
    /// reading any file again. The packets themselves may allow fewer.
    package var framesWorthCopying: Int {
        guard unfinished == nil, path != "-", holds == .cfr, !isStrict, video.options.isEmpty else { return 0 }
        let sources = clips.map { clip in fitsCopying(clip) ? clip.input.firstUsedFrame : nil }
        return timeline.copying(within: fades.steady) { index, frames in
            guard let first = sources[index],
                let key = clips[index].video?.firstKeyframe(from: frames.lowerBound + first),
                frames.upperBound - (key - first) >= CopyPlan.shortest
            else { return [] }
            return [key - first..<frames.upperBound]
        }.copiedFrames
    }

    private func fitsCopying(_ clip: Clip) -> Bool {
        guard let source = clip.video else { return false }
        let codec = video.codec ?? container.defaultVideoCodec
        return CopyCodecs.encoder(like: source, in: container) == codec
            && form.refusal(of: clip, in: video, codec: codec) == nil
    }
}

/// Which parts of the clips are copied packet by packet.
package struct CopyPlan: Sendable {
    /// A clip that is copied, and which of its frames are used.
    struct Source: Sendable {
        let clip: CopiedClip
        /// The number that frame 0 of the used part has in the whole clip.
        let firstFrame: Int
        /// The frames of the used part that are the clip's own; nil if all are.
        var own: Range<Int>?

        /// Converts frames of the used part into frames of the whole clip.
        func whole(_ frames: Range<Int>) -> Range<Int> {
            frames.lowerBound + firstFrame..<frames.upperBound + firstFrame
        }
    }

    /// The source for each clip; nil for a clip that is encoded.
    let sources: [Source?]
    var track: SplicedTrack

    /// The same, with copies that begin at IDR pictures only; nil if none begins elsewhere.
    var withoutRecoveryPoints: CopyPlan? {
        let others = sources.map { $0?.clip.withoutRecoveryPoints }
        guard others.contains(where: { $0 != nil }) else { return nil }
        let kept = zip(sources, others).map { source, other in
            source.map { Source(clip: other ?? $0.clip, firstFrame: $0.firstFrame, own: $0.own) }
        }
        return CopyPlan(sources: kept, track: track)
    }

    /// `clips` with only those seek points at which decoding can begin cleanly.
    func decodable(_ clips: [RenderPlan.Clip]) -> [RenderPlan.Clip] {
        zip(clips, sources).map { clip, source in
            guard let source else { return clip }
            return clip.with(source.clip.video.decodable(clip.input))
        }
    }

    /// The minimum number of frames to copy, unless they are a third of those of their file; fewer are not worth a seam beside encoded
    /// ones.
    fileprivate static let shortest = 12

    /// The stretches within `frames` of clip `index` that are copied.
    func stretches(_ index: Int, _ frames: Range<Int>) -> [Range<Int>] {
        guard let source = sources[index] else { return [] }
        let own = source.own.map(frames.clamped) ?? frames
        let video = source.clip.video
        return video.stretches(in: source.whole(own)).filter {
            $0.count >= CopyPlan.shortest || $0.count == frames.count || 3 * $0.count >= video.frameCount
        }.map { $0.lowerBound - source.firstFrame..<$0.upperBound - source.firstFrame }
    }
}
