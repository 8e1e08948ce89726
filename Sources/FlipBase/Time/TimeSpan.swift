/// A span of a clip, in seconds from its first frame.
package struct TimeSpan: Sendable, Hashable, Codable {
    package var start: Rational
    /// The length in seconds, above 0.
    package var duration: Rational
    package var end: Rational { start + duration }

    package init(start: Rational = .zero, duration: Rational) { (self.start, self.duration) = (start, duration) }
}
