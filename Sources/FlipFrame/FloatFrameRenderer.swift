import FlipBase
public import FlipGeometry
import FlipRaster

/// Draws frames of transitions between pictures of 32-bit floating-point samples in memory, for compositing.
///
/// Pixels are packed: R, G and B, with alpha or without. Samples are neither rounded nor limited: 1 is full scale, and values
/// beyond 0...1 stay what they are, apart from the light on pages. Without perspective, a sample is within a millionth of full
/// scale of the exact mean over what it sees.
///
///     let renderer = try FloatFrameRenderer(width: 640, height: 360, alpha: .premultiplied)
///     try renderer.draw(fold, progress: 0.4, from: a, to: b, into: c)
///
/// As a `FrameRenderer`, it draws one frame at a time.
public final class FloatFrameRenderer {
    /// Whether pixels have alpha, and what it does.
    public enum Alpha: String, Sendable, Hashable, CaseIterable {
        /// There are three samples in a pixel.
        case none
        /// There are four, and colors are not multiplied by alpha.
        case straight
        /// There are four, and colors are multiplied by alpha.
        case premultiplied
    }

    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The alpha of all three pictures.
    public let alpha: Alpha
    private let renderer: FloatRenderer
    private let givenBackground: Color?

    /// Creates a renderer for pictures of `width` x `height` pixels, 1...16384 each.
    ///
    /// - Parameters:
    ///   - background: as in `FrameRenderer`.
    ///   - threads: as in `FrameRenderer`.
    /// - Throws: `FrameError` of kind `unsupportedFormat` for the size, or `invalidArgument` for the threads.
    public init(
        width: Int, height: Int, alpha: Alpha, background: Color? = nil, threads: Int = 1
    ) throws(FrameError) {
        try FrameFormat.checkSize(width, height)
        try FrameRenderer.checkThreads(threads)
        (self.width, self.height, self.alpha) = (width, height, alpha)
        givenBackground = background
        renderer = FloatRenderer(width: width, height: height, threads: threads)
    }

    /// The bytes in a row of a picture, without padding.
    public var rowBytes: Int { width * (alpha == .none ? 3 : 4) * MemoryLayout<Float>.size }

    /// Draws the frame of `transition` at `progress`, 0...1 after easing; 0 gives exactly `from`, and 1 exactly `to`.
    ///
    /// The planes hold `Float`s at addresses that are multiples of 4. No byte of `into` may belong to one of the other two
    /// pictures; these may be the same.
    ///
    /// - Throws: `FrameError` of kind `invalidArgument`; nothing has been drawn then.
    public func draw(
        _ transition: FrameTransition, progress: Double, from: FramePicture.Plane, to: FramePicture.Plane,
        into: FramePicture.Plane
    ) throws(FrameError) {
        try FrameRenderer.checkProgress(progress)
        let views = [
            try checked("from", from), try checked("to", to), try checked("into", into),
        ]
        for (name, view) in zip(["from", "to"], views)
        where view.sharesMemory(rowBytes: rowBytes, with: views[2], rowBytes: rowBytes) {
            throw FrameError.sharedMemory(name)
        }
        renderer.background = transition.look.background(
            given: givenBackground, orElse: alpha == .none ? .black : .transparent)
        let pictures = views.map {
            FloatPicture($0, channels: alpha == .none ? 3 : 4, isPremultiplied: alpha == .premultiplied)
        }
        renderer.render(transition.look, progress: progress, from: pictures[0], to: pictures[1], into: pictures[2])
    }

    private func checked(_ name: String, _ plane: FramePicture.Plane) throws(FrameError) -> PlaneView {
        try CheckedPicture.check(plane, 0, of: name, rowBytes: rowBytes, sampleBytes: MemoryLayout<Float>.size)
        return PlaneView(base: plane.start, stride: plane.stride, width: width, height: height)
    }
}
