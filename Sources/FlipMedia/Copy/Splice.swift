import CLibav

/// A file that is partly copied does not come out as it was meant to; encoding everything helps.
package struct SpliceFailure: Error, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// Puts packets of several streams one after another: every stretch of encoded frames comes from an encoder of its own,
/// which begins with an IDR picture and is drained before anything is copied behind it.
final class Splice {
    /// For the container.
    let header: [UInt8]
    private let reorderDepth: Int
    private let restart: () throws(MediaError) -> VideoTrack
    private let encoderHeader: [UInt8]
    private let rewriter: any PacketRewriter
    /// Of H.264.
    private var pictures: IDRPictures?
    /// Packets placed so far.
    private var count = 0
    /// Frames that have a packet already.
    private var frames: [Bool] = []
    /// Frames at which decoding can begin, in order.
    private var starts: [SplicedVideo.Start] = []
    /// Packets that are marked as keyframes, in the order of decoding.
    private var keys: Set<Int> = []

    private enum State {
        /// The encoder is fresh.
        case ready
        case encoding
        /// The encoder was drained and takes no more.
        case drained
    }
    private var state = State.ready

    /// - Parameter restart: makes the encoder of the next stretch.
    init(
        _ track: SplicedTrack, _ encoder: StreamEncoder, restart: @escaping () throws(MediaError) -> VideoTrack
    ) throws {
        guard let joined = track.joined(encoder) else {
            throw SpliceFailure("the encoder's header doesn't go beside those of the clips")
        }
        (header, rewriter) = (joined.written, joined.rewriter)
        pictures = track.codec.name == "h264" ? IDRPictures(joined.all) : nil
        reorderDepth = track.reorderDepth
        encoderHeader = encoder.header
        self.restart = restart
    }

    /// Says that a frame is going to be encoded.
    /// - Returns: the track that is to do it, where that is a new one.
    func trackForFrames() throws -> VideoTrack? {
        defer { state = .encoding }
        guard case .drained = state else { return nil }
        let track = try restart()
        guard track.encoder.header == encoderHeader else {
            throw SpliceFailure("the encoder gave other parameter sets than before")
        }
        return track
    }

    /// Says that no frame is going to be encoded for now; whether the encoder has to be drained.
    func endFrames() -> Bool {
        guard case .encoding = state else { return false }
        state = .drained
        return true
    }

    /// An encoder's packet as it goes beside the clips', in its place.
    func fitted(_ packet: Packet) throws -> Packet {
        guard let (bytes, isKey) = rewriter.rewritten(packet.bytes, isStart: false) else {
            throw SpliceFailure("the encoder gave a packet of a kind that is not copied")
        }
        guard let index = packet.presentationTime else {
            throw SpliceFailure("the encoder gave a packet without a time")
        }
        let copy = try Packet(bytes)
        copy.pointer.pointee.flags = isKey ? AV_PKT_FLAG_KEY : 0
        return try placed(copy, at: index, isStart: isKey)
    }

    /// The packet with the time `index` and the next place in the order of decoding.
    ///
    /// One packet is decoded each frame. Every stretch holds as many packets as frames, so none comes later against its
    /// own time than the one of its stretch that comes latest.
    /// - Parameter isStart: whether decoding can begin with it.
    func placed(_ packet: Packet, at index: Int, isStart: Bool) throws -> Packet {
        let decoding = count - reorderDepth
        guard decoding <= index else {
            throw SpliceFailure("frame \(index) would be decoded after it is shown")
        }
        if index >= frames.count { frames += Array(repeating: false, count: index + 1 - frames.count) }
        if frames[index] { throw SpliceFailure("frame \(index) came twice") }
        frames[index] = true
        if isStart { starts.append(SplicedVideo.Start(frame: index, decoding: decoding)) }
        if packet.isKey { keys.insert(count) }
        var packet = packet
        if let changed = pictures?.toldApart(packet.bytes, isKey: packet.isKey) {
            packet = try Packet(changed)
            packet.pointer.pointee.flags = AV_PKT_FLAG_KEY
        }
        packet.pointer.pointee.pts = Int64(index)
        packet.pointer.pointee.dts = Int64(decoding)
        packet.pointer.pointee.duration = 1
        count += 1
        return packet
    }

    /// What was handed to the container. Throws where frames are missing in between.
    func written() throws -> SplicedVideo {
        if let gap = frames.firstIndex(of: false) { throw SpliceFailure("frame \(gap) is missing") }
        return SplicedVideo(frames: frames.count, starts: starts, keys: keys)
    }
}

extension StreamEncoder {
    /// What the encoder keeps apart from its packets.
    var header: [UInt8] {
        let size = Int(context.pointee.extradata_size)
        return context.pointee.extradata.map { Array(UnsafeBufferPointer(start: $0, count: size)) } ?? []
    }
}
