import CLibav
import FlipFiles

/// A frame in memory: from a `FramePool`, to be drawn into, or from a `VideoReader`, to be read.
package final class VideoFrame: @unchecked Sendable {
    let frame: Frame

    init(_ frame: Frame) { self.frame = frame }

    /// The width in pixels.
    package var width: Int { Int(frame.pointer.pointee.width) }
    /// The height in pixels.
    package var height: Int { Int(frame.pointer.pointee.height) }

    var format: PixelFormat? { PixelFormat(AVPixelFormat(frame.pointer.pointee.format)) }

    /// Bits per sample; samples of more than 8 bits take two bytes.
    package var depth: Int { format?.depth ?? 8 }

    /// The number of planes, 1...4.
    package var planeCount: Int { Int(max(1, av_pix_fmt_count_planes(AVPixelFormat(frame.pointer.pointee.format)))) }

    /// Returns the address of the first row of plane `index`, in libav's order (Y, Cb, Cr; G, B, R), and the stride:
    /// the bytes from one row to the next, which may be negative. The address is valid as long as the frame exists.
    package func plane(_ index: Int) -> (base: UnsafeMutableRawPointer, stride: Int) {
        precondition(index >= 0 && index < planeCount, "plane \(index) of \(planeCount)")
        return (
            UnsafeMutableRawPointer(flip_frame_planes(frame.pointer)[index]!),
            Int(flip_frame_strides(frame.pointer)[index])
        )
    }

    /// The picture's memory, which is valid as long as the frame exists.
    package var memory: PictureMemory {
        PictureMemory(width: width, height: height, planes: (0..<planeCount).map(plane))
    }

    /// The width and height of plane `index`, in samples.
    package func planeSize(_ index: Int) -> (width: Int, height: Int) {
        format?.planeSize(index, width: width, height: height) ?? (width, height)
    }
}

extension VideoFrame {
    /// Whether the frames are identical, bit for bit.
    package func hasSameSamples(as other: VideoFrame) -> Bool {
        guard (width, height, planeCount, depth) == (other.width, other.height, other.planeCount, other.depth) else {
            return false
        }
        let sampleSize = depth > 8 ? 2 : 1
        return (0..<planeCount).allSatisfy { index in
            let (size, mine, others) = (planeSize(index), plane(index), other.plane(index))
            return (0..<size.height).allSatisfy {
                memcmp(mine.base + $0 * mine.stride, others.base + $0 * others.stride, size.width * sampleSize) == 0
            }
        }
    }
}
