/// What a sequence parameter set of H.264 says (ITU-T H.264 7.3.2.1.1), as far as copying has to know.
package struct H264Sequence: Sendable {
    /// profile_idc, and the byte of constraints behind it.
    package let profile: Int
    package let constraints: Int
    /// Ten times the level.
    package let level: Int
    /// Whether fields or pairs of macroblock rows may be interlaced.
    package let mayBeInterlaced: Bool
    /// Bits a sample, of luma and of chroma.
    package let depth: Int
    /// Bits of frame_num in slices.
    package let frameNumberBits: Int
    /// How slices say in which order pictures are shown.
    package let order: Order
    /// Pairs of fields count as one row each.
    package let macroblocks: (width: Int, height: Int)
    /// max_num_ref_frames
    package let references: Int
    /// max_dec_frame_buffering as it stands in the set; nil where it does not.
    private let statedBuffering: Int?

    /// pic_order_cnt_type.
    package enum Order: Sendable, Hashable {
        /// 0: by a number of so many bits.
        case bits(Int)
        /// 1: by steps that the set lists.
        case cycle
        /// 2: as they are decoded.
        case decoding
    }

    /// Nil where it is damaged, or of a profile other than Baseline, Main, High and High 10.
    package init?(_ set: ParameterSet) {
        var reader = BitReader(NALUnit.payload(of: set.unit, set.syntax.headerSize))
        guard let profile = reader.bits(8), [66, 77, 100, 110].contains(profile), let constraints = reader.bits(8),
            let level = reader.bits(8), reader.unsigned() != nil,
            let depth = profile < 100 ? 8 : Self.depth(&reader), let numberBits = reader.unsigned(),
            let order = Self.order(&reader), let references = reader.unsigned(), reader.bit() != nil,
            let width = reader.unsigned(), let height = reader.unsigned(), let isFrameOnly = reader.bit(),
            // The largest values of 7.4.2.1.1, and of table A-1 the root of 8 * MaxFS.
            numberBits <= 12, references <= 16, width < 1055, height < 1055
        else { return nil }
        frameNumberBits = numberBits + 4
        self.order = order
        macroblocks = (width + 1, height + 1)
        self.profile = profile
        self.constraints = constraints
        self.level = level
        self.depth = depth
        mayBeInterlaced = isFrameOnly == 0
        self.references = references
        statedBuffering = Self.buffering(&reader, isFrameOnly: isFrameOnly == 1)
    }

    /// Frames that the buffer of decoded pictures holds: as many as the set says, or else as the level allows (E.2.1); nil
    /// for a level that is not known. No more than the level allows, unless the clip itself needs them.
    package var bufferedFrames: Int? {
        let isLevel1b = level == 9 || level == 11 && profile < 100 && constraints & 0x10 != 0
        guard let size = Self.bufferSizes[isLevel1b ? 10 : level] else { return statedBuffering }
        let most = min(16, size / max(1, macroblocks.width * macroblocks.height))
        return max(references, 1, min(most, statedBuffering ?? most))
    }

    /// MaxDpbMbs by ten times the level (table A-1).
    private static let bufferSizes = [
        10: 396, 11: 900, 12: 2376, 13: 2376, 20: 2376, 21: 4752, 22: 8100, 30: 8100, 31: 18000, 32: 20480, 40: 32768,
        41: 32768, 42: 34816, 50: 110_400, 51: 184_320, 52: 184_320, 60: 696_320, 61: 696_320, 62: 696_320,
    ]

    /// max_dec_frame_buffering, behind frame_mbs_only_flag and what it says (7.3.2.1.1, E.1.1); nil where it is absent.
    private static func buffering(_ reader: inout BitReader, isFrameOnly: Bool) -> Int? {
        // mb_adaptive_frame_field_flag, direct_8x8_inference_flag
        reader.skip(isFrameOnly ? 1 : 2)
        guard let isCropped = reader.bit(), reader.unsigned(count: 4 * isCropped), reader.bit() == 1,
            let hasAspect = reader.bit()
        else { return nil }
        // sar_width and sar_height stand behind Extended_SAR.
        if hasAspect == 1, reader.bits(8) == 255 { reader.skip(32) }
        if reader.bit() == 1 { reader.skip(1) }
        if reader.bit() == 1 {
            reader.skip(4)
            if reader.bit() == 1 { reader.skip(24) }
        }
        if reader.bit() == 1, !reader.unsigned(count: 2) { return nil }
        if reader.bit() == 1 { reader.skip(65) }
        var hasDelays = false
        for _ in 0..<2 where reader.bit() == 1 {
            hasDelays = true
            // E.1.2
            guard let last = reader.unsigned(), last < 32 else { return nil }
            reader.skip(8)
            for _ in 0...last {
                guard reader.unsigned(count: 2), reader.bit() != nil else { return nil }
            }
            reader.skip(20)
        }
        if hasDelays { reader.skip(1) }
        reader.skip(1)
        guard reader.bit() == 1, reader.bit() != nil, reader.unsigned(count: 5) else { return nil }
        return reader.unsigned()
    }

    /// chroma_format_idc to the scaling lists; nil where they are not those of 4:2:0 with one depth.
    private static func depth(_ reader: inout BitReader) -> Int? {
        guard reader.unsigned() == 1, let luma = reader.unsigned(), let chroma = reader.unsigned(), luma == chroma,
            reader.bit() == 0, let hasMatrix = reader.bit()
        else { return nil }
        if hasMatrix == 0 { return 8 + luma }
        for list in 0..<8 {
            guard let isPresent = reader.bit() else { return nil }
            if isPresent == 0 { continue }
            var (last, next) = (8, 8)
            for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
                guard let delta = reader.signed() else { return nil }
                next = (last + delta + 256) & 255
                last = next == 0 ? last : next
            }
        }
        return 8 + luma
    }

    /// The fields of the picture order count.
    private static func order(_ reader: inout BitReader) -> Order? {
        guard let type = reader.unsigned() else { return nil }
        if type == 0 { return reader.unsigned().flatMap { $0 <= 12 ? .bits($0 + 4) : nil } }
        if type != 1 { return type == 2 ? .decoding : nil }
        guard reader.bit() != nil, reader.signed() != nil, reader.signed() != nil, let count = reader.unsigned(),
            count < 256
        else { return nil }
        for _ in 0..<count {
            guard reader.signed() != nil else { return nil }
        }
        return .cycle
    }
}
