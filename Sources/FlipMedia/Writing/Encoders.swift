import CLibav
import FlipBase
import FlipClip

/// What the encoders and muxers of this FFmpeg accept, determined before anything is opened for writing.
extension Encoders {
    /// Throws when `encoding` can't go into `container`: `missingCodec` for what this FFmpeg lacks, `usage` for what
    /// can never work.
    package static func check(_ encoding: VideoEncoding, in container: Container) throws(MediaError) {
        let name = encoding.codec ?? container.defaultVideoCodec
        let codec = try encoder(named: name, AVMEDIA_TYPE_VIDEO)
        try check(codec, name, fits: container)
        let formats = frameFormats(codec)
        if formats.isEmpty, flip_encoder_pixel_formats(codec) != nil {
            throw MediaError(
                .missingCodec, "the encoder '\(name)' takes only frames of a device that isn't supported")
        }
        guard encoding.width > 0, encoding.height > 0 else {
            throw MediaError(.usage, "invalid size \(encoding.width)x\(encoding.height)")
        }
        if pixelFormat(for: name, wanted: encoding.pixelFormat) != encoding.pixelFormat {
            let names = formats.compactMap(PixelFormat.init(_:)).map(\.name)
            throw MediaError(
                .usage, "\(name) does not take \(encoding.pixelFormat); it takes \(names.joined(separator: ", "))")
        }
        try checkSize(encoding, name)
        try checkQuality(encoding, codec, name)
    }

    /// The same for audio.
    package static func check(_ encoding: AudioEncoding, in container: Container) throws(MediaError) {
        guard let name = encoding.codec ?? container.defaultAudioCodec else {
            throw MediaError(.usage, "\(container.name) files hold no audio")
        }
        let codec = try encoder(named: name, AVMEDIA_TYPE_AUDIO)
        guard container.supportsAudio else { throw MediaError(.usage, "\(container.name) files hold no audio") }
        try check(codec, name, fits: container)
        guard sampleRate(for: name, wanted: encoding.sampleRate) == encoding.sampleRate else {
            throw MediaError(.usage, "\(name) does not take \(encoding.sampleRate) Hz")
        }
        guard layout(for: name, wanted: encoding.layout) == encoding.layout else {
            throw MediaError(.usage, "\(name) does not take the channel layout '\(encoding.layout)'")
        }
    }

    /// libav's name of the codec that the encoder `name` makes; nil for an encoder that this FFmpeg lacks.
    package static func codec(of name: String) -> String? {
        avcodec_find_encoder_by_name(name).map { String(cString: avcodec_get_name($0.pointee.id)) }
    }

    /// libav's name of the encoder that it prefers for a codec; nil if it has none.
    package static func defaultEncoder(of codec: String) -> String? {
        guard let id = avcodec_descriptor_get_by_name(codec)?.pointee.id else { return nil }
        return avcodec_find_encoder(id).map { String(cString: $0.pointee.name) }
    }

    /// `wanted` when the encoder takes it, else the format it takes that loses least; `wanted` for an unknown encoder.
    package static func pixelFormat(for codec: String, wanted: PixelFormat) -> PixelFormat {
        guard let encoder = avcodec_find_encoder_by_name(codec), flip_encoder_pixel_formats(encoder) != nil else {
            return wanted
        }
        let plain = frameFormats(encoder).filter {
            PixelFormat($0).map { !isForRGB(codec: codec) || $0.isRGB } ?? false
        }
        if plain.contains(where: { PixelFormat($0) == wanted }) { return wanted }
        // libavcodec expects a list that ends in AV_PIX_FMT_NONE, here without the encoder's hardware formats.
        let best = avcodec_find_best_pix_fmt_of_list(
            plain + [AV_PIX_FMT_NONE], wanted.raw, wanted.hasAlpha ? 1 : 0, nil)
        // A palette of 256 colors made for the picture is better than fewer than 8 bits per component.
        if let best = PixelFormat(best), best.depth < 8, plain.contains(AV_PIX_FMT_PAL8) {
            return PixelFormat(AV_PIX_FMT_PAL8) ?? best
        }
        return PixelFormat(best) ?? wanted
    }

