import CLibav

extension Encoders {
    /// Why `encoding` can't be used for segments that are joined without encoding them again, as the end of a sentence;
    /// nil where it can.
    ///
    /// The encoder has to restart with a keyframe and the same headers each time, give one packet per frame, and aim
    /// for a quality: to keep to a bit rate, it would have to know all that came before.
    package static func segmentRefusal(_ encoding: VideoEncoding, in container: Container) -> String? {
        let name = encoding.codec ?? container.defaultVideoCodec
        guard canBeginAnew(name) else { return "the encoder '\(name)' can't be restarted within a file" }
        return encoding.wholeOutputRefusal
    }

    private static func canBeginAnew(_ name: String) -> Bool {
        if restartable.contains(name) { return true }
        guard !wholeAnimations.contains(name), let codec = avcodec_find_encoder_by_name(name),
            codec.pointee.capabilities & (AV_CODEC_CAP_HARDWARE | AV_CODEC_CAP_HYBRID) == 0,
            let descriptor = avcodec_descriptor_get(codec.pointee.id)
        else { return false }
        return descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
    }

    /// Encoders that can restart, besides intra-only ones. libsvtav1 is not among them: where several encoders run
    /// in one process, it may hang when one is closed.
    private static let restartable: Set<String> = [
        "libx264", "libx264rgb", "libx265", "libvpx-vp9", "libaom-av1", "ffv1",
    ]

    /// Intra-only encoders that can't restart nevertheless: an animation is one unit from its first to its last
    /// frame, and the packets of wrapped_avframe only point to frames in memory.
    private static let wholeAnimations: Set<String> = ["libwebp_anim", "apng", "gif", "wrapped_avframe"]
}

extension VideoEncoding {
    /// Why this encoding, for its bit rate or options, can't be used for segments that are joined without encoding them
    /// again, as the end of a sentence; nil where it can.
    fileprivate var wholeOutputRefusal: String? {
        if bitrate != nil { return "--bitrate applies to the whole output, so it is encoded in one pass" }
        for (key, value) in options {
            let names = [key] + (EncoderFiles.isList(key) ? EncoderFiles.entries(of: value).map(\.key) : [])
            if let option = names.first(where: Self.rateOptions.contains) {
                return "the encoder's option '\(option)' applies to the whole output, so it is encoded in one pass"
            }
        }
        return nil
    }

    /// Options by which the encoder aims for a bit rate, keeps to a buffer over time (VBV), or uses a first pass.
    private static let rateOptions: Set<String> = [
        "b", "minrate", "maxrate", "bufsize", "bitrate", "vbv-maxrate", "vbv-bufsize", "pass", "stats", "passlogfile",
        "flags", "tbr", "rc",
    ]
}
