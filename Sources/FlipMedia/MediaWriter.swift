import CLibav

/// Writes a media file, or a sequence of pictures, whole or not at all. All calls but `cancel` come from one thread.
package final class MediaWriter: @unchecked Sendable {
    private let output: any Output
    private let sink: any PacketSink
    private var video: VideoTrack
    private let sound: SoundEncoder?
    private let clocks: WritingClocks
    /// Whether the trailer is written, after which no packet has a place.
    private var hasEnded = false
    /// Packets of sound so far.
    package private(set) var soundPackets = (copied: 0, encoded: 0)
    /// For video that is partly copied.
    private let splice: Splice?
    /// The sound beside it, where that is AAC.
    private var writtenSound: WrittenSound?
    /// For video that is encoded, where pictures that are shown for long need not be.
    private let held: HeldFrames?

    /// Opens the encoders and a temporary file beside `path`.
    /// - Parameters:
    ///   - sound: what makes the packets of sound, which then have to be written.
    ///   - splicing: what clips bring along that are copied in part, if any are.
    /// - Throws: `usage` for settings that no encoder here takes, `missingCodec` for an encoder or muxer this FFmpeg
    ///   lacks, `cannotCreate` when the file may not be made or exists and is not to be overwritten, `io` for a full
    ///   disk.
    package init(
        path: String, container: Container, video: VideoEncoding, sound: SoundEncoder?, chapters: [Chapter] = [],
        splicing: SplicedTrack? = nil, overwrite: Bool,
        clocks: WritingClocks = WritingClocks()
    ) throws {
        // What stands apart from the packets is known before them, wherever it goes then.
        let hasGlobalHeader = try container.wantsGlobalHeaders
        let makeVideo = { () throws(MediaError) in
            try VideoTrack(video, in: container, hasGlobalHeader: hasGlobalHeader || splicing != nil)
        }
        self.clocks = clocks
        self.video = try Self.opened(isSpliced: splicing != nil) { () throws(MediaError) in
            try clocks.encoding.measure(makeVideo)
        }
        splice = try splicing.map { [encoder = self.video.encoder] track in
            try Splice(track, encoder, restart: makeVideo)
        }
        self.sound = sound
        if splicing != nil, let sound, sound.model.context.pointee.codec_id == AV_CODEC_ID_AAC {
            writtenSound = WrittenSound()
        }
        held =
            splicing == nil
            ? HeldFrames(video, self.video.encoder, hasGlobalHeader: hasGlobalHeader && container.storesDecodingTimes)
            : nil
        let opened = try OutputSink(
            path: path, container: container, chapters: chapters,
            encoders: [self.video.encoder] + (sound.map { [$0.model] } ?? []),
            videoHeader: splice?.header ?? held?.header,
            overwrite: overwrite)
        (output, sink) = (opened.output, opened.packets)
    }

    /// The track that `make` makes. What an encoder doesn't take beside copies it may take where everything is encoded.
    private static func opened(isSpliced: Bool, _ make: () throws(MediaError) -> VideoTrack) throws -> VideoTrack {
        let result: Result<VideoTrack, MediaError>
        do {
            result = .success(try make())
        } catch {
            result = .failure(error)
        }
        if isSpliced, case .failure(let error) = result, error.kind == .usage {
            throw SpliceFailure("the encoder doesn't take what the clips ask of it: \(error.message)")
        }
        return try result.get()
    }

    /// Writes a frame of the encoding's size and format.
    /// - Parameters:
    ///   - index: its time in frames; larger than that of the frame before.
    ///   - isKey: whether it has to be one that decoding can begin with.
    package func write(_ frame: VideoFrame, at index: Int, isKey: Bool = false) throws {
        guard !hasEnded else { throw Self.late }
        if let fresh = try splice?.trackForFrames() { video = fresh }
        let isKey = isKey || held?.needsKey(index) == true
        try encodeVideo(
            try clocks.encoding.measure { () throws(MediaError) in try video.prepared(frame, index: index, isKey: isKey)
            })
        clocks.encoding.countOne()
    }

    /// Writes the same frame for all times `indices`.
    package func write(_ frame: VideoFrame, at indices: Range<Int>) throws {
        for part in held?.hold(indices) ?? [indices] {
            for index in part { try write(frame, at: index) }
        }
    }

    /// Takes over `frames` of a clip, counted from its first, packet by packet; only for what is spliced.
    /// - Parameters:
    ///   - index: the time in frames of the first of them; it follows on what was written before.
    ///   - body: called after each of them.
    package func copy(
        _ frames: Range<Int>, of clip: CopiedClip, at index: Int, _ body: () throws -> Void
    ) throws {
        guard !hasEnded else { throw Self.late }
        guard let splice else { throw MediaError(.internalFault, "packets came for a video that is encoded") }
        if splice.endFrames() { try encodeVideo(nil) }
        let starts = Set(clip.video.starts.map(\.frame))
        try clip.forEachPacket(of: frames) { packet, frame in
            let isStart = packet.isKey && starts.contains(frame)
            let placed = try splice.placed(packet, at: index + frame - frames.lowerBound, isStart: isStart)
            try sink.write(placed, of: video.encoder, stream: 0)
            try body()
        }
    }

    /// Writes a packet of the sound, which comes in order.
    package func write(_ packet: SoundPacket) throws(MediaError) {
        guard !hasEnded else { throw Self.late }
        guard let sound else { return }
        writtenSound?.append(packet.packet.bytes)
        try mux(packet.packet, of: sound.model, stream: 1)
        if packet.isCopied { soundPackets.copied += 1 } else { soundPackets.encoded += 1 }
    }

    /// Bytes handed to the file so far.
    package var bytesWritten: Int { sink.bytesWritten }

    /// Ends the video, and gives the file its name once it is on the disk.
    /// - Parameter check: looks at the finished file, where video was spliced, under the name it has meanwhile; where it
    ///   throws there is no output.
    /// - Returns: its size in bytes, or that of all pictures together.
    package func finish(checking check: (String, SplicedVideo) throws -> Void = { _, _ in }) throws -> Int {
        guard !hasEnded else { throw Self.late }
        if splice?.endFrames() ?? true { try encodeVideo(nil) }
        hasEnded = true
        try clocks.muxing.measure { () throws(MediaError) in try sink.finish() }
        if let file = output as? OutputFile, let splice {
            var written = try splice.written()
            written.sound = writtenSound
            try check(file.workingPath, written)
        }
        return try clocks.muxing.measure { () throws(MediaError) in try output.commit() }
    }

    /// Removes what was written. Safe to call from any thread at any time; after `finish` it does nothing.
    package func cancel() { output.discard() }

    private static let late = MediaError(.internalFault, "a frame or packet came after the end of its file")

    private func encodeVideo(_ frame: Frame?) throws {
        let encoder = video.encoder
        try clocks.encoding.measure { () throws(MediaError) in try encoder.send(frame) }
        while let packet = try clocks.encoding.measure({ () throws(MediaError) in try encoder.receive() }) {
            // Not every encoder says how long a frame lasts; without it the last one would have no length.
            if packet.duration == nil { packet.pointer.pointee.duration = 1 }
            try held?.place(packet) { repeated in try mux(repeated, of: encoder, stream: 0) }
            try mux(try splice?.fitted(packet) ?? packet, of: encoder, stream: 0)
        }
        if frame == nil { try held?.finish { try mux($0, of: encoder, stream: 0) } }
    }

    private func mux(_ packet: Packet, of encoder: StreamEncoder, stream index: Int) throws(MediaError) {
        try clocks.muxing.measure { () throws(MediaError) in
            try sink.write(packet, of: encoder, stream: index)
        }
        clocks.muxing.countOne()
    }
}
