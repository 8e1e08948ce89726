import FlipBase
import FlipMedia
import FlipFiles

/// The frames outside the parts of two clips that a transition between them may show, its *handles*: those after the
/// outgoing clip's part, and those before the incoming clip's.
package struct HandleRoom: Sendable, Hashable {
    /// The frames that there are after the outgoing clip's part.
    package var tail = 0
    /// The frames that there are before the incoming clip's part.
    package var head = 0
    /// The frames that lie between the two parts if they follow each other in one file; nil if they don't. Each of
    /// these can be a handle of one clip only, so that it is not shown twice.
    package var gap: Int?
    /// Where the cut between the parts lies in the transition.
    package var place = Place.middle

    /// Where a cut lies in the transition that is drawn over it.
    package enum Place: Sendable, Hashable {
        case beginning
        case middle
        case end
    }

    package init(tail: Int = 0, head: Int = 0, gap: Int? = nil, place: Place = .middle) {
        (self.tail, self.head, self.gap, self.place) = (tail, head, gap, place)
    }

    /// The handles of a transition of `frames` frames. Around the middle, each clip has half of it, and an odd frame is
    /// the outgoing clip's.
    func used(by frames: Int) -> (tail: Int, head: Int) {
        let (most, between) = (split(frames), gap.map(split))
        return (min(tail, most.tail, between?.tail ?? .max), min(head, most.head, between?.head ?? .max))
    }

    private func split(_ frames: Int) -> (tail: Int, head: Int) {
        switch place {
        case .beginning: (frames, 0)
        case .middle: (frames - frames / 2, frames / 2)
        case .end: (0, frames)
        }
    }
}

extension HandleRoom {
    /// What is left of the files around the parts of `first` and `second`, which are joined in this order.
    init(from first: InputClip, to second: InputClip, conform: VideoConform, place: Place = .middle) {
        self.init(tail: first.framesOutside(conform).after, head: second.framesOutside(conform).before, place: place)
        guard let (one, other) = first.sharedSpans(with: second), other.start >= one.start else { return }
        let length = Rational(conform.frameCount(of: first.use)) / conform.frameRate
        gap = max(0, ((other.start - one.start - length) * conform.frameRate).roundedDown)
    }
}

extension InputClip {
    /// More frames than any transition has, for inputs with a picture for every time.
    private static let endless = 1 << 30

    /// The output frames that the file has before and after the part that is used. Where a timeline says what is shown
    /// when, it has extended the part itself, and nothing of a pipe is known.
    fileprivate func framesOutside(_ conform: VideoConform) -> (before: Int, after: Int) {
        guard !isStill, let video else { return (Self.endless, Self.endless) }
        guard case .file = source, use.timing == nil else { return (0, 0) }
        let rest = TimeSpan(start: use.span.start, duration: video.duration - use.span.start)
        return (
            max(0, (use.span.start * conform.frameRate).roundedDown),
            max(0, conform.frameCount(of: ClipUse(span: rest)) - conform.frameCount(of: use))
        )
    }

    /// The parts that are used of this clip and of `other` if both are of one film; nil otherwise.
    fileprivate func sharedSpans(with other: InputClip) -> (TimeSpan, TimeSpan)? {
        guard !isStill, case .file(let one) = source, case .file(let two) = other.source,
            one.path == two.path || Files.realPath(one.path) == Files.realPath(two.path)
        else { return nil }
        return (use.span, other.use.span)
    }
}
