import FlipBase
import FlipMedia

/// Where every clip and transition lies in the output, in output frames counted from 0. It is computed before anything
/// is written, and then followed frame by frame.
package struct Timeline: Sendable, Equatable {
    /// One clip: its number of frames, and the output frame at which the first of them lies.
    package struct Clip: Sendable, Equatable {
        package var frames: Int
        package var start: Int
        /// How many of its frames, at its beginning and at its end, lie outside the part that is shown.
        package var handles = (head: 0, tail: 0)
        package var end: Int { start + frames }

        package static func == (left: Clip, right: Clip) -> Bool {
            left.frames == right.frames && left.start == right.start && left.handles == right.handles
        }
    }

    /// One join, after the clip with the same index.
    package struct Join: Sendable, Equatable {
        /// The output frame at which the transition begins.
        package var start: Int
        /// The transition's length in frames; 0 for a hard cut.
        package var frames: Int
        /// The length that was asked for, in frames.
        package var asked: Int
        package var overlap: TransitionSpec.Overlap

        /// The frames outside the parts of its clips that there are for the transition.
        var room = HandleRoom()

        /// The number of frames that the transition takes from each of its clips; 0 with `freeze`.
        var spent: Int { overlap.isFrozen ? 0 : frames }

        /// How many of these lie after the outgoing clip's part, and before the incoming clip's.
        var handles: (tail: Int, head: Int) { overlap == .handles ? room.used(by: frames) : (0, 0) }
    }

    /// A run of output frames that are all made in the same way; not one of `RenderPlan.renderSegments`.
    package enum Segment: Sendable, Equatable {
        /// Frames `frames` of clip `index`, which belong to no transition.
        case clip(index: Int, frames: Range<Int>)
        /// Frames `frames` of clip `index`, whose packets are copied.
        case copy(index: Int, frames: Range<Int>)
        /// The transition after clip `join`, `count` frames long.
        case transition(join: Int, count: Int)

        /// The number of output frames.
        package var count: Int {
            switch self {
            case .clip(_, let frames), .copy(_, let frames): frames.count
            case .transition(_, let count): count
            }
        }

        package var isCopied: Bool {
            switch self {
            case .copy: true
            case .clip, .transition: false
            }
        }

        /// The number of frames of clip `clip` that are copied.
        func copied(of clip: Int) -> Int {
            if case .copy(clip, let frames) = self { return frames.count }
            return 0
        }
    }

    package private(set) var clips: [Clip] = []
    package private(set) var joins: [Join]
    package private(set) var segments: [Segment] = []
    /// When the output's frames are shown.
    package private(set) var times: FrameTimes
    package var frames: Int { clips.last?.end ?? 0 }
    /// The output's length in seconds.
    package var seconds: Rational { times[frames] }

    /// The timeline of clips whose parts have `lengths` frames (each at least 1) with `joins` between them, one fewer
    /// than clips.
    ///
    /// The transitions at the two ends of a clip may together use all of its frames. If the clip is too short for both,
    /// both are shortened in proportion. Clips are longer than their parts by the handles of the transitions.
    /// - Parameters:
    ///   - rooms: the frames outside the parts that there are for each join; none for joins without an entry.
    ///   - rate: the output's frames per second.
    package init(
        lengths: [Int], joins asked: [(frames: Int, overlap: TransitionSpec.Overlap)], rooms: [HandleRoom] = [],
        rate: Rational
    ) {
        times = FrameTimes(rate: rate)
        joins = asked.enumerated().map { index, join in
            Join(
                start: 0, frames: join.frames, asked: join.frames, overlap: join.overlap,
                room: index < rooms.count ? rooms[index] : HandleRoom())
        }
        shorten(to: lengths)
        var start = 0
        for (index, part) in lengths.enumerated() {
            let head = index > 0 ? joins[index - 1].spent : 0
            let tail = index < joins.count ? joins[index].spent : 0
            let handles = (
                head: index > 0 ? joins[index - 1].handles.head : 0,
                tail: index < joins.count ? joins[index].handles.tail : 0
            )
            let length = handles.head + part + handles.tail
            clips.append(Clip(frames: length, start: start, handles: handles))
            if head + tail < length { segments.append(.clip(index: index, frames: head..<(length - tail))) }
            guard index < joins.count else { break }
            joins[index].start = start + length - joins[index].spent
            start = joins[index].start + (joins[index].overlap.isFrozen ? joins[index].frames : 0)
            if joins[index].frames > 0 { segments.append(.transition(join: index, count: joins[index].frames)) }
        }
    }

    /// Shortens the transitions of clips that have fewer frames than the transitions at their two ends ask for. Of a
    /// transition's two clips, the one that leaves it fewer frames decides.
    private mutating func shorten(to lengths: [Int]) {
        let asked = joins
        for index in joins.indices where !asked[index].overlap.isFrozen {
            for clip in [index, index + 1] {
                let spent = Self.spent(ofPart: clip, asked)
                if spent > lengths[clip] {
                    joins[index].frames = min(joins[index].frames, asked[index].frames * lengths[clip] / spent)
                }
            }
        }
        // Halves of odd numbers of frames may still be one too many.
        for clip in lengths.indices {
            while Self.spent(ofPart: clip, joins) > lengths[clip] {
                let neighbors = [clip - 1, clip].filter { joins.indices.contains($0) && !joins[$0].overlap.isFrozen }
                guard let longest = neighbors.max(by: { joins[$0].frames < joins[$1].frames }) else { break }
                joins[longest].frames -= 1
            }
        }
    }

    /// The frames of clip `clip`'s part, without its handles, that the transitions at its ends take.
    private static func spent(ofPart clip: Int, _ joins: [Join]) -> Int {
        let before = clip > 0 ? joins[clip - 1].spent - joins[clip - 1].handles.head : 0
        let after = clip < joins.count ? joins[clip].spent - joins[clip].handles.tail : 0
        return before + after
    }

    /// The same timeline, in which the frames of some clips keep their own times where no transition is drawn.
    /// - Parameter kept: these clips' frames; nil for clips that follow the timeline's rate.
    func keeping(_ kept: [KeptTimes?]) -> Timeline {
        let step = times.rate.inverse
        let lengths = zip(clips, kept).map { clip, kept in
            (kept?.begins.count ?? clip.frames) - clip.handles.head - clip.handles.tail
        }
        var copy = Timeline(
            lengths: lengths, joins: joins.map { ($0.frames, $0.overlap) }, rooms: joins.map(\.room), rate: times.rate)
        var begins: [Rational] = []
        var start = Rational.zero
        for (index, clip) in copy.clips.enumerated() {
            let own = kept[index]?.begins ?? (0..<clip.frames).map { Rational($0) * step }
            // The frames of the transition before are there already.
            begins += own[(begins.count - clip.start)...].map { start + $0 }
            start = start + (kept[index]?.length ?? Rational(clip.frames) * step)
            guard index < joins.count else { break }
            copy.joins[index].asked = joins[index].asked
            let transition = Rational(joins[index].frames) * step
            if joins[index].overlap.isFrozen {
                begins += (0..<joins[index].frames).map { start + Rational($0) * step }
                start = start + transition
            } else {
                start = start - transition
            }
        }
        copy.times = FrameTimes(begins + [start], rate: times.rate)
        return copy
    }

    /// The same timeline, with those frames copied that `stretches` returns, ascending. It is given the frames of a clip
    /// that belong to no transition.
    /// - Parameter range: the output frames outside of which none are copied; nil for no limit.
    package func copying(
        within range: Range<Int>? = nil, _ stretches: (_ index: Int, _ frames: Range<Int>) -> [Range<Int>]
    ) -> Timeline {
        var copy = self
        copy.segments = segments.flatMap { segment -> [Segment] in
            guard case .clip(let index, let frames) = segment else { return [segment] }
            let start = clips[index].start
            let allowed = range.map { frames.clamped(to: $0.lowerBound - start..<$0.upperBound - start) } ?? frames
            var parts: [Segment] = []
            var next = frames.lowerBound
            for copied in allowed.isEmpty ? [] : stretches(index, allowed) {
                if next < copied.lowerBound { parts.append(.clip(index: index, frames: next..<copied.lowerBound)) }
                parts.append(.copy(index: index, frames: copied))
                next = copied.upperBound
            }
            return next < frames.upperBound ? parts + [.clip(index: index, frames: next..<frames.upperBound)] : parts
        }
        return copy
    }

    /// The number of frames whose packets are copied.
    package var copiedFrames: Int { segments.filter(\.isCopied).reduce(0) { $0 + $1.count } }

    /// The first frame of clip `index`, after frame `first` of it, that is copied; nil if there is none.
    func copiedFrame(of index: Int, after first: Int) -> Int? {
        segments.lazy.compactMap { segment in
            guard case .copy(index, let frames) = segment, frames.lowerBound > first else { return nil }
            return frames.lowerBound
        }.first
    }

    /// Every segment with its range of output frames.
    package var placedSegments: [(segment: Segment, frames: Range<Int>)] {
        var start = 0
        return segments.map { segment in
            defer { start += segment.count }
            return (segment, start..<start + segment.count)
        }
    }

    /// The indices of the joins whose transitions are shorter than asked for.
    package var shortened: [Int] { joins.indices.filter { joins[$0].frames < joins[$0].asked } }
}
