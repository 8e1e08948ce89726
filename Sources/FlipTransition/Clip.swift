import FlipMedia
import FlipRender

/// A film or a picture to be joined to others, or a part of one.
public struct Clip: Sendable, Hashable {
    /// A file that the process can read, seen from its working directory.
    public var path: String
    /// Where the part that is used begins, counted from the clip's first frame, 0 or more; nil is the clip's start.
    ///
    /// Times go to the nearest frame, and are exact to the nanosecond on the way.
    public var start: Duration?
    /// Where it ends, after `start`; nil is the clip's end, and so is anything after it.
    public var end: Duration?
    /// How long a picture shows, greater than 0; nil is 3 s. Films don't have it.
    public var stillDuration: Duration?
    /// Whether its sound is left out.
    public var isMuted = false
    /// The title of its chapter; nil is the file's own, or its name.
    public var title: String?

    /// The clip at `path`, from `start` to `end`.
    public init(_ path: String, from start: Duration? = nil, to end: Duration? = nil) {
        self.path = path
        self.start = start
        self.end = end
    }
}

extension Clip: ExpressibleByStringLiteral {
    /// The whole clip at the path `value`.
    public init(stringLiteral value: String) { self.init(value) }
}

extension Clip {
    /// Throws `FlipError` where its times are not in order.
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
            spec.isMuted = isMuted
            spec.title = title
            return spec
        }
    }
}

extension Rational {
    /// Seconds, to the nanosecond.
    init(_ duration: Duration) {
        let parts = duration.components
        let nanoseconds = Rational(Int(parts.attoseconds), 1_000_000_000).rounded()
        self = Rational(Int(parts.seconds)) + Rational(nanoseconds, 1_000_000_000)
    }
}

extension Duration {
    /// To the nanosecond.
    init(_ seconds: Rational) {
        let whole = seconds.numerator / seconds.denominator
        let rest = Rational(seconds.numerator % seconds.denominator, seconds.denominator)
        self = .seconds(whole) + .nanoseconds((rest * Rational(1_000_000_000)).rounded())
    }
}
