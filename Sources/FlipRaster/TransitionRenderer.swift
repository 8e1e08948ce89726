import FlipGeometry

/// Draws the frames of transitions between pictures of one format and size.
///
/// A renderer keeps its buffers from frame to frame and draws one frame at a time; use one renderer per thread.
package final class TransitionRenderer {
    package let format: PictureFormat
    package let width: Int
    package let height: Int
    private let crew: Crew
    private let background: EncodedColor
    private let opaque: PlaneRenderer
    /// nil for formats without alpha.
    private let alpha: AlphaRenderer?

    /// Creates a renderer for frames of `width` x `height` luma pixels, 1...16384 each. `background` shows where there
    /// is no panel; pictures with alpha take its alpha, too. `threads` threads draw each frame; the result is the same
    /// for any number of them and for any `level` that the machine has.
    package init(
        format: PictureFormat, width: Int, height: Int, background: Color, threads: Int, level: KernelLevel = .best
    ) {
        precondition((1...16384).contains(width) && (1...16384).contains(height) && threads > 0)
        precondition(level.isAvailable)
        self.format = format
        self.width = width
        self.height = height
        self.background = EncodedColor(background, format: format)
        crew = Crew(threads: threads, level: level)
        var colors = format
        colors.hasAlpha = false
        opaque = PlaneRenderer(format: colors, width: width, height: height, crew: crew)
        alpha =
            format.hasAlpha
            ? AlphaRenderer(format: format, width: width, height: height, background: background, crew: crew) : nil
    }

    deinit { crew.dismiss() }

    /// Draws `look` at `progress` (0...1, after easing) into `target`, which must not share memory with the pictures.
    /// All three views must have the renderer's format and size. At progress 0 the result is exactly `outgoing`, at 1
    /// `incoming`.
    package func render(
        _ look: StyledLook, progress: Double, from outgoing: PictureView, to incoming: PictureView,
        into target: PictureView
    ) {
        if progress <= 0 { return copy(outgoing, into: target) }
        if progress >= 1 { return copy(incoming, into: target) }
        if let alpha { return alpha.render(look, progress: progress, from: outgoing, to: incoming, into: target) }
        opaque.render(
            look, progress: progress, from: outgoing, to: incoming, into: target, background: background,
            shadow: EncodedColor(look.look.shadowColor, format: format))
    }

    private func copy(_ source: PictureView, into target: PictureView) {
        for plane in 0..<format.planeCount {
            let (from, to) = (source[plane], target[plane])
            for row in 0..<from.height {
                (to.base + row * to.stride).copyMemory(
                    from: from.base + row * from.stride, byteCount: from.width * format.bytesPerSample)
            }
        }
    }
}
