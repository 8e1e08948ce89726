import FlipBase
import FlipRender

/// The part of a media file that an item of a timeline shows.
struct OTIOClip: Sendable {
    var name: String
    /// The location of the clip in the timeline's file.
    var location: TextLocation
    var path: String
    /// The time of the first frame shown, in seconds from the file's beginning.
    var start: Rational
    /// The number of seconds of the file that pass in one second of the timeline, 0 or more.
    var speed = Rational(1)
    /// The span of time that the file has, in seconds from its beginning; nil if the timeline doesn't say.
    var available: TimeSpan?
    /// The fades in seconds and the gain in dB that the metadata of a clip in an audio track asks for.
    var sound = (fadeIn: Rational.zero, fadeOut: Rational.zero, gain: 0.0)
}

/// A clip or a gap, with its duration.
struct OTIOItem: Sendable {
    /// The clip; nil for a gap.
    var clip: OTIOClip?
    /// The duration in seconds, 0 or more.
    var duration: Rational

    /// The part of the item from `start` seconds after its beginning that lasts `duration` seconds.
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
    var location: TextLocation
    /// The seconds before the cut during which the item after it is already shown.
    var inOffset: Rational
    /// The seconds after the cut during which the item before it is still shown.
    var outOffset: Rational
    var spec: TransitionSpec
}

/// Consecutive items, with transitions at the cuts between them.
struct OTIOLane: Sendable {
    private(set) var items: [OTIOItem] = []
    /// The transitions by the index of the item after the cut, in 1 ..< items.count.
    private(set) var transitions: [Int: OTIOTransition] = [:]
    /// The sum of the items' durations, in seconds.
    private(set) var duration = Rational.zero

    init() {}

    init(_ item: OTIOItem) { append(item) }

    mutating func append(_ item: OTIOItem) {
        items.append(item)
        duration = duration + item.duration
    }

    /// Adds a transition at the lane's end, to whatever item is appended next.
    mutating func append(_ transition: OTIOTransition) throws(MediaError) {
        // A transition at the lane's beginning comes from a gap of zero length.
        if items.isEmpty { append(OTIOItem(duration: .zero)) }
        guard transitions[items.count] == nil else {
            throw transition.location.error(
                "transition '\(transition.name)' follows another one without a clip between them")
        }
        transitions[items.count] = transition
    }

    mutating func append(_ lane: OTIOLane) throws(MediaError) {
        let first = items.count
        lane.items.forEach { append($0) }
        for (index, transition) in lane.transitions.sorted(by: { $0.key < $1.key }) {
            guard transitions[first + index] == nil else {
                throw transition.location.error("transition '\(transition.name)' touches another one")
            }
            transitions[first + index] = transition
        }
    }

    /// Ends the lane: a transition at its end leads to a gap of zero length.
    mutating func close() {
        if transitions[items.count] != nil { append(OTIOItem(duration: .zero)) }
    }

    /// The time at which each item begins, in seconds.
    var starts: [Rational] {
        var start = Rational.zero
        return items.map { item in
            defer { start = start + item.duration }
            return start
        }
    }

    /// The part of the lane within `range`, padded with gaps to its length. Transitions that reach out of it are
    /// shortened.
    /// - Parameter starts: the lane's `starts`, if they are known already.
    func slice(_ range: OTIORange, starts: [Rational]? = nil) -> OTIOLane {
        let starts = starts ?? self.starts
        var result = OTIOLane()
        if range.start < .zero { result.append(OTIOItem(duration: min(range.start.magnitude, range.duration))) }
        var index = first(endingAfter: range.start, starts)
        let firstIndex = index
        while index < items.count, starts[index] < range.end || (items[index].duration == .zero && index > firstIndex) {
            let from = max(range.start, starts[index])
            let to = min(range.end, starts[index] + items[index].duration)
            let position = result.items.count
            result.append(items[index].part(from: from - starts[index], duration: max(to - from, .zero)))
            if index > firstIndex, var transition = transitions[index] {
                transition.inOffset = min(transition.inOffset, starts[index] - range.start)
                transition.outOffset = min(transition.outOffset, range.end - starts[index])
                result.transitions[position] = transition
            }
            index += 1
        }
        if result.duration < range.duration { result.append(OTIOItem(duration: range.duration - result.duration)) }
        return result
    }

    /// The index of the first item that ends after `time`, or that has no length and doesn't lie before `time`.
    private func first(endingAfter time: Rational, _ starts: [Rational]) -> Int {
        items.indices.partitioningIndex { index in
            let end = starts[index] + items[index].duration
            return end > time || (items[index].duration == .zero && end >= time)
        }
    }

    /// This lane over `lower`, which is seen in this one's gaps.
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
