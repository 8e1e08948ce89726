import CLibav

extension Encoders {
    /// The video encoders of this FFmpeg.
    package static var videoNames: [String] { names(of: AVMEDIA_TYPE_VIDEO) }
    /// The audio encoders of this FFmpeg.
    package static var audioNames: [String] { names(of: AVMEDIA_TYPE_AUDIO) }

    /// The encoders of this FFmpeg for one type of stream, in libav's order.
    static func names(of type: AVMediaType) -> [String] {
        var names: [String] = []
        var position: UnsafeMutableRawPointer?
        while let codec = av_codec_iterate(&position) {
            if codec.pointee.type == type, av_codec_is_encoder(codec) != 0 {
                names.append(String(cString: codec.pointee.name))
            }
        }
        return names
    }

    /// The options that `encoder`, which has been opened, takes besides those of all encoders.
    static func optionNames(of encoder: UnsafePointer<AVCodecContext>) -> [String] {
        guard encoder.pointee.codec.pointee.priv_class != nil, let object = encoder.pointee.priv_data else { return [] }
        var names: [String] = []
        var last: UnsafePointer<AVOption>?
        while let option = av_opt_next(object, last) {
            // Constants are values of other options.
            if option.pointee.type != AV_OPT_TYPE_CONST { names.append(String(cString: option.pointee.name)) }
            last = option
        }
        return names
    }
}
