import CLibav
import FlipBase
import FlipBitstream

/// A clip whose packets are copied, and how they are rewritten.
package struct CopiedClip: Sendable {
    package let video: CodedVideo
    let rewriter: any PacketRewriter

    /// Calls `body` with the rewritten packet and the number of every frame in `frames`, in decoding order.
    func forEachPacket(
        of frames: Range<Int>, _ body: (Packet, Int) throws -> Void
    ) throws {
        guard let start = video.start(at: frames.lowerBound) else {
            throw MediaError(.internalFault, "frame \(frames.lowerBound) of '\(video.path)' is no start")
        }
        let (file, first) = try opened(near: start.packet)
        guard let stream = file.stream(video.streamIndex) else { throw changed }
        let timeBase = Rational(stream.pointee.time_base)
        let packet = try Packet()
        for place in first..<start.packet + start.dropped + frames.count {
            guard case .packet = try file.read(into: packet, stream: video.streamIndex) else { throw changed }
            if place < start.packet { continue }
            guard let time = packet.presentationTime else { throw changed }
            let frame = ((timeBase.scaled(count: time) - video.start) * video.frameRate).rounded()
            if frame < frames.lowerBound, start.dropped > 0 { continue }
            guard frames.contains(frame),
                let (bytes, isKey) = rewriter.rewritten(packet.bytes, isStart: place == start.packet)
            else { throw changed }
            let copy = try Packet(bytes)
            // Not the file's flag: libav's parsers mark recovery points as keyframes, and seeking to them shows damage.
            copy.pointer.pointee.flags = isKey ? AV_PKT_FLAG_KEY : 0
            try body(copy, frame)
        }
    }

    /// Like `forEachPacket`, but calls `body` with each packet's bytes and whether decoding can begin with it.
    package func forEachRewritten(of frames: Range<Int>, _ body: ([UInt8], Bool) -> Void) throws {
        try forEachPacket(of: frames) { packet, _ in body(Array(packet.bytes), packet.isKey) }
    }

    /// Opens the file so that packet `first` is read next: `number` if the index leads there, else 0.
    private func opened(near number: Int) throws(MediaError) -> (file: InputFile, first: Int) {
        let open = { () throws(MediaError) -> InputFile in
            let file = try InputFile(path: video.path)
            file.readOnly([video.streamIndex])
            return file
        }
        let file = try open()
        if number == 0 { return (file, 0) }
        return try file.seek(toPacket: number, of: video.streamIndex) ? (file, number) : (open(), 0)
    }

    private var changed: MediaError {
        MediaError(.badInput, "'\(video.path)' was changed while it was read, or its disk fails")
    }
}

/// A video track that is joined from copied packets of clips and from encoded frames.
package struct SplicedTrack: Sendable {
    package let codec: any CopyCodec
    /// The header that all clips added so far share.
    private(set) var header: CodedHeader
    /// The greatest reorder depth of the copied clips, in frames.
    private(set) var reorderDepth = 0
    /// The greatest `longestGroup` of the copied clips, in frames.
    private(set) var longestGroup = 1

    package init(_ codec: any CopyCodec, in container: Container) {
        self.codec = codec
        header = codec.emptyHeader(in: container)
    }

    /// Adds a clip. Returns nil if its header can't be combined with the others'.
    package mutating func add(_ video: CodedVideo) -> CopiedClip? {
        var fresh = header
        guard let rewriter = codec.add(video.header, to: &fresh), codec.hasRoomForEncoder(fresh) else { return nil }
        header = fresh
        reorderDepth = max(reorderDepth, video.reorderDepth)
        longestGroup = max(longestGroup, video.longestGroup)
        return CopiedClip(video: video, rewriter: rewriter)
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
