import CLibav
import FlipBase
import FlipClip

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

/// Converts a run of samples without gaps to planar Float.
final class Resampler {
    let format: AudioFormat
    /// The stream time, in seconds, at which the samples so far end.
    private(set) var end: Rational
    private let graph: FilterGraph
    private var count = 0
    private let start: Rational

    init(from format: AudioFormat, to conform: AudioConform, start: Rational) throws(MediaError) {
        self.format = format
        self.start = start
        end = start
        let wanted = AudioFormat(sampleRate: conform.sampleRate, sampleFormat: "fltp", layout: conform.layout)
        graph = try FilterGraph(audioSource: format.sourceArguments, chain: wanted.filter)
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
