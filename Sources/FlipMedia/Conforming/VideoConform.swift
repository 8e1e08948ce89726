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
    }

    /// The width in square pixels.
    package var width: Int
    /// The height in square pixels.
    package var height: Int
    /// Frames per second.
    package var frameRate: Rational
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
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.pixelFormat = pixelFormat
        self.color = color
        self.fit = fit
        self.background = background
    }

    /// The number of frames that the used part of a clip has in the output, at least 1.
    package func frameCount(of use: ClipUse) -> Int {
        use.timing?.frames ?? max(1, (use.span.duration * frameRate).rounded())
    }

    /// A frame of nothing but the background.
    package func blankFrame() throws(MediaError) -> VideoFrame {
        let frame = try FramePool(width: width, height: height, pixelFormat: pixelFormat, color: color).make()
        Background(self).fill(frame)
        return VideoFrame(frame.frame, isShared: true)
    }

    /// The conversions that a clip's frames undergo, as texts, in order; empty if they pass unchanged, and for a gap.
    package func conversions(from clip: InputClip) -> [String] {
        guard let video = clip.video else { return [] }
        let picture = PictureShape(video)
        let layout = PictureLayout(picture, transform: video.transform, conform: self)
        var list: [String] = []
        if video.isInterlaced, deinterlaces { list.append("deinterlaced") }
        if video.transform.mirrored { list.append("mirrored") }
        if video.transform.rotation != 0 { list.append("rotated by \(video.transform.rotation)") }
        if let angle = video.transform.requestedAngle {
            list.append("rotated by the quarter turn nearest to \(angle.rounded()) degrees")
        }
        if let crop = layout.crop { list.append("cropped to \(crop.width)x\(crop.height)") }
        if layout.isScaled {
            list.append(
                "scaled \(video.width)x\(video.height) -> \(layout.inner.width)x\(layout.inner.height)")
        }
        if layout.isPadded { list.append("padded to \(width)x\(height)") }
        if video.pixelFormat.hasAlpha, !pixelFormat.hasAlpha { list.append("composited over the background") }
        if video.pixelFormat != pixelFormat { list.append("\(video.pixelFormat) -> \(pixelFormat)") }
        return list + colorConversions(from: video, picture) + rateConversions(from: video, clip.use)
    }

    private func colorConversions(from video: VideoInfo, _ picture: PictureShape) -> [String] {
        let change = ColorChange(from: picture, to: self)
        var list: [String] = []
        if change.changesMatrix { list.append("\(change.sourceMatrix) -> \(change.targetMatrix)") }
        if change.changesRange, video.pixelFormat.isRGB == pixelFormat.isRGB {
            list.append(change.isSourceFull ? "full -> limited range" : "limited -> full range")
        }
        if let light = LightChange(from: picture, to: self) { list.append(light.text) }
        return list
    }

    /// Whether HDR is converted to SDR or vice versa, or one kind of HDR to another.
    package func changesDynamicRange(of video: VideoInfo) -> Bool {
        LightChange(from: PictureShape(video), to: self)?.changesRange ?? false
    }

    /// Why some of the video's colors are not shown as intended, as the end of a sentence that begins with its name;
    /// nil if all are.
    package func colorLoss(of video: VideoInfo) -> String? {
        if let name = video.unknownProfile {
            return "has the color profile \(name), which isn't converted: its colors are taken as sRGB"
        }
        guard !LightChange.isPossible, LightChange.changesGamut(from: video.color, to: color) else { return nil }
        return "has colors of other primaries (\(video.color.primaries ?? "bt709")), which this FFmpeg can't convert "
            + "(it lacks the filter zscale)"
    }

    private func rateConversions(from video: VideoInfo, _ use: ClipUse) -> [String] {
        if let timing = use.timing, timing.speed != Rational(1) {
            return [timing.speed == .zero ? "frozen" : "at \(timing.speed.decimalText) times its speed"]
        }
        if video.isStill { return ["shown for \(use.span.duration.decimalText) s"] }
        if video.isVariableFrameRate { return ["variable -> \(frameRate.decimalText) fps"] }
        if video.frameRate == frameRate { return [] }
        return ["\(video.frameRate.decimalText) -> \(frameRate.decimalText) fps"]
    }
}

extension Rational {
    /// The number with at most three decimals, such as "29.97" or "25".
    package var decimalText: String {
        let thousandths = (self * Rational(1000)).rounded()
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
        guard rest != 0 else { return "\(whole)" }
        var digits = String(String(1000 + abs(rest)).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        return "\(thousandths < 0 && whole == 0 ? "-" : "")\(whole).\(digits)"
    }
}
