/// What readers and encoders do, as the ffmpeg command writes it: for those who run that command themselves.
extension VideoConform {
    /// The filters that turn pictures of `video`, as decoded and not turned yet, into those of this conform; their times stay.
    ///
    /// Throws `MediaError` for transparent pictures that have to be laid over the background, which is no chain of filters.
    package func filters(from video: VideoInfo, path: String) throws(MediaError) -> [String] {
        guard !video.pixelFormat.hasAlpha || pixelFormat.hasAlpha else {
            throw MediaError(
                .usage,
                "\(path) is transparent, which a chain of ffmpeg's filters can't lay over the background (give an output "
                    + "with transparency, or join it with fliptransition itself)")
        }
        let picture = PictureShape(video)
        let layout = PictureLayout(picture, transform: video.transform, conform: self)
        var filters = PictureConverter.turns(video.transform) + PictureConverter.crop(layout)
        filters += PictureConverter.recode(picture, layout, self, LightChange(from: picture, to: self))
        if layout.isPadded {
            let parts = [background.red, background.green, background.blue, backgroundAlpha]
            let colour = parts.map { part in
                let digits = String(Int((part * 255).rounded()), radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
            filters.append("pad=\(width):\(height):\(layout.offset.x):\(layout.offset.y):0x\(colour)")
        }
        return filters
    }

    /// What comes before frames are chosen by their times: filters that look at neighbouring frames.
    package func deinterlacing(of video: VideoInfo) -> [String] {
        video.isInterlaced && deinterlaces ? [Deinterlacer.filter] : []
    }

    /// The filters from this conform's pictures to R'G'B' with alpha, a byte each, and back; the samples' meaning is stated,
    /// since filters guess it otherwise.
    package var packing: (there: [String], back: [String]) {
        // Chroma samples are little rectangles (EFFECTS 1): each is repeated, and the mean is taken.
        let exact = "accurate_rnd+full_chroma_int+full_chroma_inp+bitexact"
        let matrix = ColourChange.family(colour.assumedMatrix(width: width, height: height))
        let range = colour.usesFullRange(pixelFormat) ? "full" : "limited"
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
    /// Options of the ffmpeg command for this encoding in a file of `container`: names without the dash, and values.
    package func commandOptions(in container: Container) -> [(name: String, value: String)] {
        let codec = codec ?? container.defaultVideoCodec
        let settings = EncoderSettings(self, codec: codec, isForThisMachine: false)
        var list: [(name: String, value: String)] = [("c:v", codec)]
        list += settings.options.map { ($0.0 == "b" ? "b:v" : $0.0, $0.1) }
        if let bitrate { list.append(("b:v", String(bitrate))) }
        if let quantiser = settings.quantiser { list.append(("q:v", String(quantiser))) }
        list += [("pix_fmt", pixelFormat.name), ("r", frameRate.description)]
        if let primaries = colour.primaries { list.append(("color_primaries", primaries)) }
        if let transfer = colour.transfer { list.append(("color_trc", transfer)) }
        if let matrix = colour.matrix { list.append(("colorspace", matrix)) }
        if let isFullRange = colour.isFullRange { list.append(("color_range", isFullRange ? "pc" : "tv")) }
        if let location = colour.chromaLocation { list.append(("chroma_sample_location", location)) }
        return list
    }
}

extension AudioEncoding {
    /// Options of the ffmpeg command, likewise.
    package func commandOptions(in container: Container) -> [(name: String, value: String)] {
        var list: [(name: String, value: String)] = []
        if let codec = codec ?? container.defaultAudioCodec { list.append(("c:a", codec)) }
        list.append(("b:a", String(bitrate ?? 192_000)))
        return list
    }
}

extension Container {
    /// Options of the ffmpeg command for the muxer.
    package var commandOptions: [(name: String, value: String)] {
        [("f", name)] + options.map { (name: $0.0, value: $0.1) }
    }
}
