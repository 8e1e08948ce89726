import CLibav
import FlipBase

/// Owns a reference to one of libav's reference-counted buffers.
final class BufferReference: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVBufferRef>

    /// Takes over the reference `pointer`.
    init(_ pointer: UnsafeMutablePointer<AVBufferRef>) { self.pointer = pointer }

    deinit {
        var pointer: UnsafeMutablePointer<AVBufferRef>? = pointer
        av_buffer_unref(&pointer)
    }

    /// One more reference, which the caller has to release or hand on.
    func newReference() throws(MediaError) -> UnsafeMutablePointer<AVBufferRef> {
        guard let copy = av_buffer_ref(pointer) else { throw .outOfMemory }
        return copy
    }
}

/// A kind of device in whose memory an encoder wants its frames.
struct DeviceKind: Sendable {
    let type: AVHWDeviceType
    /// The format that stands for frames in the device's memory.
    let format: AVPixelFormat

    init(type: AVHWDeviceType, format: AVPixelFormat) { (self.type, self.format) = (type, format) }

    /// The kind that an encoder wants; nil if it wants none.
    init?(of codec: UnsafePointer<AVCodec>) {
        let configurations = sequence(state: Int32(0)) { index in
            defer { index += 1 }
            return avcodec_get_hw_config(codec, index)
        }
        let found = configurations.lazy.map(\.pointee).first {
            $0.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_FRAMES_CTX) != 0 && $0.device_type != AV_HWDEVICE_TYPE_NONE
        }
        guard let found else { return nil }
        self.init(type: found.device_type, format: found.pix_fmt)
    }
}

/// A pool of frames in the memory of a device, into which frames of system memory are uploaded.
package final class DeviceFrames {
    let kind: DeviceKind
    /// Stays open as long as its pool is used.
    private let device: BufferReference
    private let pool: BufferReference

    /// Opens the first device of that kind.
    /// - Parameter pixelFormat: the format of the frames before they are uploaded.
    init(_ kind: DeviceKind, pixelFormat: PixelFormat, width: Int, height: Int) throws(MediaError) {
        self.kind = kind
        var opened: UnsafeMutablePointer<AVBufferRef>?
        // libav does not report why a default device can't be opened.
        let (code, log) = MediaLog.capturing(level: AV_LOG_VERBOSE) {
            av_hwdevice_ctx_create(&opened, kind.type, nil, nil, 0)
        }
        guard code >= 0, let opened else { throw MediaError(.missingCodec, log ?? MediaError.text(of: code)) }
        device = BufferReference(opened)
        guard let frames = av_hwframe_ctx_alloc(opened) else { throw .outOfMemory }
        pool = BufferReference(frames)
        let context = UnsafeMutableRawPointer(frames.pointee.data).assumingMemoryBound(to: AVHWFramesContext.self)
        context.pointee.format = kind.format
        context.pointee.sw_format = pixelFormat.raw
        context.pointee.width = Int32(clamping: width)
        context.pointee.height = Int32(clamping: height)
        let (result, complaint) = MediaLog.capturing { av_hwframe_ctx_init(frames) }
        guard result >= 0 else { throw MediaError(.missingCodec, complaint ?? MediaError.text(of: result)) }
    }

    /// Opens the first device of the type that libav calls `type`, such as "vaapi" or "vulkan".
    /// - Throws: `missingCodec` with libav's reason if there is none.
    package convenience init(
        ofType type: String, pixelFormat: PixelFormat, width: Int, height: Int
    ) throws(MediaError) {
        let kind = DeviceKind(type: av_hwdevice_find_type_by_name(type), format: av_get_pix_fmt(type))
        guard kind.type != AV_HWDEVICE_TYPE_NONE, kind.format != AV_PIX_FMT_NONE else {
            throw MediaError(.missingCodec, "this FFmpeg has no devices of the type '\(type)'")
        }
        try self.init(kind, pixelFormat: pixelFormat, width: width, height: height)
    }

    /// A reference to the pool, for an AVCodecContext, which then owns it.
    func poolReference() throws(MediaError) -> UnsafeMutablePointer<AVBufferRef> { try pool.newReference() }

    /// A copy of `frame` in the device's memory, with the frame's time, type and other properties.
    package func upload(_ frame: Frame) throws(MediaError) -> Frame {
        let copy = try Frame()
        var code = av_hwframe_get_buffer(pool.pointer, copy.pointer, 0)
        if code >= 0 { code = av_hwframe_transfer_data(copy.pointer, frame.pointer, 0) }
        if code >= 0 { code = av_frame_copy_props(copy.pointer, frame.pointer) }
        guard code >= 0 else { throw MediaError(.io, "a frame can't be uploaded to the device", code: code) }
        return copy
    }

    /// A copy of `frame`, which is in the device's memory, in system memory.
    package func download(_ frame: Frame) throws(MediaError) -> Frame {
        let copy = try Frame()
        var code = av_hwframe_transfer_data(copy.pointer, frame.pointer, 0)
        if code >= 0 { code = av_frame_copy_props(copy.pointer, frame.pointer) }
        guard code >= 0 else { throw MediaError(.io, "a frame can't be read from the device", code: code) }
        return copy
    }
}
