/// What a packet of AV1 holds: the units of one moment, of whose frames one is shown (AV1 bitstream specification 5.3).
package enum AV1Packet {
    /// Kinds of units that matter here.
    private enum Kind: Int {
        case sequence = 1
        case frameHeader = 3
        case frame = 6
        case tileList = 8
    }

    /// The units' kinds and payloads; nil where their lengths don't add up.
    private static func units(_ packet: UnsafeBufferPointer<UInt8>) -> [(kind: Int, payload: Range<Int>)]? {
        var units: [(Int, Range<Int>)] = []
        var place = 0
        while place < packet.count {
            let head = packet[place]
            guard head & 0x80 == 0 else { return nil }
            place += head & 4 == 0 ? 1 : 2
            var length = packet.count - place
            if head & 2 != 0 {
                length = 0
                var shift = 0
                while true {
                    guard place < packet.count, shift < 32 else { return nil }
                    let byte = packet[place]
                    length |= Int(byte & 127) << shift
                    place += 1
                    shift += 7
                    if byte & 128 == 0 { break }
                }
            }
            guard length >= 0, place + length <= packet.count else { return nil }
            units.append((Int(head >> 3 & 15), place..<place + length))
            place += length
        }
        return units
    }

    /// The sequence header in a packet, or in the units of an `av1C`; nil where there is none.
    package static func sequence(_ packet: UnsafeBufferPointer<UInt8>) -> AV1Sequence? {
        units(packet)?.first { $0.kind == Kind.sequence.rawValue }.flatMap { AV1Sequence(packet[$0.payload]) }
    }

    /// The sequence header of an `av1C`, and of a header that is none but such units.
    package static func sequence(header: [UInt8]) -> AV1Sequence? {
        // The first bit of a unit is 0.
        let start = header.first.map { $0 & 0x80 != 0 ? 4 : 0 } ?? 0
        guard header.count > start else { return nil }
        return header.withUnsafeBufferPointer { sequence(UnsafeBufferPointer(rebasing: $0[start...])) }
    }

    /// What it is to who copies it: whether it is a random access point (7.6.2.1) but for its sequence header, and the
    /// header it brings along.
    ///
    /// Nil where it does not show exactly one frame, or where one of its frames has a size of its own.
    /// - Parameter sequence: what its frames are read with unless it brings another.
    package static func facts(
        _ packet: UnsafeBufferPointer<UInt8>, _ sequence: AV1Sequence?
    ) -> (isStart: Bool, sequence: AV1Sequence?)? {
        guard let units = units(packet) else { return nil }
        var own: AV1Sequence?
        var isStart: Bool?
        var shown = 0
        for (kind, payload) in units {
            switch Kind(rawValue: kind) {
            case .tileList: return nil
            case .sequence:
                guard let fresh = AV1Sequence(packet[payload]), own == nil || own == fresh else { return nil }
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

    /// The head of a frame (5.9.2), as far as to its size; nil where that is not the sequence's.
    private static func head(_ bytes: [UInt8], _ sequence: AV1Sequence) -> (isStart: Bool, isShown: Bool)? {
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
