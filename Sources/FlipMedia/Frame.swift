import CLibav
import FlipBase

/// Owns one AVFrame: empty, or a reference to a picture or a block of audio samples.
final class Frame: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws(MediaError) {
        guard let pointer = av_frame_alloc() else { throw .outOfMemory }
        self.pointer = pointer
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&pointer)
    }

    /// A second reference to the same data, with properties of its own.
    func newReference() throws(MediaError) -> Frame {
        let copy = try Frame()
        guard av_frame_ref(copy.pointer, pointer) >= 0 else { throw .outOfMemory }
        return copy
    }

    /// The decoder's best guess of the PTS, in ticks of the stream's time base; nil if unknown.
    var timestamp: Int? {
        let value = pointer.pointee.best_effort_timestamp
        return value == flip_nopts ? nil : Int(value)
    }

    /// The duration in ticks of the stream's time base; nil if unknown.
    var duration: Int? {
        let value = flip_frame_duration(pointer)
        return value > 0 ? Int(value) : nil
    }

    var isInterlaced: Bool { flip_frame_is_interlaced(pointer) != 0 }

    /// Whether the frame is damaged, even if the decoder concealed that.
    var isDamaged: Bool { flip_frame_is_damaged(pointer) != 0 }
}

/// Owns one AVPacket.
final class Packet: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(MediaError) {
        guard let pointer = av_packet_alloc() else { throw .outOfMemory }
        self.pointer = pointer
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&pointer)
    }

    func clear() { av_packet_unref(pointer) }

    /// The PTS in ticks of the stream's time base; nil if there is none.
    var presentationTime: Int? { pointer.pointee.pts == flip_nopts ? nil : Int(pointer.pointee.pts) }

    /// The DTS in ticks of the stream's time base; nil if there is none.
    var decodingTime: Int? { pointer.pointee.dts == flip_nopts ? nil : Int(pointer.pointee.dts) }

    /// Adds `ticks` to the PTS and the DTS.
    func move(by ticks: Int) {
        if let presentationTime { pointer.pointee.pts = Int64(presentationTime.plus(ticks)) }
        if let decodingTime { pointer.pointee.dts = Int64(decodingTime.plus(ticks)) }
    }

    /// Whether side data says how many of its audio samples are to be dropped (priming or padding).
    var trimsSamples: Bool { av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, nil) != nil }

    /// The duration in ticks of the stream's time base; nil if unknown.
    var duration: Int? { pointer.pointee.duration > 0 ? Int(pointer.pointee.duration) : nil }

    /// Whether the packet is to be decoded but not shown, for example because of an edit list.
    var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

    /// Whether it is marked as a keyframe, at which decoding can begin.
    var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }

    /// Whether this VP8 packet holds a frame that is never shown and only serves as a reference (RFC 6386 9.1,
    /// show_frame).
    var isHiddenVP8: Bool {
        guard pointer.pointee.size > 0, let data = pointer.pointee.data else { return false }
        return data[0] & 0x10 == 0
    }
}
