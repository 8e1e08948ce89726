import FlipBase

/// What players do with every decoded picture of a track to show it: they scale its width by the shape of its pixels, and
/// then mirror and turn it. Copied packets keep it.
package struct CodedForm: Sendable, Hashable {
    package private(set) var transform = DisplayTransform.identity
    /// The width of a pixel over its height, as coded.
    package private(set) var sampleAspectRatio = Rational(1)
    /// The display matrix as the file states it (ISO/IEC 14496-12 8.3.2): nine numbers, which may also move the picture.
    /// Nil if there is nothing to state.
    package private(set) var matrix: [Int32]?

    /// Upright pictures of square pixels.
    package static let plain = CodedForm()

    private init() {}

    /// The form of `video`; nil if its pictures are turned by something else than a display matrix, or not by a whole number
    /// of quarter turns.
    package init?(_ video: VideoInfo) {
        sampleAspectRatio = video.sampleAspectRatio
        if video.transform == .identity { return }
        guard let stated = video.displayMatrix, video.transform.requestedAngle == nil else { return nil }
        (transform, matrix) = (video.transform, stated)
    }

    package var hasSquarePixels: Bool { sampleAspectRatio == Rational(1) }

    /// Whether pictures are shown as they are coded.
    package var isPlain: Bool { transform == .identity && hasSquarePixels }

    /// Whether pictures are shown in the same way. The matrices may move them by different distances, which players ignore.
    package func agrees(with other: CodedForm) -> Bool {
        transform == other.transform && sampleAspectRatio == other.sampleAspectRatio
    }

    /// The size as coded of pictures that are shown in `size`, if pixels are square.
    package func coded(_ size: (width: Int, height: Int)) -> (width: Int, height: Int) {
        transform.swapsAxes ? (size.height, size.width) : size
    }

    /// The size in square pixels in which pictures of `width` x `height` pixels are shown.
    package func shown(width: Int, height: Int) -> (width: Int, height: Int) {
        transform.displaySize(width: width, height: height, aspect: sampleAspectRatio, step: 1)
    }
}
