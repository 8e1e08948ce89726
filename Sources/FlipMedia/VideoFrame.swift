import CLibav

/// A picture in memory: one from a `FramePool` to be drawn into, or one from a `VideoReader` to be looked at.
package final class VideoFrame: @unchecked Sendable {
    let frame: Frame
    /// Whether others hold the same samples, so that nobody may write into them.
    package let isShared: Bool

    init(_ frame: Frame, isShared: Bool) {
        self.frame = frame
        self.isShared = isShared
    }

    /// Pixels.
    package var width: Int { Int(frame.pointer.pointee.width) }
    package var height: Int { Int(frame.pointer.pointee.height) }

    var format: PixelFormat? { PixelFormat(AVPixelFormat(frame.pointer.pointee.format)) }

    /// Bits a sample; samples of more than 8 take two bytes.
    package var depth: Int { format?.depth ?? 8 }

    /// 1...4.
    package var planeCount: Int { Int(max(1, av_pix_fmt_count_planes(AVPixelFormat(frame.pointer.pointee.format)))) }

    /// Plane `index`, in libav's order (Y, Cb, Cr; G, B, R): its first row, and the bytes from one row to the next,
    /// which may be below 0. Valid as long as the frame is.
    package func plane(_ index: Int) -> (base: UnsafeMutableRawPointer, stride: Int) {
        precondition(index >= 0 && index < planeCount, "plane \(index) of \(planeCount)")
        return (
            UnsafeMutableRawPointer(flip_frame_planes(frame.pointer)[index]!),
            Int(flip_frame_strides(frame.pointer)[index])
        )
    }

    /// Samples across and down plane `index`.
    package func planeSize(_ index: Int) -> (width: Int, height: Int) {
        format?.planeSize(index, width: width, height: height) ?? (width, height)
    }
}
