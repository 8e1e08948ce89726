import CLibav

/// A clip of which packets are taken over, and what changes in them.
package struct CopiedClip: Sendable {
    package let video: CodedVideo
    let rewriter: any PacketRewriter

    /// Calls `body` with the packet of every frame of `frames`, in the order of decoding, and with the frame's number.
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
            // Not as the file says: libav's parsers take recovery points for keyframes, from which seeking shows damage.
            copy.pointer.pointee.flags = isKey ? AV_PKT_FLAG_KEY : 0
            try body(copy, frame)
        }
    }

    /// The same with the packets' bytes, and whether decoding can begin with them.
    package func forEachRewritten(of frames: Range<Int>, _ body: ([UInt8], Bool) -> Void) throws {
        try forEachPacket(of: frames) { packet, _ in body(Array(packet.bytes), packet.isKey) }
    }

    /// The file, of which packet `first` is read next: `number` where the index leads there, or the first of all.
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

/// A track that is put together from packets of clips and from frames that are encoded.
package struct SplicedTrack: Sendable {
    package let codec: any CopyCodec
    /// What all clips together have apart from their packets.
    private(set) var header: CodedHeader
    /// How many packets a frame of the copied clips comes late, at most.
    private(set) var reorderDepth = 0
    /// The longest way from one start of a clip to the next, in frames.
    private(set) var longestGroup = 1

    package init(_ codec: any CopyCodec, in container: Container) {
        self.codec = codec
        header = codec.emptyHeader(in: container)
    }

    /// Takes a clip in; nil where its header doesn't go beside the others'.
    package mutating func add(_ video: CodedVideo) -> CopiedClip? {
        var fresh = header
        guard let rewriter = codec.add(video.header, to: &fresh), codec.hasRoomForEncoder(fresh) else { return nil }
        header = fresh
        reorderDepth = max(reorderDepth, video.reorderDepth)
        longestGroup = max(longestGroup, video.longestGroup)
        return CopiedClip(video: video, rewriter: rewriter)
    }

    /// What makes the encoder's streams like those of the clips.
    package func encoderOptions(for encoding: VideoEncoding) -> [(String, String)] {
        codec.encoderOptions(beside: self, for: encoding)
    }

    /// The header of the track with the encoder's beside the clips', as it is and as the container wants it, and what changes
    /// in the encoder's packets; nil where they don't go together.
    func joined(_ encoder: StreamEncoder) -> (all: CodedHeader, written: [UInt8], rewriter: any PacketRewriter)? {
        var all = header
        guard let own = codec.encoderHeader(encoder.header) else { return nil }
        all.information = own.information
        guard let rewriter = codec.add(own, to: &all), let bytes = codec.written(all) else { return nil }
        return (all, bytes, rewriter)
    }
}
