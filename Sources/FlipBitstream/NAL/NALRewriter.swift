/// The IDs that a track's parameter sets get in another track: the new ones by the old ones.
package struct Renumbering: Sendable, Hashable {
    private var byKind: [[Int: Int]] = ParameterSet.Kind.allCases.map { _ in [:] }

    package subscript(kind: ParameterSet.Kind) -> [Int: Int] {
        get { byKind[kind.rawValue] }
        set { byKind[kind.rawValue] = newValue }
    }

    package func changes(_ kind: ParameterSet.Kind) -> Bool { self[kind].contains { $0.key != $0.value } }

    /// Whether a PPS ID in slice headers can be changed from `old` to `new`. The bits after it have to keep their
    /// position within a byte, since entropy coded data is aligned to bytes.
    package static func fits(_ old: Int, _ new: Int) -> Bool {
        (BitWriter.length(ofUnsigned: new) - BitWriter.length(ofUnsigned: old)) & 7 == 0
    }
}

/// Rewrites packets of NAL units for copying: changes parameter set IDs and framing, and replaces parameter sets in
/// packets with `prefix`.
package struct NALRewriter: PacketRewriter {
    package let syntax: NALSyntax
    package let numbers: Renumbering
    package let input: CodedHeader.Framing
    package let output: CodedHeader.Framing
    /// Units that are inserted before every picture with which decoding can begin; empty if the header has them.
    package let prefix: [[UInt8]]

    package init(
        syntax: NALSyntax, numbers: Renumbering, input: CodedHeader.Framing, output: CodedHeader.Framing,
        prefix: [[UInt8]]
    ) {
        self.syntax = syntax
        self.numbers = numbers
        self.input = input
        self.output = output
        self.prefix = prefix
    }

    package func rewritten(_ packet: UnsafeBufferPointer<UInt8>, isStart: Bool) -> (bytes: [UInt8], isKey: Bool)? {
        guard let ranges = NALUnit.ranges(packet, input) else { return nil }
        var kinds: [NALUnit.Kind] = []
        for range in ranges {
            guard let kind = syntax.kind(packet[range]) else { return nil }
            kinds.append(kind)
        }
        var result: [UInt8] = []
        result.reserveCapacity(packet.count + 64 + prefix.reduce(0) { $0 + $1.count + 4 })
        var waiting = kinds.contains(where: \.wantsSets) ? prefix[...] : []
        let namesChange = numbers.changes(.video) || numbers.changes(.sequence)
        for (range, kind) in zip(ranges, kinds) {
            let unit = packet[range]
            if kind != .delimiter {
                for unit in waiting { NALUnit.append(unit, to: &result, output) }
                waiting = []
            }
            switch kind {
            case .set, .filler, .end: continue
            case .delimiter: NALUnit.append(unit, to: &result, output)
            case .information:
                let isLeftOut = { (type: Int, payload: ArraySlice<UInt8>) in
                    namesChange && SEI.namesSet(type, syntax)
                        || SEI.isHDR10Plus(type, payload)
                }
                if !SEI.contains(unit, syntax, where: isLeftOut) {
                    NALUnit.append(unit, to: &result, output)
                } else if let kept = SEI.filtered(unit, syntax, where: { !isLeftOut($0, $1) }) {
                    NALUnit.append(kept, to: &result, output)
                }
            case .slice(let role):
                if !numbers.changes(.picture), !(isStart && syntax == .hevc) {
                    NALUnit.append(unit, to: &result, output)
                } else {
                    guard let changed = slice(unit, role, isStart) else { return nil }
                    NALUnit.append(changed, to: &result, output)
                }
            }
        }
        // The second field of a keyframe may be none.
        let roles = kinds.lazy.compactMap { kind in
            if case .slice(let role) = kind { role } else { nil }
        }
        return (result, roles.first?.isKey ?? false)
    }

    /// A slice with the new ID of its PPS, and with its header adapted if it begins a stretch; nil if it is damaged.
    private func slice(
        _ unit: Slice<UnsafeBufferPointer<UInt8>>, _ role: PacketRole, _ isStart: Bool
    ) -> [UInt8]? {
        let payload = NALUnit.payload(of: unit, syntax.headerSize)
        var header = Array(unit.prefix(syntax.headerSize))
        var reader = BitReader(payload)
        var writer = BitWriter()
        switch syntax {
        case .h264:
            // The PPS ID follows first_mb_in_slice and slice_type (H.264 7.3.3).
            guard let macroblock = reader.unsigned(), let type = reader.unsigned() else { return nil }
            writer.append(unsigned: macroblock)
            writer.append(unsigned: type)
        case .hevc:
            // The PPS ID follows first_slice_segment_in_pic_flag and no_output_of_prior_pics_flag (H.265 7.3.6.1).
            guard let isFirst = reader.bit() else { return nil }
            writer.append(bit: isFirst)
            if role.isKey {
                guard let dropsPictures = reader.bit() else { return nil }
                // At the start of a stretch the prior pictures are from before the seam and have to be shown.
                writer.append(bit: isStart ? 0 : dropsPictures)
            }
            // A CRA picture becomes BLA_W_RADL, since its leading pictures that refer to earlier ones are left out.
            if isStart, role == .openStart { header[0] = header[0] & 0x81 | 17 << 1 }
        }
        guard let old = reader.unsigned(), let new = numbers[.picture][old] else { return nil }
        writer.append(unsigned: new)
        writer.append(restOf: payload, from: reader.position)
        return NALUnit.unit(header, writer.bytes)
    }
}

extension CodedHeader {
    /// Adds a stream's parameter sets to those of the track that it is joined to.
    /// - Returns: how the stream's packets have to be rewritten; nil if there is no room for its sets.
    package mutating func add(_ header: CodedHeader, _ syntax: NALSyntax) -> NALRewriter? {
        guard let (numbers, added) = sets.add(header.sets) else { return nil }
        let prefix = framing == .startCodes ? added.map(\.unit) + header.information : []
        return NALRewriter(syntax: syntax, numbers: numbers, input: header.framing, output: framing, prefix: prefix)
    }
}

extension NALUnit.Kind {
    /// Whether parameter sets are inserted into a packet with such a unit if the output has them in its packets.
    fileprivate var wantsSets: Bool {
        switch self {
        case .slice(let role): role.isKey
        case .set: true
        case .information, .delimiter, .filler, .end: false
        }
    }
}
