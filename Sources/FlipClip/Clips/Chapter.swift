import FlipBase

/// A named span of a video.
package struct Chapter: Sendable, Hashable, Encodable {
    /// The chapter's title; empty where it has none.
    package var title: String
    /// Start and end in seconds from the first frame. They may be below 0 in a file whose video starts late.
    package var start: Rational
    package var end: Rational

    package init(title: String, start: Rational, end: Rational) {
        self.title = title
        self.start = start
        self.end = end
    }
}
