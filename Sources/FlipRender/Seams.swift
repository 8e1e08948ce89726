import FlipMedia
import FlipFiles
import FlipSplice

extension RenderPlan {
    /// How many frames on each side of a seam are compared with what was meant.
    private static let seamReach = 8
    /// Windows with at most this many frames between them are merged: decoding these is better than seeking past them.
    private static let seamGap = 48
    /// The maximum number of seams between the encoder's own packets that are compared: unlike clips, of which each may
    /// bring its own surprise, these all go by the same rule.
    private static let maxEncoderSeams = 8
    /// The least number of output frames for each frame that is decoded to compare them. Decoding costs up to a third of
    /// encoding (with the fastest presets), so the comparison costs at most some 3 %.
    private static let encodedPerDecoded = 10

    /// The ranges of output frames around seams, where packets of different origin meet, that are compared with what was
    /// meant once the output is complete: all seams of copied packets, and some of the others.
    var seamWindows: [Range<Int>] {
        // The length of a live clip is not known until it has ended.
        guard unfinished == nil, holds == .cfr else { return [] }
        let seams = Set(copying == nil ? [] : timeline.placedSegments.dropFirst().map(\.frames.lowerBound))
            .union(someEncoderSeams)
        var windows: [Range<Int>] = []
        for seam in seams.sorted() {
            let window = max(0, seam - Self.seamReach)..<min(timeline.frames, seam + Self.seamReach)
            if let last = windows.last, window.lowerBound <= last.upperBound + Self.seamGap {
                windows[windows.count - 1] = last.lowerBound..<window.upperBound
            } else {
                windows.append(window)
            }
        }
        return windows
    }

    /// The frames at which packets of different encoders meet, or repeated pictures begin or end, in order.
    private var encoderSeams: [Int] {
        guard container.storesPresentationTimes, !OutputPlace(path).isStream else { return [] }
        let cuts = renderSegments.dropFirst().map(\.lowerBound)
        guard hasHolds else { return cuts }
        var seams = Set(cuts)
        for (segment, place) in timeline.placedSegments {
            guard case .clip(let index, _) = segment, clips[index].isUnmoved else { continue }
            for part in renderSegments where part.overlaps(place) {
                let shown = place.clamped(to: part).clamped(to: fades.steady)
                for repeated in TrackAssembler.repeatedFrames(of: shown) {
                    seams.formUnion([repeated.lowerBound, repeated.upperBound])
                }
            }
        }
        return seams.subtracting([timeline.frames]).sorted()
    }

    /// Some of `encoderSeams`, evenly spread: as many as the output's length allows for, but at least one.
    private var someEncoderSeams: [Int] {
        let seams = encoderSeams
        // To show the frames before a seam, a decoder has to begin at the keyframe before them.
        let longest = min(renderSegments.map(\.count).max() ?? 1, video.keyframeInterval)
        let interval = max(longest, 2 * RenderPlan.seamReach)
        let affordable = timeline.frames / (interval * RenderPlan.encodedPerDecoded)
        let count = min(max(affordable, 1), RenderPlan.maxEncoderSeams)
        guard seams.count > count else { return seams }
        return (0..<count).map { seams[(2 * $0 + 1) * seams.count / (2 * count)] }
    }

    /// Whether a picture is shown for so long that only the beginning is encoded.
    var hasHolds: Bool { holds == .cfr && repeatsHolds && copying == nil && clips.contains(where: \.isUnmoved) }
}
