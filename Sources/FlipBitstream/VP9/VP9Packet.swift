/// Parses VP9 packets. A packet is one frame, or a superframe: several frames, the last of which is shown (VP9
/// bitstream specification, Annex B).
package enum VP9Packet {
    /// What has to stay the same within a track, since its container states it only once.
    package struct Form: Sendable, Hashable {
        package var profile: Int
        /// Bits per sample: 8, 10 or 12.
        package var depth: Int
        /// Whether chroma has half the width, and whether it has half the height.
        package var subsampling: [Bool]
    }

    /// The fields of a frame header that matter here.
    private struct Head {
        var isShown = true
        var isKey = false
        /// Nil unless the frame is a keyframe.
        var form: Form?
        /// The frame's size in pixels; nil if the header does not state it but takes it from a reference frame.
        var size: (width: Int, height: Int)?
    }

    /// The frames of a packet; nil if their sizes don't add up.
    package static func frames(_ packet: UnsafeBufferPointer<UInt8>) -> [Range<Int>]? {
        guard let last = packet.last else { return nil }
        let (count, width) = (Int(last & 7) + 1, Int(last >> 3 & 3) + 1)
        let end = packet.count - 2 - count * width
        guard last & 0xE0 == 0xC0, end >= 0, packet[end] == last else { return [0..<packet.count] }
        var frames: [Range<Int>] = []
        var position = 0
        for index in 0..<count {
            let digits = packet[end + 1 + index * width..<end + 1 + (index + 1) * width]
            let length = digits.reversed().reduce(0) { $0 << 8 | Int($1) }
            guard position + length <= end else { return nil }
            if length > 0 { frames.append(position..<position + length) }
            position += length
        }
        return frames
    }

    /// How a packet matters for copying: whether its first frame is a keyframe, and that keyframe's form.
    ///
    /// Returns nil if the packet does not show exactly one frame, or if one of its frames has a size other than `size`.
    package static func facts(
        _ packet: UnsafeBufferPointer<UInt8>, size: (width: Int, height: Int)? = nil
    ) -> (isStart: Bool, form: Form?)? {
        guard let ranges = frames(packet), !ranges.isEmpty else { return nil }
        // The fields that are read take 20 bytes at most.
        let heads = ranges.compactMap { head(Array(packet[$0].prefix(24))) }
        guard heads.count == ranges.count, heads.filter(\.isShown).count == 1,
            heads.allSatisfy({ head in
                guard let size, let own = head.size else { return true }
                return own == size
            })
        else { return nil }
        return (heads[0].isKey, heads[0].form)
    }

    /// Parses a frame header (6.2) up to the frame size; nil if it is damaged.
    private static func head(_ bytes: [UInt8]) -> Head? {
        var reader = BitReader(bytes)
        guard reader.bits(2) == 2, let low = reader.bit(), let high = reader.bit() else { return nil }
        let profile = high << 1 | low
        if profile == 3, reader.bit() != 0 { return nil }
        var head = Head()
        guard let showsExisting = reader.bit() else { return nil }
        if showsExisting == 1 { return head }
        guard let kind = reader.bit(), let isShown = reader.bit(), let isResilient = reader.bit() else { return nil }
        head.isShown = isShown == 1
        head.isKey = kind == 0
        if kind == 0 {
            guard reader.bits(24) == syncCode, let form = form(&reader, profile) else { return nil }
            head.form = form
        } else {
            guard let isIntra = isShown == 1 ? 0 : reader.bit() else { return nil }
            if isResilient == 0, reader.bits(2) == nil { return nil }
            if isIntra == 1 {
                guard reader.bits(24) == syncCode else { return nil }
                if profile > 0, form(&reader, profile) == nil { return nil }
            }
            // refresh_frame_flags; three references with sign biases; for each, whether the size is taken from it.
            guard reader.bits(8) != nil, isIntra == 1 || reader.bits(12) != nil else { return nil }
            if isIntra == 0, (0..<3).contains(where: { _ in reader.bit() == 1 }) { return head }
        }
        guard let width = reader.bits(16), let height = reader.bits(16) else { return nil }
        head.size = (width + 1, height + 1)
        return head
    }

    private static let syncCode = 0x498342

    /// Parses the color configuration (6.2.2).
    private static func form(_ reader: inout BitReader, _ profile: Int) -> Form? {
        var depth = 8
        if profile >= 2 {
            guard let isTwelveBit = reader.bit() else { return nil }
            depth = isTwelveBit == 1 ? 12 : 10
        }
        let isFree = profile & 1 == 1
        guard let space = reader.bits(3) else { return nil }
        if space == 7 {
            // RGB
            guard isFree, reader.bit() == 0 else { return nil }
            return Form(profile: profile, depth: depth, subsampling: [false, false])
        }
        guard reader.bit() != nil else { return nil }
        if !isFree { return Form(profile: profile, depth: depth, subsampling: [true, true]) }
        guard let x = reader.bit(), let y = reader.bit(), reader.bit() == 0 else { return nil }
        return Form(profile: profile, depth: depth, subsampling: [x == 1, y == 1])
    }
}
