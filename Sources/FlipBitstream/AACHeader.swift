/// The fields of an AAC stream's header (AudioSpecificConfig, ISO/IEC 14496-3 1.6.2.1) that its packets depend on.
package struct AACHeader: Sendable, Hashable {
    /// samplingFrequencyIndex and channelConfiguration.
    package let rate: Int
    package let channels: Int

    /// Returns nil for anything but AAC-LC with frames of 1024 samples, a listed sample rate and channel layout.
    package init?(_ bytes: [UInt8]) {
        var reader = BitReader(bytes)
        // The last three bits: frames of 1024 samples, no core coder, no extension.
        guard reader.bits(5) == 2, let rate = reader.bits(4), rate < 15, let channels = reader.bits(4), channels > 0,
            reader.bits(3) == 0
        else { return nil }
        self.rate = rate
        self.channels = channels
    }
}
