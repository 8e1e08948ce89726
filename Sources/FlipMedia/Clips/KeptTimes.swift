import FlipBase

/// Which pictures of a clip are shown when in an output whose films keep the times of their own frames.
///
/// Where a transition or a fade is drawn, at the clip's beginning and end, its frames follow each other evenly. Between them
/// are the clip's own pictures, each at its own time.
package struct KeptTimes: Sendable, Hashable {
    /// For each frame, the time by which its picture is chosen, in seconds from the clip's first picture: it is the last one
    /// that is not later.
    package private(set) var chosen: [Rational] = []
    /// When each frame begins, in seconds after the first.
    package private(set) var begins: [Rational] = []
    /// The length of the clip in seconds.
    package let length: Rational
    /// The frames that are the clip's own pictures, one after the other.
    package private(set) var own = 0..<0
    /// The number of the first of these pictures.
    package private(set) var firstPicture = 0

    /// - Parameters:
    ///   - times: when the clip's pictures are shown, and when the last one ends: `VideoInfo.pictureTimes`.
    ///   - span: the part of the clip that is used.
    ///   - even: the number of frames at its beginning and at its end that follow each other evenly.
    ///   - rate: the frames per second at which they do.
    package init(_ times: [Rational], in span: TimeSpan, even: (head: Int, tail: Int), rate: Rational) {
        let (step, half) = (rate.inverse, rate.inverse / Rational(2))
        let (head, tail) = (Rational(even.head) * step, Rational(even.tail) * step)
        length = max(span.duration, head + tail)
        let (first, last) = (span.start + head, span.start + length - tail)
        // A picture within half a frame of the even ones takes the place of the one that would be there. Where there are none,
        // only the last one up to the beginning does.
        let shown = times.partitioningIndex { $0 > first } - 1
        let nearest = times.partitioningIndex { $0 > first - half }
        let start = even.head == 0 ? max(nearest, shown) : nearest
        let end = last < times[times.count - 1] ? times.partitioningIndex { $0 >= last - half } : times.count - 1
        let pictures = start..<max(start, end)
        add(even.head, from: .zero, span.start, step)
        let isStanding = pictures.isEmpty ? last - first > half : times[start] > first + half
        if isStanding || pictures.isEmpty && even == (0, 0) {
            chosen.append(first)
            begins.append(head)
        }
        own = chosen.count..<chosen.count + pictures.count
        firstPicture = start
        chosen += times[pictures]
        begins += times[pictures].map { $0 - span.start }
        add(even.tail, from: last - span.start, span.start, step)
        begins[0] = .zero
    }

    /// Adds `count` frames that follow each other evenly.
    private mutating func add(_ count: Int, from begin: Rational, _ start: Rational, _ step: Rational) {
        for index in 0..<count {
            begins.append(begin + Rational(index) * step)
            chosen.append(start + begin + Rational(2 * index + 1) * step / Rational(2))
        }
    }

    private init(_ chosen: [Rational], length: Rational) { (self.chosen, self.length) = (chosen, length) }

    /// The pictures of an output's frames, which all have times of their own.
    /// - Parameter times: when the first `count` frames are shown.
    package init(all times: FrameTimes, count: Int) {
        // Files round times to a tick.
        self.init((0..<count).map { (times[$0] + times[$0 + 1]) / Rational(2) }, length: times[count])
    }

    /// Frames `frames` of this clip.
    func frames(_ frames: Range<Int>) -> (span: TimeSpan, kept: KeptTimes) {
        let part = Array(chosen[frames])
        let length = (part.last ?? .zero) - (part.first ?? .zero)
        return (TimeSpan(start: part.first ?? .zero, duration: length), KeptTimes(part, length: length))
    }
}
