/// The format that all audio is converted to: planar Float samples.
package struct AudioConform: Sendable, Equatable {
    /// Samples per second.
    package var sampleRate: Int
    /// libav's name of the channel layout, such as "stereo".
    package var layout: String

    package init(sampleRate: Int, layout: String = "stereo") { (self.sampleRate, self.layout) = (sampleRate, layout) }
}

/// A format of audio samples.
package struct AudioFormat: Equatable {
    package var sampleRate: Int
    /// libav's name, such as "fltp".
    package var sampleFormat: String
    /// libav's name, such as "stereo".
    package var layout: String

    /// The arguments of a filter graph's `abuffer` source; a tick lasts one sample.
    package var sourceArguments: String {
        "time_base=1/\(sampleRate):sample_rate=\(sampleRate):sample_fmt=\(sampleFormat):channel_layout=\(layout)"
    }

    /// The filter that converts any audio to this format: rate, sample format and channels in one step.
    package var filter: String {
        "aformat=sample_fmts=\(sampleFormat):sample_rates=\(sampleRate):channel_layouts=\(layout)"
    }
}
