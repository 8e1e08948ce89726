import CLibav
import FlipBase

/// Provides frames to draw into and reuses their memory once nobody holds them anymore.
package final class FramePool: @unchecked Sendable {
    private let pool: OpaquePointer
    private let width: Int
    private let height: Int
    private let pixelFormat: PixelFormat
    private let color: ColorDescription
    private let layout: PlaneLayout

    /// Makes a pool of frames of `width` x `height` pixels, tagged with `color`. The format must be `isPlanarNative`.
    package init(width: Int, height: Int, pixelFormat: PixelFormat, color: ColorDescription) throws(MediaError) {
        guard pixelFormat.isPlanarNative, (1...65536).contains(width), (1...65536).contains(height) else {
            throw MediaError(.internalFault, "cannot make frames of \(width)x\(height) \(pixelFormat)")
        }
        (self.width, self.height, self.pixelFormat, self.color) = (width, height, pixelFormat, color)
        layout = PlaneLayout(pixelFormat, width: width, height: height)
        // One extra alignment is for aligning the start, and one because encoders may read a vector past the end.
        // malloc is used because libav's allocator is limited (`InputLimits.allocation`) against what files may ask
        // for, and a 16-bit frame with alpha can exceed that limit without having too many pixels.
        let pool = av_buffer_pool_init(layout.byteCount + 2 * PlaneLayout.alignment) { size in
            guard let memory = malloc(size) else { return nil }
            let bytes = memory.assumingMemoryBound(to: UInt8.self)
            if let buffer = av_buffer_create(bytes, size, { _, bytes in free(bytes) }, nil, 0) { return buffer }
            free(memory)
            return nil
        }
        guard let pool else { throw .outOfMemory }
        self.pool = pool
    }

    deinit {
        // The pool's memory lives on until the last of its frames is gone.
        var pool: OpaquePointer? = pool
        av_buffer_pool_uninit(&pool)
    }

    /// A frame of undefined content that nobody else holds. Safe to call from any thread.
    package func make() throws(MediaError) -> VideoFrame {
        let frame = try Frame()
        guard let buffer = av_buffer_pool_get(pool) else { throw .outOfMemory }
        let pointer = frame.pointer
        pointer.pointee.buf.0 = buffer
        pointer.pointee.width = Int32(width)
        pointer.pointee.height = Int32(height)
        pointer.pointee.format = pixelFormat.raw.rawValue
        pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        color.tag(pointer)
        let start = UnsafeMutableRawPointer(buffer.pointee.data).alignedUp(toMultipleOf: PlaneLayout.alignment)
        let base = start.assumingMemoryBound(to: UInt8.self)
        let (strides, offsets) = (layout.strides, layout.offsets)
        pointer.pointee.data.0 = base
        pointer.pointee.linesize.0 = Int32(strides[0])
        if strides.count >= 3 {
            pointer.pointee.data.1 = base + offsets[1]
            pointer.pointee.data.2 = base + offsets[2]
            pointer.pointee.linesize.1 = Int32(strides[1])
            pointer.pointee.linesize.2 = Int32(strides[2])
        }
        if strides.count == 4 {
            pointer.pointee.data.3 = base + offsets[3]
            pointer.pointee.linesize.3 = Int32(strides[3])
        }
        pointer.pointee.extended_data = flip_frame_planes(pointer)
        return VideoFrame(frame)
    }
}

extension UnsafeMutableRawPointer {
    fileprivate func alignedUp(toMultipleOf alignment: Int) -> UnsafeMutableRawPointer {
        self + (alignment - Int(bitPattern: self) % alignment) % alignment
    }
}
