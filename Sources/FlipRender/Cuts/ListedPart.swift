import FlipBase
import FlipClip

/// A part of a clip as a cut list states it: in frames, which are times only once the clip's rate is known.
package struct ListedPart: Sendable, Hashable {
    enum Point: Hashable, Sendable {
        /// Seconds from the clip's first frame.
        case seconds(Rational)
        /// Frames of the clip from its first one on.
        case frames(Int)
        /// A time code of the clip.
        case code(Timecode)
    }

    var start: Point
    /// Nil for the clip's end.
    var end: Point?
    /// The time codes of the list's output between which the part lies; nil if the list has none.
    var record: Range<Timecode>?
    /// The part's file and line in messages.
    var place: String
    /// Whether the part is left out, rather than an error, if the clip ends before it.
    var mayBeMissing = false
}

extension ClipSpec {
    /// Turns the part that a list states in frames into times.
    /// - Parameters:
    ///   - source: what the clip is.
    ///   - rate: the rate of time codes if that was asked for; nil for the clip's own.
    ///   - output: the frames per second of the output, which gaps have.
    /// - Returns: whether there is such a part in the clip.
    package mutating func settle(
        in source: InputClip.Source, rate: Rational?, output: Rational
    ) throws(MediaError) -> Bool {
        guard let listed else { return true }
        let video = source.video
        let own = video?.frameRate ?? output
        let clock = ListClock(
            part: listed, frameRate: own, codeRate: rate ?? own,
            origin: source.info?.timecode.flatMap { Timecode(parsing: $0) })
        self.listed = nil
        if case .frames(let count)? = cut?.duration { cut?.duration = .seconds(Rational(count) / clock.codeRate) }
        if kind == .gap {
            stillDuration = try clock.recorded()
            return true
        }
        if let record = listed.record { try clock.check(record) }
        part = ClipPart(start: try clock.seconds(listed.start), end: try listed.end.map(clock.seconds))
        if let start = part.start, listed.mayBeMissing, let video, start >= video.duration { return false }
        return true
    }
}

/// Turns the points of a part of a list into seconds.
private struct ListClock {
    let part: ListedPart
    let frameRate: Rational
    let codeRate: Rational
    /// The time code of the clip's first frame; nil if it has none.
    let origin: Timecode?

    /// The number of the frame with a time code, counted from 00:00:00:00.
    private func number(_ code: Timecode) throws(MediaError) -> Int {
        guard let number = code.number(at: codeRate) else {
            throw MediaError(
                .badInput,
                "\(part.place): there is no time code \(code) at \(codeRate) fps (give --fps the rate of the list)")
        }
        return number
    }

    func seconds(_ point: ListedPart.Point) throws(MediaError) -> Rational {
        switch point {
        case .seconds(let seconds): return seconds
        case .frames(let count): return Rational(count) / frameRate
        case .code(let code):
            let count = try number(code) - (try origin.map(number) ?? 0)
            guard count >= 0 else {
                throw MediaError(
                    .badInput,
                    "\(part.place): the time code \(code) comes before the film's own first one, \(origin?.description ?? "")"
                )
            }
            return Rational(count) / codeRate
        }
    }

    /// How long a gap is.
    func recorded() throws(MediaError) -> Rational {
        guard let record = part.record else { return .zero }
        return Rational(try number(record.upperBound) - number(record.lowerBound)) / codeRate
    }

    /// Throws if the part is not as long as what it is shown for.
    func check(_ record: Range<Timecode>) throws(MediaError) {
        guard case .code(let start) = part.start, case .code(let end)? = part.end else { return }
        let own = try number(end) - number(start)
        let shown = try number(record.upperBound) - number(record.lowerBound)
        guard own == shown else {
            throw MediaError(
                .badInput,
                "\(part.place): \(own) frames are shown for \(shown) frames, and parts at other speeds are not supported"
            )
        }
    }
}
