/// The fields of an AV1 sequence header (AV1 bitstream specification 5.5) that copying needs.
package struct AV1SequenceHeader: Sendable, Hashable {
    /// The OBU's whole payload without trailing zero bytes.
    package let payload: [UInt8]
    package private(set) var profile = 0
    /// The first operating point's level (seq_level_idx) and tier.
    package private(set) var level = 0
    package private(set) var tier = 0
    package private(set) var operatingPoints = 1
    package private(set) var width = 0
    package private(set) var height = 0
    /// The third byte of `av1C` without its tier bit: bit depth and chroma subsampling.
    package private(set) var form: UInt8 = 0
    /// reduced_still_picture_header
    package private(set) var isStill = false

    // Frame headers can only be parsed with the following fields.
    /// The length of frame_presentation_time in bits; 0 if frames have none.
    package private(set) var timeLength = 0
    /// The length of current_frame_id in bits; 0 if frames have none.
    package private(set) var numberLength = 0
    /// seq_force_screen_content_tools and seq_force_integer_mv; 2 means that each frame has its own flag.
    package private(set) var screenContent = 2
    package private(set) var integerMotion = 2

    /// Returns nil if the header is damaged, or (with many operating points) too long for the one-byte size in `unit`.
    package init?(_ bytes: some Sequence<UInt8>) {
        var payload = Array(bytes)
        while payload.last == 0 { payload.removeLast() }
        guard payload.count < 128 else { return nil }
        self.payload = payload
        var reader = BitReader(payload)
        guard let profile = reader.bits(3), reader.bit() != nil, let isStill = reader.bit() else { return nil }
        self.profile = profile
        self.isStill = isStill == 1
        if self.isStill {
            guard let level = reader.bits(5) else { return nil }
            self.level = level
        } else if !readTimes(&reader) {
            return nil
        }
        guard readSize(&reader), readTools(&reader), readForm(&reader) else { return nil }
    }

    /// The four bytes of `av1C` before its OBUs (AV1-ISOBMFF 2.3.3), which have to hold for the whole track.
    package var configuration: [UInt8] {
        [0x81, UInt8(profile << 5 | level), UInt8(tier << 7) | form, 0]
    }

    /// The header as an OBU.
    package var unit: [UInt8] { [0x0A, UInt8(payload.count)] + payload }

    /// Parses the timing information and the operating points.
    private mutating func readTimes(_ reader: inout BitReader) -> Bool {
        var delayLength = 0
        guard let hasTiming = reader.bit() else { return false }
        if hasTiming == 1 {
            guard reader.bits(32) != nil, reader.bits(32) != nil, let isEven = reader.bit() else { return false }
            if isEven == 1, reader.unsigned() == nil { return false }
            guard let hasModel = reader.bit() else { return false }
            if hasModel == 1 {
                guard let delays = reader.bits(5), reader.bits(32) != nil, reader.bits(5) != nil,
                    let times = reader.bits(5)
                else { return false }
                delayLength = delays + 1
                timeLength = isEven == 1 ? 0 : times + 1
            }
        }
        guard let hasDelay = reader.bit(), let count = reader.bits(5) else { return false }
        operatingPoints = count + 1
        for index in 0...count {
            guard reader.bits(12) != nil, let level = reader.bits(5), let tier = level > 7 ? reader.bit() : 0 else {
                return false
            }
            if index == 0 { (self.level, self.tier) = (level, tier) }
            if delayLength > 0, reader.bit() == 1 {
                guard reader.bits(delayLength) != nil, reader.bits(delayLength) != nil, reader.bit() != nil else {
                    return false
                }
            }
            if hasDelay == 1, reader.bit() == 1, reader.bits(4) == nil { return false }
        }
        return true
    }

    private mutating func readSize(_ reader: inout BitReader) -> Bool {
        guard let widthBits = reader.bits(4), let heightBits = reader.bits(4), let width = reader.bits(widthBits + 1),
            let height = reader.bits(heightBits + 1)
        else { return false }
        (self.width, self.height) = (width + 1, height + 1)
        if !isStill, reader.bit() == 1 {
            guard let delta = reader.bits(4), let rest = reader.bits(3) else { return false }
            numberLength = delta + rest + 3
        }
        return true
    }

    private mutating func readTools(_ reader: inout BitReader) -> Bool {
        guard reader.bits(3) != nil else { return false }
        if isStill { return reader.bits(3) != nil }
        guard reader.bits(4) != nil, let hasOrderHint = reader.bit() else { return false }
        if hasOrderHint == 1, reader.bits(2) == nil { return false }
        guard let choosesContent = reader.bit() else { return false }
        if choosesContent == 0 {
            guard let forced = reader.bit() else { return false }
            screenContent = forced
        }
        if screenContent > 0 {
            guard let choosesMotion = reader.bit() else { return false }
            if choosesMotion == 0 {
                guard let forced = reader.bit() else { return false }
                integerMotion = forced
            }
        }
        if hasOrderHint == 1, reader.bits(3) == nil { return false }
        return reader.bits(3) != nil
    }

    /// Parses bit depth, subsampling and color description (5.5.2).
    private mutating func readForm(_ reader: inout BitReader) -> Bool {
        guard let isHighBitDepth = reader.bit(),
            let isTwelveBit = profile == 2 && isHighBitDepth == 1 ? reader.bit() : 0,
            let isGray = profile == 1 ? 0 : reader.bit(), let hasColors = reader.bit()
        else { return false }
        let colors = hasColors == 1 ? reader.bits(24) : 0x020202
        guard let colors else { return false }
        var (x, y, location) = (1, 1, 0)
        if isGray == 1 {
            if reader.bit() == nil { return false }
        } else if colors == 0x010D00 {
            (x, y) = (0, 0)
        } else {
            if reader.bit() == nil { return false }
            if profile == 1 { (x, y) = (0, 0) }
            if profile == 2 {
                guard let halvesX = isTwelveBit == 1 ? reader.bit() : 1,
                    let halvesY = isTwelveBit == 1 && halvesX == 1 ? reader.bit() : 0
                else { return false }
                (x, y) = (halvesX, halvesY)
            }
            if x == 1, y == 1 {
                guard let position = reader.bits(2) else { return false }
                location = position
            }
        }
        form = UInt8(isHighBitDepth << 6 | isTwelveBit << 5 | isGray << 4 | x << 3 | y << 2 | location)
        return true
    }
}
