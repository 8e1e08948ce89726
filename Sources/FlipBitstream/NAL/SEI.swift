/// Supplemental enhancement information (SEI): units of typed messages (ITU-T H.264 annex D, H.265 annex D).
package enum SEI {
    /// Whether a message refers to a parameter set by its ID. Such messages can be left out: they serve a buffer model
    /// that doesn't hold for a spliced stream.
    package static func namesSet(_ type: Int, _ syntax: NALSyntax) -> Bool {
        switch syntax {
        // buffering_period
        case .h264: type == 0
        // buffering_period and active_parameter_sets
        case .hevc: type == 0 || type == 129
        }
    }

    /// Whether a message describes the whole stream: mastering_display_colour_volume, content_light_level_info,
    /// alternative_transfer_characteristics.
    package static func describesStream(_ type: Int) -> Bool { [137, 144, 147].contains(type) }

    /// Whether a message holds the HDR10+ metadata of a frame, of which encoders know nothing:
    /// user_data_registered_itu_t_t35 with the country code of the United States and provider code 60, Samsung (SMPTE
    /// ST 2094-40, annex A).
    package static func isHDR10Plus(_ type: Int, _ payload: ArraySlice<UInt8>) -> Bool {
        type == 4 && payload.starts(with: [0xB5, 0, 0x3C, 0, 1, 4])
    }

    /// Whether a message of H.264 says that all pictures from this one on are right if decoding begins here: recovery_point with
    /// recovery_frame_cnt 0, and no broken link to the pictures before.
    static func isCleanRecovery(_ type: Int, _ payload: ArraySlice<UInt8>) -> Bool {
        guard type == 6 else { return false }
        var reader = BitReader(Array(payload))
        // Between them is exact_match_flag, which encoders don't set even where it would be true.
        return reader.unsigned() == 0 && reader.bit() != nil && reader.bit() == 0
    }

    /// Whether a message holds film grain parameters (film_grain_characteristics).
    package static func isFilmGrain(_ type: Int) -> Bool { type == 19 }

    /// Whether the unit contains a message for which `isMeant` is true.
    package static func contains(
        _ unit: some Collection<UInt8>, _ syntax: NALSyntax, where isMeant: (Int, ArraySlice<UInt8>) -> Bool
    ) -> Bool {
        var isFound = false
        _ = filtered(unit, syntax) { type, payload in
            isFound = isFound || isMeant(type, payload)
            return false
        }
        return isFound
    }

    /// The unit with only the messages for which `isKept` is true; nil if none is left or the unit is damaged.
    package static func filtered(
        _ unit: some Collection<UInt8>, _ syntax: NALSyntax, where isKept: (_ type: Int, ArraySlice<UInt8>) -> Bool
    ) -> [UInt8]? {
        let payload = NALUnit.payload(of: unit, syntax.headerSize)
        var kept: [UInt8] = []
        var position = 0
        // The last byte that is not 0 holds only the trailing bits.
        let end = (payload.lastIndex { $0 != 0 }) ?? 0
        while position < end {
            let start = position
            var numbers = [0, 0]
            for index in numbers.indices {
                while position < end, payload[position] == 255 {
                    numbers[index] += 255
                    position += 1
                }
                guard position < end else { return nil }
                numbers[index] += Int(payload[position])
                position += 1
            }
            let content = position
            position += numbers[1]
            guard position <= end else { return nil }
            if isKept(numbers[0], payload[content..<position]) { kept += payload[start..<position] }
        }
        return kept.isEmpty ? nil : NALUnit.unit(unit.prefix(syntax.headerSize), kept + [0x80])
    }
}
