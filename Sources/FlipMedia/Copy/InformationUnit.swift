/// Supplemental enhancement information: units of messages, each with a type (ITU-T H.264 annex D, H.265 annex D).
enum InformationUnit {
    /// Whether a message names a parameter set by its number. Such messages are for buffers that a stream put together
    /// anew does not have.
    static func namesSet(_ type: Int, _ syntax: NALSyntax) -> Bool {
        switch syntax {
        // buffering_period
        case .h264: type == 0
        // and active_parameter_sets
        case .hevc: type == 0 || type == 129
        }
    }

    /// Whether a message tells of the stream as a whole: mastering_display_colour_volume, content_light_level_info,
    /// alternative_transfer_characteristics.
    static func describesStream(_ type: Int, _ syntax: NALSyntax) -> Bool { [137, 144, 147].contains(type) }

    /// The unit with those messages for which `isKept` is true; nil where none is left, or the unit is damaged.
    static func filtered(
        _ unit: some Collection<UInt8>, _ syntax: NALSyntax, where isKept: (_ type: Int, NALSyntax) -> Bool
    ) -> [UInt8]? {
        let payload = NALUnit.payload(of: unit, syntax.headerSize)
        var kept: [UInt8] = []
        var place = 0
        // The last byte only ends the unit.
        let end = (payload.lastIndex { $0 != 0 }) ?? 0
        while place < end {
            let start = place
            var numbers = [0, 0]
            for index in numbers.indices {
                while place < end, payload[place] == 255 {
                    numbers[index] += 255
                    place += 1
                }
                guard place < end else { return nil }
                numbers[index] += Int(payload[place])
                place += 1
            }
            place += numbers[1]
            guard place <= end else { return nil }
            if isKept(numbers[0], syntax) { kept += payload[start..<place] }
        }
        return kept.isEmpty ? nil : NALUnit.unit(unit.prefix(syntax.headerSize), kept + [0x80])
    }
}
