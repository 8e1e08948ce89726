import FlipBase

/// Amplifies audio, and lowers its peaks with libavfilter's `alimiter`, at four times the sample rate, as ITU-R BS.1770-4
/// measures them. Every sample keeps its time.
package final class PeakLimiter {
    private let graph: FilterGraph
    private let conform: AudioConform
    private var position = 0
    /// The number of samples that came out.
    private var given = 0

    /// - Parameters:
    ///   - gain: the factor of amplification.
    ///   - limit: the limiter's, as an amplitude: 1 is full scale. Sudden peaks overshoot it, by up to 2 dB.
    package init(_ conform: AudioConform, gain: Double, limit: Double) throws(MediaError) {
        self.conform = conform
        graph = try FilterGraph(
            audioSources: [conform.format.sourceArguments],
            chain: "volume=volume=\(gain):precision=float,aresample=\(4 * conform.sampleRate),"
                + "alimiter=limit=\(limit):attack=5:release=50:level=false:latency=true,\(conform.format.filter)"
        )
    }

    /// Takes the next `count` samples of every channel, and passes on those that are ready.
    package func write(audio channels: [UnsafePointer<Float>], count: Int, into sink: Sink) throws(MediaError) {
        try graph.send(try Frame(audio: channels, count: count, conform, at: position))
        position += count
        for frame in try graph.receiveAll() { try pass(frame, into: sink) }
    }

    /// Passes on the rest: as many samples in all as were taken.
    package func finish(into sink: Sink) throws(MediaError) {
        // What the resamplers hold back comes out with a little silence, of which nothing is passed on.
        let silence = [Float](repeating: 0, count: PeakLimiter.tail)
        try silence.withUnsafeBufferPointer { (buffer) throws(MediaError) in
            guard let start = buffer.baseAddress else { return }
            let channels = Array(repeating: start, count: conform.channels)
            try graph.send(try Frame(audio: channels, count: silence.count, conform, at: position))
        }
        try graph.send(nil)
        for frame in try graph.receiveAll() { try pass(frame, into: sink) }
    }

    /// The number of samples of silence after the end.
    private static let tail = 4096

    /// Receives samples of every channel, and their number.
    package typealias Sink = ([UnsafePointer<Float>], Int) throws(MediaError) -> Void

    private func pass(_ frame: Frame, into sink: Sink) throws(MediaError) {
        let count = min(Int(frame.pointer.pointee.nb_samples), position - given)
        if count <= 0 { return }
        let channels = (0..<conform.channels).compactMap { index in
            frame.pointer.pointee.extended_data[index].map {
                UnsafePointer(UnsafeRawPointer($0).assumingMemoryBound(to: Float.self))
            }
        }
        try sink(channels, count)
        given += count
    }
}
