import FlipBase
import FlipFiles
import FlipMedia

/// Writes a media file or a sequence of pictures, completely or not at all. All methods but `cancel` must be called
/// from one thread.
package final class MediaWriter: @unchecked Sendable {
    private let sink: OutputSink
    private let video: TrackAssembler
    private let sounds: [OutputAudio]
    private let clocks: WritingClocks
    private let recipe: String
    /// Whether writing the trailer has begun, after which no packets can be added.
    private var hasEnded = false
    /// The number of audio packets written so far.
    package private(set) var audioPackets = (copied: 0, encoded: 0)
    /// A record of the main audio track's packets beside partly copied video, for the check of the file; nil if there are none.
    private var writtenAudio: WrittenAudio?

    /// Opens the encoders and a temporary file beside `path`.
    /// - Parameters:
    ///   - parts: what the video is put together from.
    ///   - sounds: the audio tracks, whose packets the caller passes to `write`.
    ///   - subtitles: the subtitle tracks; likewise.
    ///   - metadata: the file's tags, such as "title".
    /// - Throws: `usage` for settings that no encoder here takes, `missingCodec` for an encoder or muxer this FFmpeg
    ///   lacks, `cannotCreate` if the file may not be created or exists and is not to be overwritten, `io` for a full
    ///   disk, and a `SpliceFailure` if frames can't be encoded to go with the copied ones.
    package init(
        path: String, container: Container, video: VideoEncoding, of parts: TrackAssembler.Parts = .holds,
        sounds: [OutputAudio] = [], subtitles: [OutputSubtitles] = [], chapters: [Chapter] = [],
        metadata: [String: String] = [:], overwrite: Bool,
        clocks: WritingClocks = WritingClocks()
    ) throws {
        let track = try TrackAssembler(video, in: container, of: parts, clocks: clocks)
        self.video = track
        self.sounds = sounds
        self.clocks = clocks
        recipe = video.recipe(in: container)
        if case .copies = parts, let form = sounds.first.flatMap({ AudioForm(codec: $0.encoder.codec) }) {
            writtenAudio = WrittenAudio(form)
        }
        sink = try OutputSink(
            path: path, container: container, chapters: chapters,
            video: track.video.encoder, sounds: sounds, subtitles: subtitles, metadata: metadata,
            videoHeader: track.header,
            overwrite: overwrite)
        track.connect { [sink, clocks, unowned track] packet in
            try Self.mux(packet, of: track.video.encoder, stream: 0, into: sink, clocks)
        }
    }

    /// The output's path, with symbolic links followed. Files of packets for it are best created beside it.
    package var path: String? { (sink.output as? OutputFile)?.path }

    /// Encodes a frame of the encoding's size and format.
    /// - Parameters:
    ///   - index: its time in frames, greater than that of the previous frame.
    ///   - isKey: whether it has to be a keyframe.
    package func write(_ frame: VideoFrame, at index: Int, isKey: Bool = false) throws {
        try checkOpen()
        try video.encode(frame, at: index, isKey: isKey)
    }

    /// Encodes the same frame for all times in `indices`, which count frames.
    /// - Parameter wasEncoded: called as frames are done, with the end of the range that is; see `TrackAssembler.encode`.
    package func write(
        _ frame: VideoFrame, at indices: Range<Int>, _ wasEncoded: (_ end: Int) throws -> Void = { _ in }
    ) throws {
        try checkOpen()
        try video.encode(frame, at: indices, wasEncoded)
    }

    /// Copies the packets of `frames` of a clip, counted from its first frame, which is one of those that the video is
    /// put together from.
    /// - Parameters:
    ///   - index: the first one's time in the output, in frames; it follows directly on what was written before.
    ///   - body: called after each packet.
    package func copy(
        _ frames: Range<Int>, of clip: CopiedClip, at index: Int, _ body: () throws -> Void
    ) throws {
        try checkOpen()
        try video.copy(frames, of: clip, at: index, body)
    }

    /// Adds the next segment, of `count` frames, which was encoded before. Calls `body` after each of them.
    /// - Parameter stored: the number of frames in the file, where those after the first `count` repeat others; nil for `count`.
    package func write(_ segment: PacketFile, count: Int, stored: Int? = nil, _ body: () throws -> Void) throws {
        try checkOpen()
        try video.add(segment, recipe: recipe, count: count, stored: stored ?? count, body)
    }

    /// Writes a packet of an audio track. The packets of each track have to come in order of time.
    /// - Parameter track: the number of the audio track, from 0.
    package func write(_ packet: AudioPacket, track: Int = 0) throws {
        try checkOpen()
        if track == 0 { writtenAudio?.append(packet.packet.bytes) }
        try Self.mux(packet.packet, of: sounds[track].encoder, stream: 1 + track, into: sink, clocks)
        if packet.isCopied { audioPackets.copied += 1 } else { audioPackets.encoded += 1 }
    }

    /// Writes a packet of a subtitle track, in which times are milliseconds. The packets of each track have to come in
    /// order of time.
    /// - Parameter track: the number of the subtitle track, from 0.
    package func write(subtitles packet: Packet, track: Int) throws {
        try checkOpen()
        try clocks.muxing.measure { () throws(MediaError) in
            try sink.packets.write(subtitles: packet, stream: 1 + sounds.count + track)
        }
    }

    /// The number of bytes written to the file so far.
    package var bytesWritten: Int { sink.packets.bytesWritten }

    /// Ends the output, and gives the file its name once it is on the disk.
    /// - Parameter check: examines the finished file, under its temporary name, if its packets' times are known; if it
    ///   throws, there is no output.
    /// - Returns: the file's size in bytes, or that of all pictures together.
    /// - Parameter accepts: whether a file of so many bytes gets its name. One that doesn't is removed.
    package func finish(
        checking check: (String, SplicedVideo) throws -> Void = { _, _ in }, accepts: ((Int) -> Bool)? = nil
    ) throws -> Int {
        try checkOpen()
        var written = try video.finish()
        hasEnded = true
        try clocks.muxing.measure { () throws(MediaError) in try sink.packets.finish() }
        written?.sound = writtenAudio
        if let file = sink.output as? OutputFile {
            if let accepts, let bytes = file.byteCount, !accepts(bytes) {
                cancel()
                return bytes
            }
            if let written { try check(file.workingPath, written) }
        }
        return try clocks.muxing.measure { () throws(MediaError) in try sink.output.commit() }
    }

    /// Removes what was written. Safe to call from any thread at any time; after `finish` it does nothing.
    package func cancel() { sink.output.discard() }

    private func checkOpen() throws {
        if hasEnded { throw MediaError(.internalFault, "got a frame or packet after the end of the file") }
    }

    private static func mux(
        _ packet: Packet, of encoder: StreamEncoder, stream index: Int, into sink: OutputSink, _ clocks: WritingClocks
    ) throws {
        try clocks.muxing.measure { () throws(MediaError) in
            try sink.packets.write(packet, of: encoder, stream: index)
        }
        clocks.muxing.countOne()
    }
}
