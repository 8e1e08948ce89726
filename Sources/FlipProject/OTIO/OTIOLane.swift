import FlipMedia
import FlipRender

/// What an item of a timeline shows.
struct OTIOClip: Sendable {
    var name: String
    /// Of the clip in the timeline's file.
    var place: YAMLPlace
    var path: String
    /// Seconds from the file's beginning that are shown first.
    var start: Rational
    /// Seconds of the file that pass in one of the timeline, 0 or more.
    var speed = Rational(1)
    /// What the file has, in seconds from its beginning; nil where the timeline doesn't say.
    var available: TimeSpan?
    /// Of a clip in a track of sounds, what its metadata asks for: seconds, and dB.
    var sound = (fadeIn: Rational.zero, fadeOut: Rational.zero, gain: 0.0)
}

/// A clip, or nothing, for some time.
struct OTIOItem: Sendable {
    /// Nil is a gap.
    var clip: OTIOClip?
    /// Seconds, 0 or more.
    var duration: Rational

    /// The part of it from `start` seconds after its beginning, `duration` long.
    func part(from start: Rational, duration: Rational) -> OTIOItem {
        var part = self
        part.duration = duration
        if let clip { part.clip?.start = clip.start + start * clip.speed }
        return part
    }
}

/// A transition at a cut.
struct OTIOTransition: Sendable {
    var name: String
    var place: YAMLPlace
    /// Seconds before the cut, for which the item after it is shown early.
    var inOffset: Rational
    /// Seconds after the cut, for which the item before it is shown on.
    var outOffset: Rational
    var spec: TransitionSpec
}

/// Items one after another, with transitions at cuts between them.
struct OTIOLane: Sendable {
    private(set) var items: [OTIOItem] = []
    /// By the index of the item after the cut: 1 ..< items.count.
    private(set) var transitions: [Int: OTIOTransition] = [:]
    private(set) var duration = Rational.zero

    init() {}

    init(_ item: OTIOItem) { append(item) }

    mutating func append(_ item: OTIOItem) {
        items.append(item)
        duration = duration + item.duration
    }

    /// Puts a transition at the lane's end, whatever is appended next.
    mutating func append(_ transition: OTIOTransition) throws(MediaError) {
        // A transition from nothing is one from a gap without length.
        if items.isEmpty { append(OTIOItem(duration: .zero)) }
        guard transitions[items.count] == nil else {
            throw transition.place.error(
                "transition '\(transition.name)' follows another one without a clip between them")
        }
        transitions[items.count] = transition
    }

    mutating func append(_ lane: OTIOLane) throws(MediaError) {
        let first = items.count
        lane.items.forEach { append($0) }
        for (index, transition) in lane.transitions.sorted(by: { $0.key < $1.key }) {
            guard transitions[first + index] == nil else {
                throw transition.place.error("transition '\(transition.name)' touches another one")
            }
            transitions[first + index] = transition
        }
    }

    /// Ends the lane: a last transition goes to a gap without length.
    mutating func close() {
        if transitions[items.count] != nil { append(OTIOItem(duration: .zero)) }
    }

    /// Seconds at which each item begins.
    var starts: [Rational] {
        var start = Rational.zero
        return items.map { item in
            defer { start = start + item.duration }
            return start
        }
    }

    /// What lies in `range`, filled with gaps to its length. Transitions that reach out of it are shortened.
    /// - Parameter starts: of the lane, where they are known already.
    func slice(_ range: OTIORange, starts: [Rational]? = nil) -> OTIOLane {
        let starts = starts ?? self.starts
        var result = OTIOLane()
        if range.start < .zero { result.append(OTIOItem(duration: min(range.start.magnitude, range.duration))) }
        var index = first(endingAfter: range.start, starts)
        let firstIndex = index
        while index < items.count, starts[index] < range.end || (items[index].duration == .zero && index > firstIndex) {
            let from = max(range.start, starts[index])
            let to = min(range.end, starts[index] + items[index].duration)
            let place = result.items.count
            result.append(items[index].part(from: from - starts[index], duration: max(to - from, .zero)))
            if index > firstIndex, var transition = transitions[index] {
                transition.inOffset = min(transition.inOffset, starts[index] - range.start)
                transition.outOffset = min(transition.outOffset, range.end - starts[index])
                result.transitions[place] = transition
            }
            index += 1
        }
        if result.duration < range.duration { result.append(OTIOItem(duration: range.duration - result.duration)) }
        return result
    }

    /// The first item that ends after `time`, or has no length there.
    private func first(endingAfter time: Rational, _ starts: [Rational]) -> Int {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            let end = starts[middle] + items[middle].duration
            if end > time || (items[middle].duration == .zero && end >= time) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    /// This lane over `lower`: where it has gaps, the lower one is seen.
    func over(_ lower: OTIOLane) throws(MediaError) -> OTIOLane {
        let starts = starts
        let lowerStarts = lower.starts
        var result = OTIOLane()
        for (index, item) in items.enumerated() {
            if let transition = transitions[index] { try result.append(transition) }
            if item.clip == nil, item.duration > .zero {
                try result.append(
                    lower.slice(OTIORange(start: starts[index], duration: item.duration), starts: lowerStarts))
            } else {
                result.append(item)
            }
        }
        if lower.duration > duration {
            let rest = OTIORange(start: duration, duration: lower.duration - duration)
            try result.append(lower.slice(rest, starts: lowerStarts))
        }
        return result
    }
}
