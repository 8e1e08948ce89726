import CLibav
import FlipBase

/// Encodes the audio of an output: cuts samples into frames of the encoder's size, and drops packets past the end that
/// the container can't trim.
package final class AudioEncoder {
    package let encoder: StreamEncoder
    /// Whether the container stores how many of the last packet's samples are not to be heard (Matroska's
    /// DiscardPadding).
    private let trimsEnd: Bool
    private var isEnding = false
    private let blocks: FilterGraph
    private let channelCount: Int
    private let input: AudioFormat
    /// The number of samples per channel so far.
    package private(set) var sampleCount = 0

    package init(_ encoding: AudioEncoding, in container: Container, hasGlobalHeader: Bool) throws(MediaError) {
        encoder = try StreamEncoder(audio: encoding, in: container, hasGlobalHeader: hasGlobalHeader)
        trimsEnd = container.priming == .codecDelay
        let context = encoder.context.pointee
        input = AudioFormat(sampleRate: encoding.sampleRate, sampleFormat: "fltp", layout: encoding.layout)
        channelCount = Int(context.ch_layout.nb_channels)
        let format = av_get_sample_fmt_name(context.sample_fmt).map { String(cString: $0) } ?? "fltp"
        let wanted = AudioFormat(sampleRate: encoding.sampleRate, sampleFormat: format, layout: encoding.layout)
        let cut = context.frame_size > 0 ? ",asetnsamples=n=\(context.frame_size):p=0" : ""
        blocks = try FilterGraph(audioSources: [input.sourceArguments], chain: wanted.filter + cut)
    }

    /// Adds `count` samples of every channel and returns the frames that are now complete.
    package func blocks(adding channels: [UnsafePointer<Float>], count: Int) throws(MediaError) -> [Frame] {
        guard channels.count == channelCount else {
            throw MediaError(.internalFault, "got \(channels.count) channels for \(input.layout) audio")
        }
        let frame = try Frame()
        frame.pointer.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        frame.pointer.pointee.sample_rate = Int32(input.sampleRate)
        frame.pointer.pointee.nb_samples = Int32(clamping: count)
        av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &encoder.context.pointee.ch_layout)
        guard av_frame_get_buffer(frame.pointer, 0) >= 0 else { throw .outOfMemory }
        for (index, channel) in channels.enumerated() {
            frame.pointer.pointee.extended_data[index]?.withMemoryRebound(to: Float.self, capacity: count) {
                $0.update(from: channel, count: count)
            }
        }
        frame.pointer.pointee.pts = Int64(sampleCount)
        sampleCount += count
        try blocks.send(frame)
        return try blocks.receiveAll()
    }

    /// Whether a packet is to be written, which it isn't if it lies past the end.
    ///
    /// Codecs with overlapping blocks decode to whole blocks, and most players don't trim the last one (21 ms of AAC,
    /// longer than a frame at 60 fps). A last packet of which less than half is wanted is left out, so that the audio
    /// ends within half a block of the video's end.
    package func isWanted(_ packet: Packet) -> Bool {
        let context = encoder.context.pointee
        guard isEnding, context.initial_padding > 0, !(trimsEnd && packet.trimsSamples),
            let time = packet.presentationTime
        else { return true }
        return time + Int(context.frame_size) / 2 <= sampleCount
    }

    /// Returns the frames that are left after the last sample; the very last one may be short.
    package func lastBlocks() throws(MediaError) -> [Frame] {
        isEnding = true
        try blocks.send(nil)
        return try blocks.receiveAll()
    }
}
