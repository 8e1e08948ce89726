import CLibav
import FlipBase
import FlipBitstream

/// Shortens the encoding of holds (frames shown for long): the encoder gets only a hold's first frames, in which the
/// picture reaches its full quality; generated packets that repeat the picture stand for the others. The next frame
/// that the encoder gets is a keyframe.
final class HeldFrames {
    /// The extradata for the container: the encoder's, and the PPS that the repeating packets refer to.
    let header: [UInt8]
    private var picture: RepeatedPicture
    private let reorderDepth: Int
    /// The ranges of frames that the encoder doesn't get and that have no packets yet, ascending.
    private var gaps: [Range<Int>] = []
    /// The number of packets so far.
    private var count = 0
    /// Whether frames have been left out, so that the encoder's DTS have gaps and are replaced.
    private var isOrdering = false

    /// The number of a hold's frames that are encoded: more than the ten of lookahead in x264's fast presets.
    private static let settling = 16
    /// The number of frames after which a hold gets another keyframe, as by x264's default.
    private static let interval = 250

    /// Returns nil if holds can't be shortened: for encoders other than libx264, for a given bit rate (which the
    /// encoder would miss, not knowing of the repeated frames), or for given options, whose effect on the stream is
    /// unknown.
    init?(_ encoding: VideoEncoding, _ encoder: StreamEncoder, hasGlobalHeader: Bool) {
        guard encoder.name == "libx264", hasGlobalHeader, encoding.bitrate == nil, encoding.options.isEmpty,
            let picture = RepeatedPicture(after: encoder.header)
        else { return nil }
        self.picture = picture
        header = encoder.header + [0, 0, 0, 1] + picture.pictureSet
        reorderDepth = Encoders.reorderDepth(encoder.context, codec: encoder.name)
    }

    /// Registers that the frames `hold` are all the same.
    /// - Returns: the ranges of them that have to be encoded.
    func hold(_ hold: Range<Int>) -> [Range<Int>] {
        stride(from: hold.lowerBound, to: hold.upperBound, by: HeldFrames.interval).map { first in
            let part = first..<min(first + HeldFrames.interval, hold.upperBound)
            let settled = min(first + HeldFrames.settling, part.upperBound)
            if settled < part.upperBound {
                gaps.append(settled..<part.upperBound)
                isOrdering = true
            }
            return first..<settled
        }
    }

    /// Whether frame `index` has to be a keyframe, because the frames right before it are not encoded.
    func needsKey(_ index: Int) -> Bool { gaps.contains { $0.upperBound == index } }

    /// Sets the DTS of a packet from the encoder. If repeating packets come before it, they are passed to `emit` first.
    func place(_ packet: Packet, _ emit: (Packet) throws -> Void) throws {
        guard let time = packet.presentationTime else { throw failure("wrote a packet without a time stamp") }
        if let gap = gaps.first, gap.upperBound <= time { try fill(gap, emit) }
        if !gaps.isEmpty, !picture.note(packet.bytes, time: time) {
            throw failure("wrote a slice header that can't be parsed")
        }
        try order(packet)
    }

    /// Passes the repeating packets that come after the encoder's last packet to `emit`.
    func finish(_ emit: (Packet) throws -> Void) throws {
        if let gap = gaps.first { try fill(gap, emit) }
    }

    /// Passes the packets of `gap` to `emit`. All frames before it have their packets, since a keyframe follows it.
    private func fill(_ gap: Range<Int>, _ emit: (Packet) throws -> Void) throws {
        guard count == gap.lowerBound else { throw failure("gave \(count) packets for \(gap.lowerBound) frames") }
        for index in gap {
            guard let bytes = picture.next() else { throw failure("wrote no reference picture to repeat") }
            let packet = try Packet(bytes)
            packet.pointer.pointee.pts = Int64(index)
            packet.pointer.pointee.duration = 1
            try order(packet)
            try emit(packet)
        }
        gaps.removeFirst()
    }

    /// Once frames have been left out, sets the packet's DTS: one packet per frame, from -`reorderDepth` on.
    private func order(_ packet: Packet) throws {
        if isOrdering {
            packet.pointer.pointee.dts = Int64(count - reorderDepth)
            guard packet.pointer.pointee.dts <= packet.pointer.pointee.pts else {
                throw failure("reorders frames further than it stated")
            }
        }
        count += 1
    }

    private func failure(_ text: String) -> MediaError {
        MediaError(.internalFault, "the encoder \(text) (--holds vfr avoids repeated frames)")
    }
}
