import FlipBase

/// The format that every frame of a video is converted to.
package struct VideoConform: Sendable {
    /// What happens to a picture of another aspect ratio.
    package enum Fit: String, Sendable, CaseIterable, Codable {
        /// The whole picture is shown, with bars of the background color.
        case pad
        /// The picture fills the frame; what protrudes is cut off.
        case crop
        /// The picture is distorted to fill the frame.
        case stretch
        /// The whole picture is shown, in front of a blurred copy of itself that fills the frame.
        case blur

        /// Whether the whole picture is shown in its shape, so that a part of the frame may be left over.
        package var leavesMargins: Bool { self == .pad || self == .blur }
    }

    /// The width in pixels, as coded.
    package var width: Int
    /// The height in pixels, as coded.
    package var height: Int
    /// How the pictures are shown.
    package var form = CodedForm.plain
    /// Frames per second.
    package var frameRate: Rational
    /// Whether films keep the times of their own frames, so that `frameRate` is only that of what is drawn.
    package var keepsTimes = false
    /// Planar and native (`PixelFormat.isPlanarNative`) unless frames are only converted for an encoder.
    package var pixelFormat: PixelFormat
    package var color: ColorDescription
    package var fit: Fit
    /// Whether frames flagged as interlaced are deinterlaced.
    package var deinterlaces = true
    /// The color of the bars and behind transparent pictures: sRGB R'G'B', each 0...1.
    package var background: (red: Double, green: Double, blue: Double)
    /// The opacity of the bars in a format with alpha, 0...1.
    package var backgroundAlpha = 1.0

    package init(
        width: Int, height: Int, frameRate: Rational, pixelFormat: PixelFormat, color: ColorDescription,
        fit: Fit = .pad, background: (red: Double, green: Double, blue: Double) = (0, 0, 0)
    ) {
        (self.width, self.height, self.frameRate, self.pixelFormat) = (width, height, frameRate, pixelFormat)
        (self.color, self.fit, self.background) = (color, fit, background)
    }

    /// Turns colors into samples of the frames.
    package var colors: ColorEncoder {
        let components: ColorEncoder.Components =
            switch pixelFormat.components {
            case .gray: .gray
            case .gbr: .gbr
            case .yuv, .other: .yuv
            }
        return ColorEncoder(
            components, depth: pixelFormat.depth, isFullRange: color.usesFullRange(pixelFormat),
            weights: ColorChange.weights(color.assumedMatrix(width: width, height: height)), light: color.light)
    }

    /// How pictures of `transform` are mirrored and turned.
    package func turn(of transform: DisplayTransform) -> DisplayTransform { transform.relative(to: form.transform) }

    /// The number of frames that the used part of a clip has in the output, at least 1.
    package func frameCount(of use: ClipUse) -> Int {
        use.timing?.frames ?? use.kept?.chosen.count ?? max(1, (use.span.duration * frameRate).rounded())
    }
}
