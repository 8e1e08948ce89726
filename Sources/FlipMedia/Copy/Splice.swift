import CLibav
import FlipBase
import FlipBitstream

/// Says why a partly copied file did not come out as intended. Encoding everything avoids the failure.
package struct SpliceFailure: Error, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// Joins packets of several streams into one: every stretch of encoded frames comes from an encoder of its own, which
/// begins with an IDR picture and is drained before anything is copied after it.
final class Splice {
    /// The joined track's header, in the container's form.
    let header: [UInt8]
    private let reorderDepth: Int
    private let restart: () throws(MediaError) -> VideoTrack
    private let encoderHeader: [UInt8]
    /// Rewrites the encoder's packets.
    private let rewriter: any PacketRewriter
    /// Nil for codecs other than H.264.
    private var pictures: IDRPictures?
    /// The number of packets placed so far.
    private var count = 0
    /// For each frame, whether it has a packet already.
    private var frames: [Bool] = []
    /// The frames at which decoding can begin, ascending.
    private var starts: [SplicedVideo.Start] = []
    /// The packets marked as keyframes, by their number in decoding order.
    private var keys: Set<Int> = []

    private enum State {
        /// The encoder is new.
        case ready
        case encoding
        /// The encoder was drained and takes no more.
        case drained
    }
    private var state = State.ready

    /// - Parameter restart: makes the track with the encoder of the next stretch.
    init(
        _ track: SplicedTrack, _ encoder: StreamEncoder, restart: @escaping () throws(MediaError) -> VideoTrack
    ) throws {
        guard let joined = track.joined(encoder) else {
            throw SpliceFailure("the encoder's header can't be combined with those of the clips")
        }
        (header, rewriter) = (joined.written, joined.rewriter)
        pictures = track.codec.name == "h264" ? IDRPictures(joined.all) : nil
        reorderDepth = track.reorderDepth
        encoderHeader = encoder.header
        self.restart = restart
    }

    /// Has to be called before a frame is encoded.
    /// - Returns: the track to encode with if it is a new one; nil if the current one goes on.
    func trackForFrames() throws -> VideoTrack? {
        defer { state = .encoding }
        guard case .drained = state else { return nil }
        let track = try restart()
        guard track.encoder.header == encoderHeader else {
            throw SpliceFailure("the encoder changed its parameter sets")
        }
        return track
    }

    /// Ends a stretch of encoded frames, if there is one. Returns whether the encoder has to be drained.
    func endFrames() -> Bool {
        guard case .encoding = state else { return false }
        state = .drained
        return true
    }

    /// A packet of the encoder, rewritten to go with those of the clips, with its time stamps in the output.
    func fitted(_ packet: Packet) throws -> Packet {
        guard let (bytes, isKey) = rewriter.rewritten(packet.bytes, isStart: false) else {
            throw SpliceFailure("the encoder gave a packet of a kind that is not copied")
        }
        guard let index = packet.presentationTime else {
            throw SpliceFailure("the encoder wrote a packet without a time stamp")
        }
        let copy = try Packet(bytes)
        copy.pointer.pointee.flags = isKey ? AV_PKT_FLAG_KEY : 0
        return try placed(copy, at: index, isStart: isKey)
    }

    /// The packet with the PTS `index` and the next DTS, both in frames.
    ///
    /// The DTS rises by one frame per packet. Every stretch has as many packets as frames, so no packet's decoding lags
    /// further behind its presentation than the reorder depth of its own stretch.
    /// - Parameter isStart: whether decoding can begin with it.
    func placed(_ packet: Packet, at index: Int, isStart: Bool) throws -> Packet {
        let decoding = count - reorderDepth
        guard decoding <= index else {
            throw SpliceFailure("frame \(index) would be decoded after it is shown")
        }
        if index >= frames.count { frames += Array(repeating: false, count: index + 1 - frames.count) }
        if frames[index] { throw SpliceFailure("frame \(index) is there twice") }
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

    /// What was handed to the muxer. Throws if frames are missing in between.
    func written() throws -> SplicedVideo {
        if let gap = frames.firstIndex(of: false) { throw SpliceFailure("frame \(gap) is missing") }
        return SplicedVideo(frames: frames.count, starts: starts, keys: keys)
    }
}

extension StreamEncoder {
    /// The encoder's extradata.
    var header: [UInt8] {
        let size = Int(context.pointee.extradata_size)
        return context.pointee.extradata.map { Array(UnsafeBufferPointer(start: $0, count: size)) } ?? []
    }
}
