import FlipBase
import FlipBitstream
import FlipMedia

/// A clip whose packets are copied, and how they are rewritten.
package struct CopiedClip: Sendable {
    package let video: CodedVideo
    let rewriter: any PacketRewriter

    /// The same clip, copied from IDR pictures only; nil if it begins nowhere else anyway.
    package var withoutRecoveryPoints: CopiedClip? {
        video.withoutRecoveryPoints.map { CopiedClip(video: $0, rewriter: rewriter) }
    }

    /// Calls `body` with the rewritten packet and the number of every frame in `frames`, in decoding order.
    func forEachPacket(
        of frames: Range<Int>, _ body: (Packet, Int) throws -> Void
    ) throws {
        guard let start = video.start(at: frames.lowerBound) else {
            throw MediaError(.internalFault, "frame \(frames.lowerBound) of '\(video.path)' can't be started from")
        }
        let packet = try Packet()
        var (file, place) = try opened(near: start, packet)
        guard let timeBase = file.stream(video.info.streamIndex)?.timeBase else { throw changed }
        var rewriter = rewriter
        var left = frames.count
        // A frame, whose second field may be a packet of its own.
        var latest: (bytes: [UInt8], isKey: Bool, frame: Int)?
        while true {
            if video.secondFields.contains(place) {
                if place > start.packet {
                    guard let second = rewriter.rewritten(packet.bytes, isStart: false) else { throw changed }
                    latest?.bytes += second.bytes
                }
            } else if place >= start.packet {
                guard let time = packet.presentationTime ?? video.restoredTimes[place] else { throw changed }
                let frame = video.info.frame(atTime: timeBase.scaled(count: time))
                // What is dropped may hold parameter sets that count for what follows.
                guard let (bytes, isKey) = rewriter.rewritten(packet.bytes, isStart: place == start.packet) else {
                    throw changed
                }
                if frame >= frames.lowerBound || start.dropped == 0 {
                    guard frames.contains(frame) else { throw changed }
                    latest = (bytes, isKey, frame)
                }
            }
            place += 1
            if let frame = latest, !video.secondFields.contains(place) {
                let copy = try Packet(frame.bytes)
                // Not the file's flag: libav's parsers mark recovery points as keyframes, and seeking to them shows
                // damage.
                copy.setFlags(isKey: frame.isKey)
                try body(copy, frame.frame)
                latest = nil
                left -= 1
                if left == 0 { return }
            }
            guard try file.read(into: packet, stream: video.info.streamIndex) == .packet else { throw changed }
        }
    }

    /// Like `forEachPacket`, but calls `body` with each packet's bytes and whether decoding can begin with it.
    package func forEachRewritten(of frames: Range<Int>, _ body: ([UInt8], Bool) -> Void) throws {
        try forEachPacket(of: frames) { packet, _ in body(Array(packet.bytes), packet.isKey) }
    }

    /// What the file's packets say of how `frames` are to be brought to a display, by the frames' numbers.
    func dynamicMetadata(of frames: Range<Int>, _ syntax: NALSyntax) throws(MediaError) -> [Int: DynamicMetadata] {
        let start = video.starts.last { $0.frame <= frames.lowerBound } ?? video.starts.first
        guard let start else { return [:] }
        let packet = try Packet()
        // A file may begin with frames that nothing is copied from.
        var (file, place) =
            start.frame <= frames.lowerBound ? try opened(near: start, packet) : try first(packet, of: open())
        guard let timeBase = file.stream(video.info.streamIndex)?.timeBase else { throw changed }
        var found: [Int: DynamicMetadata] = [:]
        while true {
            let time = packet.presentationTime ?? video.restoredTimes[place]
            if let frame = time.map({ video.info.frame(atTime: timeBase.scaled(count: $0)) }), frames.contains(frame),
                found[frame] == nil
            {
                found[frame] = DynamicMetadata(packet.bytes, video.header.framing, syntax)
            }
            place += 1
            guard found.count < frames.count, try file.read(into: packet, stream: video.info.streamIndex) == .packet
            else {
                return found
            }
        }
    }

    /// Opens the file and reads the first packet from which `start` is reached: the start's own or that of a start
    /// before it, if seeking leads there, else the file's first.
    /// - Returns: the file, and the number of the packet that has been read.
    private func opened(near start: CodedVideo.Start, _ packet: Packet) throws(MediaError) -> (InputFile, Int) {
        let file = try open()
        // Only these formats give the same packets after seeking as from the beginning.
        guard start.packet > 0, file.keepsPackets, let time = start.decoding else { return try first(packet, of: file) }
        if file.canSeek, file.seek(video.info.streamIndex, to: time),
            try file.read(into: packet, stream: video.info.streamIndex) == .packet,
            let known = video.starts.last(where: { $0.isAt(packet) && $0.packet <= start.packet })
        {
            return (file, known.packet)
        }
        return try first(packet, of: open())
    }

    private func open() throws(MediaError) -> InputFile {
        let file = try InputFile(path: video.path)
        file.readOnly([video.info.streamIndex], jumps: video.jumps)
        return file
    }

    /// Reads the first packet of a file that has just been opened.
    private func first(_ packet: Packet, of file: InputFile) throws(MediaError) -> (InputFile, Int) {
        guard try file.read(into: packet, stream: video.info.streamIndex) == .packet else { throw changed }
        return (file, 0)
    }

    private var changed: MediaError {
        MediaError(.badInput, "'\(video.path)' was changed while it was read, or its disk fails")
    }
}