    /// `format`, or the encoder's format of the same samples with interleaved chroma if it takes only that.
    package static func layout(of format: PixelFormat, for codec: String) -> PixelFormat {
        guard let name = ["yuv420p": "nv12", "yuv420p10le": "p010le"][format.name], let twin = PixelFormat(name: name),
            pixelFormat(for: codec, wanted: format) != format, pixelFormat(for: codec, wanted: twin) == twin
        else { return format }
        return twin
    }

    /// Whether the encoder takes what `format` holds together with alpha.
    package static func takesAlpha(codec: String, with format: PixelFormat) -> Bool {
        guard let wanted = format.withAlpha else { return false }
        let taken = pixelFormat(for: codec, wanted: wanted)
        return taken.hasAlpha && !taken.isPaletted && avcodec_find_encoder_by_name(codec) != nil
    }

    /// `wanted` when the encoder takes it, else the nearest rate above, else the highest.
    package static func sampleRate(for codec: String, wanted: Int) -> Int {
        guard let encoder = avcodec_find_encoder_by_name(codec), let list = flip_encoder_sample_rates(encoder) else {
            return wanted
        }
        let rates = sequence(first: list) { $0 + 1 }.lazy.map { Int($0.pointee) }.prefix { $0 != 0 }.sorted()
        return rates.first { $0 >= wanted } ?? rates.last ?? wanted
    }

    /// `wanted` when the encoder takes it, else stereo, else the first it takes.
    package static func layout(for codec: String, wanted: String) -> String {
        guard let encoder = avcodec_find_encoder_by_name(codec), let list = flip_encoder_layouts(encoder) else {
            return wanted
        }
        let layouts = sequence(first: list) { $0 + 1 }.prefix { $0.pointee.nb_channels != 0 }
        let names = layouts.map { ChannelLayout.name(of: $0.pointee) }
        if names.contains(wanted) { return wanted }
        return names.contains("stereo") ? "stereo" : names.first ?? wanted
    }

    /// Whether the encoder takes only frames in a device's memory.
    package static func takesOnlyUploads(codec name: String) -> Bool {
        avcodec_find_encoder_by_name(name).map { deviceKind($0) != nil } ?? false
    }

    static func encoder(named name: String, _ type: AVMediaType) throws(MediaError) -> UnsafePointer<AVCodec> {
        guard let codec = avcodec_find_encoder_by_name(name) else {
            let hint =
                avcodec_descriptor_get_by_name(name) == nil
                ? "'ffmpeg -encoders' lists those it has" : "it only decodes it"
            let question = Suggestion.question(for: name, among: names(of: type))
            throw MediaError(
                .missingCodec, "this FFmpeg has no encoder '\(name)'\(question.isEmpty ? ";" : question) \(hint)")
        }
        guard codec.pointee.type == type else {
            throw MediaError(.usage, "'\(name)' is no \(type == AVMEDIA_TYPE_VIDEO ? "video" : "audio") encoder")
        }
        return codec
    }

    static func muxer(of container: Container) throws(MediaError) -> UnsafePointer<AVOutputFormat> {
        guard let muxer = av_guess_format(container.name, nil, nil) else {
            throw MediaError(.missingCodec, "this FFmpeg cannot write \(container.name) files")
        }
        return muxer
    }

    private static func check(
        _ codec: UnsafePointer<AVCodec>, _ name: String, fits container: Container
    ) throws(MediaError) {
        let muxer = try muxer(of: container)
        // avformat_query_codec gives 0 for "no", and a negative number where the muxer does not know.
        let isDefault =
            avcodec_find_encoder_by_name(container.defaultVideoCodec)?.pointee.id == codec.pointee.id
        if avformat_query_codec(muxer, codec.pointee.id, Int32(FF_COMPLIANCE_NORMAL)) == 0
            || container.holdsOneCodec && !isDefault
            || container.knownCodecs?.contains(String(cString: avcodec_get_name(codec.pointee.id))) == false
        {
            throw MediaError(
                .usage, "\(container.extensions[0]) files cannot hold the output of the encoder '\(name)'")
        }
    }

