/// A buffer of planar samples that owns its memory.
package final class SampleBlock {
    package let channels: [UnsafeMutablePointer<Float>]

    /// A buffer of `samples` zeros for each of `count` channels.
    package init(channels count: Int, count samples: Int) {
        channels = (0..<count).map { _ in
            let channel = UnsafeMutablePointer<Float>.allocate(capacity: samples)
            channel.initialize(repeating: 0, count: samples)
            return channel
        }
    }

    deinit { for channel in channels { channel.deallocate() } }

    /// Makes the first `count` samples of each channel zero.
    package func clear(_ count: Int) { for channel in channels { channel.update(repeating: 0, count: count) } }

    /// Takes over the first `count` samples of `sources`, multiplied by `factor`.
    package func set(_ sources: [UnsafePointer<Float>], _ count: Int, times factor: Float) {
        for (target, source) in zip(channels, sources) {
            for index in 0..<count { target[index] = source[index] * factor }
        }
    }

    /// Multiplies sample `index` of each channel, for each of the first `count`, by `factor(index)`.
    package func multiply(_ count: Int, by factor: (_ index: Int) -> Float) {
        for index in 0..<count {
            let factor = factor(index)
            for channel in channels { channel[index] *= factor }
        }
    }

    /// Adds the first samples of `other`, which are output samples `part`, from sample `offset` on.
    /// - Parameter gain: what they are multiplied by.
    package func add(_ other: SampleBlock, _ part: Range<Int>, at offset: Int, _ gain: SoundGain) {
        let isSteady = gain.isSteady(in: part)
        for (sum, source) in zip(channels, other.channels) {
            for index in 0..<part.count {
                let factor = isSteady ? gain.gain : gain.value(at: part.lowerBound &+ index)
                sum[offset &+ index] += factor * source[index]
            }
        }
    }
}

/// How loud a sound is at each output sample.
package struct SoundGain {
    /// The gain where it doesn't fade.
    package let gain: Float
    private let fadeIn: Range<Int>?
    private let fadeOut: Range<Int>?
    private let curve: AudioCurve

    /// - Parameters:
    ///   - fadeIn: the output samples in which it fades in; nil if it begins at once.
    ///   - fadeOut: likewise, to its end.
    package init(gain: Float, fadeIn: Range<Int>? = nil, fadeOut: Range<Int>? = nil, curve: AudioCurve = .equalPower) {
        (self.gain, self.fadeIn, self.fadeOut, self.curve) = (gain, fadeIn, fadeOut, curve)
    }

    /// Whether the sound fades neither in nor out in output samples `part`.
    func isSteady(in part: Range<Int>) -> Bool {
        (fadeIn?.upperBound ?? 0) <= part.lowerBound && (fadeOut?.lowerBound ?? .max) >= part.upperBound
    }

    /// The gain at output sample `sample`, fades included.
    func value(at sample: Int) -> Float {
        var value = gain
        if let fadeIn, sample < fadeIn.upperBound { value *= curve.gain(Self.through(fadeIn, sample)) }
        if let fadeOut, sample >= fadeOut.lowerBound { value *= curve.outgoingGain(Self.through(fadeOut, sample)) }
        return value
    }

    /// How far through `range` the middle of `sample` lies, 0...1.
    private static func through(_ range: Range<Int>, _ sample: Int) -> Double {
        (Double(sample - range.lowerBound) + 0.5) / Double(range.count)
    }
}
