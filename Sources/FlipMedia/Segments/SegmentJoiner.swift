import CLibav
import FlipBase
import FlipFiles

/// Muxes the packets of a video's segments, one segment after another, and those of its audio into a file that appears
/// either complete or not at all. Nothing is encoded. All calls but `cancel` come from one thread.
package final class SegmentJoiner: @unchecked Sendable {
    private let sink: OutputSink
    /// Encoders that are opened only for the stream parameters that the muxer needs. They encode nothing.
    private let video: StreamEncoder
    private let audio: StreamEncoder?
    private let videoRecipe: String
    private let audioRecipe: String
    private let clocks: WritingClocks
    private var sound: PacketReader?
    private var nextSound: Packet?
    /// The number of video frames so far.
    private var frames = 0
    /// The number of audio packets so far.
    package private(set) var soundPackets = 0
    /// The output's path, with symbolic links followed. Packet files are best created beside it.
    package let path: String

    /// Opens a temporary file beside `path`. Throws like `MediaWriter`.
    package init(
        path: String, container: Container, video: VideoEncoding, audio: AudioEncoding?, chapters: [Chapter],
        overwrite: Bool, clocks: WritingClocks = WritingClocks()
    ) throws(MediaError) {
        let hasGlobalHeader = try container.wantsGlobalHeaders
        self.video = try StreamEncoder(video: video, in: container, hasGlobalHeader: hasGlobalHeader)
        self.audio = try audio.map { encoding throws(MediaError) in
            try StreamEncoder(audio: encoding, in: container, hasGlobalHeader: hasGlobalHeader)
        }
        videoRecipe = video.recipe(in: container)
        audioRecipe = audio?.recipe(in: container) ?? ""
        self.clocks = clocks
        sink = try OutputSink(
            path: path, container: container, chapters: chapters,
            encoders: [self.video] + (self.audio.map { [$0] } ?? []), videoHeader: nil, overwrite: overwrite)
        self.path = (sink.output as? OutputFile)?.path ?? path
    }

    /// Takes the audio, `count` samples per channel, before the first segment.
    package func setSound(_ file: PacketFile, count: Int) throws(MediaError) {
        guard let audio else { throw MediaError(.internalFault, "got audio for an output without audio") }
        let reader = try PacketReader(file)
        guard reader.head == audio.head(recipe: audioRecipe, count: count) else { throw foreign(file) }
        sound = reader
        nextSound = try reader.next()
    }

    /// Writes the next segment, of `count` frames. Calls `body` after each of them.
    package func append(_ file: PacketFile, count: Int, _ body: () throws -> Void) throws {
        let reader = try PacketReader(file)
        // The output has only one header with parameter sets, so they have to be the same in all segments.
        guard reader.head == video.head(recipe: videoRecipe, count: count) else { throw foreign(file) }
        let start = frames
        while let packet = try clocks.muxing.measure({ () throws(MediaError) in try reader.next() }) {
            packet.move(by: start)
            try mux(packet, of: video, stream: 0)
            frames += 1
            try writeSound { av_compare_ts($0, $1, Int64(frames), video.context.pointee.time_base) <= 0 }
            try body()
        }
        guard frames == start + count else { throw foreign(file) }
    }

    /// Bytes handed to the file so far.
    package var bytesWritten: Int { sink.packets.bytesWritten }

    /// Finishes the file after the last segment, and gives it its name once its bytes are on the disk.
    /// - Returns: the file's size in bytes.
    package func finish() throws -> Int {
        try writeSound { _, _ in true }
        try clocks.muxing.measure { () throws(MediaError) in try sink.packets.finish() }
        return try clocks.muxing.measure { () throws(MediaError) in try sink.output.commit() }
    }

    /// Removes what was written. Safe to call from any thread at any time; after `finish` it does nothing.
    package func cancel() { sink.output.discard() }

    /// Writes audio packets as long as `isWanted` accepts a packet's DTS, in ticks of the time base that it is given.
    private func writeSound(while isWanted: (Int64, AVRational) -> Bool) throws(MediaError) {
        guard let audio, let sound else { return }
        while let packet = nextSound {
            let time = packet.decodingTime ?? packet.presentationTime ?? 0
            guard isWanted(Int64(time), audio.context.pointee.time_base) else { return }
            try mux(packet, of: audio, stream: 1)
            soundPackets += 1
            nextSound = try sound.next()
        }
    }

    private func mux(_ packet: Packet, of encoder: StreamEncoder, stream index: Int) throws(MediaError) {
        try clocks.muxing.measure { () throws(MediaError) in
            try sink.packets.write(packet, of: encoder, stream: index)
        }
        clocks.muxing.countOne()
    }

    private func foreign(_ file: PacketFile) -> MediaError {
        MediaError(
            .badInput,
            "the segment '\(file.name)' was made for another output or by another encoder (render it again)")
    }
}
