import FlipBase

/// Filters of the ffmpeg command that do what readers do here, for users who run that command themselves.
extension VideoConform {
    /// The filters that convert decoded, not yet rotated frames of `video` to this conform and keep their time stamps.
    ///
    /// Throws `MediaError` for what a chain of filters can't do: transparent frames that have to be laid over the
    /// background, and `Fit.blur` around a picture.
    package func filters(from video: VideoInfo, path: String) throws(MediaError) -> [String] {
        guard !video.pixelFormat.hasAlpha || pixelFormat.hasAlpha else {
            throw MediaError(
                .usage,
                "\(path) is transparent, and a chain of ffmpeg's filters can't composite it over the background (give an output "
                    + "with transparency, or join it with fliptransition itself)")
        }
        let picture = PictureShape(video)
        let layout = PictureLayout(picture, transform: video.transform, conform: self)
        var filters = PictureFilters.turns(turn(of: video.transform)) + PictureFilters.crop(layout)
        let light = LightChange(from: picture, to: self)
        filters += PictureFilters.recode(picture, layout, self, light)
        if layout.isPadded {
            if fit == .blur {
                throw MediaError(
                    .usage,
                    "\(path) needs a blurred copy of itself around it, which a chain of ffmpeg's filters can't make (give another "
                        + "--fit, or join it with fliptransition itself)")
            }
            guard padsExactly else {
                throw MediaError(
                    .usage,
                    "\(path) needs bars in a color that ffmpeg's filter pad would draw differently in this output (give another --fit "
                        + "or a gray --background, or join it with fliptransition itself)")
            }
            let signal = color.light.encoded(red: background.red, green: background.green, blue: background.blue)
            let parts = [signal.red, signal.green, signal.blue, backgroundAlpha]
            let code = parts.map { Int(($0 * 255).rounded()).padded(to: 2, radix: 16) }.joined()
            filters.append("pad=\(width):\(height):\(layout.offset.x):\(layout.offset.y):0x\(code)")
        }
        return filters
    }

    /// Whether ffmpeg's filter `pad` draws the background in the samples that readers draw. Before version 7 it takes Y'CbCr for
    /// BT.601 in limited range, whatever the frames say (libavfilter/drawutils.c).
    private var padsExactly: Bool {
        if pixelFormat.isRGB { return true }
        if color.usesFullRange(pixelFormat) { return false }
        let isGray = background.red == background.green && background.green == background.blue
        return isGray || ColorChange.family(color.assumedMatrix(width: width, height: height)) == "bt601"
    }

    /// The filters that look at neighboring frames, and so have to come before frames are selected by their times.
    package func deinterlacing(of video: VideoInfo) -> [String] {
        video.isInterlaced && deinterlaces ? [PictureFilters.deinterlacing] : []
    }

    /// The filters that convert this conform's frames to R'G'B' with alpha, 8 bits each, and back. Color matrix and
    /// range are stated, since the filters would guess them otherwise.
    package var packing: (there: [String], back: [String]) {
        // A chroma sample covers a rectangle of pixels (EFFECTS 1): it is repeated for each of them, and their mean is
        // taken on the way back.
        let exact = "accurate_rnd+full_chroma_int+full_chroma_inp+bitexact"
        let matrix = ColorChange.family(color.assumedMatrix(width: width, height: height))
        let range = color.usesFullRange(pixelFormat) ? "full" : "limited"
        let (input, output) =
            pixelFormat.isRGB
            ? ("", "")
            : (":in_color_matrix=\(matrix):in_range=\(range)", ":out_color_matrix=\(matrix):out_range=\(range)")
        return (
            ["scale=flags=neighbor+\(exact)\(input):out_range=full", "format=rgba"],
            ["scale=flags=area+\(exact):in_range=full\(output)", "format=\(pixelFormat)"]
        )
    }
}
