import CLibav

extension Encoders {
    /// Why what `encoding` says can't be encoded in segments that are joined without encoding them again: the end of a sentence;
    /// nil where it can.
    ///
    /// The encoder has to begin anew with a keyframe and the same headers each time, give one packet a frame, and be led by
    /// quality: a bit rate is kept by looking at all that came before.
    package static func segmentRefusal(_ encoding: VideoEncoding, in container: Container) -> String? {
        let name = encoding.codec ?? container.defaultVideoCodec
        guard canBeginAnew(name) else { return "the encoder '\(name)' can't begin anew within a file" }
        if encoding.bitrate != nil { return "--bitrate is kept over the whole output, so it is encoded in one pass" }
        for (key, value) in encoding.options {
            let words = [key] + (key.hasSuffix("-params") ? value.split(separator: ":").map(String.init) : [])
            let names = words.map { String($0.prefix { $0 != "=" }) }
            if let option = names.first(where: rateOptions.contains) {
                return "the encoder's option '\(option)' is about the whole output, which is encoded in one pass then"
            }
        }
        return nil
    }

    /// Encoders led by bit rate, by buffers that are filled over time, or by a first pass.
    private static let rateOptions: Set<String> = [
        "b", "minrate", "maxrate", "bufsize", "bitrate", "vbv-maxrate", "vbv-bufsize", "pass", "stats", "passlogfile",
        "flags", "tbr", "rc",
    ]

    /// libsvtav1 is not among them: where several work in one program, it may hang when one is closed.
    private static let restartable: Set<String> = [
        "libx264", "libx264rgb", "libx265", "libvpx-vp9", "libaom-av1", "ffv1",
    ]

    /// How many packets a frame of the open encoder comes late, at most. x265's wrapper doesn't say; with its pyramid it is two.
    static func reorderDepth(_ context: UnsafePointer<AVCodecContext>, codec name: String) -> Int {
        max(Int(context.pointee.has_b_frames), name == "libx265" ? 2 : 0)
    }

    /// Formats of stills have one picture a packet, but their animations are one thing from first to last.
    private static let wholeAnimations: Set<String> = ["libwebp_anim", "apng", "gif", "wrapped_avframe"]

    private static func canBeginAnew(_ name: String) -> Bool {
        if restartable.contains(name) { return true }
        guard !wholeAnimations.contains(name), let codec = avcodec_find_encoder_by_name(name),
            codec.pointee.capabilities & (AV_CODEC_CAP_HARDWARE | AV_CODEC_CAP_HYBRID) == 0,
            let descriptor = avcodec_descriptor_get(codec.pointee.id)
        else { return false }
        return descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
    }
}
