import CLibav
import FlipBitstream

extension FrameForm {
    /// Whether the codec is known to be one whose packets hold one shown frame each, in presentation order.
    package static func exists(_ codec: String) -> Bool {
        if FrameSyntax.all.contains(where: { $0.name == codec }) { return true }
        guard let descriptor = avcodec_descriptor_get_by_name(codec) else { return false }
        return descriptor.pointee.type == AVMEDIA_TYPE_VIDEO
            && descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
    }
}
