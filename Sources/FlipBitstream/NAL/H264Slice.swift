/// The fields of an H.264 PPS (ITU-T H.264 7.3.2.2) that the headers of slices depend on.
struct H264PPS: Sendable, Hashable {
    let id: Int
    let sequence: Int
    /// entropy_coding_mode_flag
    let usesCABAC: Bool
    /// bottom_field_pic_order_in_frame_present_flag
    let ordersBottomFields: Bool
    /// The numbers of references in both lists where slices don't say.
    let references: [Int]
    /// weighted_pred_flag, weighted_bipred_idc
    let weightsP: Bool
    let weighting: Int
    /// deblocking_filter_control_present_flag
    let controlsDeblocking: Bool
    /// redundant_pic_cnt_present_flag
    let mayRepeat: Bool

    /// Returns nil if the set is damaged, not a PPS of H.264, or has several groups of slices.
    init?(_ set: ParameterSet) {
        guard set.syntax == .h264, set.kind == .picture else { return nil }
        var reader = BitReader(NALUnit.payload(of: set.unit, 1))
        // Three quantization parameters follow the weights.
        guard let id = reader.unsigned(), let sequence = reader.unsigned(), let entropy = reader.bit(),
            let order = reader.bit(), reader.unsigned() == 0, let forward = reader.unsigned(),
            let backward = reader.unsigned(), forward < 32, backward < 32, let weightsP = reader.bit(),
            let weighting = reader.bits(2), reader.unsigned(count: 3), let deblocking = reader.bit(),
            reader.bit() != nil, let redundant = reader.bit()
        else { return nil }
        (self.id, self.sequence, usesCABAC, ordersBottomFields) = (id, sequence, entropy == 1, order == 1)
        (references, self.weightsP, self.weighting) = ([forward + 1, backward + 1], weightsP == 1, weighting)
        (controlsDeblocking, mayRepeat) = (deblocking == 1, redundant == 1)
    }
}

/// The beginning of the header of an H.264 slice (ITU-T H.264 7.3.3), without separate color planes.
struct H264Slice: Sendable {
    /// What a slice's header depends on.
    struct Context: Sendable {
        let sequence: H264SPS
        /// Nil if it can't be parsed.
        let picture: H264PPS?

        var hasFields: Bool { sequence.mayBeInterlaced }
    }

    let context: Context
    /// first_mb_in_slice, slice_type, and the ID of the PPS.
    let macroblock: Int
    let type: Int
    let set: Int
    /// frame_num, and the bit position at which it starts.
    let number: Int
    let numberStart: Int
    /// Whether the slice is of the bottom field, if it is of one field; nil if it is of a frame.
    let isBottom: Bool?
    /// idr_pic_id, with the bit positions at which it starts and ends; nil if the picture is not an IDR picture.
    let identity: (value: Int, start: Int, end: Int)?
    /// pic_order_cnt_lsb, its length, and the bit position at which it starts; nil if there is none.
    let order: (value: Int, bits: Int, start: Int)?
    /// The bit position after all these.
    let end: Int

    /// Whether the slice is predicted from no other picture.
    var isIntra: Bool { type % 5 == 2 }

    /// Returns nil if the slice is damaged, or its PPS isn't known.
    /// - Parameter payload: at least its first bytes.
    init?(_ payload: [UInt8], isIDR: Bool, _ contexts: [Int: Context]) {
        var reader = BitReader(payload)
        guard let macroblock = reader.unsigned(), let type = reader.unsigned(), let set = reader.unsigned(),
            let context = contexts[set], case let numberStart = reader.position,
            let number = reader.bits(context.sequence.log2MaxFrameNum)
        else { return nil }
        self.context = context
        (self.macroblock, self.type, self.set) = (macroblock, type, set)
        (self.number, self.numberStart) = (number, numberStart)
        let isField = context.hasFields && reader.bit() == 1
        isBottom = isField ? reader.bit() == 1 : nil
        let start = reader.position
        identity = isIDR ? reader.unsigned().map { ($0, start, reader.position) } : nil
        if isIDR, identity == nil { return nil }
        if case .lsb(let bits) = context.sequence.pictureOrderCount {
            let start = reader.position
            guard let value = reader.bits(bits) else { return nil }
            order = (value, bits, start)
        } else {
            order = nil
        }
        end = reader.position
    }
}

extension ParameterSets {
    /// What the headers of H.264 slices depend on, by the ID of their PPS.
    var sliceContexts: [Int: H264Slice.Context] {
        of(.picture).reduce(into: [:]) { contexts, set in
            let parent = of(.sequence).first { $0.id == set.parentID }
            contexts[set.id] = parent.flatMap { H264SPS($0) }.map {
                H264Slice.Context(sequence: $0, picture: H264PPS(set))
            }
        }
    }
}
