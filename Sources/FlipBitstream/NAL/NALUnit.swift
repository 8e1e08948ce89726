/// The codecs made of NAL units, which have a header with a type, and a payload (ITU-T H.264 7.3.1, H.265 7.3.1).
package enum NALSyntax: Sendable, Hashable {
    case h264
    case hevc

    /// The size of a unit's header in bytes.
    package var headerSize: Int {
        switch self {
        case .h264: 1
        case .hevc: 2
        }
    }

    /// The kind of a unit; nil for one that a copied stream must not contain.
    package func kind(_ unit: Slice<UnsafeBufferPointer<UInt8>>) -> NALUnit.Kind? {
        guard unit.count >= headerSize else { return nil }
        let (first, second) = (unit[unit.startIndex], unit[unit.startIndex + headerSize - 1])
        switch self {
        case .h264: return h264Kind(first & 31)
        // Only the base layer (nuh_layer_id 0) is copied.
        case .hevc: return first & 1 == 0 && second >> 3 == 0 ? hevcKind(first >> 1 & 63) : nil
        }
    }

    /// The kind by nal_unit_type (table 7-1).
    private func h264Kind(_ type: UInt8) -> NALUnit.Kind? {
        switch type {
        case 1: .slice(.other)
        case 5: .slice(.start)
        case 6: .information
        case 7: .set(.sequence)
        case 8: .set(.picture)
        case 9: .delimiter
        // The end of a sequence (10) can be left out, since an IDR picture follows it anyway.
        case 10, 11, 12: .filler
        default: nil
        }
    }

    /// The kind by nal_unit_type (table 7-1).
    private func hevcKind(_ type: UInt8) -> NALUnit.Kind? {
        switch type {
        case 0...5: .slice(.other)
        case 6, 7: .slice(.leading)
        case 8, 9: .slice(.dependentLeading)
        case 17, 19: .slice(.startWithLeading)
        case 18, 20: .slice(.start)
        case 21: .slice(.openStart)
        case 32: .set(.video)
        case 33: .set(.sequence)
        case 34: .set(.picture)
        case 35: .delimiter
        case 36, 37: .end
        case 62: .reshaping
        // Of the unspecified types, 63 is Dolby Vision's enhancement layer.
        case 38, 48...61, 63: .filler
        case 39, 40: .information
        default: nil
        }
    }
}

/// Splits packets into NAL units, and makes packets of them.
package enum NALUnit {
    package enum Kind: Sendable, Hashable {
        /// A slice of a picture; its packet has this role.
        case slice(PacketRole)
        case set(ParameterSet.Kind)
        case information
        case delimiter
        /// The reference processing unit (RPU) of Dolby Vision.
        case reshaping
        /// A unit that a copy does not need.
        case filler
        /// The end of a sequence: the next picture is decoded as if it were the first.
        case end
    }

    /// The units of a packet; nil if their lengths don't add up.
    package static func ranges(
        _ packet: UnsafeBufferPointer<UInt8>, _ framing: CodedHeader.Framing
    ) -> [Range<Int>]? {
        guard case .lengths(let lengthSize) = framing else { return ranges(afterStartCodes: packet) }
        var ranges: [Range<Int>] = []
        var position = 0
        while position < packet.count {
            guard position + lengthSize <= packet.count else { return nil }
            let length = packet[position..<position + lengthSize].reduce(0) { $0 << 8 | Int($1) }
            position += lengthSize
            guard length > 0, position + length <= packet.count else { return nil }
            ranges.append(position..<position + length)
            position += length
        }
        return ranges
    }

    /// The units of a stream in which each follows a start code (Annex B).
    package static func ranges(afterStartCodes bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start: Int?
        func close(_ end: Int) {
            guard let start else { return }
            // Zeros before a start code belong to no unit.
            var end = end
            while end > start, bytes[end - 1] == 0 { end -= 1 }
            if start < end { ranges.append(start..<end) }
        }
        for code in StartCode.all(in: bytes) {
            close(code)
            start = code + 3
        }
        close(bytes.count)
        return ranges
    }

    /// The payload (RBSP) of a unit with a header of `headerSize` bytes, without the emulation prevention bytes that
    /// keep start codes out of it.
    package static func payload(of unit: some Collection<UInt8>, _ headerSize: Int) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(unit.count)
        var zeros = 0
        for byte in unit.dropFirst(headerSize) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            payload.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return payload
    }

    /// The unit with this header and payload, with emulation prevention bytes inserted.
    package static func unit(_ header: some Collection<UInt8>, _ payload: [UInt8]) -> [UInt8] {
        var unit = Array(header)
        unit.reserveCapacity(payload.count + payload.count / 64 + 8)
        var zeros = 0
        for byte in payload {
            if zeros >= 2, byte <= 3 {
                unit.append(3)
                zeros = 0
            }
            unit.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        if payload.last == 0 { unit.append(3) }
        return unit
    }

    /// Appends a unit to a packet. Lengths always take four bytes.
    package static func append(_ unit: some Collection<UInt8>, to packet: inout [UInt8], _ framing: CodedHeader.Framing)
    {
        switch framing {
        case .lengths:
            for shift in [24, 16, 8, 0] { packet.append(UInt8(truncatingIfNeeded: unit.count >> shift)) }
        case .startCodes: packet += [0, 0, 0, 1]
        }
        packet += unit
    }
}
