import FlipBase

/// The properties of a decoded picture that its conversion depends on; pictures of the same shape share a converter.
package struct PictureShape: Hashable {
    package var width: Int
    package var height: Int
    package var sampleAspectRatio: Rational
    package var pixelFormat: PixelFormat
    package var color: ColorDescription
    /// The peak luminance in cd/m2; nil if the file doesn't state it.
    package var peakLuminance: Int?

    package init(
        width: Int, height: Int, sampleAspectRatio: Rational, pixelFormat: PixelFormat, color: ColorDescription,
        peakLuminance: Int? = nil
    ) {
        (self.width, self.height, self.sampleAspectRatio) = (width, height, sampleAspectRatio)
        (self.pixelFormat, self.color, self.peakLuminance) = (pixelFormat, color, peakLuminance)
    }

    package init(_ video: VideoInfo) {
        self.init(
            width: video.width, height: video.height, sampleAspectRatio: video.sampleAspectRatio,
            pixelFormat: video.pixelFormat, color: video.color, peakLuminance: video.hdr?.peakLuminance)
    }

    /// Planar R'G'B' pictures of `depth` bits per component.
    package static func rgb(_ depth: Int, _ size: (width: Int, height: Int), hasAlpha: Bool = false) -> PictureShape {
        PictureShape(
            width: size.width, height: size.height, sampleAspectRatio: Rational(1),
            pixelFormat: .planarRGB(depth: depth, hasAlpha: hasAlpha),
            color: ColorDescription(matrix: "gbr", isFullRange: true))
    }
}
