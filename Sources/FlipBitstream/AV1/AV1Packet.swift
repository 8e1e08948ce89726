/// Parses AV1 packets. A packet is a temporal unit: a sequence of OBUs whose frames include one shown frame (AV1
/// bitstream specification 5.3).
package enum AV1Packet {
    /// The OBU types that matter here.
    private enum Kind: Int {
        case sequence = 1
        case frameHeader = 3
        case frame = 6
        case tileList = 8
    }

    /// The OBUs' types and payload ranges; nil if their sizes don't add up.
    private static func units(_ packet: UnsafeBufferPointer<UInt8>) -> [(kind: Int, payload: Range<Int>)]? {
        var units: [(Int, Range<Int>)] = []
        var position = 0
        while position < packet.count {
            let head = packet[position]
            guard head & 0x80 == 0 else { return nil }
            position += head & 4 == 0 ? 1 : 2
            var length = packet.count - position
            if head & 2 != 0 {
                length = 0
                var shift = 0
                while true {
                    guard position < packet.count, shift < 32 else { return nil }
                    let byte = packet[position]
                    length |= Int(byte & 127) << shift
                    position += 1
                    shift += 7
                    if byte & 128 == 0 { break }
                }
            }
            guard length >= 0, position + length <= packet.count else { return nil }
            units.append((Int(head >> 3 & 15), position..<position + length))
            position += length
        }
        return units
    }

    /// The sequence header in a packet or in the OBUs of an `av1C`; nil if there is none.
    package static func sequence(_ packet: UnsafeBufferPointer<UInt8>) -> AV1SequenceHeader? {
        units(packet)?.first { $0.kind == Kind.sequence.rawValue }.flatMap { AV1SequenceHeader(packet[$0.payload]) }
    }

    /// The sequence header in `header`, which is an `av1C` or consists of OBUs alone; nil if there is none.
    package static func sequence(header: [UInt8]) -> AV1SequenceHeader? {
        // The first bit is 1 in an `av1C` (its marker), 0 in an OBU.
        let start = header.first.map { $0 & 0x80 != 0 ? 4 : 0 } ?? 0
        guard header.count > start else { return nil }
        return header.withUnsafeBufferPointer { sequence(UnsafeBufferPointer(rebasing: $0[start...])) }
    }

    /// How a packet matters for copying: whether it is a random access point (7.6.2.1) apart from its sequence header,
    /// and the sequence header it contains, if any.
    ///
    /// Returns nil if the packet doesn't show exactly one frame, or if one of its frames overrides the sequence's size.
    /// - Parameter sequence: the sequence header to parse the frames with unless the packet contains one.
    package static func facts(
        _ packet: UnsafeBufferPointer<UInt8>, _ sequence: AV1SequenceHeader?
    ) -> (isStart: Bool, sequence: AV1SequenceHeader?)? {
        guard let units = units(packet) else { return nil }
        var own: AV1SequenceHeader?
        var isStart: Bool?
        var shown = 0
        for (kind, payload) in units {
            switch Kind(rawValue: kind) {
            case .tileList: return nil
            case .sequence:
                guard let fresh = AV1SequenceHeader(packet[payload]), own == nil || own == fresh else { return nil }
                own = fresh
            case .frame, .frameHeader:
                guard let sequence = own ?? sequence,
                    let head = head(Array(packet[payload].prefix(24)), sequence)
                else { return nil }
                isStart = isStart ?? head.isStart
                if head.isShown { shown += 1 }
            case nil: break
            }
        }
        return isStart.flatMap { shown == 1 ? ($0, own) : nil }
    }

    /// Parses a frame header (5.9.2) up to frame_size_override_flag. Returns nil if it is damaged, a switch frame's, or
    /// overrides the sequence's frame size.
    private static func head(_ bytes: [UInt8], _ sequence: AV1SequenceHeader) -> (isStart: Bool, isShown: Bool)? {
        if sequence.isStill { return (true, true) }
        var reader = BitReader(bytes)
        guard let showsExisting = reader.bit() else { return nil }
        if showsExisting == 1 { return (false, true) }
        guard let kind = reader.bits(2), let isShown = reader.bit(), kind != FrameKind.switching else { return nil }
        if isShown == 1, reader.bits(sequence.timeLength) == nil { return nil }
        if isShown == 0, reader.bit() == nil { return nil }
        let isStart = kind == FrameKind.key && isShown == 1
        if !isStart, reader.bit() == nil { return nil }
        guard reader.bit() != nil,
            let isScreen = sequence.screenContent == 2 ? reader.bit() : sequence.screenContent
        else { return nil }
        if isScreen == 1, sequence.integerMotion == 2, reader.bit() == nil { return nil }
        guard reader.bits(sequence.numberLength) != nil, reader.bit() == 0 else { return nil }
        return (isStart, isShown == 1)
    }

    private enum FrameKind {
        static let key = 0
        static let switching = 3
    }
}
