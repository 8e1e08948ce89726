import FlipBase

/// What encoders need, by their names in libav.
package enum Encoders {
    /// The default of x264 and x265 for the greatest number of frames from one keyframe to the next.
    package static let defaultKeyframeInterval = 250

    /// Whether the encoder takes only whole chroma samples, so that 4:2:0 must have an even width and height.
    package static func needsWholeChroma(codec name: String) -> Bool {
        name.hasPrefix("libx26") || name == "libsvtav1" || HardwareFamily.of(encoder: name) != nil
    }

    /// Whether the encoder takes only full-range samples (ITU-T T.871).
    package static func needsFullRange(codec name: String) -> Bool { name == "mjpeg" }

    /// The color matrix of everything the encoder makes, since its files can't state another: JPEG (ITU-T T.871) and
    /// WebP (RFC 9649, 2.5) have that of BT.601. Nil for other encoders.
    package static func fixedMatrix(codec name: String) -> String? {
        name == "mjpeg" || name.hasPrefix("libwebp") ? "bt470bg" : nil
    }

    /// Whether readers of the encoder's files expect RGB, although it takes Y'CbCr as well.
    package static func isForRGB(codec name: String) -> Bool { name == "tiff" }

    /// Throws `usage` for a size that the encoder can't take.
    package static func checkSize(_ encoding: VideoEncoding, _ name: String) throws(MediaError) {
        let (width, height) = (encoding.width, encoding.height)
        if needsWholeChroma(codec: name),
            width % encoding.pixelFormat.chromaStepX != 0 || height % encoding.pixelFormat.chromaStepY != 0
        {
            throw MediaError(
                .usage,
                "\(name) takes no odd size such as \(width)x\(height) in \(encoding.pixelFormat); choose an even one")
        }
        try Limits.check(width: width, height: height)
    }

    /// Throws `usage` for a preset that the encoder doesn't have.
    package static func checkPreset(_ encoding: VideoEncoding, _ name: String) throws(MediaError) {
        // x264 and x265 report an unknown preset on standard error by themselves.
        let presets = [
            "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
        ]
        if let preset = encoding.preset, name.hasPrefix("libx26"), !presets.contains(preset) {
            throw MediaError(
                .usage, "the encoder '\(name)' has no preset '\(preset)' (expected \(presets.joined(separator: ", ")))")
        }
    }
}
