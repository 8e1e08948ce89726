/// Finds where audio begins and ends to be more than silence.
package enum SilenceScan {
    /// Below this mean power, full scale being 1, a window is silence: -45 dB, under speech and above most rooms' noise.
    package static let threshold: Float = 3.162e-5
    /// Seconds kept before the first window that is heard and after the last, so that no word is clipped.
    package static let margin = Rational(1, 10)

    /// Windows of 10 ms, of one channel at a rate that speech needs.
    private static let sampleRate = 16000
    private static let window = 160

    /// Seconds from `info.audioOrigin` between which it is heard, with a margin; nil where it is silent throughout.
    /// - Parameter duration: of the audio, in seconds.
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
