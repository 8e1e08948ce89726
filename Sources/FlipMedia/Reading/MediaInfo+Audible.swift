import FlipBase
import FlipClip

extension MediaInfo {
    /// The span in which the audio is audible, with a margin, in seconds from `audioOrigin`; nil if all of it is silent.
    /// - Parameter duration: the audio's duration in seconds.
    package func audibleSpan(duration: Rational) throws(MediaError) -> TimeSpan? {
        let reader = try AudioReader(
            info: self, conform: AudioConform(sampleRate: SilenceScan.sampleRate, layout: "mono"), origin: audioOrigin)
        var scan = SilenceScan()
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: SilenceScan.window)
        defer { samples.deallocate() }
        for _ in 0..<SilenceScan.windows(in: duration) {
            try reader.read(SilenceScan.window, into: [samples])
            scan.add(UnsafeBufferPointer(start: samples, count: SilenceScan.window))
        }
        return scan.span(within: duration)
    }
}
