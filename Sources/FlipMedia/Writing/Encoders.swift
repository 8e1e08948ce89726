import CLibav
import FlipBase

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
            throw MediaError(.missingCodec, "the encoder '\(name)' takes only frames of a device that isn't supported")
        }
        guard encoding.width > 0, encoding.height > 0 else {
            throw MediaError(.usage, "invalid size \(encoding.width)x\(encoding.height)")
        }
        if pixelFormat(for: name, wanted: encoding.pixelFormat) != encoding.pixelFormat {
            let names = usableNames(formats.compactMap(PixelFormat.init(_:)))
            throw MediaError(
                .usage,
                names.isEmpty
                    ? "\(name) does not take \(encoding.pixelFormat), nor any other planar format"
                    : "\(name) does not take \(encoding.pixelFormat); it takes \(names.joined(separator: ", "))")
        }
        try checkSize(encoding, name)
        try checkQuality(encoding, codec, name)
    }

    /// The names of `formats` that `--pix-fmt` takes, each once. Full-range variants have the names of the plain ones.
    private static func usableNames(_ formats: [PixelFormat]) -> [String] {
        formats.reduce(into: []) { names, format in
            let name = format.isPlanarNative ? format.name : planarTwins.first { $0.value == format.name }?.key
            if let name, !names.contains(name) { names.append(name) }
        }
    }

    /// Formats with interleaved chroma, by the planar ones of the same samples.
    private static let planarTwins = ["yuv420p": "nv12", "yuv420p10le": "p010le"]

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

    /// Whether the encoder's codec drops what is not heard or seen, so that its bit rate can be chosen.
    package static func isLossy(codec name: String) -> Bool {
        guard let id = avcodec_find_encoder_by_name(name)?.pointee.id, let codec = avcodec_descriptor_get(id) else {
            return false
        }
        return codec.pointee.props & AV_CODEC_PROP_LOSSLESS == 0
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
        guard let name = planarTwins[format.name], let twin = PixelFormat(name: name),
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

    /// The layouts of Opus (RFC 7845 5.1.1.2), which its encoder doesn't list.
    private static let opusLayouts = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"]

    /// `wanted`, with its channels in libav's order, when the encoder takes it, else the first with as many channels, else
    /// stereo, else the first it takes. What decoders of AC-3 call 5.1(side) is 5.1: as 5.1(side), AAC gets a table of channels
    /// that many players, and ffmpeg, don't know.
    package static func layout(for codec: String, wanted: String) -> String {
        let wanted = ChannelLayout.ordered(wanted)
        let listed = avcodec_find_encoder_by_name(codec).flatMap { flip_encoder_layouts($0) }.map { list in
            sequence(first: list) { $0 + 1 }.prefix { $0.pointee.nb_channels != 0 }.map { layout in
                ChannelLayout.name(of: layout.pointee)
            }
        }
        let unlisted = codec == "libopus" ? opusLayouts : codec == "aac" ? ["5.0", "5.1", wanted] : [wanted]
        let names = listed ?? unlisted
        let plain = wanted.hasSuffix("(side)") ? String(wanted.dropLast(6)) : wanted
        if let taken = [plain, wanted].first(where: names.contains) { return taken }
        let count = channels(in: wanted)
        return names.first { channels(in: $0) == count }
            ?? (names.contains("stereo") ? "stereo" : names.first ?? wanted)
    }

    /// The number of channels in the layout that libav calls `name`; nil for an unknown one.
    package static func channels(in name: String) -> Int? { ChannelLayout.named(name).map { Int($0.nb_channels) } }

    /// Whether the encoder takes only frames in a device's memory.
    package static func takesOnlyUploads(codec name: String) -> Bool {
        avcodec_find_encoder_by_name(name).map { deviceKind($0) != nil } ?? false
    }

    static func encoder(named name: String, _ type: AVMediaType) throws(MediaError) -> UnsafePointer<AVCodec> {
        guard let codec = avcodec_find_encoder_by_name(name) else {
            let hint =
                avcodec_descriptor_get_by_name(name) == nil
                ? "'fliptransition doctor' lists its common encoders" : "it only decodes it"
            // The name of another family's hardware encoder is not a misspelling.
            let family = HardwareFamily.of(encoder: name)
            let candidates = names(of: type).filter { name in family.map { name.hasSuffix($0.ending) } ?? true }
            let question = Suggestion.question(for: name, among: candidates)
            let other = family.flatMap { HardwareFamily.software(for: String(name.dropLast($0.ending.count))) }
            throw MediaError(
                .missingCodec,
                "this FFmpeg has no encoder '\(name)'\(question.isEmpty ? ";" : question) \(hint)"
                    + (other.map { " (give --video-codec \($0))" } ?? ""))
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
        _ = try muxer(of: container)
        let isDefault =
            avcodec_find_encoder_by_name(container.defaultVideoCodec)?.pointee.id == codec.pointee.id
        if container.holdsOneCodec && !isDefault
            || !container.takes(codec: String(cString: avcodec_get_name(codec.pointee.id)))
        {
            throw MediaError(.usage, "\(container.extensions[0]) files cannot hold the output of the encoder '\(name)'")
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
        if let crf = encoding.crf {
            guard let range = crfRange(codec) else {
                throw MediaError(.usage, "the encoder '\(name)' has no crf\(qualityHint(codec, name))")
            }
            guard range.contains(crf) else {
                throw MediaError(
                    .usage,
                    "invalid crf \(Rational(Int((crf * 1000).rounded()), 1000).decimalText) (\(name) takes "
                        + "\(Int(range.lowerBound))...\(Int(range.upperBound)))")
            }
            if encoding.bitrate != nil, name.hasPrefix("libx26") {
                throw MediaError(
                    .usage,
                    "\(name) ignores a bit rate beside a crf (give --crf or --bitrate; to limit a crf's bit rate, "
                        + "--video-options maxrate=5M:bufsize=10M)")
            }
        }
        if let option = EncoderFiles.passOption(in: encoding.options) {
            throw MediaError(
                .usage, "the encoder's option '\(option)' asks for one of several passes: \(EncoderFiles.passHint)")
        }
        if encoding.preset != nil, !hasOption(codec, "preset") {
            throw MediaError(.usage, "the encoder '\(name)' has no preset")
        }
        try checkPreset(encoding, name)
    }

    /// The values of crf that the encoder takes; nil if it has no crf.
    private static func crfRange(_ codec: UnsafePointer<AVCodec>) -> ClosedRange<Double>? {
        var options = codec.pointee.priv_class
        let option = withUnsafeMutablePointer(to: &options) { av_opt_find($0, "crf", nil, 0, AV_OPT_SEARCH_FAKE_OBJ) }
        guard let option else { return nil }
        // libavcodec sets no limit for x264 and x265, whose own is 51.
        let top = option.pointee.max > 1000 ? 51 : option.pointee.max
        return 0...top
    }

    /// What to give an encoder in hardware in place of a crf, as the end of a sentence; empty for other encoders.
    private static func qualityHint(_ codec: UnsafePointer<AVCodec>, _ name: String) -> String {
        guard let family = HardwareFamily.of(encoder: name) else { return "" }
        let known = family.qualities.first { entry in knowsOption(codec, String(entry.prefix { $0 != "=" })) }
        return known.map { " (give --video-options \($0))" } ?? " (give --bitrate)"
    }

    /// Whether the encoder that libav calls `codec` is there and has a private option of that name.
    package static func hasOption(_ codec: String, _ name: String) -> Bool {
        avcodec_find_encoder_by_name(codec).map { hasOption($0, name) } ?? false
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
