import FlipMedia

/// Whether clips are encoded again as a whole.
package enum RenderMode: String, Sendable, CaseIterable {
    /// All of them.
    case full
    /// Only where that can't be spared.
    case auto
    /// Only near transitions; where that can't be it is an error.
    case smart
}

extension RenderPlan {
    /// How many frames `--render auto` could copy at most: judged by the clips' keyframes and by what is known of their pictures,
    /// without reading any file again. What packets turn out to be may leave fewer.
    package var framesWorthCopying: Int {
        guard unfinished == nil, path != "-", holds == .cfr, !isStrict, video.options.isEmpty else { return 0 }
        let sources = clips.map { clip in fitsCopying(clip) ? clip.video.firstUsedFrame : nil }
        return timeline.copying { index, frames in
            guard let first = sources[index],
                let key = clips[index].video.firstKeyframe(from: frames.lowerBound + first),
                frames.upperBound - (key - first) >= CopyPlan.shortest
            else { return nil }
            return key - first..<frames.upperBound
        }.copiedFrames
    }

    private func fitsCopying(_ clip: Clip) -> Bool {
        if clip.video.isBlank || clip.video.timing != nil || clip.info.jumps != nil { return false }
        var conform = clip.conform
        conform.pixelFormat = video.pixelFormat
        let codec = video.codec ?? container.defaultVideoCodec
        return CopyCodecs.encoder(like: clip.video, in: container) == codec
            && conform.conversions(from: clip.video).isEmpty
            && Planner.hasColours(of: video, codec: codec, clip.video)
    }
}

/// What of the clips is copied packet by packet.
package struct CopyPlan: Sendable {
    /// A clip that is copied, and the frame of it with which what is used begins.
    struct Source: Sendable {
        let clip: CopiedClip
        let firstFrame: Int

        /// Frames of what is used as frames of the whole clip.
        func whole(_ frames: Range<Int>) -> Range<Int> {
            frames.lowerBound + firstFrame..<frames.upperBound + firstFrame
        }
    }

    /// For each clip; nil where it is encoded.
    let sources: [Source?]
    let track: SplicedTrack

    /// `clips` with the places at which decoding can begin.
    func decodable(_ clips: [RenderPlan.Clip]) -> [RenderPlan.Clip] {
        zip(clips, sources).map { clip, source in
            guard let source else { return clip }
            let info = source.clip.video.decodable(clip.info)
            return RenderPlan.Clip(
                info: info, conform: clip.conform, conversions: clip.conversions, video: info.video ?? clip.video,
                title: clip.title, isMuted: clip.isMuted)
        }
    }

    /// Fewer frames are not worth a seam.
    fileprivate static let shortest = 12

    /// What of `frames` of clip `index` is copied.
    func stretch(_ index: Int, _ frames: Range<Int>) -> Range<Int>? {
        guard let source = sources[index], let whole = source.clip.video.stretch(in: source.whole(frames)),
            whole.count >= CopyPlan.shortest
        else { return nil }
        return whole.lowerBound - source.firstFrame..<whole.upperBound - source.firstFrame
    }
}
