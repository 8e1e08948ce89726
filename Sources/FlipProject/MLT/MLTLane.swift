import FlipRender

/// A part of a film, frame by frame at its own rate, which is the project's.
struct MLTShot: Hashable, Sendable {
    var path: String
    /// The first frame that is shown or heard, counted from the film's first.
    var start: Int

    func moved(by frames: Int) -> MLTShot { MLTShot(path: path, start: start + frames) }
}

/// A mix of two films that this program draws as MLT would.
struct MLTMix: Sendable {
    /// What the mix shows of both films at its first frame.
    var from: MLTShot
    var to: MLTShot
    /// The number of frames of the whole mix.
    var count: Int
    /// The first of them that is meant.
    var first: Int
    var spec: TransitionSpec
    /// How many frames at its beginning show only the first film, and how many at its end only the second.
    var ends: (plain: Int, done: Int)
    /// What MLT calls it.
    var name: String
}

/// What is seen or heard in a range of frames.
enum MLTContent: Sendable {
    case nothing
    /// Black that covers everything below.
    case black
    /// A color that is transparent throughout, and black where nothing is below.
    case clear
    case shot(MLTShot)
    case mix(MLTMix)
    /// Whatever melt makes of it, and why this program doesn't, as a clause.
    case other(String)

    var isNothing: Bool { if case .nothing = self { true } else { false } }

    /// The content that is seen `frames` frames later.
    func moved(by frames: Int) -> MLTContent {
        switch self {
        case .nothing, .black, .clear, .other: return self
        case .shot(let shot): return .shot(shot.moved(by: frames))
        case .mix(var mix):
            mix.first += frames
            return .mix(mix)
        }
    }

    /// Whether `next` is what this content, `count` frames of it, goes on with.
    func isContinued(by next: MLTContent, after count: Int) -> Bool {
        switch (self, next) {
        case (.nothing, .nothing), (.black, .black), (.clear, .clear): true
        case (.shot(let shot), .shot(let other)): shot.moved(by: count) == other
        case (.mix(let mix), .mix(let other)):
            mix.from == other.from && mix.to == other.to && mix.count == other.count && mix.first + count == other.first
        case (.other(let reason), .other(let next)): reason == next
        case (.nothing, _), (.black, _), (.clear, _), (.shot, _), (.mix, _), (.other, _): false
        }
    }
}

/// What is seen or heard, one thing after another.
struct MLTLane: Sendable {
    struct Span: Sendable {
        var content: MLTContent
        /// The frames in the lane.
        var frames: Range<Int>
    }

    private(set) var spans: [Span] = []
    /// The number of frames.
    var count: Int { spans.last?.frames.upperBound ?? 0 }

    init() {}

    init(_ content: MLTContent, count: Int) { append(content, count: count) }

    mutating func append(_ content: MLTContent, count length: Int) {
        guard length > 0 else { return }
        let start = count
        if let last = spans.last, last.content.isContinued(by: content, after: last.frames.count) {
            spans[spans.count - 1].frames = last.frames.lowerBound..<start + length
        } else {
            spans.append(Span(content: content, frames: start..<start + length))
        }
    }

    mutating func append(_ lane: MLTLane) { for span in lane.spans { append(span.content, count: span.frames.count) } }

    /// The part in `frames`, with nothing outside of the lane.
    func slice(_ frames: Range<Int>) -> MLTLane {
        var part = MLTLane()
        part.append(.nothing, count: min(-frames.lowerBound, frames.count))
        for span in spans[first(endingAfter: frames.lowerBound)...] {
            let common = span.frames.clamped(to: frames)
            if span.frames.lowerBound >= frames.upperBound { break }
            part.append(span.content.moved(by: common.lowerBound - span.frames.lowerBound), count: common.count)
        }
        part.append(.nothing, count: frames.count - part.count)
        return part
    }

    /// The content of frame `frame`.
    func content(at frame: Int) -> MLTContent {
        let index = first(endingAfter: frame)
        guard index < spans.count, spans[index].frames.contains(frame) else { return .nothing }
        return spans[index].content.moved(by: frame - spans[index].frames.lowerBound)
    }

    private func first(endingAfter frame: Int) -> Int {
        spans.indices.partitioningIndex { spans[$0].frames.upperBound > frame }
    }

    /// The lane with `change` made to what is seen in `frames`.
    func changing(in frames: Range<Int>, _ change: (MLTContent) -> MLTContent) -> MLTLane {
        let own = frames.clamped(to: 0..<count)
        if own.isEmpty { return self }
        var result = slice(0..<own.lowerBound)
        for span in slice(own).spans { result.append(change(span.content), count: span.frames.count) }
        result.append(slice(own.upperBound..<count))
        return result
    }

    /// All frames at which the content changes, both ends included.
    var edges: [Int] { [0] + spans.map(\.frames.upperBound) }
}
