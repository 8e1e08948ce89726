/// Finds out what the packets of a stream mean for cutting it, one after another in decoding order: H.264, HEVC, MPEG-1 to
/// MPEG-4, and the codecs that `FrameForm` knows.
package struct PacketParser: Sendable {
    /// The stream's header, with what the packets so far have added.
    package private(set) var header: CodedHeader
    private let syntax: NALSyntax?
    private var pictures = H264Pictures()

    /// - Parameters:
    ///   - syntax: the syntax of the codec's NAL units; nil for a codec without them, which `header.frames`, `mpeg2` or `mpeg4`
    ///     describes.
    package init(_ header: CodedHeader, _ syntax: NALSyntax?) {
        self.header = header
        self.syntax = syntax
    }

    /// The next packet's role, or why the stream can't be copied.
    package mutating func role(of packet: UnsafeBufferPointer<UInt8>) -> Result<PacketRole, CopyRefusal> {
        if let syntax {
            guard let units = NALUnit.ranges(packet, header.framing) else { return .failure(.unknownPackets) }
            let result = header.role(of: packet, units, syntax)
            guard syntax == .h264, case .success(let own) = result else { return result }
            let role = pictures.role(of: packet, units, header, own)
            if role == .openStart { header.hasRecoveryPoints = true }
            return .success(role)
        }
        if let role = header.mpeg2?.role(of: packet) ?? header.mpeg4?.role(of: packet) { return role }
        guard let isStart = header.frames?.isStart(packet) else {
            return .failure(CopyRefusal("has packets that don't hold exactly one frame each, like the first"))
        }
        return .success(isStart ? .start : .other)
    }
}

extension CodedHeader {
    /// The header of a stream whose extradata is `bytes`, which is empty if the file has none; nil if it is damaged.
    package init?(extradata bytes: [UInt8], _ syntax: NALSyntax) {
        if bytes.first != 1 {
            self.init(afterStartCodes: bytes, syntax)
            return
        }
        switch syntax {
        case .h264: self.init(avcC: bytes)
        case .hevc: self.init(hvcC: bytes)
        }
    }

    /// The role of a packet. Adds the parameter sets that later packets need to the header.
    fileprivate mutating func role(
        of packet: UnsafeBufferPointer<UInt8>, _ units: [Range<Int>], _ syntax: NALSyntax
    ) -> Result<PacketRole, CopyRefusal> {
        let refusal = CopyRefusal.unknownPackets
        var role: PacketRole?
        for range in units {
            switch syntax.kind(packet[range]) {
            case .slice(let kind):
                // RASL pictures of a CRA picture that follows an end of sequence are not shown. A copy would show them,
                // since it leaves out the end of sequence.
                if hasEnded, kind == .openStart { return .failure(refusal) }
                hasEnded = false
                // All slices of a picture have the same kind; but the second field of an IDR picture of H.264 is no IDR picture.
                if let role, role != kind, syntax == .hevc { return .failure(refusal) }
                role = role ?? kind
            case .set:
                guard let set = ParameterSet(Array(packet[range]), syntax) else { return .failure(refusal) }
                if !sets.learn(set) {
                    return .failure(CopyRefusal("changes its parameter sets within the stream"))
                }
            case .end: hasEnded = true
            case .information:
                // FFmpeg applies the film grain of H.264 to decoded frames, but not that of HEVC.
                if syntax == .hevc,
                    SEI.contains(
                        packet[range], syntax, where: { type, _ in SEI.isFilmGrain(type) })
                {
                    return .failure(CopyRefusal("has film grain metadata, which encoded frames would lack"))
                }
            case .delimiter, .filler, .reshaping: break
            case nil: return .failure(refusal)
            }
        }
        return role.map { .success($0) } ?? .failure(refusal)
    }
}

/// Tells what the types of H.264's units don't: second fields in packets of their own, and recovery points.
private struct H264Pictures: Sendable {
    /// What slice headers depend on, and the number of parameter sets by which it is known.
    private var contexts: [Int: H264Slice.Context] = [:]
    private var setCount = 0
    /// The slice with which the latest packet begins if that holds only the first field of a frame.
    private var first: H264Slice?

    private static let syntax = NALSyntax.h264

    /// The role of a packet whose units say `role`.
    mutating func role(
        of packet: UnsafeBufferPointer<UInt8>, _ units: [Range<Int>], _ header: CodedHeader, _ role: PacketRole
    ) -> PacketRole {
        if header.sets.all.count != setCount {
            (contexts, setCount) = (header.sets.sliceContexts, header.sets.all.count)
        }
        let (before, mayHaveFields) = (first, contexts.values.contains(where: \.hasFields))
        first = nil
        let slices = units.filter { range in
            if case .slice = Self.syntax.kind(packet[range]) { true } else { false }
        }
        if mayHaveFields, let own = slice(packet, slices.first), let isBottom = own.isBottom,
            slice(packet, slices.last)?.isBottom == isBottom
        {
            if before?.number == own.number, before?.isBottom == !isBottom, own.identity == nil {
                let mayDiffer = !header.sets.changedPictures.isEmpty && !pictureSets(packet, units).isEmpty
                return mayDiffer ? .otherSecondField : .secondField
            }
            first = own
        }
        let begins = role == .other && isRecoveryPoint(packet, units, slices)
        return (begins || role.isKey) && hasAllSets(packet, units, header) ? begins ? .openStart : role : .other
    }

    /// Whether decoding can begin with a packet that holds no IDR picture.
    private func isRecoveryPoint(
        _ packet: UnsafeBufferPointer<UInt8>, _ units: [Range<Int>], _ slices: [Range<Int>]
    ) -> Bool {
        let isMarked = units.contains { range in
            Self.syntax.kind(packet[range]) == .information
                && SEI.contains(packet[range], Self.syntax, where: SEI.isCleanRecovery)
        }
        guard isMarked, let first = slice(packet, slices.first) else { return false }
        return slices.allSatisfy { range in
            guard let other = MovedSlice(packet[range].prefix(128), contexts) else { return false }
            return other.isIntra || other.isBottom != first.isBottom
        }
    }

    /// Whether a packet holds the PPSs that have changed, without which those in force depend on earlier packets.
    private func hasAllSets(
        _ packet: UnsafeBufferPointer<UInt8>, _ units: [Range<Int>], _ header: CodedHeader
    ) -> Bool {
        header.sets.changedPictures.isEmpty
            || header.sets.changedPictures.isSubset(of: pictureSets(packet, units))
    }

    /// The IDs of the PPSs in a packet.
    private func pictureSets(_ packet: UnsafeBufferPointer<UInt8>, _ units: [Range<Int>]) -> [Int] {
        units.compactMap { range in
            Self.syntax.kind(packet[range]) == .set(.picture)
                ? ParameterSet(Array(packet[range]), Self.syntax)?.id : nil
        }
    }

    private func slice(_ packet: UnsafeBufferPointer<UInt8>, _ range: Range<Int>?) -> H264Slice? {
        guard let range else { return nil }
        let isIDR = Self.syntax.kind(packet[range]) == .slice(.start)
        return H264Slice(NALUnit.payload(of: packet[range].prefix(64), 1), isIDR: isIDR, contexts)
    }
}
