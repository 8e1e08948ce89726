/// The fields of an HEVC SPS (ITU-T H.265 7.3.2.2) that copying needs.
package struct HEVCSPS: Sendable, Hashable {
    /// The bytes of the general profile, tier and level (7.3.3): profile space, tier and profile in one byte, four
    /// bytes of compatibility flags, six of constraint flags, and 30 times the level.
    package let general: [UInt8]
    /// The number of temporal sub-layers, 1...7, and sps_temporal_id_nesting_flag: whether a decoder can switch to a
    /// higher sub-layer at any picture.
    package let subLayers: Int
    package let isNested: Bool
    /// Bits per sample of luma and of chroma.
    package let depth: Int

    /// general_profile_idc: 1 is Main, 2 is Main 10.
    package var profile: Int { Int(general[0] & 31) }
    package var isHighTier: Bool { general[0] & 32 != 0 }
    package var level: UInt8 { general[11] }
    /// Whether the source is interlaced: general_interlaced_source_flag without general_progressive_source_flag.
    package var mayBeInterlaced: Bool { general[5] & 0xC0 == 0x40 }

    /// Returns nil if the SPS is damaged, not 4:2:0, or of a profile other than Main and Main 10.
    package init?(_ set: ParameterSet) {
        let payload = NALUnit.payload(of: set.unit, set.syntax.headerSize)
        guard payload.count > 13 else { return nil }
        general = Array(payload[1...12])
        subLayers = Int(payload[0] >> 1 & 7) + 1
        isNested = payload[0] & 1 == 1
        var reader = BitReader(payload, from: 8 + Self.profileBits(payload))
        guard reader.unsigned() != nil, reader.unsigned() == 1, reader.unsigned() != nil, reader.unsigned() != nil,
            let isCropped = reader.bit()
        else { return nil }
        for _ in 0..<4 * isCropped {
            guard reader.unsigned() != nil else { return nil }
        }
        guard let luma = reader.unsigned(), let chroma = reader.unsigned(), luma == chroma else { return nil }
        depth = 8 + luma
        guard general[0] >> 6 == 0, [1, 2].contains(profile) else { return nil }
    }

    /// The length of profile_tier_level, in bits, in an SPS with this payload.
    package static func profileBits(_ payload: [UInt8]) -> Int {
        guard let first = payload.first else { return 0 }
        let above = Int(first >> 1 & 7)
        let general = 96
        if above == 0 { return general }
        // Two flags per sub-layer say whether its profile and its level follow; they always take 16 bits in all.
        var flags = BitReader(payload, from: 8 + general)
        var bits = general + 16
        for _ in 0..<above { bits += 88 * (flags.bit() ?? 0) + 8 * (flags.bit() ?? 0) }
        return bits
    }
}
