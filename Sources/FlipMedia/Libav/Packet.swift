import CLibav
import FlipBase

/// Owns one AVPacket.
package final class Packet: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVPacket>

    package init() throws(MediaError) {
        guard let pointer = av_packet_alloc() else { throw .outOfMemory }
        self.pointer = pointer
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&pointer)
    }

    package func clear() { av_packet_unref(pointer) }

    /// The PTS in ticks of the stream's time base; nil if there is none.
    package var presentationTime: Int? { pointer.pointee.pts == flip_nopts ? nil : Int(pointer.pointee.pts) }

    /// The DTS in ticks of the stream's time base; nil if there is none.
    package var decodingTime: Int? { pointer.pointee.dts == flip_nopts ? nil : Int(pointer.pointee.dts) }

    /// Adds `ticks` to the PTS and the DTS.
    package func move(by ticks: Int) {
        if let presentationTime { pointer.pointee.pts = Int64(presentationTime.plus(ticks)) }
        if let decodingTime { pointer.pointee.dts = Int64(decodingTime.plus(ticks)) }
    }

    /// Whether side data says how many of its audio samples are to be dropped (priming or padding).
    package var trimsSamples: Bool { av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, nil) != nil }

    /// The duration in ticks of the stream's time base; nil if unknown.
    package var duration: Int? { pointer.pointee.duration > 0 ? Int(pointer.pointee.duration) : nil }

    /// Whether the packet is to be decoded but not shown, for example because of an edit list.
    package var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

    /// Whether it is marked as a keyframe, at which decoding can begin.
    package var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }

    /// Whether this VP8 packet holds a frame that is never shown and only serves as a reference (RFC 6386 9.1,
    /// show_frame).
    package var isHiddenVP8: Bool {
        guard pointer.pointee.size > 0, let data = pointer.pointee.data else { return false }
        return data[0] & 0x10 == 0
    }

    /// Creates a packet with a copy of `bytes`.
    package convenience init(_ bytes: [UInt8]) throws(MediaError) {
        try self.init()
        guard av_new_packet(pointer, Int32(clamping: bytes.count)) >= 0 else { throw .outOfMemory }
        bytes.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { pointer.pointee.data.update(from: base, count: source.count) }
        }
    }

    package var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size))
    }

    /// The index of the stream that it belongs to.
    package var streamIndex: Int { Int(pointer.pointee.stream_index) }

    /// Its place in the file, in bytes from the start; nil if unknown.
    package var position: Int? { pointer.pointee.pos >= 0 ? Int(pointer.pointee.pos) : nil }

    /// Whether the demuxer found it to be damaged.
    package var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

    /// Whether the packet brings new extradata for the decoder.
    package var changesHeader: Bool { av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, nil) != nil }

    /// Sets the PTS, the DTS and the duration, in ticks of the stream's time base.
    package func setTimes(presentation: Int, decoding: Int, duration: Int) {
        pointer.pointee.pts = Int64(presentation)
        pointer.pointee.dts = Int64(decoding)
        pointer.pointee.duration = Int64(duration)
    }

    /// Sets the duration, in ticks of the stream's time base.
    package func setDuration(_ duration: Int) { pointer.pointee.duration = Int64(duration) }

    /// Sets its flags: whether decoding can begin with it, and nothing else.
    package func setFlags(isKey: Bool) { pointer.pointee.flags = isKey ? AV_PKT_FLAG_KEY : 0 }

    package func removeSideData() { av_packet_free_side_data(pointer) }

    /// Moves the content into a packet of its own; this one is empty then.
    package func moved() throws(MediaError) -> Packet {
        let other = try Packet()
        av_packet_move_ref(other.pointer, pointer)
        return other
    }
}

// MARK: Storing

extension Packet {
    /// Everything about a packet except its bytes, for storing it outside a container. Times are in ticks, with libav's
    /// own value for those that are not known.
    package struct Fields {
        package var presentation: Int
        package var decoding: Int
        package var duration: Int
        package var flags: Int
        package var sideData: [SideData]

        package init(presentation: Int, decoding: Int, duration: Int, flags: Int, sideData: [SideData]) {
            (self.presentation, self.decoding, self.duration, self.flags) = (presentation, decoding, duration, flags)
            self.sideData = sideData
        }
    }

    /// Data beside the packet's bytes. `type` is libav's number for its kind.
    package struct SideData {
        package var type: Int
        package var bytes: [UInt8]

        package init(type: Int, bytes: [UInt8]) { (self.type, self.bytes) = (type, bytes) }
    }

    package var fields: Fields {
        let raw = pointer.pointee
        let sideData = (0..<Int(raw.side_data_elems)).map { index in
            let side = raw.side_data[index]
            return SideData(
                type: Int(side.type.rawValue), bytes: Array(UnsafeBufferPointer(start: side.data, count: side.size)))
        }
        return Fields(
            presentation: Int(raw.pts), decoding: Int(raw.dts), duration: Int(raw.duration), flags: Int(raw.flags),
            sideData: sideData)
    }

    /// Creates a packet as it was stored.
    package convenience init(_ bytes: [UInt8], fields: Fields) throws(MediaError) {
        try self.init(bytes)
        for side in fields.sideData {
            let type = AVPacketSideDataType(UInt32(clamping: side.type))
            guard let memory = av_packet_new_side_data(pointer, type, side.bytes.count) else { throw .outOfMemory }
            memory.update(from: side.bytes, count: side.bytes.count)
        }
        setTimes(presentation: fields.presentation, decoding: fields.decoding, duration: fields.duration)
        pointer.pointee.flags = Int32(truncatingIfNeeded: fields.flags)
    }
}
