import FlipBase

/// Filters and options of the ffmpeg command that do what readers and encoders do here, for users who run that command
/// themselves.
extension VideoConform {
    /// The filters that convert decoded, not yet rotated frames of `video` to this conform and keep their time stamps.
    ///
    /// Throws `MediaError` for transparent frames that have to be laid over the background, which a chain of filters
    /// can't do.
    package func filters(from video: VideoInfo, path: String) throws(MediaError) -> [String] {
        guard !video.pixelFormat.hasAlpha || pixelFormat.hasAlpha else {
            throw MediaError(
                .usage,
                "\(path) is transparent, and a chain of ffmpeg's filters can't composite it over the background (give an output "
                    + "with transparency, or join it with fliptransition itself)")
        }
        let picture = PictureShape(video)
        let layout = PictureLayout(picture, transform: video.transform, conform: self)
        var filters = PictureConverter.turns(video.transform) + PictureConverter.crop(layout)
        filters += PictureConverter.recode(picture, layout, self, LightChange(from: picture, to: self))
        if layout.isPadded {
            let parts = [background.red, background.green, background.blue, backgroundAlpha]
            let color = parts.map { part in
                let digits = String(Int((part * 255).rounded()), radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
            filters.append("pad=\(width):\(height):\(layout.offset.x):\(layout.offset.y):0x\(color)")
        }
        return filters
    }

    /// The filters that look at neighboring frames, and so have to come before frames are selected by their times.
    package func deinterlacing(of video: VideoInfo) -> [String] {
        video.isInterlaced && deinterlaces ? [Deinterlacer.filter] : []
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

extension VideoEncoding {
    /// The ffmpeg command's options for this encoding in a file of `container`: names without the dash, and values.
    package func commandOptions(in container: Container) -> [(name: String, value: String)] {
        let codec = codec ?? container.defaultVideoCodec
        let settings = EncoderSettings(self, codec: codec, isForThisMachine: false)
        var list: [(name: String, value: String)] = [("c:v", codec)]
        list += settings.options.map { ($0.0 == "b" ? "b:v" : $0.0, $0.1) }
        if let bitrate { list.append(("b:v", String(bitrate))) }
        if let quantiser = settings.quantiser { list.append(("q:v", String(quantiser))) }
        list += [("pix_fmt", pixelFormat.name), ("r", frameRate.description)]
        if let primaries = color.primaries { list.append(("color_primaries", primaries)) }
        if let transfer = color.transfer { list.append(("color_trc", transfer)) }
        if let matrix = color.matrix { list.append(("colorspace", matrix)) }
        if let isFullRange = color.isFullRange { list.append(("color_range", isFullRange ? "pc" : "tv")) }
        if let location = color.chromaLocation { list.append(("chroma_sample_location", location)) }
        return list
    }
}

extension AudioEncoding {
    /// The ffmpeg command's options for this encoding in a file of `container`: names without the dash, and values.
    package func commandOptions(in container: Container) -> [(name: String, value: String)] {
        var list: [(name: String, value: String)] = []
        if let codec = codec ?? container.defaultAudioCodec { list.append(("c:a", codec)) }
        list.append(("b:a", String(bitrate ?? Self.defaultBitrate)))
        return list
    }
}

extension Container {
    /// The ffmpeg command's options for the muxer: names without the dash, and values.
    package var commandOptions: [(name: String, value: String)] {
        [("f", name)] + options.map { (name: $0.0, value: $0.1) }
    }
}
