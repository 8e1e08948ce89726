/// How video is compressed.
package struct VideoEncoding: Sendable {
    /// libav's encoder; nil for the container's default.
    package var codec: String?
    /// Constant quality, on the codec's own scale; nil for the codec's default unless there is a bit rate.
    package var crf: Double?
    /// Bits a second.
    package var bitrate: Int?
    package var preset: String?
    package var pixelFormat: PixelFormat
    package var width: Int
    package var height: Int
    package var frameRate: Rational
    package var colour: ColorDescription
    package var hdr: HDRMetadata?
    /// The encoder's own options by name.
    package var options: [(String, String)]
    /// Part of the recipe: with another number the encoder may give other bytes.
    package var threads: Int
    /// Whether encoders work side by side on segments of it: each in one thread, whatever the machine.
    package var isSegmented = false

    package init(
        codec: String? = nil, crf: Double? = nil, bitrate: Int? = nil, preset: String? = nil, pixelFormat: PixelFormat,
        width: Int, height: Int, frameRate: Rational, colour: ColorDescription, options: [(String, String)] = [],
        threads: Int
    ) {
        self.codec = codec
        self.crf = crf
        self.bitrate = bitrate
        self.preset = preset
        self.pixelFormat = pixelFormat
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.colour = colour
        self.options = options
        self.threads = threads
    }
}

/// How sound is compressed.
package struct AudioEncoding: Sendable {
    /// libav's encoder; nil for the container's default.
    package var codec: String?
    /// Bits a second; nil for 192000 where the codec loses anything.
    package var bitrate: Int?
    /// Samples a second.
    package var sampleRate: Int
    /// libav's name, such as "stereo".
    package var layout: String

    package init(codec: String? = nil, bitrate: Int? = nil, sampleRate: Int, layout: String = "stereo") {
        self.codec = codec
        self.bitrate = bitrate
        self.sampleRate = sampleRate
        self.layout = layout
    }
}
