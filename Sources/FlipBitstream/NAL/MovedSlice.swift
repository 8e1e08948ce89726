/// By how much the numbers of frames and the order counts of H.264 slices are moved down, modulo their ranges, since the stretch
/// that they belong to began with a picture that was not an IDR picture.
struct SliceShift: Sendable, Hashable {
    let number: Int
    let order: Int
}

/// The whole header of an H.264 slice (ITU-T H.264 7.3.3), to be written anew.
///
/// A copied stretch may begin with a recovery point (D.2.8): an intra picture with which decoding can begin, though it is not an
/// IDR picture. It becomes one, so that decoders forget the stretch before, and neither the picture's number nor its place in the
/// order refers to that. All slices up to the next IDR picture are moved by the same amount, and those that took reference
/// pictures from before the recovery point out of use don't anymore.
struct MovedSlice {
    private let slice: H264Slice
    /// The unit's first byte.
    private let header: UInt8
    private let payload: [UInt8]
    /// The bits from the order count to the marking of references, and from there to the end of the header.
    private let middle: Range<Int>
    private let tail: Range<Int>
    /// delta_pic_order_cnt_bottom
    private let bottomOrder: Int
    private let marking: Marking

    /// What becomes of references (7.3.3.3).
    struct Marking {
        /// memory_management_control_operation, with its values.
        typealias Command = (number: Int, values: [Int])

        /// Whether commands say it, even if there are none; otherwise the oldest one goes.
        let isAdaptive: Bool
        let commands: [Command]
    }

    /// Returns nil if the slice is damaged, of an IDR picture or of one that is no reference, or of a kind whose header isn't
    /// known here.
    init?(_ unit: Slice<UnsafeBufferPointer<UInt8>>, _ contexts: [Int: H264Slice.Context]) {
        let payload = NALUnit.payload(of: unit, 1)
        guard let header = unit.first, header & 31 == 1, let slice = H264Slice(payload, isIDR: false, contexts) else {
            return nil
        }
        self.init(slice, header, payload)
    }

    /// - Parameters:
    ///   - slice: the beginning of the header of a slice that isn't one of an IDR picture.
    ///   - header: the unit's first byte.
    init?(_ slice: H264Slice, _ header: UInt8, _ payload: [UInt8]) {
        guard header & 0x60 != 0, let picture = slice.context.picture,
            slice.context.sequence.pictureOrderCount != .cycle
        else { return nil }
        var reader = BitReader(payload, from: slice.end)
        var bottomOrder = 0
        if slice.order != nil, picture.ordersBottomFields, slice.isBottom == nil {
            guard let delta = reader.signed() else { return nil }
            bottomOrder = delta
        }
        if picture.mayRepeat, reader.unsigned() != 0 { return nil }
        if !slice.isIntra {
            guard Self.skipReferences(&reader, slice, picture) else { return nil }
        }
        middle = slice.end..<reader.position
        guard let marking = Self.marking(&reader) else { return nil }
        let start = reader.position
        // cabac_init_idc, slice_qp_delta, and the deblocking filter with its two offsets.
        guard reader.unsigned(count: picture.usesCABAC && !slice.isIntra ? 2 : 1) else { return nil }
        if picture.controlsDeblocking {
            guard let mode = reader.unsigned(), mode == 1 || reader.unsigned(count: 2) else { return nil }
        }
        tail = start..<reader.position
        (self.slice, self.header, self.payload) = (slice, header, payload)
        (self.bottomOrder, self.marking) = (bottomOrder, marking)
    }

    /// Skips what P and B slices say of their references, up to the weights of predictions.
    static func skipReferences(
        _ reader: inout BitReader, _ slice: H264Slice, _ picture: H264PPS
    ) -> Bool {
        let isB = slice.type % 5 == 1
        guard isB || slice.type % 5 == 0 else { return false }
        // direct_spatial_mv_pred_flag
        if isB { reader.skip(1) }
        var counts = isB ? picture.references : [picture.references[0]]
        guard let overrides = reader.bit() else { return false }
        if overrides == 1 {
            for index in counts.indices {
                guard let last = reader.unsigned(), last < 32 else { return false }
                counts[index] = last + 1
            }
        }
        // ref_pic_list_modification
        for _ in counts where reader.bit() == 1 {
            while true {
                guard let kind = reader.unsigned(), kind < 4 else { return false }
                if kind == 3 { break }
                guard reader.unsigned() != nil else { return false }
            }
        }
        guard isB ? picture.weighting == 1 : picture.weightsP else { return true }
        // pred_weight_table, with the weights of luma and of both kinds of chroma.
        guard reader.unsigned(count: 2) else { return false }
        for _ in 0..<counts.reduce(0, +) {
            for count in [2, 4] where reader.bit() == 1 {
                guard reader.unsigned(count: count) else { return false }
            }
        }
        return true
    }

