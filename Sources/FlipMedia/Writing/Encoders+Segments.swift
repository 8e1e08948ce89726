import CLibav
import FlipClip

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
}
