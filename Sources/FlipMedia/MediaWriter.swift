import CLibav

/// Writes a media file, or a sequence of pictures, whole or not at all. All calls but `cancel` come from one thread.
package final class MediaWriter: SoundSink, @unchecked Sendable {
    private let output: any Output
    private let sink: any PacketSink
    private var video: VideoTrack
    private let audio: AudioTrack?
    private let clocks: WritingClocks
    /// For video that is partly copied.
    private let splice: Splice?

    /// Opens the encoders and a temporary file beside `path`.
    /// - Parameter splicing: what clips bring along that are copied in part, if any are.
    /// - Throws: `usage` for settings that no encoder here takes, `missingCodec` for an encoder or muxer this FFmpeg
    ///   lacks, `cannotCreate` when the file may not be made or exists and is not to be overwritten, `io` for a full
    ///   disk.
    package init(
        path: String, container: Container, video: VideoEncoding, audio: AudioEncoding?, chapters: [Chapter] = [],
        splicing: SplicedTrack? = nil, overwrite: Bool, clocks: WritingClocks = WritingClocks()
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
        self.audio = try audio.map { encoding throws(MediaError) in
            try AudioTrack(encoding, in: container, hasGlobalHeader: hasGlobalHeader)
        }
        let opened = try OutputSink(
            path: path, container: container, chapters: chapters,
            encoders: [self.video.encoder] + (self.audio.map { [$0.encoder] } ?? []), videoHeader: splice?.header,
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
        try clip.forEachPacket(of: frames) { packet, frame in
            try splice.place(packet, at: index + frame - frames.lowerBound)
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

    /// Bytes handed to the file so far.
    package var bytesWritten: Int { sink.bytesWritten }

    /// Ends both streams, and gives the file its name once it is on the disk.
    /// - Parameter check: looks at the finished file under the name it has meanwhile; where it throws there is no output.
    /// - Returns: its size in bytes, or that of all pictures together.
    package func finish(checking check: (String) throws -> Void = { _ in }) throws -> Int {
        if splice?.endFrames() ?? true { try encodeVideo(nil) }
        if let audio {
            for block in try audio.lastBlocks() { try encode(block, on: audio) }
            try encode(nil, on: audio)
        }
        try clocks.muxing.measure { () throws(MediaError) in try sink.finish() }
        if let file = output as? OutputFile { try check(file.workingPath) }
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
            if audio.isWanted(packet) { try mux(packet, of: encoder, stream: 1) }
        }
    }

    private func mux(_ packet: Packet, of encoder: StreamEncoder, stream index: Int) throws(MediaError) {
        try clocks.muxing.measure { () throws(MediaError) in
            try sink.write(packet, of: encoder, stream: index)
        }
        clocks.muxing.countOne()
    }
}
