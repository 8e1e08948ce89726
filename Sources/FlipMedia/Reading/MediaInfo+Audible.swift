import FlipBase

extension MediaInfo {
    /// The span in which the audio is audible, with a margin, in seconds from `audioOrigin`; nil if all of it is silent.
    /// - Parameter duration: the audio's duration in seconds.
    package func audibleSpan(duration: Rational) throws(MediaError) -> TimeSpan? {
        try silenceScan(duration: duration).span(within: duration)
    }

    /// What is silent in the audio, in seconds from `audioOrigin`.
    /// - Parameter duration: the audio's duration in seconds.
    package func silenceScan(duration: Rational) throws(MediaError) -> SilenceScan {
        let reader = try AudioReader(
            info: self, conform: AudioConform(sampleRate: SilenceScan.sampleRate, layout: "mono"), origin: audioOrigin)
        var scan = SilenceScan()
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: SilenceScan.window)
        defer { samples.deallocate() }
        for _ in 0..<SilenceScan.windows(in: duration) {
            try reader.read(SilenceScan.window, into: [samples])
            scan.add(UnsafeBufferPointer(start: samples, count: SilenceScan.window))
        }
        return scan
    }

    /// The time of the audio's sample of greatest magnitude in any channel, in seconds from `audioOrigin`; the first of
    /// several, and nil if all of it is silent. Audio of more than two channels is mixed to two first.
    /// - Parameter duration: the audio's duration in seconds.
    package func loudestMoment(duration: Rational) throws(MediaError) -> Rational? {
        guard let rate = audio?.sampleRate else { return nil }
        let reader = try AudioReader(
            info: self, conform: AudioConform(sampleRate: rate, layout: "stereo"), origin: audioOrigin)
        let block = 4096
        let channels = (0..<2).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: block) }
        defer { for channel in channels { channel.deallocate() } }
        let total = (duration * Rational(rate)).rounded()
        var loudest: (index: Int, magnitude: Float)?
        for start in stride(from: 0, to: total, by: block) {
            let count = min(block, total - start)
            try reader.read(count, into: channels)
            for index in 0..<count {
                let magnitude = max(abs(channels[0][index]), abs(channels[1][index]))
                if magnitude > loudest?.magnitude ?? 0 { loudest = (start + index, magnitude) }
            }
        }
        return loudest.map { Rational($0.index, rate) }
    }
}
