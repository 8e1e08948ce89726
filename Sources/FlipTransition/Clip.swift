import FlipBase
import FlipMedia
import FlipRender

/// A video or a still picture to be joined to others, or a part of one.
public struct Clip: Sendable, Hashable {
    /// The path of the file, absolute or relative to the working directory of the process.
    public var path: String
    /// Where the part to use begins, from the clip's first frame, 0 or more; nil means the clip's start.
    ///
    /// Times are rounded to the nanosecond, and then to the nearest frame.
    public var start: Duration?
    /// Where the part to use ends, from the clip's first frame, later than `start`; nil, or any time past the clip's
    /// end, means the clip's end.
    public var end: Duration?
    /// How long a still picture is shown, greater than 0; nil means 3 s. It must be nil for videos.
    public var stillDuration: Duration?
    /// Whether the clip's audio is left out.
    public var isMuted = false
    /// By how many decibels the clip's audio is made louder, -120...40.
    public var gain = 0.0
    /// The integrated loudness in LUFS, -70 ... -5, to which the clip's audio is brought before `gain` (EBU R 128); nil leaves
    /// that to `Output.clipLoudness`.
    public var loudness: Double?
    /// The title of the clip's chapter; nil means the file's own title, or its name.
    public var title: String?

    /// The clip at `path`, from `start` to `end`.
    public init(_ path: String, from start: Duration? = nil, to end: Duration? = nil) {
        (self.path, self.start, self.end) = (path, start, end)
    }
}

extension Clip: ExpressibleByStringLiteral {
    /// The whole clip at the path `value`.
    public init(stringLiteral value: String) { self.init(value) }
}

extension Clip {
    /// The clip as the renderer takes it. Throws `FlipError` if its times are negative or out of order.
    var spec: ClipSpec {
        get throws {
            if let start, start < .zero {
                throw FlipError(.usage, "\(path): the part begins at \(start), before the clip (expected 0 or more)")
            }
            if let end, end <= start ?? .zero {
                throw FlipError(.usage, "\(path): the part ends at \(end), which is not after it begins")
            }
            if let stillDuration, stillDuration <= .zero {
                throw FlipError(.usage, "\(path): invalid still duration \(stillDuration) (expected more than 0)")
            }
            var spec = ClipSpec(
                path: path, part: ClipPart(start: start.map(Rational.init), end: end.map(Rational.init)))
            spec.stillDuration = stillDuration.map(Rational.init)
            guard ClipSpec.gains.contains(gain) else {
                throw FlipError(.usage, "\(path): invalid gain \(gain) (expected -120...40)")
            }
            spec.isMuted = isMuted
            spec.gain = gain
            if let loudness, !OutputValue.loudnesses.contains(loudness) {
                throw FlipError(.usage, "\(path): invalid loudness \(loudness) (expected -70...-5)")
            }
            spec.loudness = loudness
            spec.title = title
            return spec
        }
    }
}

extension Rational {
    /// A duration in seconds, rounded to the nanosecond.
    init(_ duration: Duration) {
        let parts = duration.components
        let nanoseconds = Rational(Int(parts.attoseconds), 1_000_000_000).rounded()
        self = Rational(Int(parts.seconds)) + Rational(nanoseconds, 1_000_000_000)
    }
}

extension Duration {
    /// A duration of `seconds`, rounded to the nanosecond.
    init(_ seconds: Rational) {
        let whole = seconds.numerator / seconds.denominator
        let rest = Rational(seconds.numerator % seconds.denominator, seconds.denominator)
        self = .seconds(whole) + .nanoseconds((rest * Rational(1_000_000_000)).rounded())
    }
}
