import CLibav
import FlipBase
import FlipFiles

/// Writes a media file or a sequence of pictures, completely or not at all. All methods but `cancel` must be called
/// from one thread.
package final class MediaWriter: @unchecked Sendable {
    private let output: any Output
    private let sink: any PacketSink
    private var video: VideoTrack
    private let sound: SoundEncoder?
    private let clocks: WritingClocks
    /// Whether writing the trailer has begun, after which no packets can be added.
    private var hasEnded = false
    /// The number of audio packets written so far.
    package private(set) var soundPackets = (copied: 0, encoded: 0)
    /// Places the packets of video that is partly copied; nil if all of it is encoded.
    private let splice: Splice?
    /// A record of the AAC packets beside partly copied video, for the check of the file; nil if there are none.
    private var writtenSound: WrittenSound?
    /// Shortens the encoding of holds if all video is encoded; nil if that is not possible.
    private let held: HeldFrames?

    /// Opens the encoders and a temporary file beside `path`.
    /// - Parameters:
    ///   - sound: the audio encoder, whose packets the caller passes to `write`; nil if there is no audio.
    ///   - splicing: the parameters of a video track that is partly copied from clips; nil if all of it is encoded.
    /// - Throws: `usage` for settings that no encoder here takes, `missingCodec` for an encoder or muxer this FFmpeg
    ///   lacks, `cannotCreate` if the file may not be created or exists and is not to be overwritten, `io` for a full
    ///   disk, and a `SpliceFailure` if frames can't be encoded to go with the copied ones.
    package init(
        path: String, container: Container, video: VideoEncoding, sound: SoundEncoder?, chapters: [Chapter] = [],
        splicing: SplicedTrack? = nil, overwrite: Bool,
        clocks: WritingClocks = WritingClocks()
    ) throws {
        let hasGlobalHeader = try container.wantsGlobalHeaders
        // Splicing needs the encoder's extradata before its packets, whether or not the container stores it apart.
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

    /// The track that `make` creates. If it is spliced, a usage error becomes a `SpliceFailure`: the encoder may accept
    /// the settings when everything is encoded.
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
    ///   - index: its time in frames, greater than that of the previous frame.
    ///   - isKey: whether it has to be a keyframe.
    package func write(_ frame: VideoFrame, at index: Int, isKey: Bool = false) throws {
        guard !hasEnded else { throw Self.late }
        if let fresh = try splice?.trackForFrames() { video = fresh }
        let isKey = isKey || held?.needsKey(index) == true
        try encodeVideo(
            try clocks.encoding.measure { () throws(MediaError) in try video.prepared(frame, index: index, isKey: isKey)
            })
        clocks.encoding.countOne()
    }

    /// Writes the same frame at all times in `indices`, which count frames.
    package func write(_ frame: VideoFrame, at indices: Range<Int>) throws {
        for part in held?.hold(indices) ?? [indices] {
            for index in part { try write(frame, at: index) }
        }
    }

    /// Copies the packets of `frames` of a clip, counted from its first frame. The video must be spliced.
    /// - Parameters:
    ///   - index: the first one's time in the output, in frames; it follows directly on what was written before.
    ///   - body: called after each packet.
    package func copy(
        _ frames: Range<Int>, of clip: CopiedClip, at index: Int, _ body: () throws -> Void
    ) throws {
        guard !hasEnded else { throw Self.late }
        guard let splice else { throw MediaError(.internalFault, "got packets to copy for a video that is encoded") }
        if splice.endFrames() { try encodeVideo(nil) }
        let starts = Set(clip.video.starts.map(\.frame))
        try clip.forEachPacket(of: frames) { packet, frame in
            let isStart = packet.isKey && starts.contains(frame)
            let placed = try splice.placed(packet, at: index + frame - frames.lowerBound, isStart: isStart)
            try sink.write(placed, of: video.encoder, stream: 0)
            try body()
        }
    }

    /// Writes an audio packet. Packets have to come in order of time.
    package func write(_ packet: SoundPacket) throws(MediaError) {
        guard !hasEnded else { throw Self.late }
        guard let sound else { return }
        writtenSound?.append(packet.packet.bytes)
        try mux(packet.packet, of: sound.model, stream: 1)
        if packet.isCopied { soundPackets.copied += 1 } else { soundPackets.encoded += 1 }
    }

    /// The number of bytes written to the file so far.
    package var bytesWritten: Int { sink.bytesWritten }

    /// Ends the output, and gives the file its name once it is on the disk.
    /// - Parameter check: examines the finished file, under its temporary name, if its video is spliced; if it throws,
    ///   there is no output.
    /// - Returns: the file's size in bytes, or that of all pictures together.
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

    private static let late = MediaError(.internalFault, "got a frame or packet after the end of the file")

    private func encodeVideo(_ frame: Frame?) throws {
        let encoder = video.encoder
        try clocks.encoding.measure { () throws(MediaError) in try encoder.send(frame) }
        while let packet = try clocks.encoding.measure({ () throws(MediaError) in try encoder.receive() }) {
            // Not every encoder states durations; without one the last frame would have no length.
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
