/// Makes the idr_pic_id of consecutive H.264 IDR pictures differ, as ITU-T H.264 7.4.3 requires. Those that meet at a
/// seam come from different streams and may have the same one.
package struct IDRPictures {
    private let framing: CodedHeader.Framing
    private let contexts: [Int: H264Slice.Context]
    /// The idr_pic_id of the latest picture; nil if that is not an IDR picture.
    private var latest: Int?

    private static let syntax = NALSyntax.h264
    /// The largest idr_pic_id.
    private static let maxID = 65535

    /// Prepares for packets as they are written to a stream with this header.
    package init(_ header: CodedHeader) {
        framing = header.framing
        contexts = header.sets.sliceContexts
    }

    /// The stream's next packet with a changed idr_pic_id; nil if it can stay as it is.
    /// - Parameter isKey: whether the packet holds an IDR picture.
    package mutating func toldApart(_ packet: UnsafeBufferPointer<UInt8>, isKey: Bool) -> [UInt8]? {
        guard isKey, let ranges = NALUnit.ranges(packet, framing),
            let first = ranges.first(where: { Self.isSlice(packet[$0]) }),
            let own = identity(NALUnit.payload(of: packet[first].prefix(64), Self.syntax.headerSize))?.value
        else {
            latest = nil
            return nil
        }
        guard own == latest else {
            latest = own
            return nil
        }
        let other = Self.other(than: own)
        var result: [UInt8] = []
        result.reserveCapacity(packet.count + 16)
        for range in ranges {
            guard Self.isSlice(packet[range]) else {
                NALUnit.append(packet[range], to: &result, framing)
                continue
            }
            let payload = NALUnit.payload(of: packet[range], Self.syntax.headerSize)
            guard let field = identity(payload), field.value == own else { return nil }
            var writer = BitWriter()
            writer.append(0..<field.start, of: payload)
            writer.append(unsigned: other)
            writer.append(restOf: payload, from: field.end)
            let unit = NALUnit.unit(packet[range].prefix(Self.syntax.headerSize), writer.bytes)
            NALUnit.append(unit, to: &result, framing)
        }
        latest = other
        return result
    }

    private static func isSlice(_ unit: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        syntax.kind(unit) == .slice(.start)
    }

    /// The idr_pic_id in a slice's payload, and the bit positions at which it starts and ends.
    private func identity(_ payload: [UInt8]) -> (value: Int, start: Int, end: Int)? {
        H264Slice(payload, isIDR: true, contexts)?.identity
    }

    /// Another idr_pic_id, whose code is eight bits longer, or shorter if that would be too large, so that the bits
    /// that follow keep their position within a byte. It is not the number that an encoder would use next.
    package static func other(than value: Int) -> Int {
        let longer = (value + 1) << 4
        return longer <= maxID ? longer : ((value + 1) >> 4) - 1
    }
}
