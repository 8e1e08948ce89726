/// A sequence or picture parameter set of H.264: what pictures refer to by its number.
struct ParameterSet: Sendable, Hashable {
    /// The unit, header first.
    let unit: [UInt8]
    /// A sequence's are 0...31, a picture's 0...255.
    let id: Int
    /// The sequence that a picture parameter set belongs to; nil for a sequence's.
    let sequenceID: Int?

    /// Nil where the unit is no parameter set, or a damaged one.
    init?(_ unit: [UInt8]) {
        guard let header = unit.first, let kind = NALUnit.kind(header) else { return nil }
        var reader = BitReader(NALUnit.payload(of: unit))
        switch kind {
        case .sequenceSet:
            guard reader.bits(24) != nil, let id = reader.unsigned(), id < 32 else { return nil }
            (self.id, sequenceID) = (id, nil)
        case .pictureSet:
            guard let id = reader.unsigned(), let sequence = reader.unsigned(), id < 256, sequence < 32 else {
                return nil
            }
            (self.id, sequenceID) = (id, sequence)
        case .slice, .keySlice, .information, .delimiter, .filler:
            return nil
        }
        self.unit = unit
    }

    /// The same set under other numbers.
    func renumbered(id: Int, sequenceID: Int? = nil) -> ParameterSet? {
        let payload = NALUnit.payload(of: unit)
        var reader = BitReader(payload)
        var writer = BitWriter()
        if self.sequenceID == nil {
            guard let profile = reader.bits(24), reader.unsigned() != nil else { return nil }
            writer.append(profile, bits: 24)
            writer.append(unsigned: id)
        } else {
            guard let sequenceID, reader.unsigned() != nil, reader.unsigned() != nil else { return nil }
            writer.append(unsigned: id)
            writer.append(unsigned: sequenceID)
        }
        // Up to the last 1, which ends it; what follows only fills the byte.
        guard let last = payload.lastIndex(where: { $0 != 0 }) else { return nil }
        let end = 8 * last + 8 - payload[last].trailingZeroBitCount
        while reader.position < end, let bit = reader.bit() { writer.append(bit: bit) }
        return ParameterSet(NALUnit.unit(unit[0], writer.bytes))
    }
}

/// What a sequence parameter set says (ITU-T H.264 7.3.2.1.1), as far as copying has to know.
struct SequenceFacts: Sendable, Hashable {
    /// profile_idc, and the byte of constraints behind it.
    let profile: Int
    let constraints: Int
    /// Ten times the level.
    let level: Int
    /// Whether fields or pairs of macroblock rows may be interlaced.
    let mayBeInterlaced: Bool

    /// Nil where it is damaged, or of a profile that isn't 8-bit 4:2:0: those are Baseline, Main and High.
    init?(_ set: ParameterSet) {
        var reader = BitReader(NALUnit.payload(of: set.unit))
        guard let profile = reader.bits(8), [66, 77, 100].contains(profile), let constraints = reader.bits(8),
            let level = reader.bits(8), reader.unsigned() != nil,
            profile != 100 || Self.skipHighFields(&reader), reader.unsigned() != nil, Self.skipOrder(&reader),
            reader.unsigned() != nil, reader.bit() != nil, reader.unsigned() != nil, reader.unsigned() != nil,
            let isFrameOnly = reader.bit()
        else { return nil }
        self.profile = profile
        self.constraints = constraints
        self.level = level
        mayBeInterlaced = isFrameOnly == 0
    }

    /// chroma_format_idc to the scaling lists; false where they are not those of 8-bit 4:2:0.
    private static func skipHighFields(_ reader: inout BitReader) -> Bool {
        guard reader.unsigned() == 1, reader.unsigned() == 0, reader.unsigned() == 0, reader.bit() == 0,
            let hasMatrix = reader.bit()
        else { return false }
        if hasMatrix == 0 { return true }
        for list in 0..<8 {
            guard let isPresent = reader.bit() else { return false }
            if isPresent == 0 { continue }
            var (last, next) = (8, 8)
            for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
                guard let delta = reader.signed() else { return false }
                next = (last + delta + 256) & 255
                last = next == 0 ? last : next
            }
        }
        return true
    }

    /// The fields of the picture order count.
    private static func skipOrder(_ reader: inout BitReader) -> Bool {
        guard let type = reader.unsigned() else { return false }
        if type == 0 { return reader.unsigned() != nil }
        if type != 1 { return type == 2 }
        guard reader.bit() != nil, reader.signed() != nil, reader.signed() != nil, let count = reader.unsigned(),
            count < 256
        else { return false }
        for _ in 0..<count {
            guard reader.signed() != nil else { return false }
        }
        return true
    }
}
