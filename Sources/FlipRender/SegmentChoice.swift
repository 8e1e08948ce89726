import FlipGeometry
import FlipMedia

/// Whether the video is encoded in segments that are rendered side by side.
package enum SegmentChoice: Sendable, Equatable {
    /// In one pass.
    case off
    /// In segments where there are processors and frames enough to gain by it.
    case auto
    /// In segments of about that length, whatever the machine.
    case every(TransitionDuration)

    /// Reads `off`, `auto` or a length such as `10`, `500ms` or `250f`.
    package init(parsing text: String) throws(OptionError) {
        switch text {
        case "off": self = .off
        case "auto": self = .auto
        default:
            do throws(OptionError) {
                self = .every(try TransitionDuration(parsing: text, of: "segments"))
            } catch {
                throw OptionError(
                    "invalid segments '\(text)' (expected off, auto, or a length such as 10 (seconds) or 250f (frames))"
                )
            }
        }
    }

    /// Processors from which on `auto` may choose segments. Below, one encoder's own threads keep all of them busy.
    static let leastThreads = 8
    /// The most segments that `auto` makes, roughly: longer outputs get longer ones.
    private static let usualCount = 64
    /// The longest that `auto` makes, in keyframe intervals.
    private static let longest = 16

    /// Frames of a segment of an output of `frames` frames: `auto` takes whole keyframe intervals of `group` frames, so
    /// that the keyframes that segments begin with are hardly more than there would be anyway.
    func length(frames: Int, group: Int, frameRate: Rational) -> Int? {
        switch self {
        case .off: nil
        case .auto:
            group * min(max(frames / (group * SegmentChoice.usualCount), 1), SegmentChoice.longest)
        case .every(let duration): duration.frames(at: frameRate)
        }
    }
}

extension Timeline {
    /// The output cut into segments of about `length` frames (at least 1): a range for each, in order, each beginning where the
    /// one before ends.
    ///
    /// Cuts lie at multiples of `length`. One that would cut a transition in two goes to the transition's start where that is
    /// at most half a segment earlier, so that the clips' frames there are decoded once. What is left at the end joins the last
    /// segment where it is shorter than half of one.
    package func cut(every length: Int) -> [Range<Int>] {
        precondition(length > 0)
        let transitions = joins.filter { $0.frames > 0 }
        var cuts = [0]
        for cut in stride(from: length, to: frames, by: length) where 2 * (frames - cut) >= length {
            let split = transitions.first { $0.start < cut && cut < $0.start + $0.frames }
            let place = split.map { 2 * (cut - $0.start) <= length ? $0.start : cut } ?? cut
            if place > cuts[cuts.count - 1] { cuts.append(place) }
        }
        return zip(cuts, cuts.dropFirst() + [frames]).map { $0..<$1 }
    }

    /// The frames of clips that output frames `range` are made from, clip by clip, in frames at the output's rate.
    package func sources(of range: Range<Int>) -> [(clip: Int, frames: Range<Int>)] {
        var sources: [(clip: Int, frames: Range<Int>)] = []
        func add(_ clip: Int, _ frames: Range<Int>) {
            if let place = sources.lastIndex(where: { $0.clip == clip }) {
                let known = sources[place].frames
                sources[place].frames =
                    min(known.lowerBound, frames.lowerBound)..<max(known.upperBound, frames.upperBound)
            } else {
                sources.append((clip, frames))
            }
        }
        for (segment, place) in placedSegments where place.overlaps(range) {
            let part = place.clamped(to: range)
            let offset = part.lowerBound - place.lowerBound
            switch segment {
            case .clip(let clip, let frames), .copy(let clip, let frames):
                let first = frames.lowerBound + offset
                add(clip, first..<first + part.count)
            case .transition(let join, let count):
                let length = clips[join].frames
                switch joins[join].overlap {
                case .play:
                    let first = length - count + offset
                    add(join, first..<first + part.count)
                    add(join + 1, offset..<offset + part.count)
                case .freeze:
                    add(join, length - 1..<length)
                    add(join + 1, 0..<1)
                }
            }
        }
        return sources
    }
}
