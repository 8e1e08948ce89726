import FlipBase
import FlipGeometry

/// Whether the video is encoded in segments that are rendered in parallel.
package enum SegmentChoice: Sendable, Equatable {
    /// In one pass.
    case off
    /// In segments if there are enough threads and frames to gain by it.
    case auto
    /// In segments of about this length, regardless of the machine.
    case every(TransitionDuration)

    /// Parses `off`, `auto` or a length such as `10`, `500ms` or `250f`.
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

    /// Whether segments begin with slides where these are kept for further runs.
    var followsSlides: Bool { self == .auto }

    /// The minimum number of threads with which `auto` may choose segments. With fewer, the threads of a single encoder
    /// keep all processors busy.
    static let leastThreads = 8
    /// The approximate number of segments above which `auto` makes them longer instead.
    private static let usualCount = 64
    /// The longest segment that `auto` makes, in keyframe intervals.
    private static let longest = 16

    /// The number of frames in each segment of an output of `frames` frames; nil for one pass. `auto` uses multiples of
    /// the keyframe interval, `group` frames, so that segments add hardly any keyframes.
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
    /// The encoded frames of the output cut into segments of about `length` frames (at least 1), as ranges of output
    /// frames: consecutive ones, except where packets are copied in between.
    package func cut(every length: Int) -> [Range<Int>] {
        let transitions = joins.filter { $0.frames > 0 }
        return encodedRuns.flatMap { cut($0, every: length, transitions) }
    }

    /// The output cut where transitions or, at cuts, clips begin, into segments of at least `least` frames but for the last:
    /// when one clip changes, hardly any others do.
    func cutAtClips(atLeast least: Int) -> [Range<Int>] {
        var cuts = [0]
        for join in joins where join.start - cuts[cuts.count - 1] >= least { cuts.append(join.start) }
        return zip(cuts, cuts.dropFirst() + [frames]).map { $0..<$1 }
    }

    /// The output frames between copied stretches.
    private var encodedRuns: [Range<Int>] {
        var runs: [Range<Int>] = []
        for (segment, place) in placedSegments where !segment.isCopied {
            if let last = runs.last, last.upperBound == place.lowerBound {
                runs[runs.count - 1] = last.lowerBound..<place.upperBound
            } else {
                runs.append(place)
            }
        }
        return runs
    }

    /// Cuts lie at multiples of `length`, counted from the beginning of `run`. A cut that would divide a transition
    /// moves to the transition's start if that is at most half a segment earlier, so that the clips' frames there are
    /// decoded only once. A rest at the end joins the last segment if it is shorter than half a segment.
    private func cut(_ run: Range<Int>, every length: Int, _ transitions: [Join]) -> [Range<Int>] {
        precondition(length > 0)
        var cuts = [run.lowerBound]
        for cut in stride(from: run.lowerBound + length, to: run.upperBound, by: length)
        where 2 * (run.upperBound - cut) >= length {
            let split = transitions.first { $0.start < cut && cut < $0.start + $0.frames }
            let place = split.map { 2 * (cut - $0.start) <= length ? $0.start : cut } ?? cut
            if place > cuts[cuts.count - 1] { cuts.append(place) }
        }
        return zip(cuts, cuts.dropFirst() + [run.upperBound]).map { $0..<$1 }
    }

    /// The clips' frames that output frames `range` are made from, one range per clip, counted at the output's rate.
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
                case .play, .handles:
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
