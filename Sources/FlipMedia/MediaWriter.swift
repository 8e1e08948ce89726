import CLibav

/// Writes a media file, or a sequence of pictures, whole or not at all. All calls but `cancel` come from one thread.
package final class MediaWriter: SoundSink, @unchecked Sendable {
    private let output: any Output
    private let sink: any PacketSink
    private var video: VideoTrack
    private var audio: AudioTrack?
    private let clocks: WritingClocks
    private let makeAudio: () throws(MediaError) -> AudioTrack?
    /// The encoder that the container knows of.
    private let soundEncoder: StreamEncoder?
    private let splicesSound: Bool
    /// What of the sound's encoder is wanted, where only some of it is.
    private var stretch: SoundStretch?
    /// Packets of sound so far.
    package private(set) var soundPackets = (copied: 0, encoded: 0)
    /// For video that is partly copied.
    private let splice: Splice?

    /// Opens the encoders and a temporary file beside `path`.
    /// - Parameters:
    ///   - splicing: what clips bring along that are copied in part, if any are.
    ///   - splicesSound: whether packets of sound are taken over; encoded ones have to be asked for with `beginSound` then.
    /// - Throws: `usage` for settings that no encoder here takes, `missingCodec` for an encoder or muxer this FFmpeg
    ///   lacks, `cannotCreate` when the file may not be made or exists and is not to be overwritten, `io` for a full
    ///   disk.
    package init(
        path: String, container: Container, video: VideoEncoding, audio: AudioEncoding?, chapters: [Chapter] = [],
        splicing: SplicedTrack? = nil, splicesSound: Bool = false, overwrite: Bool,
        clocks: WritingClocks = WritingClocks()
    ) throws {
        // What stands apart from the packets is known before them, wherever it goes then.
        let hasGlobalHeader = try container.wantsGlobalHeaders
        let makeVideo = { () throws(MediaError) in
            try VideoTrack(video, in: container, hasGlobalHeader: hasGlobalHeader || splicing != nil)
        }
        self.clocks = clocks
        self.video = try clocks.encoding.measure(makeVideo)
        splice = try splicing.map { [encoder = self.video.encoder] track in
            try Splice(track, encoder, restart: makeVideo)
        }
        makeAudio = { () throws(MediaError) in
            try audio.map { encoding throws(MediaError) in
                try AudioTrack(encoding, in: container, hasGlobalHeader: hasGlobalHeader)
            }
        }
        let sound = try makeAudio()
        self.audio = sound
        soundEncoder = sound?.encoder
        self.splicesSound = splicesSound
        let opened = try OutputSink(
            path: path, container: container, chapters: chapters,
            encoders: [self.video.encoder] + (sound.map { [$0.encoder] } ?? []), videoHeader: splice?.header,
            overwrite: overwrite)
        (output, sink) = (opened.output, opened.packets)
    }

    /// Writes a frame of the encoding's size and format.
    /// - Parameters:
    ///   - index: its time in frames; larger than that of the frame before.
    ///   - isKey: whether it has to be one that decoding can begin with.
    package func write(_ frame: VideoFrame, at index: Int, isKey: Bool = false) throws {
        if let fresh = try splice?.trackForFrames() { video = fresh }
        try encodeVideo(
            try clocks.encoding.measure { () throws(MediaError) in try video.prepared(frame, index: index, isKey: isKey)
            })
        clocks.encoding.countOne()
    }

    /// Takes over `frames` of a clip, counted from its first, packet by packet; only for what is spliced.
    /// - Parameters:
    ///   - index: the time in frames of the first of them; it follows on what was written before.
    ///   - body: called after each of them.
    package func copy(
        _ frames: Range<Int>, of clip: CopiedClip, at index: Int, _ body: () throws -> Void
    ) throws {
        guard let splice else { throw MediaError(.internalFault, "packets came for a video that is encoded") }
        if splice.endFrames() { try encodeVideo(nil) }
        let starts = Set(clip.video.starts.map(\.frame))
        try clip.forEachPacket(of: frames) { packet, frame in
            let isStart = packet.isKey && starts.contains(frame)
            try splice.place(packet, at: index + frame - frames.lowerBound, isStart: isStart)
            try sink.write(packet, of: video.encoder, stream: 0)
            try body()
        }
    }

    /// Writes the next `count` samples of every channel; none when the file has no sound.
    package func write(audio channels: [UnsafePointer<Float>], count: Int) throws(MediaError) {
        guard let audio, count > 0 else { return }
        let blocks = try clocks.audio.measure { () throws(MediaError) in
            try audio.blocks(adding: channels, count: count)
        }
        for block in blocks { try encode(block, on: audio) }
    }

    /// Begins a stretch of encoded sound among copied ones: of the samples written until `endSound` it keeps the packets
    /// that `stretch` wants.
    package func beginSound(_ stretch: SoundStretch) throws(MediaError) {
        if audio == nil { audio = try clocks.audio.measure(makeAudio) }
        self.stretch = stretch
    }

    package func endSound() throws(MediaError) {
        guard let audio else { return }
        for block in try audio.lastBlocks() { try encode(block, on: audio) }
        try encode(nil, on: audio)
        self.audio = nil
    }

    /// Takes over the next packet of a clip's sound.
    /// - Parameter time: in samples of the output.
    package func copySound(_ copier: SoundCopier, at time: Int) throws(MediaError) {
        guard let soundEncoder else { return }
        let packet = try Packet()
        try clocks.muxing.measure { () throws(MediaError) in
            try copier.read(into: packet)
            packet.pointer.pointee.pts = Int64(time)
            packet.pointer.pointee.dts = Int64(time)
            packet.pointer.pointee.duration = Int64(CodedSound.packetSamples)
            try sink.write(packet, of: soundEncoder, stream: 1)
        }
        soundPackets.copied += 1
        clocks.muxing.countOne()
    }

    /// Bytes handed to the file so far.
    package var bytesWritten: Int { sink.bytesWritten }

    /// Ends both streams, and gives the file its name once it is on the disk.
    /// - Parameter check: looks at the finished file, where video was spliced, under the name it has meanwhile; where it
    ///   throws there is no output.
    /// - Returns: its size in bytes, or that of all pictures together.
    package func finish(checking check: (String, SplicedVideo) throws -> Void = { _, _ in }) throws -> Int {
        if splice?.endFrames() ?? true { try encodeVideo(nil) }
        if !splicesSound { try endSound() }
        try clocks.muxing.measure { () throws(MediaError) in try sink.finish() }
        if let file = output as? OutputFile, let splice { try check(file.workingPath, splice.written()) }
        return try clocks.muxing.measure { () throws(MediaError) in try output.commit() }
    }

    /// Removes what was written. Safe to call from any thread at any time; after `finish` it does nothing.
    package func cancel() { output.discard() }

    private func encodeVideo(_ frame: Frame?) throws {
        let encoder = video.encoder
        try clocks.encoding.measure { () throws(MediaError) in try encoder.send(frame) }
        while let packet = try clocks.encoding.measure({ () throws(MediaError) in try encoder.receive() }) {
            // Not every encoder says how long a frame lasts; without it the last one would have no length.
            if packet.duration == nil { packet.pointer.pointee.duration = 1 }
            try mux(try splice?.fitted(packet) ?? packet, of: encoder, stream: 0)
        }
    }

    private func encode(_ block: Frame?, on audio: AudioTrack) throws(MediaError) {
        let encoder = audio.encoder
        try clocks.audio.measure { () throws(MediaError) in try encoder.send(block) }
        while let packet = try clocks.audio.measure({ () throws(MediaError) in try encoder.receive() }) {
            guard stretch?.place(packet) ?? audio.isWanted(packet) else { continue }
            soundPackets.encoded += 1
            try mux(packet, of: encoder, stream: 1)
        }
    }

    private func mux(_ packet: Packet, of encoder: StreamEncoder, stream index: Int) throws(MediaError) {
        try clocks.muxing.measure { () throws(MediaError) in
            try sink.write(packet, of: encoder, stream: index)
        }
        clocks.muxing.countOne()
    }
}
