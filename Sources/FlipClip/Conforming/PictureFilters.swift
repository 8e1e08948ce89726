import FlipBase

/// The filters of a conversion, in the syntax of the ffmpeg command.
package enum PictureFilters {
    /// Turns interlaced frames into progressive ones, one for one.
    package static let deinterlacing = "bwdif=mode=send_frame:deint=interlaced"

    package static func turns(_ transform: DisplayTransform) -> [String] {
        var filters = transform.mirrored ? ["hflip"] : []
        switch transform.rotation {
        case 90: filters.append("transpose=clock")
        case 180: filters += ["hflip", "vflip"]
        case 270: filters.append("transpose=cclock")
        default: break
        }
        return filters
    }

    package static func crop(_ layout: PictureLayout) -> [String] {
        guard let crop = layout.crop else { return [] }
        return ["crop=\(crop.width):\(crop.height):\(crop.x):\(crop.y)"]
    }

    package static func scale(_ layout: PictureLayout) -> String {
        "scale=\(layout.inner.width):\(layout.inner.height):flags=bicubic+accurate_rnd+full_chroma_int+bitexact"
    }

    /// The filters that change size, pixel format, color matrix and range in one step; if primaries or transfer change,
    /// by way of 16-bit R'G'B'. Empty if nothing changes.
    package static func recode(
        _ picture: PictureShape, _ layout: PictureLayout, _ conform: VideoConform, _ light: LightChange?
    ) -> [String] {
        if let light {
            let between = PictureShape.rgb(16, layout.inner, hasAlpha: conform.pixelFormat.hasAlpha)
            let wide = VideoConform(
                width: between.width, height: between.height, frameRate: conform.frameRate,
                pixelFormat: between.pixelFormat, color: between.color)
            return recode(picture, layout, wide, nil) + light.filters(hasAlpha: conform.pixelFormat.hasAlpha)
                + recode(between, layout, conform, nil)
        }
        let change = ColorChange(from: picture, to: conform)
        guard
            layout.isScaled || picture.pixelFormat != conform.pixelFormat || change.changesMatrix || change.changesRange
        else { return [] }
        // From R'G'B' to R'G'B' no matrix is converted, and none may be named: libswscale 8 (FFmpeg 7.1) changes colors
        // even if the two named are equal.
        let matrices =
            picture.pixelFormat.isRGB && conform.pixelFormat.isRGB
            ? []
            : [
                "in_color_matrix=\(ColorChange.family(change.sourceMatrix))",
                "out_color_matrix=\(ColorChange.family(change.targetMatrix))",
            ]
        let ranges = [
            "in_range=\(change.isSourceFull ? "full" : "limited")",
            "out_range=\(change.isTargetFull ? "full" : "limited")",
        ]
        return [([scale(layout)] + matrices + ranges).joined(separator: ":"), "format=\(conform.pixelFormat)"]
    }
}
