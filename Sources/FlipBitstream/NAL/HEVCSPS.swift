/// The fields of an HEVC SPS (ITU-T H.265 7.3.2.2) that copying needs.
package struct HEVCSPS: Sendable, Hashable {
    /// The bytes of the general profile, tier and level (7.3.3): profile space, tier and profile in one byte, four
    /// bytes of compatibility flags, six of constraint flags, and 30 times the level.
    package let general: [UInt8]
    /// The number of temporal sub-layers, 1...7, and sps_temporal_id_nesting_flag: whether a decoder can switch to a
    /// higher sub-layer at any picture.
    package let subLayers: Int
    package let isNested: Bool
    /// chroma_format_idc: 1 is 4:2:0, 2 is 4:2:2, 3 is 4:4:4.
    package let chroma: Int
    /// Bits per sample of luma and of chroma.
    package let depth: Int

    /// general_profile_idc: 1 is Main, 2 is Main 10, 4 is one of the range extensions.
    package var profile: Int { Int(general[0] & 31) }
    package var isHighTier: Bool { general[0] & 32 != 0 }
    package var level: UInt8 { general[11] }
    /// Whether the source is interlaced: general_interlaced_source_flag without general_progressive_source_flag.
    package var mayBeInterlaced: Bool { general[5] & 0xC0 == 0x40 }

    /// Returns nil if the SPS is damaged, without chroma or with a picture for each color, or of another profile than Main, Main 10 and
    /// the range extensions.
    package init?(_ set: ParameterSet) {
        let payload = NALUnit.payload(of: set.unit, set.syntax.headerSize)
        guard payload.count > 13 else { return nil }
        general = Array(payload[1...12])
        subLayers = Int(payload[0] >> 1 & 7) + 1
        isNested = payload[0] & 1 == 1
        var reader = BitReader(payload, from: 8 + Self.profileBits(payload))
        guard reader.unsigned() != nil, let chroma = reader.unsigned(), (1...3).contains(chroma),
            chroma < 3 || reader.bit() == 0, reader.unsigned() != nil, reader.unsigned() != nil,
            let isCropped = reader.bit()
        else { return nil }
        self.chroma = chroma
        for _ in 0..<4 * isCropped {
            guard reader.unsigned() != nil else { return nil }
        }
        guard let luma = reader.unsigned(), reader.unsigned() == luma else { return nil }
        depth = 8 + luma
        guard general[0] >> 6 == 0, [1, 2, 4].contains(profile) else { return nil }
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
