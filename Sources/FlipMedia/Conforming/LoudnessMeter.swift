import CLibav
import FlipBase

/// Measures the integrated loudness and the true peak of audio (ITU-R BS.1770-4, EBU R 128) with libavfilter's `ebur128`.
package final class LoudnessMeter {
    /// What was measured.
    package struct Reading: Sendable, Equatable {
        /// The integrated loudness in LUFS; nil if nothing is louder than the gate at -70 LUFS.
        package let loudness: Double?
        /// The largest true peak of any channel, as an amplitude: 1 is full scale.
        package let peak: Double
    }

    private let graph: FilterGraph
    private let conform: AudioConform
    private var position = 0
    private var last: (loudness: Double?, peak: Double) = (nil, 0)

    package init(_ conform: AudioConform) throws(MediaError) {
        self.conform = conform
        graph = try FilterGraph(
            audioSources: [conform.format.sourceArguments], chain: "ebur128=peak=true:metadata=1:framelog=verbose")
    }

    /// Takes the next `count` samples of every channel.
    package func write(audio channels: [UnsafePointer<Float>], count: Int) throws(MediaError) {
        try graph.send(try Frame(audio: channels, count: count, conform, at: position))
        position += count
        for frame in try graph.receiveAll() { note(frame) }
    }

    /// What was measured of all samples; those of the last tenth of a second may be missing.
    package func finish() throws(MediaError) -> Reading {
        try graph.send(nil)
        for frame in try graph.receiveAll() { note(frame) }
        return Reading(loudness: last.loudness, peak: last.peak)
    }

    private func note(_ frame: Frame) {
        // Each frame's metadata tells of all samples up to its end.
        if let loudness = value("I", of: frame) { last.loudness = loudness > LoudnessMeter.gate ? loudness : nil }
        if let peak = value("true_peak", of: frame) { last.peak = peak }
    }

    /// Below this loudness, in LUFS, audio counts as silence.
    private static let gate = -70.0

    private func value(_ key: String, of frame: Frame) -> Double? {
        av_dict_get(frame.pointer.pointee.metadata, "lavfi.r128.\(key)", nil, 0).flatMap {
            Double(String(cString: $0.pointee.value))
        }
    }
}
