import FlipBase
import FlipFiles

/// The output to write, and the sink that takes its packets.
package struct OutputSink {
    package let output: any Output
    package let packets: any PacketSink

    /// Opens a temporary file, or a folder for pictures, beside `path`, for a video stream and tracks beside it.
    /// - Parameter videoHeader: the extradata to write instead of the video encoder's; nil for the encoder's.
    package init(
        path: String, container: Container, chapters: [Chapter], video: StreamEncoder, sounds: [OutputAudio],
        subtitles: [OutputSubtitles], metadata: [String: String], videoHeader: [UInt8]?, overwrite: Bool
    ) throws(MediaError) {
        if container.isPicture, let names = FrameNames(path) {
            let sequence = try PictureSequence(path: path, names: names, overwrite: overwrite)
            (output, packets) = (sequence, sequence)
            return
        }
        let file = try OutputFile(path: path, overwrite: overwrite)
        output = file
        packets = try Muxer(
            file: file, container: container, chapters: chapters, video: video, sounds: sounds,
            subtitles: subtitles, metadata: metadata, videoHeader: videoHeader)
    }
}

extension PictureSequence: PacketSink {
    /// Writes the next picture; each packet is a whole one.
    package func write(_ packet: Packet, of encoder: StreamEncoder, stream: Int) throws(MediaError) {
        try append(UnsafeRawBufferPointer(packet.bytes))
    }

    package func write(subtitles packet: Packet, stream: Int) throws(MediaError) {}

    package func finish() {}
}
