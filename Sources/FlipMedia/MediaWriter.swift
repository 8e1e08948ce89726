import CLibav

/// Writes a media file, or a sequence of pictures, whole or not at all. All calls but `cancel` come from one thread.
package final class MediaWriter: @unchecked Sendable {
    private let output: any Output
    private let sink: any PacketSink
    private let video: VideoTrack
    private let audio: AudioTrack?
    private let clocks: WritingClocks

    /// Opens the encoders and a temporary file beside `path`.
    /// - Throws: `usage` for settings that no encoder here takes, `missingCodec` for an encoder or muxer this FFmpeg
    ///   lacks, `cannotCreate` when the file may not be made or exists and is not to be overwritten, `io` for a full
    ///   disk.
    package init(
        path: String, container: Container, video: VideoEncoding, audio: AudioEncoding?, chapters: [Chapter] = [],
        overwrite: Bool, clocks: WritingClocks = WritingClocks()
    ) throws(MediaError) {
        let hasGlobalHeader = try Encoders.muxer(of: container).pointee.flags & AVFMT_GLOBALHEADER != 0
        self.clocks = clocks
        self.video = try clocks.encoding.measure { () throws(MediaError) in
            try VideoTrack(video, in: container, hasGlobalHeader: hasGlobalHeader)
        }
        self.audio = try audio.map { encoding throws(MediaError) in
            try AudioTrack(encoding, in: container, hasGlobalHeader: hasGlobalHeader)
        }
        if container.isPicture, let names = FrameNames(path) {
            let sequence = try OutputSequence(path: path, names: names, overwrite: overwrite)
            (output, sink) = (sequence, sequence)
            return
        }
        let file = try OutputFile(path: path, overwrite: overwrite)
        output = file
        sink = try Muxer(
            file: file, container: container, chapters: chapters,
            encoders: [self.video.encoder] + (self.audio.map { [$0.encoder] } ?? []))
    }

    /// Writes a frame of the encoding's size and format.
    /// - Parameter index: its time in frames; larger than that of the frame before.
    package func write(_ frame: VideoFrame, at index: Int) throws(MediaError) {
        try encodeVideo(
            try clocks.encoding.measure { () throws(MediaError) in try video.prepared(frame, index: index) })
        clocks.encoding.countOne()
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
    /// - Returns: its size in bytes, or that of all pictures together.
    package func finish() throws(MediaError) -> Int {
        try encodeVideo(nil)
        if let audio {
            for block in try audio.lastBlocks() { try encode(block, on: audio) }
            try encode(nil, on: audio)
        }
        return try clocks.muxing.measure { () throws(MediaError) in
            try sink.finish()
            return try output.commit()
        }
    }

    /// Removes what was written. Safe to call from any thread at any time; after `finish` it does nothing.
    package func cancel() { output.discard() }

    private func encodeVideo(_ frame: Frame?) throws(MediaError) {
        let encoder = video.encoder
        try clocks.encoding.measure { () throws(MediaError) in try encoder.send(frame) }
        while let packet = try clocks.encoding.measure({ () throws(MediaError) in try encoder.receive() }) {
            // Not every encoder says how long a frame lasts; without it the last one would have no length.
            if packet.duration == nil { packet.pointer.pointee.duration = 1 }
            try mux(packet, of: encoder, stream: 0)
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