/// A video track that is joined from copied packets of clips and from encoded frames.
package struct SplicedTrack: Sendable {
    package let codec: any CopyCodec
    /// Whether a packet may hold the two fields of a frame that were packets of their own. libav splits those of transport
    /// streams again.
    private let takesFieldPairs: Bool
    /// Which frame of which clip a frame of the output shows, if encoded frames get the dynamic metadata of their clips; nil if such
    /// metadata is left out.
    package private(set) var origin: Origin?
    package typealias Origin = @Sendable (_ frame: Int) -> (clip: CopiedClip, frame: Int)?
    /// The header that all clips added so far share.
    private(set) var header: CodedHeader
    /// The greatest reorder depth of the copied clips, in frames.
    private(set) var reorderDepth = 0
    /// The greatest `longestGroup` of the copied clips, in frames.
    private(set) var longestGroup = 1

    /// - Parameter keepsDynamicMetadata: whether packets keep HDR10+ and Dolby Vision; encoded frames then have an `origin`.
    package init(_ codec: any CopyCodec, in container: Container, keepsDynamicMetadata: Bool = false) {
        self.codec = codec
        header = codec.emptyHeader(in: container)
        header.keepsDynamicMetadata = keepsDynamicMetadata
        takesFieldPairs = container.name != "mpegts"
    }

    package var keepsDynamicMetadata: Bool { header.keepsDynamicMetadata }

    /// The same track, whose encoded frames get the dynamic metadata of the frames that `origin` tells.
    package func carryingMetadata(from origin: @escaping Origin) -> SplicedTrack {
        var copy = self
        copy.origin = origin
        return copy
    }

    /// Adds a clip, or returns why it can't be part of the track.
    package mutating func add(_ video: CodedVideo) -> Result<CopiedClip, CopyRefusal> {
        if !takesFieldPairs, !video.secondFields.isEmpty {
            return .failure(
                CopyRefusal("has a packet for each field, which ts files can't have here (name an mp4, mov or mkv)"))
        }
        var fresh = header
        guard let rewriter = codec.add(video.header, to: &fresh), codec.hasRoomForEncoder(fresh) else {
            return .failure(CopyRefusal("has a header that can't be combined with the others"))
        }
        header = fresh
        reorderDepth = max(reorderDepth, video.reorderDepth)
        longestGroup = max(longestGroup, video.longestGroup)
        return .success(CopiedClip(video: video, rewriter: rewriter))
    }

    /// The options that make the encoder's stream match those of the clips.
    package func encoderOptions(for encoding: VideoEncoding) -> [(String, String)] {
        codec.encoderOptions(beside: self, for: encoding)
    }

    /// The track's header with the encoder's added (`all`), the same in the container's form (`written`), and how the
    /// encoder's packets are rewritten; nil if the headers can't be combined.
    func joined(_ encoder: StreamEncoder) -> (all: CodedHeader, written: [UInt8], rewriter: any PacketRewriter)? {
        var all = header
        guard let own = codec.encoderHeader(encoder.header) else { return nil }
        all.information = own.information
        guard let rewriter = codec.add(own, to: &all), let bytes = codec.written(all) else { return nil }
        return (all, bytes, rewriter)
    }
}

extension CodedVideo.Start {
    /// Whether `packet`, as read from the file, is the start's own.
    fileprivate func isAt(_ packet: Packet) -> Bool {
        position != nil && position == packet.position && decoding == packet.decodingTime
    }
}
