/// The beginning of the header of an H.264 slice (ITU-T H.264 7.3.3), without separate color planes.
struct H264Slice: Sendable {
    /// What a slice's header depends on, by the ID of its PPS.
    struct Context: Sendable {
        let numberBits: Int
        let hasFields: Bool
    }

    /// frame_num
    let number: Int
    /// Whether the slice is of the bottom field, if it is of one field; nil if it is of a frame.
    let isBottom: Bool?
    /// idr_pic_id, with the bit positions at which it starts and ends; nil if the picture is not an IDR picture.
    let identity: (value: Int, start: Int, end: Int)?

    /// Returns nil if the slice is damaged, or its PPS isn't known.
    /// - Parameter payload: at least its first bytes.
    init?(_ payload: [UInt8], isIDR: Bool, _ contexts: [Int: Context]) {
        var reader = BitReader(payload)
        guard reader.unsigned() != nil, reader.unsigned() != nil, let set = reader.unsigned(),
            let context = contexts[set], let number = reader.bits(context.numberBits)
        else { return nil }
        self.number = number
        let isField = context.hasFields && reader.bit() == 1
        isBottom = isField ? reader.bit() == 1 : nil
        let start = reader.position
        identity = isIDR ? reader.unsigned().map { ($0, start, reader.position) } : nil
        if isIDR, identity == nil { return nil }
    }
}

extension ParameterSets {
    /// What the headers of H.264 slices depend on.
    var sliceContexts: [Int: H264Slice.Context] {
        of(.picture).reduce(into: [:]) { contexts, set in
            let parent = of(.sequence).first { $0.id == set.parentID }
            contexts[set.id] = parent.flatMap { H264SPS($0) }.map {
                H264Slice.Context(numberBits: $0.log2MaxFrameNum, hasFields: $0.mayBeInterlaced)
            }
        }
    }
}
