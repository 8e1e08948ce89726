/// What a sequence parameter set of H.264 says (ITU-T H.264 7.3.2.1.1), as far as copying has to know.
struct H264Sequence: Sendable {
    /// profile_idc, and the byte of constraints behind it.
    let profile: Int
    let constraints: Int
    /// Ten times the level.
    let level: Int
    /// Whether fields or pairs of macroblock rows may be interlaced.
    let mayBeInterlaced: Bool
    /// Bits a sample, of luma and of chroma.
    let depth: Int
    /// Bits of frame_num in slices.
    let frameNumberBits: Int
    /// How slices say in which order pictures are shown.
    let order: Order
    /// Pairs of fields count as one row each.
    let macroblocks: (width: Int, height: Int)

    /// pic_order_cnt_type.
    enum Order: Sendable, Hashable {
        /// 0: by a number of so many bits.
        case bits(Int)
        /// 1: by steps that the set lists.
        case cycle
        /// 2: as they are decoded.
        case decoding
    }

    /// Nil where it is damaged, or of a profile other than Baseline, Main, High and High 10.
    init?(_ set: ParameterSet) {
        var reader = BitReader(NALUnit.payload(of: set.unit, set.syntax.headerSize))
        guard let profile = reader.bits(8), [66, 77, 100, 110].contains(profile), let constraints = reader.bits(8),
            let level = reader.bits(8), reader.unsigned() != nil,
            let depth = profile < 100 ? 8 : Self.depth(&reader), let numberBits = reader.unsigned(),
            let order = Self.order(&reader), reader.unsigned() != nil, reader.bit() != nil,
            let width = reader.unsigned(), let height = reader.unsigned(), let isFrameOnly = reader.bit()
        else { return nil }
        frameNumberBits = numberBits + 4
        self.order = order
        macroblocks = (width + 1, height + 1)
        self.profile = profile
        self.constraints = constraints
        self.level = level
        self.depth = depth
        mayBeInterlaced = isFrameOnly == 0
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
        if type == 0 { return reader.unsigned().map { .bits($0 + 4) } }
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
