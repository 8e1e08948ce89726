import FlipBase

/// What becomes of a clip's frames, for the plan.
extension VideoConform {
    /// The conversions that a clip's frames undergo, as texts, in order; empty if they pass unchanged, and for a gap.
    package func conversions(from clip: InputClip) -> [String] {
        let isProgressive = clip.video?.isInterlaced == true && deinterlaces && !keepsFields(of: clip)
        return (isProgressive ? ["deinterlaced"] : []) + otherConversions(from: clip)
    }

    /// Whether the clip's fields are shown as they are: they have the output's order, and nothing else has to be converted.
    package func keepsFields(of clip: InputClip) -> Bool {
        form.fieldOrder != nil && form.fieldOrder == clip.video?.fieldOrder && otherConversions(from: clip).isEmpty
    }

    private func otherConversions(from clip: InputClip) -> [String] {
        guard let video = clip.video else { return [] }
        let picture = PictureShape(video)
        let layout = PictureLayout(picture, transform: video.transform, conform: self)
        var list: [String] = []
        let turn = self.turn(of: video.transform)
        if turn.mirrored { list.append("mirrored") }
        if turn.rotation != 0 { list.append("rotated by \(turn.rotation)") }
        if let angle = video.transform.requestedAngle {
            list.append("rotated by the quarter turn nearest to \(angle.rounded()) degrees")
        }
        if let crop = layout.crop { list.append("cropped to \(crop.width)x\(crop.height)") }
        if layout.isScaled {
            list.append("scaled \(video.width)x\(video.height) -> \(layout.inner.width)x\(layout.inner.height)")
        }
        if layout.isPadded {
            list.append("padded to \(width)x\(height)" + (fit == .blur ? " with a blurred copy of itself" : ""))
        }
        if video.pixelFormat.hasAlpha, !pixelFormat.hasAlpha { list.append("composited over the background") }
        if video.pixelFormat != pixelFormat { list.append("\(video.pixelFormat) -> \(pixelFormat)") }
        return list + colorConversions(from: video, picture) + rateConversions(from: video, clip.use)
    }

    private func colorConversions(from video: VideoInfo, _ picture: PictureShape) -> [String] {
        let change = ColorChange(from: picture, to: self)
        var list: [String] = []
        if let name = video.changedProfile { list.append("\(name) -> sRGB") }
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
        if keepsTimes { return [] }
        if video.isVariableFrameRate { return ["variable -> \(frameRate.decimalText) fps"] }
        if video.frameRate == frameRate { return [] }
        return ["\(video.frameRate.decimalText) -> \(frameRate.decimalText) fps"]
    }
}

extension Rational {
    /// The number with at most three decimals, such as "29.97" or "25".
    package var decimalText: String { text(scale: 1000) }

    /// The number with at most nine decimals, which is as many as options and files may give.
    package var nanosecondText: String { text(scale: 1_000_000_000) }

    /// - Parameter scale: a power of ten, whose zeros are the decimals.
    private func text(scale: Int) -> String {
        let parts = (self * Rational(scale)).rounded()
        let (whole, rest) = parts.quotientAndRemainder(dividingBy: scale)
        guard rest != 0 else { return "\(whole)" }
        var digits = String(String(scale + abs(rest)).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        return "\(parts < 0 && whole == 0 ? "-" : "")\(whole).\(digits)"
    }
}
