import CLibav
import FlipBase

/// Encodes one segment of a video into a packet file. The encoder is fresh, begins with a keyframe and is drained, so
/// nothing in the file refers to anything outside it, and its bytes depend on its frames alone.
package final class SegmentWriter {
    private let track: VideoTrack
    private let file: PacketFile
    private let clocks: WritingClocks
    /// The number of frames in the segment.
    private let count: Int
    /// The number of frames sent to the encoder so far.
    private var frames = 0
    /// The number of packets received for each frame.
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

    /// Drains the encoder after the last frame, and checks that each frame became one packet.
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
            // Some encoders end with an empty packet that carries a changed header, for muxers that go back to rewrite
            // theirs.
            if packet.pointer.pointee.size == 0 { continue }
            try place(packet)
            try clocks.muxing.measure { () throws(MediaError) in try file.append(packet) }
        }
    }

    /// Sets the packet's DTS and duration in frames. Packets are decoded one per frame in the order in which they come,
    /// so the first one's DTS is `-reorderDepth`.
    private func place(_ packet: Packet) throws(MediaError) {
        guard let time = packet.presentationTime, packets.indices.contains(time) else {
            throw failure("a packet of no frame")
        }
        if packetCount == 0, !packet.isKey || time != 0 { throw failure("a first packet that isn't a keyframe") }
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
    /// Opens an encoder that writes the whole audio of an output, `count` samples per channel, into a packet file.
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
    /// The head of a packet file that holds the encoder's packets.
    func head(recipe: String, count: Int) -> PacketFile.Head {
        PacketFile.Head(
            recipe: recipe, header: header, reorderDepth: Encoders.reorderDepth(context, codec: name), count: count)
    }
}

extension Container {
    /// Whether the container stores extradata apart from the packets.
    var wantsGlobalHeaders: Bool {
        get throws(MediaError) { try Encoders.muxer(of: self).pointee.flags & AVFMT_GLOBALHEADER != 0 }
    }
}

extension VideoEncoding {
    /// Everything except the frames that the packets depend on, including the version of libavcodec.
    func recipe(in container: Container) -> String {
        let settings = EncoderSettings(self, codec: codec ?? container.defaultVideoCodec)
        let options = settings.options.map { "\($0.0)=\($0.1)" } + (settings.quantiser.map { ["q=\($0)"] } ?? [])
        return "\(codec ?? container.defaultVideoCodec) \(width)x\(height) \(pixelFormat) at \(frameRate) in "
            + "\(container.name), \(options.joined(separator: ":")), \(threads) threads, libavcodec \(avcodec_version())"
    }
}

extension AudioEncoding {
    /// Everything except the samples that the packets depend on.
    func recipe(in container: Container) -> String {
        "\(codec ?? container.defaultAudioCodec ?? "") \(sampleRate) \(layout) \(bitrate ?? 0) in \(container.name), "
            + "libavcodec \(avcodec_version())"
    }
}
