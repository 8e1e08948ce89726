/// The ranges of numbers that several modules check: what draws, what encodes, and what reads options.
package enum Limits {
    /// The width or the height of a frame, in pixels. x264 takes up to 16384 (MAX_RESOLUTION), and so do we everywhere.
    package static let sides = 1...16384
    /// A number of threads.
    package static let threads = 1...256

    /// Throws `usage` unless both sides of a frame of the output are within `sides`.
    package static func check(width: Int, height: Int) throws(MediaError) {
        guard sides.contains(width), sides.contains(height) else {
            throw MediaError(.usage, "invalid size \(width)x\(height) (expected \(sides) pixels a side)")
        }
    }
}
