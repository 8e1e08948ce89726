import CLibav

/// Pictures of H.264 that show once more what is shown before them: every macroblock is skipped, which takes some thirty bytes
/// and no work. They are references of one another, so that any number of them stay in order.
package struct RepeatedPicture {
    /// The picture set that they name, which belongs into the stream's header.
    package let pictureSet: [UInt8]
    private let number: Int
    private let sequence: H264Sequence
    private let orderBits: Int?
    /// Of the picture that is shown last, and of the one that was decoded last of those that others refer to.
    private var shown: Place?
    private var shownTime = Int.min
    private var reference: Place?

    /// What slices say of where their picture stands.
    private struct Place {
        /// frame_num
        var number: Int
        /// pic_order_cnt_lsb; 0 where there is none.
        var order: Int
        /// Whether other pictures may refer to it: nal_ref_idc is not 0.
        var isReference = true
    }

    private static let syntax = NALSyntax.h264

    /// For the stream of which the encoder gave `header`, with start codes; nil where that has several sets, fields, or an
    /// order of pictures that is not to be gone on with.
    package init?(after header: [UInt8]) {
        let units = header.withUnsafeBufferPointer { bytes in
            NALUnit.ranges(afterStartCodes: bytes).map { Array(bytes[$0]) }
        }
        let sets = units.compactMap { ParameterSet($0, Self.syntax) }
        let sequences = sets.filter { $0.kind == .sequence }
        let taken = Set(sets.filter { $0.kind == .picture }.map(\.id))
        guard sequences.count == 1, let set = sequences.first, let sequence = H264Sequence(set),
            !sequence.mayBeInterlaced, let number = (0..<8).first(where: { !taken.contains($0) })
        else { return nil }
        switch sequence.order {
        case .bits(let count): orderBits = count
        case .decoding: orderBits = nil
        case .cycle: return nil
        }
        self.sequence = sequence
        self.number = number
        pictureSet = Self.pictureSet(number, sequence: set.id)
    }

    /// 7.3.2.2: without arithmetic coding, in which skipped macroblocks would not be a mere count, one reference and no
    /// weights.
    private static func pictureSet(_ number: Int, sequence: Int) -> [UInt8] {
        var writer = BitWriter()
        writer.append(unsigned: number)
        writer.append(unsigned: sequence)
        // entropy_coding_mode_flag, bottom_field_pic_order_in_frame_present_flag
        writer.append(0, bits: 2)
        // One slice group; one reference in each list.
        for _ in 0..<3 { writer.append(unsigned: 0) }
        // weighted_pred_flag, weighted_bipred_idc
        writer.append(0, bits: 3)
        // Quantisers, which nothing uses.
        for _ in 0..<3 { writer.append(unsigned: 0) }
        // deblocking_filter_control_present_flag, constrained_intra_pred_flag, redundant_pic_cnt_present_flag
        writer.append(0b100, bits: 3)
        return unit(type: 8, &writer)
    }

    /// Takes notice of a packet of the stream, in the order of decoding; false where it can't be read.
    /// - Parameter time: when it is shown.
    package mutating func note(_ packet: UnsafeBufferPointer<UInt8>, time: Int?) -> Bool {
        for range in NALUnit.ranges(afterStartCodes: packet) {
            let unit = packet[range]
            guard let header = unit.first, [1, 5].contains(header & 31) else { continue }
            guard var place = place(unit.prefix(64), isIDR: header & 31 == 5) else { return false }
            place.isReference = header & 0x60 != 0
            if place.isReference { reference = place }
            if let time, time > shownTime { (shown, shownTime) = (place, time) }
            return true
        }
        return true
    }

    /// 7.3.3, up to the order.
    private func place(_ unit: Slice<UnsafeBufferPointer<UInt8>>, isIDR: Bool) -> Place? {
        var reader = BitReader(NALUnit.payload(of: unit, Self.syntax.headerSize))
        guard reader.unsigned() == 0, reader.unsigned() != nil, reader.unsigned() != nil,
            let number = reader.bits(sequence.frameNumberBits), !isIDR || reader.unsigned() != nil
        else { return nil }
        guard let orderBits else { return Place(number: number, order: 0) }
        return reader.bits(orderBits).map { Place(number: number, order: $0) }
    }

    /// The packet of one picture more, after all that were noted, which shows what the last of them shows; nil before the
    /// first one, and where that picture is none that others may refer to.
    package mutating func next() -> [UInt8]? {
        guard let source = shown, source.isReference, let reference else { return nil }
        let numbers = 1 << sequence.frameNumberBits
        var place = Place(number: (reference.number + 1) % numbers, order: 0)
        var writer = BitWriter()
        // first_mb_in_slice, slice_type P of the whole picture, pic_parameter_set_id
        for value in [0, 5, number] { writer.append(unsigned: value) }
        writer.append(place.number, bits: sequence.frameNumberBits)
        if let orderBits {
            place.order = (source.order + 2) % (1 << orderBits)
            writer.append(place.order, bits: orderBits)
        }
        // num_ref_idx_active_override_flag
        writer.append(bit: 0)
        appendReference(source.number, of: place.number, numbers, &writer)
        // adaptive_ref_pic_marking_mode_flag, slice_qp_delta
        writer.append(bit: 0)
        writer.append(unsigned: 0)
        // disable_deblocking_filter_idc
        writer.append(unsigned: 1)
        // mb_skip_run
        writer.append(unsigned: sequence.macroblocks.width * sequence.macroblocks.height)
        (shown, self.reference) = (place, place)
        var packet: [UInt8] = []
        NALUnit.append(Self.unit(type: 1, &writer), to: &packet, .startCodes)
        return packet
    }

    /// ref_pic_list_modification: the first reference is the one decoded last, where nothing else is said (8.2.4).
    private func appendReference(_ source: Int, of number: Int, _ numbers: Int, _ writer: inout BitWriter) {
        let distance = (number - source + numbers) % numbers
        writer.append(bit: distance == 1 ? 0 : 1)
        if distance == 1 { return }
        // modification_of_pic_nums_idc 0, abs_diff_pic_num_minus1, and the end.
        for value in [0, distance - 1, 3] { writer.append(unsigned: value) }
    }

    /// Ends a unit that others refer to.
    private static func unit(type: UInt8, _ writer: inout BitWriter) -> [UInt8] {
        writer.append(bit: 1)
        return NALUnit.unit([0x60 | type], writer.bytes)
    }
}