    /// Reads dec_ref_pic_marking; nil if it is damaged, makes the picture a reference for long, or begins counting anew.
    static func marking(_ reader: inout BitReader) -> Marking? {
        guard let isAdaptive = reader.bit() else { return nil }
        if isAdaptive == 0 { return Marking(isAdaptive: false, commands: []) }
        var commands: [Marking.Command] = []
        while let number = reader.unsigned() {
            if number == 0 { return Marking(isAdaptive: true, commands: commands) }
            guard number < 5, commands.count < 64 else { return nil }
            var values: [Int] = []
            for _ in 0..<(number == 3 ? 2 : 1) {
                guard let value = reader.unsigned() else { return nil }
                values.append(value)
            }
            commands.append((number, values))
        }
        return nil
    }

    var isIntra: Bool { slice.isIntra }
    /// The ID of the slice's PPS.
    var set: Int { slice.set }
    /// Whether the slice is of the bottom field, if it is of one field; nil if it is of a frame.
    var isBottom: Bool? { slice.isBottom }

    /// What makes the picture the first one.
    var shift: SliceShift {
        SliceShift(number: slice.number, order: (slice.order?.value ?? 0) + min(0, bottomOrder))
    }

    /// The slice as one of an IDR picture.
    /// - Parameter set: the ID of its PPS in the output.
    func opened(set: Int) -> [UInt8] {
        written(set, shift, type: 5) { writer in
            // no_output_of_prior_pics_flag, long_term_reference_flag
            writer.append(0, bits: 2)
        }
    }

    /// The slice, without commands about pictures from before the recovery point.
    func moved(set: Int, by shift: SliceShift) -> [UInt8] {
        let number = slice.moved(by: shift).number
        let current = slice.isBottom == nil ? number : 2 * number + 1
        return written(set, shift, type: 1) { writer in
            writer.append(bit: marking.isAdaptive ? 1 : 0)
            guard marking.isAdaptive else { return }
            // The first value of both is difference_of_pic_nums_minus1.
            for (number, values) in marking.commands where ![1, 3].contains(number) || values[0] < current {
                for value in [number] + values { writer.append(unsigned: value) }
            }
            writer.append(unsigned: 0)
        }
    }

    private func written(
        _ set: Int, _ shift: SliceShift, type: UInt8, marking: (inout BitWriter) -> Void
    ) -> [UInt8] {
        var writer = BitWriter()
        for value in [slice.macroblock, slice.type, set] { writer.append(unsigned: value) }
        slice.appendNumbers(payload, shift, isIDR: type == 5, to: &writer)
        writer.append(middle, of: payload)
        marking(&writer)
        writer.append(tail, of: payload)
        if slice.context.picture?.usesCABAC == true {
            // cabac_alignment_one_bit
            while writer.position & 7 != 0 { writer.append(bit: 1) }
            writer.append(restOf: payload, from: (tail.upperBound + 7) & ~7)
        } else if let end = BitReader.end(of: payload), end >= tail.upperBound {
            writer.append(tail.upperBound..<end, of: payload)
        }
        return NALUnit.unit([header & 0x60 | type], writer.bytes)
    }
}

extension H264Slice {
    /// The slice's number and order count after a shift; the count is 0 if there is none.
    func moved(by shift: SliceShift) -> (number: Int, order: Int) {
        (
            (number - shift.number) & (1 << context.sequence.log2MaxFrameNum - 1),
            order.map { ($0.value - shift.order) & (1 << $0.bits - 1) } ?? 0
        )
    }

    /// Appends the fields from frame_num to pic_order_cnt_lsb.
    fileprivate func appendNumbers(
        _ payload: [UInt8], _ shift: SliceShift, isIDR: Bool, to writer: inout BitWriter
    ) {
        let (number, count) = moved(by: shift)
        let bits = context.sequence.log2MaxFrameNum
        writer.append(number, bits: bits)
        // The flags of fields.
        writer.append((numberStart + bits)..<(order?.start ?? end), of: payload)
        // idr_pic_id
        if isIDR { writer.append(unsigned: 0) }
        if let order { writer.append(count, bits: order.bits) }
    }

    /// The payload with another ID of its PPS, moved by `shift`. The bits after its header keep their position within a byte if
    /// `Renumbering.fits` the IDs.
    func rewritten(_ payload: [UInt8], set: Int, _ shift: SliceShift?) -> [UInt8] {
        var writer = BitWriter()
        for value in [macroblock, type, set] { writer.append(unsigned: value) }
        if let shift { appendNumbers(payload, shift, isIDR: false, to: &writer) }
        writer.append(restOf: payload, from: shift == nil ? numberStart : end)
        return writer.bytes
    }
}
