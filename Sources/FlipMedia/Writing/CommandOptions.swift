/// Options of the ffmpeg command that do what encoders and muxers do here, for users who run that command themselves.
extension VideoEncoding {
    /// The ffmpeg command's options for this encoding in a file of `container`: names without the dash, and values.
    package func commandOptions(in container: Container) -> [(name: String, value: String)] {
        let codec = codec ?? container.defaultVideoCodec
        let settings = EncoderSettings(self, codec: codec, isForThisMachine: false)
        var list: [(name: String, value: String)] = [("c:v", codec)]
        list += settings.options.map { ($0.0 == "b" ? "b:v" : $0.0, $0.1) }
        if let bitrate { list.append(("b:v", String(bitrate))) }
        if let quantizer = settings.quantizer { list.append(("q:v", String(quantizer))) }
        list += [("pix_fmt", pixelFormat.name), ("r", frameRate.description)]
        return list + color.commandOptions
    }
}

extension ColorDescription {
    /// The ffmpeg command's options for these colors: names without the dash, and values.
    ///
    /// The values are those that FFmpeg 5.1 and later versions know. libav's own names for some of them
    /// (`av_color_transfer_name` and so on) became values of the options only after 5.1.
    package var commandOptions: [(name: String, value: String)] {
        let olderTransfers = ["bt470m": "gamma22", "bt470bg": "gamma28"]
        var list: [(name: String, value: String)] = []
        if let primaries { list.append(("color_primaries", primaries)) }
        if let transfer { list.append(("color_trc", olderTransfers[transfer] ?? transfer)) }
        if let matrix { list.append(("colorspace", matrix == "gbr" ? "rgb" : matrix)) }
        if let isFullRange { list.append(("color_range", isFullRange ? "pc" : "tv")) }
        if let chromaLocation { list.append(("chroma_sample_location", chromaLocation)) }
        return list
    }
}

extension AudioEncoding {
    /// The ffmpeg command's options for this encoding in a file of `container`: names without the dash, and values.
    package func commandOptions(in container: Container) -> [(name: String, value: String)] {
        var list: [(name: String, value: String)] = []
        if let codec = codec ?? container.defaultAudioCodec { list.append(("c:a", codec)) }
        list.append(("b:a", String(rate)))
        if isDeep, codec ?? container.defaultAudioCodec == "flac" { list.append(("sample_fmt", "s32")) }
        return list
    }
}

extension Container {
    /// The ffmpeg command's options for the muxer: names without the dash, and values.
    package var commandOptions: [(name: String, value: String)] {
        [("f", name)] + options.map { (name: $0.0, value: $0.1) }
    }
}
