import CLibav

/// The packets of a video in which one picture is shown for long: the encoder gets the first frames of such a hold, which bring
/// the picture to its quality, and the others are pictures that repeat it. Behind them comes a keyframe.
final class HeldFrames {
    /// For the container.
    let header: [UInt8]
    private var picture: RepeatedPicture
    private let reorderDepth: Int
    /// Frames that the encoder does not get, in order; those before have their packets.
    private var gaps: [Range<Int>] = []
    /// Packets so far.
    private var count = 0
    /// Whether there was a hold, after which the encoder's times of decoding have gaps.
    private var isOrdering = false

    /// Frames of a hold that are encoded: more than the ten that fast presets of x264 look ahead over.
    private static let settling = 16
    /// After so many frames of a hold there is a keyframe again, as x264 has them.
    private static let interval = 250

    /// Nil where there is no such shortcut: for other encoders, where a rate is asked for (which the encoder would miss,
    /// knowing nothing of those frames), or with options of which nobody knows what they do to the stream.
    init?(_ encoding: VideoEncoding, _ encoder: StreamEncoder, hasGlobalHeader: Bool) {
        guard encoder.name == "libx264", hasGlobalHeader, encoding.bitrate == nil, encoding.options.isEmpty,
            let picture = RepeatedPicture(after: encoder.header)
        else { return nil }
        self.picture = picture
        header = encoder.header + [0, 0, 0, 1] + picture.pictureSet
        reorderDepth = Encoders.reorderDepth(encoder.context, codec: encoder.name)
    }

    /// Says that frames `hold` are all the same.
    /// - Returns: those of them that have to be encoded.
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

    /// Whether frame `index` comes behind frames that are not encoded.
    func needsKey(_ index: Int) -> Bool { gaps.contains { $0.upperBound == index } }

    /// Gives an encoder's packet its place, after those that repeat what is before it, which are handed to `emit` first.
    func place(_ packet: Packet, _ emit: (Packet) throws -> Void) throws {
        guard let time = packet.presentationTime else { throw failure("gave a packet without a time") }
        if let gap = gaps.first, gap.upperBound <= time { try fill(gap, emit) }
        if !gaps.isEmpty, !picture.note(packet.bytes, time: time) {
            throw failure("gave a picture that can't be gone on with")
        }
        try order(packet)
    }

    /// After the encoder's last packet.
    func finish(_ emit: (Packet) throws -> Void) throws {
        if let gap = gaps.first { try fill(gap, emit) }
    }

    /// All frames before `gap` have their packets, since the one behind it is a keyframe.
    private func fill(_ gap: Range<Int>, _ emit: (Packet) throws -> Void) throws {
        guard count == gap.lowerBound else { throw failure("gave \(count) packets for \(gap.lowerBound) frames") }
        for index in gap {
            guard let bytes = picture.next() else { throw failure("gave no picture to be held") }
            let packet = try Packet(bytes)
            packet.pointer.pointee.pts = Int64(index)
            packet.pointer.pointee.duration = 1
            try order(packet)
            try emit(packet)
        }
        gaps.removeFirst()
    }

    /// One packet is decoded each frame, all as much ahead as the encoder says.
    private func order(_ packet: Packet) throws {
        if isOrdering {
            packet.pointer.pointee.dts = Int64(count - reorderDepth)
            guard packet.pointer.pointee.dts <= packet.pointer.pointee.pts else {
                throw failure("gave frames later than it said")
            }
        }
        count += 1
    }

    private func failure(_ text: String) -> MediaError {
        MediaError(.internalFault, "the encoder \(text) (--holds vfr does without repeated frames)")
    }
}
