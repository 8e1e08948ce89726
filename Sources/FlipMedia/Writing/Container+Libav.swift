import CLibav
import FlipBase
import FlipClip

extension Container {
    /// Whether the container stores extradata apart from the packets.
    package var wantsGlobalHeaders: Bool {
        get throws(MediaError) { try Encoders.muxer(of: self).pointee.flags & AVFMT_GLOBALHEADER != 0 }
    }

    /// Whether libav's muxer takes video of a codec.
    package func takes(codec: String) -> Bool {
        guard let id = avcodec_descriptor_get_by_name(codec)?.pointee.id, let muxer = av_guess_format(name, nil, nil)
        else { return false }
        return avformat_query_codec(muxer, id, Int32(FF_COMPLIANCE_NORMAL)) != 0
    }
}
