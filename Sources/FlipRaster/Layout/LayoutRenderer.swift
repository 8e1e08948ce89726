import FlipGeometry

/// Draws the frames of transitions between pictures in the memory layouts of other programs: packed RGB, semi-planar
/// YUV, or planes.
///
/// Interleaved samples are split into planes, drawn, and interleaved again. A renderer keeps its buffers from frame to
/// frame and draws one frame at a time.
package final class LayoutRenderer {
    package let layout: PixelLayout
    package let width: Int
    package let height: Int
    private let renderer: TransitionRenderer
    /// nil if no samples are interleaved.
    private let split: (outgoing: UnpackedPicture, incoming: UnpackedPicture, target: UnpackedPicture)?

    /// Creates a renderer. As for `TransitionRenderer`, `width` and `height` are 1...16384 luma pixels, and `threads`
    /// is at least 1.
    package init(layout: PixelLayout, width: Int, height: Int, background: Color, threads: Int) {
        self.layout = layout
        self.width = width
        self.height = height
        renderer = TransitionRenderer(
            format: layout.format, width: width, height: height, background: background, threads: threads)
        let make = { UnpackedPicture(layout, width: width, height: height) }
        split = layout.memory.allSatisfy { $0.count == 1 } ? nil : (make(), make(), make())
    }

    /// Draws `look` at `progress` (0...1, after easing) into `target`, which must not share memory with the others. At
    /// progress 0 and 1 the result is a copy of `outgoing` or `incoming`, including unused samples such as the fourth
    /// byte of rgb0.
    ///
    /// The planes of the views are those in memory: each has `layout.planeSize` samples of every plane interleaved in
    /// it.
    package func render(
        _ look: StyledLook, progress: Double, from outgoing: PictureView, to incoming: PictureView,
        into target: PictureView
    ) {
        if progress <= 0 { return copy(outgoing, into: target) }
        if progress >= 1 { return copy(incoming, into: target) }
        guard let split else {
            return renderer.render(look, progress: progress, from: outgoing, to: incoming, into: target)
        }
        split.outgoing.split(outgoing)
        split.incoming.split(incoming)
        renderer.render(
            look, progress: progress, from: split.outgoing.view(of: outgoing), to: split.incoming.view(of: incoming),
            into: split.target.view(of: target))
        split.target.merge(into: target)
    }

    private func copy(_ source: PictureView, into target: PictureView) {
        for plane in layout.memory.indices {
            let bytes = layout.rowBytes(plane, width: width)
            let (from, to) = (source[plane], target[plane])
            for row in 0..<layout.planeSize(plane, width: width, height: height).height {
                (to.base + row * to.stride).copyMemory(from: from.base + row * from.stride, byteCount: bytes)
            }
        }
    }
}
