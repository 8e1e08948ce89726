/// The fields of an H.264 SPS (ITU-T H.264 7.3.2.1.1) that copying needs.
package struct H264SPS: Sendable {
    /// profile_idc, and the byte of constraint flags that follows it.
    package let profile: Int
    package let constraints: Int
    /// Ten times the level (level_idc).
    package let level: Int
    /// Whether pictures may be fields or have field macroblocks: frame_mbs_only_flag is 0.
    package let mayBeInterlaced: Bool
    /// Bits per sample of luma and of chroma.
    package let depth: Int
    /// chroma_format_idc: 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
    package let chroma: Int
    /// The length of frame_num in slices, in bits.
    package let log2MaxFrameNum: Int
    /// How the picture order count (POC) is coded.
    package let pictureOrderCount: PictureOrderCount
    /// The size of a frame in macroblocks, or of a field if `mayBeInterlaced`.
    package let macroblocks: (width: Int, height: Int)
    /// max_num_ref_frames
    package let references: Int
    /// The bit of the payload that holds gaps_in_frame_num_value_allowed_flag.
    let gapsFlag: Int
    /// max_dec_frame_buffering; nil if the SPS does not state it.
    private let statedBuffering: Int?

    /// pic_order_cnt_type.
    package enum PictureOrderCount: Sendable, Hashable {
        /// 0: slices hold pic_order_cnt_lsb of this many bits.
        case lsb(bits: Int)
        /// 1: by a cycle of offsets in the SPS.
        case cycle
        /// 2: pictures are shown in decoding order.
        case decodingOrder
    }

    /// Returns nil if the SPS is damaged, lossless, or of a profile other than Baseline, Main, and the High ones with two chroma
    /// planes of one depth.
    package init?(_ set: ParameterSet) {
        var reader = BitReader(NALUnit.payload(of: set.unit, set.syntax.headerSize))
        guard let profile = reader.bits(8), [66, 77, 100, 110, 122, 244].contains(profile),
            let constraints = reader.bits(8),
            let level = reader.bits(8), reader.unsigned() != nil,
            let samples = profile < 100 ? (1, 8) : Self.samples(&reader), let log2MaxFrameNumMinus4 = reader.unsigned(),
            let pictureOrderCount = Self.pictureOrderCount(&reader), let references = reader.unsigned(),
            case let gapsFlag = reader.position, reader.bit() != nil,
            let width = reader.unsigned(), let height = reader.unsigned(), let isFrameOnly = reader.bit(),
            // The limits of 7.4.2.1.1; no side is longer than the root of 8 * MaxFS macroblocks (table A-1).
            log2MaxFrameNumMinus4 <= 12, references <= 16, width < 1055, height < 1055
        else { return nil }
        log2MaxFrameNum = log2MaxFrameNumMinus4 + 4
        self.pictureOrderCount = pictureOrderCount
        macroblocks = (width + 1, height + 1)
        self.profile = profile
        self.constraints = constraints
        self.level = level
        (chroma, depth) = samples
        mayBeInterlaced = isFrameOnly == 0
        self.references = references
        self.gapsFlag = gapsFlag
        statedBuffering = Self.buffering(&reader, isFrameOnly: isFrameOnly == 1)
    }

    /// The size of the decoded picture buffer (DPB) in frames: what the SPS states, or else what the level allows
    /// (E.2.1). At most what the level allows, but at least `references`. Nil if neither the SPS nor the level tells.
    package var bufferedFrames: Int? {
        let isLevel1b = level == 9 || level == 11 && profile < 100 && constraints & 0x10 != 0
        guard let size = Self.bufferSizes[isLevel1b ? 10 : level] else { return statedBuffering }
        let most = min(16, size / max(1, macroblocks.width * macroblocks.height * (mayBeInterlaced ? 2 : 1)))
        return max(references, 1, min(most, statedBuffering ?? most))
    }

    /// MaxDpbMbs, in macroblocks, by ten times the level (table A-1).
    private static let bufferSizes = [
        10: 396, 11: 900, 12: 2376, 13: 2376, 20: 2376, 21: 4752, 22: 8100, 30: 8100, 31: 18000, 32: 20480, 40: 32768,
        41: 32768, 42: 34816, 50: 110_400, 51: 184_320, 52: 184_320, 60: 696_320, 61: 696_320, 62: 696_320,
    ]

    /// Parses the SPS from after frame_mbs_only_flag to max_dec_frame_buffering (7.3.2.1.1, E.1.1); nil if absent.
    private static func buffering(_ reader: inout BitReader, isFrameOnly: Bool) -> Int? {
        // mb_adaptive_frame_field_flag, direct_8x8_inference_flag
        reader.skip(isFrameOnly ? 1 : 2)
        guard let isCropped = reader.bit(), reader.unsigned(count: 4 * isCropped), reader.bit() == 1,
            let hasAspect = reader.bit()
        else { return nil }
        // sar_width and sar_height follow Extended_SAR (255).
        if hasAspect == 1, reader.bits(8) == 255 { reader.skip(32) }
        // overscan_appropriate_flag
        if reader.bit() == 1 { reader.skip(1) }
        // video_signal_type, with the color description
        if reader.bit() == 1 {
            reader.skip(4)
            if reader.bit() == 1 { reader.skip(24) }
        }
        // Chroma sample locations, then timing information.
        if reader.bit() == 1, !reader.unsigned(count: 2) { return nil }
        if reader.bit() == 1 { reader.skip(65) }
        var hasDelays = false
        for _ in 0..<2 where reader.bit() == 1 {
            hasDelays = true
            // hrd_parameters (E.1.2)
            guard let last = reader.unsigned(), last < 32 else { return nil }
            reader.skip(8)
            for _ in 0...last {
                guard reader.unsigned(count: 2), reader.bit() != nil else { return nil }
            }
            reader.skip(20)
        }
        // low_delay_hrd_flag, pic_struct_present_flag
        if hasDelays { reader.skip(1) }
        reader.skip(1)
        guard reader.bit() == 1, reader.bit() != nil, reader.unsigned(count: 5) else { return nil }
        return reader.unsigned()
    }

    /// Parses the SPS from chroma_format_idc to the scaling lists. Returns the format and the bit depth; nil if there is no chroma,
    /// it has another depth than luma, or planes are coded separately.
    private static func samples(_ reader: inout BitReader) -> (chroma: Int, depth: Int)? {
        guard let chroma = reader.unsigned(), (1...3).contains(chroma), chroma < 3 || reader.bit() == 0,
            let luma = reader.unsigned(), luma == reader.unsigned(), luma < 7,
            reader.bit() == 0, let hasMatrix = reader.bit()
        else { return nil }
        if hasMatrix == 0 { return (chroma, 8 + luma) }
        for list in 0..<(chroma == 3 ? 12 : 8) {
            guard let isPresent = reader.bit() else { return nil }
            if isPresent == 0 { continue }
            var (last, next) = (8, 8)
            for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
                guard let delta = reader.signed() else { return nil }
                next = (last + delta + 256) & 255
                last = next == 0 ? last : next
            }
        }
        return (chroma, 8 + luma)
    }

    /// Parses the fields of the picture order count.
    private static func pictureOrderCount(_ reader: inout BitReader) -> PictureOrderCount? {
        guard let type = reader.unsigned() else { return nil }
        if type == 0 { return reader.unsigned().flatMap { $0 <= 12 ? .lsb(bits: $0 + 4) : nil } }
        if type != 1 { return type == 2 ? .decodingOrder : nil }
        guard reader.bit() != nil, reader.signed() != nil, reader.signed() != nil, let count = reader.unsigned(),
            count < 256
        else { return nil }
        for _ in 0..<count {
            guard reader.signed() != nil else { return nil }
        }
        return .cycle
    }
}
