import FlipBase

/// Lowers the volume of one audio track while another is heard, with libavfilter's `sidechaincompress`, sample for
/// sample.
package final class Ducker {
    private let graph: FilterGraph
    private let conform: AudioConform
    private var position = 0
    /// Frames from the filter that are not fully taken yet.
    private var ready: [Frame] = []
    /// The number of samples that were taken of the first of them.
    private var taken = 0

    /// Speech at -40 dB and above lowers the bed by up to 20:1, with an attack of 50 ms and a release of 0.8 s.
    private static let filter = "sidechaincompress=threshold=0.01:ratio=20:attack=50:release=800:knee=4:link=maximum"

    package init(_ conform: AudioConform) throws(MediaError) {
        self.conform = conform
        let format = conform.format
        graph = try FilterGraph(
            audioSources: [format.sourceArguments, format.sourceArguments],
            chain: "\(Self.filter),\(format.filter)")
    }

    /// Lowers `bed` in place while `key` is heard. Both have `count` samples per channel and cover the same span.
    package func duck(
        _ bed: [UnsafeMutablePointer<Float>], under key: [UnsafeMutablePointer<Float>], count: Int
    ) throws(MediaError) {
        for (index, channels) in [bed, key].enumerated() {
            let frame = try Frame(audio: channels.map { UnsafePointer($0) }, count: count, conform, at: position)
            try graph.send(frame, to: index)
        }
        position += count
        var done = 0
        while done < count {
            if ready.isEmpty { ready = try graph.receiveAll() }
            guard let frame = ready.first else {
                throw MediaError(.internalFault, "sidechaincompress gave \(done) of \(count) samples")
            }
            let available = Int(frame.pointer.pointee.nb_samples) - taken
            let part = min(available, count - done)
            for (index, channel) in bed.enumerated() {
                frame.pointer.pointee.extended_data[index]?.withMemoryRebound(to: Float.self, capacity: taken + part) {
                    (channel + done).update(from: $0 + taken, count: part)
                }
            }
            done += part
            taken += part
            if part == available {
                ready.removeFirst()
                taken = 0
            }
        }
    }
}
