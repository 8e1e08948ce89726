import CLibav
import FlipBase

/// Owns one AVFrame: empty, or a reference to a picture or a block of audio samples.
package final class Frame: @unchecked Sendable {
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

    /// The time that an encoder gets, in ticks of its time base; nil if there is none.
    package var presentationTime: Int? { pointer.pointee.pts == flip_nopts ? nil : Int(pointer.pointee.pts) }

    /// The duration in ticks of the stream's time base; nil if unknown.
    var duration: Int? {
        let value = flip_frame_duration(pointer)
        return value > 0 ? Int(value) : nil
    }

    var isInterlaced: Bool { flip_frame_is_interlaced(pointer) != 0 }

    /// Whether the frame is damaged, even if the decoder concealed that.
    var isDamaged: Bool { flip_frame_is_damaged(pointer) != 0 }

    /// Whether it was decoded without others.
    var isKey: Bool { flip_frame_is_key(pointer) != 0 }
}
