import Foundation

/// Decoded audio mixed down to one channel, and the measurements that tests make on it.
package struct Sound: Sendable {
    /// The sample rate in Hz.
    package let rate: Double
    package let samples: [Float]
    /// The time of the first sample in seconds after the first video frame: negative if the container's audio begins
    /// with the codec's priming, as Matroska's does since FFmpeg 6.
    package let start: Double

    /// Decodes an audio stream of `path` at its own sample rate and averages its channels.
    /// - Parameter track: the stream's number among those of audio, from 0.
    package init(_ path: String, track: Int = 0) throws {
        guard let facts = try Judge.audio(path, track: track), facts.channels > 0 else {
            throw ToolError("\(path) has no audio track \(track)")
        }
        let interleaved = try Judge.samples(path, track: track)
        let channels = facts.channels
        rate = Double(facts.sampleRate)
        let video = try Judge.firstTime(path, "v:0")
        start = try video.map { try (Judge.firstTime(path, "a:\(track)") ?? $0) - $0 } ?? 0
        samples = (0..<interleaved.count / channels).map { index in
            interleaved[index * channels..<(index + 1) * channels].reduce(0, +) / Float(channels)
        }
    }

    package var seconds: Double { Double(samples.count) / rate }

    /// The time in seconds of the loudest sample of each click. A click consists of samples whose magnitude is at least
    /// `threshold` of the largest one, and clicks are at least 50 ms apart.
    package func clicks(threshold: Float = 0.35) -> [Double] {
        let limit = (samples.map(abs).max() ?? 0) * threshold
        guard limit > 0 else { return [] }
        var clicks: [(peak: Int, last: Int)] = []
        for (index, sample) in samples.enumerated() where abs(sample) >= limit {
            if let click = clicks.last, Double(index - click.last) / rate < 0.05 {
                clicks[clicks.count - 1].last = index
                if abs(sample) > abs(samples[click.peak]) { clicks[clicks.count - 1].peak = index }
            } else {
                clicks.append((index, index))
            }
        }
        return clicks.map { start + Double($0.peak) / rate }
    }

    /// The amplitude of the tone of `frequency` Hz in the window of `length` seconds that starts at `begin`. It is
    /// exact if the window holds whole periods of this tone and of every other one, and NaN if the window is not within
    /// the audio.
    package func amplitude(of frequency: Double, from begin: Double, length: Double) -> Double {
        let first = Int(((begin - start) * rate).rounded())
        let count = Int((length * rate).rounded())
        guard first >= 0, first + count <= samples.count, count > 0 else { return .nan }
        var (real, imaginary) = (0.0, 0.0)
        for index in first..<first + count {
            let phase = 2 * Double.pi * frequency * Double(index) / rate
            real += Double(samples[index]) * cos(phase)
            imaginary += Double(samples[index]) * sin(phase)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(count)
    }
}
