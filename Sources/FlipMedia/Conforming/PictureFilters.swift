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

    /// Turns a picture of the size `inner`, already in the format of the output, into a blurred one that fills the frame:
    /// its middle part of the frame's shape, reduced to an eighth, blurred and enlarged. (`boxblur` works in integers, so
    /// that all processors blur alike.)
    package static func blurredFill(of inner: (width: Int, height: Int), _ conform: VideoConform) -> [String] {
        let frame = (width: conform.width, height: conform.height)
        let format = conform.pixelFormat
        let kept = (
            width: min(inner.width, max(format.chromaStepX, inner.height * frame.width / frame.height)),
            height: min(inner.height, max(format.chromaStepY, inner.width * frame.height / frame.width))
        )
        // The filter takes radii up to half of the smallest plane, whose samples may span four pixels.
        // Its pixels are square, so that it is blurred alike in all directions.
        let shape = conform.form.sampleAspectRatio
        let small = (
            width: max(8, frame.width * shape.numerator / (8 * shape.denominator)), height: max(8, frame.height / 8)
        )
        let radius = max(1, min(small.width, small.height) / 12)
        return [
            "crop=\(kept.width):\(kept.height)",
            "scale=\(small.width):\(small.height):flags=area+accurate_rnd+bitexact",
            "boxblur=luma_radius=\(radius):luma_power=2",
            "scale=\(frame.width):\(frame.height):flags=bicubic+accurate_rnd+bitexact",
        ]
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
