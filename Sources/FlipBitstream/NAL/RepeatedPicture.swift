/// Makes H.264 pictures that repeat the picture shown before them: every macroblock is skipped, which takes some thirty
/// bytes and no encoding. Each is a reference for the next, so that any number of them stays in order.
package struct RepeatedPicture {
    /// The PPS that they refer to, as a NAL unit; it has to be added to the stream's header.
    package let pictureParameterSet: [UInt8]
    /// The PPS's ID.
    private let id: Int
    private let sps: H264SPS
    /// What the headers of the stream's slices depend on.
    private let contexts: [Int: H264Slice.Context]
    /// The length of pic_order_cnt_lsb in bits; nil if slices have none.
    private let pocBits: Int?
    /// The picture that is shown last, and its time.
    private var shown: Picture?
    private var shownTime = Int.min
    /// The reference picture that is decoded last.
    private var reference: Picture?

    /// What a picture's slice headers say of its position in decoding and in presentation order.
    private struct Picture {
        /// frame_num
        var frameNum: Int
        /// pic_order_cnt_lsb; 0 if there is none.
        var poc: Int
        /// Whether other pictures may refer to this one: nal_ref_idc is not 0.
        var isReference = true
    }

    private static let syntax = NALSyntax.h264

    /// Prepares to continue a stream with the encoder's `header`, which has start codes. Returns nil if that has
    /// several SPSs, allows fields, or has a kind of POC (type 1) that is not continued here.
    package init?(after header: [UInt8]) {
        let units = header.withUnsafeBufferPointer { bytes in
            NALUnit.ranges(afterStartCodes: bytes).map { Array(bytes[$0]) }
        }
        let sets = units.compactMap { ParameterSet($0, Self.syntax) }
        let sequences = sets.filter { $0.kind == .sequence }
        let taken = Set(sets.filter { $0.kind == .picture }.map(\.id))
        guard sequences.count == 1, let set = sequences.first, let sps = H264SPS(set),
            !sps.mayBeInterlaced, let id = (0..<8).first(where: { !taken.contains($0) })
        else { return nil }
        switch sps.pictureOrderCount {
        case .lsb(let bits): pocBits = bits
        case .decodingOrder: pocBits = nil
        case .cycle: return nil
        }
        self.sps = sps
        contexts = CodedHeader(afterStartCodes: header, Self.syntax).sets.sliceContexts
        self.id = id
        pictureParameterSet = Self.pictureParameterSet(id, sequence: set.id)
    }

    /// A PPS (7.3.2.2) with one reference and no weighted prediction. It uses CAVLC, in which skipped macroblocks are
    /// just a count, rather than CABAC.
    private static func pictureParameterSet(_ id: Int, sequence: Int) -> [UInt8] {
        var writer = BitWriter()
        writer.append(unsigned: id)
        writer.append(unsigned: sequence)
        // entropy_coding_mode_flag, bottom_field_pic_order_in_frame_present_flag
        writer.append(0, bits: 2)
        // One slice group; one reference in each list.
        for _ in 0..<3 { writer.append(unsigned: 0) }
        // weighted_pred_flag, weighted_bipred_idc
        writer.append(0, bits: 3)
        // Quantization parameters, which nothing uses.
        for _ in 0..<3 { writer.append(unsigned: 0) }
        // deblocking_filter_control_present_flag, constrained_intra_pred_flag, redundant_pic_cnt_present_flag
        writer.append(0b100, bits: 3)
        return unit(type: 8, &writer)
    }

    /// Has to be called with each packet of the stream, in decoding order. Returns false if the packet can't be parsed.
    /// - Parameter time: the packet's PTS, in any unit; nil if unknown.
    package mutating func note(_ packet: UnsafeBufferPointer<UInt8>, time: Int?) -> Bool {
        for range in NALUnit.ranges(afterStartCodes: packet) {
            let unit = packet[range]
            guard let header = unit.first, [1, 5].contains(header & 31) else { continue }
            guard var picture = picture(unit.prefix(64), isIDR: header & 31 == 5) else { return false }
            picture.isReference = header & 0x60 != 0
            if picture.isReference { reference = picture }
            if let time, time > shownTime { (shown, shownTime) = (picture, time) }
            return true
        }
        return true
    }

    /// What a slice header says; nil if it is damaged or not of the picture's first slice.
    private func picture(_ unit: Slice<UnsafeBufferPointer<UInt8>>, isIDR: Bool) -> Picture? {
        let payload = NALUnit.payload(of: unit, Self.syntax.headerSize)
        guard let slice = H264Slice(payload, isIDR: isIDR, contexts), slice.macroblock == 0 else { return nil }
        return Picture(frameNum: slice.number, poc: slice.order?.value ?? 0)
    }

    /// The packet of one more picture after all that were noted, which repeats the one of them that is shown last; nil
    /// if there is none, or if it is not a reference picture.
    package mutating func next() -> [UInt8]? {
        guard let source = shown, source.isReference, let reference else { return nil }
        let maxFrameNum = 1 << sps.log2MaxFrameNum
        var picture = Picture(frameNum: (reference.frameNum + 1) % maxFrameNum, poc: 0)
        var writer = BitWriter()
        // first_mb_in_slice, slice_type (5: all slices of the picture are P), pic_parameter_set_id
        for value in [0, 5, id] { writer.append(unsigned: value) }
        writer.append(picture.frameNum, bits: sps.log2MaxFrameNum)
        if let pocBits {
            picture.poc = (source.poc + 2) % (1 << pocBits)
            writer.append(picture.poc, bits: pocBits)
        }
        // num_ref_idx_active_override_flag
        writer.append(bit: 0)
        appendReference(to: source.frameNum, from: picture.frameNum, maxFrameNum, &writer)
        // adaptive_ref_pic_marking_mode_flag, slice_qp_delta
        writer.append(bit: 0)
        writer.append(unsigned: 0)
        // disable_deblocking_filter_idc
        writer.append(unsigned: 1)
        // mb_skip_run
        writer.append(unsigned: sps.macroblocks.width * sps.macroblocks.height)
        (shown, self.reference) = (picture, picture)
        var packet: [UInt8] = []
        NALUnit.append(Self.unit(type: 1, &writer), to: &packet, .startCodes)
        return packet
    }

    /// Appends ref_pic_list_modification: without it, the first reference is the one decoded last (8.2.4).
    private func appendReference(to source: Int, from frameNum: Int, _ maxFrameNum: Int, _ writer: inout BitWriter) {
        let distance = (frameNum - source + maxFrameNum) % maxFrameNum
        writer.append(bit: distance == 1 ? 0 : 1)
        if distance == 1 { return }
        // modification_of_pic_nums_idc 0, abs_diff_pic_num_minus1, and the end.
        for value in [0, distance - 1, 3] { writer.append(unsigned: value) }
    }

    /// Ends the payload and makes it a unit with nal_ref_idc 3.
    private static func unit(type: UInt8, _ writer: inout BitWriter) -> [UInt8] {
        writer.append(bit: 1)
        return NALUnit.unit([0x60 | type], writer.bytes)
    }
}
