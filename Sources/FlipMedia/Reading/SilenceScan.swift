import FlipBase
import FlipClip

/// Finds where audio first and last rises above silence.
package enum SilenceScan {
    /// The mean power, relative to full scale, up to which a window is silent: -45 dB, below speech and above the noise
    /// of most rooms.
    package static let threshold: Float = 3.162e-5
    /// The seconds that are kept before the first audible window and after the last, so that no word is cut off.
    package static let margin = Rational(1, 10)

    /// Samples per second, of one channel; enough for speech.
    private static let sampleRate = 16000
    /// Samples per window: 10 ms.
    private static let window = 160

    /// The span in which the audio is audible, with the margin, in seconds from `info.audioOrigin`; nil if all of it is
    /// silent.
    /// - Parameter duration: the audio's duration in seconds.
    package static func loudSpan(of info: MediaInfo, duration: Rational) throws(MediaError) -> TimeSpan? {
        let reader = try AudioReader(
            info: info, conform: AudioConform(sampleRate: sampleRate, layout: "mono"), origin: info.audioOrigin)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: window)
        defer { samples.deallocate() }
        var heard: (first: Int, last: Int)?
        let count = (duration * Rational(sampleRate, window)).rounded()
        for index in 0..<max(1, count) {
            try reader.read(window, into: [samples])
            let sum = (0..<window).reduce(Float(0)) { $0 + samples[$1] * samples[$1] }
            if sum / Float(window) > threshold { heard = (heard?.first ?? index, index) }
        }
        guard let heard else { return nil }
        let start = max(.zero, Rational(heard.first * window, sampleRate) - margin)
        let end = min(duration, Rational((heard.last + 1) * window, sampleRate) + margin)
        return TimeSpan(start: start, duration: end - start)
    }
}
