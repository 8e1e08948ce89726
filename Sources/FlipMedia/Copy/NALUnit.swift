/// The units that H.264 is made of (ITU-T H.264 7.3.1): a byte that says what it is, and a payload.
enum NALUnit {
    /// Those that a copied stream may have.
    enum Kind: UInt8 {
        case slice = 1
        case keySlice = 5
        case information = 6
        case sequenceSet = 7
        case pictureSet = 8
        case delimiter = 9
        case filler = 12
    }

    static func kind(_ header: UInt8) -> Kind? { Kind(rawValue: header & 31) }

    /// The units of a packet, each behind its length in `lengthSize` bytes; nil where the lengths don't add up.
    static func ranges(
        _ packet: UnsafeBufferPointer<UInt8>, lengthSize: Int
    ) -> [Range<Int>]? {
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
    static func ranges(afterStartCodes bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start: Int?
        var zeros = 0
        for (index, byte) in bytes.enumerated() {
            if byte == 1, zeros >= 2 {
                if let start, start < index - zeros { ranges.append(start..<index - zeros) }
                start = index + 1
            }
            zeros = byte == 0 ? zeros + 1 : 0
        }
        if let start, start < bytes.count - zeros { ranges.append(start..<bytes.count - zeros) }
        return ranges
    }

    /// The payload of a unit, without the bytes that keep it from looking like a start code.
    static func payload(of unit: some Collection<UInt8>) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(unit.count)
        var zeros = 0
        for byte in unit.dropFirst() {
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
    static func unit(_ header: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var unit: [UInt8] = [header]
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

    /// Appends a unit to a packet, behind its length in four bytes.
    static func append(_ unit: some Collection<UInt8>, to packet: inout [UInt8]) {
        for shift in [24, 16, 8, 0] { packet.append(UInt8(truncatingIfNeeded: unit.count >> shift)) }
        packet += unit
    }
}
