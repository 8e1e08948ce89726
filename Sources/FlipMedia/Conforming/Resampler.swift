import CLibav
import FlipBase

extension AudioFormat {
    init?(_ frame: Frame) {
        guard frame.pointer.pointee.sample_rate > 0,
            let name = av_get_sample_fmt_name(AVSampleFormat(frame.pointer.pointee.format))
        else { return nil }
        if frame.pointer.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
            av_channel_layout_default(&frame.pointer.pointee.ch_layout, frame.pointer.pointee.ch_layout.nb_channels)
        }
        self.init(
            sampleRate: Int(frame.pointer.pointee.sample_rate), sampleFormat: String(cString: name),
            layout: ChannelLayout.name(of: frame.pointer.pointee.ch_layout))
    }
}

extension AudioConform {
    /// The samples in which audio is mixed: planar Float.
    var format: AudioFormat { AudioFormat(sampleRate: sampleRate, sampleFormat: "fltp", layout: layout) }
}

extension Frame {
    /// A frame with copies of `count` samples of every channel.
    /// - Parameter position: the number of samples before them, which becomes the frame's PTS.
    convenience init(
        audio channels: [UnsafePointer<Float>], count: Int, _ conform: AudioConform, at position: Int
    ) throws(MediaError) {
        try self.init()
        pointer.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        pointer.pointee.sample_rate = Int32(conform.sampleRate)
        pointer.pointee.nb_samples = Int32(clamping: count)
        guard let layout = ChannelLayout.named(conform.layout) else { throw .outOfMemory }
        pointer.pointee.ch_layout = layout
        guard av_frame_get_buffer(pointer, 0) >= 0 else { throw .outOfMemory }
        for (index, channel) in channels.enumerated() {
            pointer.pointee.extended_data[index]?.withMemoryRebound(to: Float.self, capacity: count) {
                $0.update(from: channel, count: count)
            }
        }
        pointer.pointee.pts = Int64(position)
    }
}

/// Converts a run of samples without gaps to planar Float.
final class Resampler {
    let format: AudioFormat
    /// The stream time, in seconds, at which the samples so far end.
    private(set) var end: Rational
    private let graph: FilterGraph
    private var count = 0
    private let start: Rational

    init(from format: AudioFormat, to conform: AudioConform, start: Rational) throws(MediaError) {
        (self.format, self.start) = (format, start)
        end = start
        let filters = [ChannelLayout.reordering(format.layout), conform.format.filter].compactMap { $0 }
        graph = try FilterGraph(audioSources: [format.sourceArguments], chain: filters.joined(separator: ","))
    }

    func convert(_ frame: Frame) throws(MediaError) -> [Frame] {
        frame.pointer.pointee.pts = Int64(count)
        count += Int(frame.pointer.pointee.nb_samples)
        end = start + Rational(count, format.sampleRate)
        try graph.send(frame)
        return try graph.receiveAll()
    }

    /// Returns the samples that the filter still holds.
    func finish() throws(MediaError) -> [Frame] {
        try graph.send(nil)
        return try graph.receiveAll()
    }
}

extension FilterGraph {
    /// Returns all frames that are ready.
    func receiveAll() throws(MediaError) -> [Frame] {
        var frames: [Frame] = []
        while let frame = try receive() { frames.append(frame) }
        return frames
    }
}
