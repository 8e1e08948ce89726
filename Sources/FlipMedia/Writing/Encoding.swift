import FlipBase

/// How video is compressed.
package struct VideoEncoding: Sendable {
    /// libav's name of the encoder; nil for the container's default.
    package var codec: String?
    /// Constant quality on the codec's own scale; nil for the codec's default, unless there is a bit rate.
    package var crf: Double?
    /// Bits per second; nil where no bit rate is asked for.
    package var bitrate: Int?
    /// A fixed quantizer, 1 (best)...31, for encoders that have no constant quality; nil for the codec's default.
    package var quantizer: Int?
    package var preset: String?
    package var pixelFormat: PixelFormat
    package var width: Int
    package var height: Int
    /// How the pictures, of `width` x `height` pixels, are shown.
    package var form = CodedForm.plain
    package var frameRate: Rational
    /// When the frames are shown if that is not at a constant rate; nil if it is.
    package var keptTimes: FrameTimes?
    package var color: ColorDescription
    package var hdr: HDRMetadata?
    /// What the container says of pictures that surround the viewer or hold a view for each eye; nil if it says nothing.
    package var projection: Projection?
    /// What the container says of Dolby Vision, which packets have then; nil if they have none.
    package var dolbyVision: DolbyVision?
    /// The encoder's own options by name.
    package var options: [(String, String)]
    /// The number of the encoder's threads. It is part of the recipe, since another number may give different bytes.
    package var threads: Int
    /// Whether segments of the video are encoded in parallel. Each encoder then uses one thread, on any machine.
    package var isSegmented = false
    /// One of two passes that reach a bit rate exactly, or share a palette; nil for a single pass.
    package var pass: Pass?

    /// One of an encoder's two passes.
    package struct Pass: Sendable {
        /// The first pass writes the statistics that the second one reads, any number of times.
        package var isFirst: Bool
        /// The path of the statistics. The encoder may write further files whose names begin with it.
        package var statistics: String

        package init(isFirst: Bool, statistics: String) { (self.isFirst, self.statistics) = (isFirst, statistics) }
    }

    /// The encoders that know two passes, by libav's names.
    package static let encodersInPasses: Set = ["libx264", "libx264rgb", "libx265"]

    /// When the frames are shown.
    package var times: FrameTimes { keptTimes ?? FrameTimes(rate: frameRate) }

    package init(
        codec: String? = nil, crf: Double? = nil, bitrate: Int? = nil, preset: String? = nil, pixelFormat: PixelFormat,
        width: Int, height: Int, frameRate: Rational, color: ColorDescription, options: [(String, String)] = [],
        threads: Int
    ) {
        (self.codec, self.crf, self.bitrate, self.preset) = (codec, crf, bitrate, preset)
        (self.pixelFormat, self.width, self.height, self.frameRate) = (pixelFormat, width, height, frameRate)
        (self.color, self.options, self.threads) = (color, options, threads)
    }
}

/// How audio is compressed.
package struct AudioEncoding: Sendable {
    /// The bit rate of lossy codecs if none is asked for, in bits per second: transparent for stereo AAC.
    package static let defaultBitrate = 192_000

    /// libav's name of the encoder; nil for the container's default.
    package var codec: String?
    /// Bits per second; nil for `defaultBitrate` where the codec is lossy.
    package var bitrate: Int?
    /// Samples per second.
    package var sampleRate: Int
    /// libav's name of the channel layout, such as "stereo".
    package var layout: String
    /// Whether samples have more than 16 bits where the encoder's default is 16.
    package var isDeep = false
    /// The bit rate where the output's size doesn't call for a lower one; nil if it may not be lowered, since it was asked for
    /// or the codec is lossless.
    package var highestBitrate: Int?

    package init(codec: String? = nil, bitrate: Int? = nil, sampleRate: Int, layout: String = "stereo") {
        (self.codec, self.bitrate, self.sampleRate, self.layout) = (codec, bitrate, sampleRate, layout)
    }

    /// Bits per second of a lossy codec.
    package var rate: Int { bitrate ?? Self.defaultBitrate }

    /// The bit rates to choose a lower one from, which all encoders take: those that MPEG's and Dolby's codecs have in common.
    private static let rates = [32, 48, 56, 64, 80, 96, 112, 128, 160].map { $0 * 1000 }
    /// What a channel has to have for speech to be understood and music to be recognized.
    private static let channelRate = 24_000

    /// The same encoding, with at most `wanted` bits per second where the bit rate may be lowered, but no fewer than its
    /// channels need.
    package func fitted(to wanted: Int) -> AudioEncoding {
        guard let highestBitrate else { return self }
        let least = (Encoders.channels(in: layout) ?? 2) * Self.channelRate
        let rates = Self.rates.filter { $0 >= least && $0 < highestBitrate } + [highestBitrate]
        var copy = self
        copy.bitrate = rates.last { $0 <= wanted } ?? rates[0]
        return copy
    }
}

extension VideoEncoding {
    /// The maximum number of frames from one keyframe to the next, at least 1.
    package var keyframeInterval: Int {
        max(options.last { $0.0 == "g" }.flatMap { Int($0.1) } ?? Encoders.defaultKeyframeInterval, 1)
    }
}
