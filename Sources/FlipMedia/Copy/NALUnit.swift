/// The codecs that are made of units: a header that says what it is, and a payload (ITU-T H.264 7.3.1, H.265 7.3.1).
package enum NALSyntax: Sendable, Hashable {
    case h264
    case hevc

    /// Bytes of a unit's header.
    package var headerSize: Int {
        switch self {
        case .h264: 1
        case .hevc: 2
        }
    }

    /// What a unit is; nil for one that a copied stream may not have.
    package func kind(_ unit: Slice<UnsafeBufferPointer<UInt8>>) -> NALUnit.Kind? {
        guard unit.count >= headerSize else { return nil }
        let (first, second) = (unit[unit.startIndex], unit[unit.startIndex + headerSize - 1])
        switch self {
        case .h264: return h264Kind(first & 31)
        // Of the base layer only.
        case .hevc: return first & 1 == 0 && second >> 3 == 0 ? hevcKind(first >> 1 & 63) : nil
        }
    }

    /// Table 7-1.
    private func h264Kind(_ type: UInt8) -> NALUnit.Kind? {
        switch type {
        case 1: .slice(.other)
        case 5: .slice(.start)
        case 6: .information
        case 7: .set(.sequence)
        case 8: .set(.picture)
        case 9: .delimiter
        // An IDR picture follows the end of a sequence, so that nothing depends on it.
        case 10, 11, 12: .filler
        default: nil
        }
    }

    /// Table 7-1.
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
        // Unspecified ones carry Dolby Vision, which the encoded frames don't have.
        case 38, 48...63: .filler
        case 39, 40: .information
        default: nil
        }
    }
}

/// The units of packets.
package enum NALUnit {
    package enum Kind: Sendable, Hashable {
        /// A part of a picture; the packet has its role.
        case slice(PacketRole)
        case set(ParameterSet.Kind)
        case information
        case delimiter
        /// Not needed in a copy.
        case filler
        /// The next picture is decoded as if it was the first.
        case end
    }

    /// The units of a packet; nil where its lengths don't add up.
    package static func ranges(
        _ packet: UnsafeBufferPointer<UInt8>, _ framing: CodedHeader.Framing
    ) -> [Range<Int>]? {
        guard case .lengths(let lengthSize) = framing else { return ranges(afterStartCodes: packet) }
        var ranges: [Range<Int>] = []
        var place = 0
        while place < packet.count {
            guard place + lengthSize <= packet.count else { return nil }
            let length = packet[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
            place += lengthSize
            guard length > 0, place + length <= packet.count else { return nil }
            ranges.append(place..<place + length)
            place += length
        }
        return ranges
    }

    /// The units of a stream in which they stand behind start codes (Annex B).
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
        // Where the last byte of a start code may be: a larger one rules out the two places behind it as well.
        var place = 2
        while place < bytes.count {
            if bytes[place] > 1 {
                place += 3
            } else if bytes[place] == 1, bytes[place - 1] == 0, bytes[place - 2] == 0 {
                close(place - 2)
                start = place + 1
                place += 3
            } else {
                place += 1
            }
        }
        close(bytes.count)
        return ranges
    }

    /// The payload of a unit with a header of `headerSize` bytes, without the bytes that keep it from looking like a
    /// start code.
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

    /// The unit of a payload.
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

    /// Appends a unit to a packet. Lengths are written in four bytes.
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
