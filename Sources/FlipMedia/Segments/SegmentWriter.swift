import CLibav

/// Encodes one segment of a video into a packet file: the encoder is fresh, begins with a keyframe and is drained, so nothing
/// in the file refers to anything outside of it, and its bytes depend on its frames alone.
package final class SegmentWriter {
    private let track: VideoTrack
    private let file: PacketFile
    private let clocks: WritingClocks
    private let count: Int
    /// Frames handed over, and packets of each frame that came back.
    private var frames = 0
    private var packets: [Int]
    private var packetCount = 0
    private let reorderDepth: Int

    /// Opens the encoder for `count` frames.
    package init(
        _ encoding: VideoEncoding, in container: Container, count: Int, into file: PacketFile,
        clocks: WritingClocks = WritingClocks()
    ) throws(MediaError) {
        track = try clocks.encoding.measure { () throws(MediaError) in
            try VideoTrack(encoding, in: container, hasGlobalHeader: try container.wantsGlobalHeaders)
        }
        self.file = file
        self.clocks = clocks
        self.count = count
        packets = Array(repeating: 0, count: count)
        let head = track.encoder.head(recipe: encoding.recipe(in: container), count: count)
        reorderDepth = head.reorderDepth
        try file.begin(head)
    }

    /// Encodes the next frame.
    package func write(_ frame: VideoFrame) throws(MediaError) {
        precondition(frames < count)
        let prepared = try clocks.encoding.measure { () throws(MediaError) in
            try track.prepared(frame, index: frames)
        }
        frames += 1
        try encode(prepared)
        clocks.encoding.countOne()
    }

    /// After the last frame: drains the encoder and checks that each frame became one packet.
    package func finish() throws(MediaError) {
        try encode(nil)
        guard frames == count, packets.allSatisfy({ $0 == 1 }) else {
            throw failure("\(packetCount) packets for \(count) frames")
        }
        try file.finish()
    }

    private func encode(_ frame: Frame?) throws(MediaError) {
        let encoder = track.encoder
        try clocks.encoding.measure { () throws(MediaError) in try encoder.send(frame) }
        while let packet = try clocks.encoding.measure({ () throws(MediaError) in try encoder.receive() }) {
            // What some encoders end with, for containers that go back to their headers.
            if packet.pointer.pointee.size == 0 { continue }
            try place(packet)
            try clocks.muxing.measure { () throws(MediaError) in try file.append(packet) }
        }
    }

    /// Gives the packet its place in the order of decoding: one is decoded each frame, all as much ahead as the encoder says.
    private func place(_ packet: Packet) throws(MediaError) {
        guard let time = packet.presentationTime, packets.indices.contains(time) else {
            throw failure("a packet of no frame")
        }
        if packetCount == 0, !packet.isKey || time != 0 { throw failure("a first packet that is no keyframe") }
        let decoding = packetCount - reorderDepth
        guard decoding <= time else { throw failure("frames later than it said") }
        packet.pointer.pointee.dts = Int64(decoding)
        packet.pointer.pointee.duration = 1
        packets[time] += 1
        packetCount += 1
    }

    private func failure(_ text: String) -> MediaError {
        MediaError(
            .internalFault, "the encoder '\(track.encoder.name)' gave \(text) (--segments off encodes in one pass)")
    }
}

extension SoundEncoder {
    /// Opens an encoder for `count` samples, the whole sound of an output, of which the packets go into a packet file.
    package convenience init(
        _ encoding: AudioEncoding, in container: Container, count: Int, into file: PacketFile, clock: StageClock
    ) throws(MediaError) {
        try self.init(encoding, in: container, clock: clock) { (packet: SoundPacket) throws(MediaError) in
            try file.append(packet.packet)
        }
        try file.begin(model.head(recipe: encoding.recipe(in: container), count: count))
    }
}

extension StreamEncoder {
    /// What a file of its packets begins with.
    func head(recipe: String, count: Int) -> PacketFile.Head {
        PacketFile.Head(
            recipe: recipe, header: header, reorderDepth: Encoders.reorderDepth(context, codec: name), count: count)
    }
}

extension Container {
    /// Whether it keeps codecs' headers apart from the packets.
    var wantsGlobalHeaders: Bool {
        get throws(MediaError) { try Encoders.muxer(of: self).pointee.flags & AVFMT_GLOBALHEADER != 0 }
    }
}

extension VideoEncoding {
    /// Everything that the packets depend on but the frames, the library that made them included.
    func recipe(in container: Container) -> String {
        let settings = EncoderSettings(self, codec: codec ?? container.defaultVideoCodec)
        let options = settings.options.map { "\($0.0)=\($0.1)" } + (settings.quantiser.map { ["q=\($0)"] } ?? [])
        return "\(codec ?? container.defaultVideoCodec) \(width)x\(height) \(pixelFormat) at \(frameRate) in "
            + "\(container.name), \(options.joined(separator: ":")), \(threads) threads, libavcodec \(avcodec_version())"
    }
}

extension AudioEncoding {
    func recipe(in container: Container) -> String {
        "\(codec ?? container.defaultAudioCodec ?? "") \(sampleRate) \(layout) \(bitrate ?? 0) in \(container.name), "
            + "libavcodec \(avcodec_version())"
    }
}
