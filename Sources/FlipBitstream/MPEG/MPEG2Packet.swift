/// The headers of a packet of MPEG-1 or MPEG-2 video, which holds a frame or its two fields (ISO/IEC 11172-2 2.4.2, 13818-2 6.2).
package struct MPEG2Packet: Sendable {
    /// picture_coding_type
    enum Picture: Int { case intra = 1, predicted, bidirectional }

    /// What all packets of a track have in common, or decoders begin anew and may lose a frame.
    package struct Sequence: Sendable, Hashable {
        package let width: Int
        package let height: Int
        /// The profile, without the level; 0 for MPEG-1, which has none.
        package let profile: Int
        /// Whether all frames are progressive; if not, each says for itself.
        package let isProgressive: Bool
        /// chroma_format: 1 for 4:2:0, 2 for 4:2:2.
        package let chroma: Int
        /// Whether no picture is shown later than it is decoded.
        package let hasNoDelay: Bool

        var isMPEG1: Bool { profile == 0 }
    }

    /// The start codes before the first slice, with the units that follow each.
    private enum Code {
        static let picture: UInt8 = 0
        static let slices: ClosedRange<UInt8> = 1...0xAF
        static let sequence: UInt8 = 0xB3
        static let fields: UInt8 = 0xB5
        static let end: UInt8 = 0xB7
        static let group: UInt8 = 0xB8
    }

    let picture: Picture
    /// The headers of the sequence, as bytes and as read; nil if the packet has none.
    let header: (bytes: Range<Int>, facts: Sequence)?
    /// Where in the packet the flags of the group of pictures are; nil if none begins here.
    let groupFlags: Int?
    /// The number of bits of DC coefficients beyond 8.
    let extraBits: Int
    /// Where the packet ends, without an end of the sequence.
    let end: Int

    /// closed_gop among the flags of a group: no picture that is shown before its first I picture refers to an earlier group.
    static let closed: UInt8 = 0x40

    /// Returns nil if the packet is damaged.
    /// - Parameter isMPEG1: whether it is one of MPEG-1, whose sequence headers have no extension.
    init?(_ packet: UnsafeBufferPointer<UInt8>, isMPEG1: Bool) {
        var picture: Picture?
        var groupFlags: Int?
        var extraBits = 0
        var sequence: (start: Int, size: (width: Int, height: Int), facts: Sequence?)?
        var header: (bytes: Range<Int>, facts: Sequence)?
        for start in StartCode.all(in: packet) where start + 3 < packet.count {
            let code = packet[start + 3]
            let place = start + 4
            // No header is longer than that of a sequence with both matrices.
            var reader = BitReader(Array(packet[place..<min(place + 144, packet.count)]))
            if let known = sequence, let facts = known.facts, code == Code.group || code == Code.picture, header == nil
            {
                header = (known.start..<start, facts)
            }
            switch code {
            case Code.sequence:
                guard let width = reader.bits(12), let height = reader.bits(12) else { return nil }
                sequence = (start, (width, height), isMPEG1 ? Sequence(width: width, height: height) : nil)
            case Code.fields where !isMPEG1:
                let kind = reader.bits(4)
                if kind == 1, let known = sequence {
                    sequence?.facts = Sequence(&reader, known.size)
                    if sequence?.facts == nil { return nil }
                } else if kind == 8 {
                    reader.skip(16)
                    extraBits = reader.bits(2) ?? 0
                }
            case Code.group:
                guard place + 3 < packet.count else { return nil }
                groupFlags = place + 3
            case Code.picture:
                guard reader.bits(10) != nil, let type = reader.bits(3), let kind = Picture(rawValue: type) else {
                    return nil
                }
                // The second field of an I picture may be a P picture.
                picture = picture ?? kind
            default: break
            }
            if Code.slices.contains(code) { break }
        }
        guard let picture, sequence == nil || header != nil else { return nil }
        (self.picture, self.header, self.groupFlags, self.extraBits) = (picture, header, groupFlags, extraBits)
        let isEnded = packet.suffix(4).elementsEqual([0, 0, 1, Code.end])
        end = isEnded ? packet.count - 4 : packet.count
    }

    /// Whether decoding can begin here.
    var isStart: Bool { picture == .intra && header != nil }
}

