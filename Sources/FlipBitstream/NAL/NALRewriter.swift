/// The IDs that a track's parameter sets get in another track: the new ones by the old ones.
package struct Renumbering: Sendable, Hashable {
    private var byKind: [[Int: Int]] = ParameterSet.Kind.allCases.map { _ in [:] }

    package subscript(kind: ParameterSet.Kind) -> [Int: Int] {
        get { byKind[kind.rawValue] }
        set { byKind[kind.rawValue] = newValue }
    }

    /// The new IDs of PPSs, by the whole units: the same ID may stand for different ones, one after the other.
    private var pictures: [[UInt8]: Int] = [:]

    package func changes(_ kind: ParameterSet.Kind) -> Bool {
        self[kind].contains { $0.key != $0.value } || kind == .picture && pictures.count > self[.picture].count
    }

    /// Notes the new ID of a set. The first set of an ID is in force until another one comes.
    mutating func note(_ set: ParameterSet, as id: Int) {
        self[set.kind][set.id] = self[set.kind][set.id] ?? id
        if set.kind == .picture { pictures[set.unit] = id }
    }

    /// Puts a PPS of the old track in force.
    mutating func apply(_ set: ParameterSet) {
        if let id = pictures[set.unit] { self[.picture][set.id] = id }
    }

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
    /// The IDs that are in force.
    package private(set) var numbers: Renumbering
    package let input: CodedHeader.Framing
    package let output: CodedHeader.Framing
    /// Units that are inserted before every picture with which decoding can begin; empty if the header has them.
    package let prefix: [[UInt8]]
    /// Whether HDR10+ and Dolby Vision stay.
    private let keepsDynamicMetadata: Bool
    /// What slices of H.264 depend on, by the stream's own IDs.
    private let contexts: [Int: H264Slice.Context]
    /// By how much slices are moved since the stretch began with a recovery point; nil if it did not.
    private var shift: SliceShift?
    /// The latest number of a frame since then; nil once the numbers have begun anew, when none of those counts anymore that may
    /// name pictures from before.
    private var latest: Int?

    fileprivate init(
        _ header: CodedHeader, _ syntax: NALSyntax, _ numbers: Renumbering, to output: CodedHeader, prefix: [[UInt8]]
    ) {
        self.syntax = syntax
        self.numbers = numbers
        input = header.framing
        self.output = output.framing
        keepsDynamicMetadata = output.keepsDynamicMetadata
        self.prefix = prefix
        contexts = syntax == .h264 ? header.sets.sliceContexts : [:]
    }

    package mutating func rewritten(
        _ packet: UnsafeBufferPointer<UInt8>, isStart: Bool
    ) -> (bytes: [UInt8], isKey: Bool)? {
        guard let ranges = NALUnit.ranges(packet, input) else { return nil }
        var kinds: [NALUnit.Kind] = []
        for range in ranges {
            guard let kind = syntax.kind(packet[range]) else { return nil }
            kinds.append(kind)
        }
        let roles = kinds.lazy.compactMap { kind in
            if case .slice(let role) = kind { role } else { nil }
        }
        // What follows an IDR picture refers to it.
        if isStart || roles.first?.isKey == true { shift = nil }
        let isRecovery = isStart && roles.first == .other && syntax == .h264
        // The second field of a keyframe may be none.
        let isKey = isRecovery || roles.first?.isKey ?? false
        var result: [UInt8] = []
        result.reserveCapacity(packet.count + 64 + prefix.reduce(0) { $0 + $1.count + 4 })
        var waiting = isKey || kinds.contains(where: \.isSet) ? prefix[...] : []
        for (range, kind) in zip(ranges, kinds) {
            let unit = packet[range]
            if kind != .delimiter {
                for unit in waiting { NALUnit.append(unit, to: &result, output) }
                waiting = []
            }
            switch kind {
            case .set(.picture):
                if syntax == .h264 { ParameterSet(Array(unit), syntax).map { numbers.apply($0) } }
            case .reshaping: if keepsDynamicMetadata { NALUnit.append(unit, to: &result, output) }
            case .set, .filler, .end: continue
            case .delimiter: NALUnit.append(unit, to: &result, output)
            case .information: appendInformation(unit, to: &result)
            case .slice(let role):
                guard let changed = slice(unit, role, isStart, isRecovery) else { return nil }
                NALUnit.append(changed, to: &result, output)
            }
        }
        return (result, isKey)
    }

    /// Appends the messages of an SEI unit that stay true.
    private func appendInformation(_ unit: Slice<UnsafeBufferPointer<UInt8>>, to result: inout [UInt8]) {
        let namesChange = numbers.changes(.video) || numbers.changes(.sequence)
        let isLeftOut = { (type: Int, payload: ArraySlice<UInt8>) in
            namesChange && SEI.namesSet(type, syntax) || !keepsDynamicMetadata && SEI.isHDR10Plus(type, payload)
        }
        if !SEI.contains(unit, syntax, where: isLeftOut) {
            NALUnit.append(unit, to: &result, output)
        } else if let kept = SEI.filtered(unit, syntax, where: { !isLeftOut($0, $1) }) {
            NALUnit.append(kept, to: &result, output)
        }
    }

    /// A slice with the new ID of its PPS, and with its header adapted to how the stretch begins; nil if it is damaged.
    private mutating func slice(
        _ unit: Slice<UnsafeBufferPointer<UInt8>>, _ role: PacketRole, _ isStart: Bool, _ isRecovery: Bool
    ) -> [UInt8]? {
        switch syntax {
        case .h264:
            if isRecovery, let opening = MovedSlice(unit, contexts), opening.isIntra,
                shift.map({ $0 == opening.shift }) ?? true, let new = numbers[.picture][opening.set]
            {
                (shift, latest) = (opening.shift, 0)
                return opening.opened(set: new)
            }
            guard numbers.changes(.picture) || shift != nil else { return isRecovery ? nil : Array(unit) }
            let payload = NALUnit.payload(of: unit, syntax.headerSize)
            guard let slice = H264Slice(payload, isIDR: role == .start, contexts),
                let new = numbers[.picture][slice.set]
            else { return nil }
            if let shift, isAfterRecovery(slice.moved(by: shift).number), unit[unit.startIndex] & 0x60 != 0 {
                return MovedSlice(slice, unit[unit.startIndex], payload)?.moved(set: new, by: shift)
            }
            return NALUnit.unit(unit.prefix(syntax.headerSize), slice.rewritten(payload, set: new, shift))
        case .hevc:
            return numbers.changes(.picture) || isStart ? hevcSlice(unit, role, isStart) : Array(unit)
        }
    }

    /// Whether a slice whose frame has this number, counted from a recovery point, may still name pictures from before.
    private mutating func isAfterRecovery(_ number: Int) -> Bool {
        latest = latest.flatMap { number < $0 ? nil : number }
        return latest != nil
    }

    private func hevcSlice(
        _ unit: Slice<UnsafeBufferPointer<UInt8>>, _ role: PacketRole, _ isStart: Bool
    ) -> [UInt8]? {
        let payload = NALUnit.payload(of: unit, syntax.headerSize)
        var header = Array(unit.prefix(syntax.headerSize))
        var reader = BitReader(payload)
        var writer = BitWriter()
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
        guard let (numbers, added) = sets.add(header.hasRecoveryPoints ? header.sets.allowingGaps : header.sets) else {
            return nil
        }
        let prefix = framing == .startCodes ? added.map(\.unit) + header.information : []
        return NALRewriter(header, syntax, numbers, to: self, prefix: prefix)
    }
}

extension NALUnit.Kind {
    fileprivate var isSet: Bool {
        if case .set = self { true } else { false }
    }
}