    /// Whether the encoder's codec is one for playback, where players expect 4:2:0.
    package static func isForViewing(codec name: String) -> Bool {
        guard let codec = avcodec_find_encoder_by_name(name) else { return false }
        return [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1].contains(
            codec.pointee.id)
    }

    private static func checkQuality(
        _ encoding: VideoEncoding, _ codec: UnsafePointer<AVCodec>, _ name: String
    ) throws(MediaError) {
        if encoding.crf != nil, !hasOption(codec, "crf") {
            throw MediaError(.usage, "the encoder '\(name)' has no crf\(qualityHint(codec, name))")
        }
        if encoding.preset != nil, !hasOption(codec, "preset") {
            throw MediaError(.usage, "the encoder '\(name)' has no preset")
        }
        try checkPreset(encoding, name)
    }

    /// What to give an encoder in hardware in place of a crf, as the end of a sentence; empty for other encoders.
    private static func qualityHint(_ codec: UnsafePointer<AVCodec>, _ name: String) -> String {
        guard let family = HardwareFamily.of(encoder: name) else { return "" }
        let known = family.qualities.first { entry in knowsOption(codec, String(entry.prefix { $0 != "=" })) }
        return known.map { " (give --video-options \($0))" } ?? " (give --bitrate)"
    }

    /// Whether the encoder has a private option of that name.
    static func hasOption(_ codec: UnsafePointer<AVCodec>, _ name: String) -> Bool {
        var options = codec.pointee.priv_class
        return withUnsafeMutablePointer(to: &options) { av_opt_find($0, name, nil, 0, AV_OPT_SEARCH_FAKE_OBJ) != nil }
    }

    /// Whether the encoder has an option of that name, private or common to all encoders.
    static func knowsOption(_ codec: UnsafePointer<AVCodec>, _ name: String) -> Bool {
        var options: UnsafePointer<AVClass>? = avcodec_get_class()
        return hasOption(codec, name)
            || withUnsafeMutablePointer(to: &options) {
                av_opt_find($0, name, nil, AV_OPT_FLAG_ENCODING_PARAM, AV_OPT_SEARCH_FAKE_OBJ) != nil
            }
    }

    /// The pixel formats in which the encoder takes frames from system memory, or, if it takes only those in a device's
    /// memory, in which frames are uploaded to it.
    private static func frameFormats(_ codec: UnsafePointer<AVCodec>) -> [AVPixelFormat] {
        let formats = list(flip_encoder_pixel_formats(codec))
        let plain = formats.filter { PixelFormat($0) != nil }
        let isDeep = [AV_CODEC_ID_HEVC, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1].contains(codec.pointee.id)
        if plain.isEmpty, let kind = DeviceKind(of: codec), formats.contains(kind.format) {
            return [AV_PIX_FMT_NV12] + (isDeep ? [flip_pix_fmt_p010] : [])
        }
        // Encoders in hardware list formats of 10 bits for H.264 as well, which hardly any device takes.
        guard !isDeep, HardwareFamily.of(encoder: String(cString: codec.pointee.name)) != nil else { return plain }
        return plain.filter { PixelFormat($0)?.depth == 8 }
    }

    /// The kind of device to which the encoder's frames are uploaded; nil if it takes them from system memory.
    static func deviceKind(_ codec: UnsafePointer<AVCodec>) -> DeviceKind? {
        let formats = list(flip_encoder_pixel_formats(codec))
        return formats.contains { PixelFormat($0) != nil } ? nil : DeviceKind(of: codec)
    }

    private static func list(_ formats: UnsafePointer<AVPixelFormat>?) -> [AVPixelFormat] {
        guard let formats else { return [] }
        return Array(sequence(first: formats) { $0 + 1 }.lazy.map(\.pointee).prefix { $0 != AV_PIX_FMT_NONE })
    }
}