extension MPEG2Packet.Sequence {
    /// A sequence of MPEG-1.
    fileprivate init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        (profile, isProgressive, chroma, hasNoDelay) = (0, true, 1, false)
    }

    /// Reads a sequence extension (6.2.2.3) from after its identifier.
    /// - Parameter size: the lower twelve bits of width and height, from the sequence header.
    fileprivate init?(_ reader: inout BitReader, _ size: (width: Int, height: Int)) {
        guard let level = reader.bits(8), let isProgressive = reader.bit(), let chroma = reader.bits(2),
            let width = reader.bits(2), let height = reader.bits(2), reader.bits(13) != nil, reader.bits(8) != nil,
            let hasNoDelay = reader.bit()
        else { return nil }
        (self.width, self.height) = (width << 12 | size.width, height << 12 | size.height)
        profile = level >> 4
        (self.isProgressive, self.chroma, self.hasNoDelay) = (isProgressive == 1, chroma, hasNoDelay == 1)
    }
}

/// What the packets of a stream of MPEG-1 or MPEG-2 video have said so far.
package struct MPEG2Stream: Sendable {
    /// Whether it is one of MPEG-1.
    package let isMPEG1: Bool
    /// Nil until the first sequence header.
    package private(set) var sequence: MPEG2Packet.Sequence?
    /// The bytes of the first sequence header and its extensions.
    package private(set) var bytes: [UInt8] = []
    /// The greatest number of bits of DC coefficients beyond 8.
    package private(set) var extraBits = 0
    /// Whether B pictures are shown before the latest I picture that a stretch can begin with.
    private var isLeading = false

    package init(isMPEG1: Bool) { self.isMPEG1 = isMPEG1 }

    /// The role of the next packet. A stretch can begin with an I picture after a sequence header, without the pictures that are
    /// shown before it, even if the group is closed: from mp4 and mov files that begin with such pictures, libav drops them.
    mutating func role(of packet: UnsafeBufferPointer<UInt8>) -> Result<PacketRole, CopyRefusal> {
        guard let facts = MPEG2Packet(packet, isMPEG1: isMPEG1) else {
            return .failure(.unknownPackets)
        }
        if let header = facts.header {
            if sequence == nil { (sequence, bytes) = (header.facts, Array(packet[header.bytes])) }
            guard header.facts == sequence else {
                return .failure(CopyRefusal("changes its sequence header within the stream"))
            }
        }
        extraBits = max(extraBits, facts.extraBits)
        if facts.picture == .bidirectional { return .success(isLeading ? .dependentLeading : .other) }
        isLeading = facts.isStart
        return .success(isLeading ? .openStart : .other)
    }
}

/// Copies packets of MPEG-1 or MPEG-2 video, without ends of sequences.
package struct MPEG2Rewriter: PacketRewriter {
    /// What the packets' sequence headers have to say.
    private let sequence: MPEG2Packet.Sequence

    package init(_ sequence: MPEG2Packet.Sequence) { self.sequence = sequence }

    package func rewritten(_ packet: UnsafeBufferPointer<UInt8>, isStart: Bool) -> (bytes: [UInt8], isKey: Bool)? {
        guard let facts = MPEG2Packet(packet, isMPEG1: sequence.isMPEG1),
            facts.header.map({ $0.facts == sequence }) ?? !isStart
        else {
            return nil
        }
        var bytes = Array(packet[..<facts.end])
        // The pictures that refer to the group before are left out at the start of a stretch.
        if isStart, let flags = facts.groupFlags { bytes[flags] |= MPEG2Packet.closed }
        return (bytes, facts.isStart)
    }
}
