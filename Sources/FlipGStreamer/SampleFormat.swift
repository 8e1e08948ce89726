import CGStreamer
import FlipBase
import FlipFrame

/// The pixel formats of the element, and what GStreamer says of pictures in terms of `FrameFormat`.
enum SampleFormat {
    /// GStreamer's names of the formats, with FFmpeg's.
    private static let names: [(host: String, name: String)] = [
        ("I420", "yuv420p"), ("I420_10LE", "yuv420p10le"), ("I420_12LE", "yuv420p12le"), ("Y42B", "yuv422p"),
        ("I422_10LE", "yuv422p10le"), ("I422_12LE", "yuv422p12le"), ("Y444", "yuv444p"), ("Y444_10LE", "yuv444p10le"),
        ("Y444_12LE", "yuv444p12le"), ("Y444_16LE", "yuv444p16le"), ("Y41B", "yuv411p"), ("NV12", "nv12"),
        ("NV21", "nv21"), ("NV16", "nv16"), ("NV24", "nv24"), ("A420", "yuva420p"), ("A420_10LE", "yuva420p10le"),
        ("A422_10LE", "yuva422p10le"), ("A444_10LE", "yuva444p10le"), ("GRAY8", "gray"), ("GRAY16_LE", "gray16le"),
        ("GBR", "gbrp"), ("GBR_10LE", "gbrp10le"), ("GBR_12LE", "gbrp12le"), ("GBRA", "gbrap"),
        ("GBRA_10LE", "gbrap10le"), ("GBRA_12LE", "gbrap12le"), ("RGBA", "rgba"), ("BGRA", "bgra"), ("ARGB", "argb"),
        ("ABGR", "abgr"), ("RGBx", "rgb0"), ("BGRx", "bgr0"), ("xRGB", "0rgb"), ("xBGR", "0bgr"), ("RGB", "rgb24"),
        ("BGR", "bgr24"), ("RGBA64_LE", "rgba64le"), ("BGRA64_LE", "bgra64le"),
    ]

    /// The formats that are drawn on this machine and that its GStreamer knows, by GStreamer's numbers.
    private static let drawn: [UInt32: (host: String, name: String)] = {
        // gst_video_format_from_string is declared const, so the compiler may free the name before the function reads it.
        var count: guint = 0
        let known = UnsafeBufferPointer(start: gst_video_formats_raw(&count), count: Int(count))
        var result: [UInt32: (host: String, name: String)] = [:]
        for format in known {
            guard let host = gst_video_format_to_string(format).map({ String(cString: $0) }) else { continue }
            result[format.rawValue] = names.first { $0.host == host && FrameFormat.supports($0.name) }
        }
        return result
    }()

    /// The drawn formats by GStreamer's numbers, in the order above.
    static let all: [GstVideoFormat] = names.compactMap { name in
        drawn.first { $0.value.host == name.host }.map { GstVideoFormat($0.key) }
    }

    /// The formats of inputs: those that are drawn, then all that GstVideoAggregator converts to one of them, such as P010,
    /// YUY2 and v210, which hardware decoders and capture cards give. Palettes and samples of more than 16 bits are left out.
    static let accepted: [GstVideoFormat] = {
        var count: guint = 0
        let known = UnsafeBufferPointer(start: gst_video_formats_raw(&count), count: Int(count))
        return all
            + known.filter { format in
                guard drawn[format.rawValue] == nil, let info = gst_video_format_get_info(format)?.pointee else {
                    return false
                }
                let hasPalette = info.flags.rawValue & GST_VIDEO_FORMAT_FLAG_PALETTE.rawValue != 0
                return info.unpack_func != nil && !hasPalette && (1...16).contains(info.depth.0)
            }
    }()

    /// What pads accept: `formats` in any size that can be drawn, at the rates `rate`.
    static func caps(_ formats: [GstVideoFormat], rate: String) -> String {
        let formats = formats.compactMap { gst_video_format_to_string($0).map { String(cString: $0) } }
            .joined(separator: ", ")
        let side = "[ \(Limits.sides.lowerBound), \(Limits.sides.upperBound) ]"
        return "video/x-raw, format = (string) { \(formats) }, width = (int) \(side), height = (int) \(side), "
            + "framerate = (fraction) \(rate)"
    }

    /// Throws if pictures of an input, as `info` describes them, can't be drawn, not even after a conversion.
    static func check(_ info: GstVideoInfo) throws(FrameError) {
        guard info.interlace_mode == GST_VIDEO_INTERLACE_MODE_PROGRESSIVE else {
            throw FrameError(.unsupportedFormat, "the pictures are interlaced (put deinterlace before the element)")
        }
        guard info.flags.rawValue & GST_VIDEO_FLAG_PREMULTIPLIED_ALPHA.rawValue == 0 else {
            throw FrameError(
                .unsupportedFormat, "the pictures' colors are multiplied by alpha (only straight alpha is drawn)")
        }
    }

    /// The format of pictures that `info` describes. Throws if they can't be drawn.
    static func frameFormat(_ info: GstVideoInfo) throws(FrameError) -> FrameFormat {
        try check(info)
        var info = info
        guard let names = drawn[flip_gst_format(&info).rawValue] else {
            throw FrameError(
                .unsupportedFormat, "the pictures' format is not drawn (put videoconvert before the element)")
        }
        var format = try FrameFormat(names.name, width: Int(info.width), height: Int(info.height))
        switch info.colorimetry.transfer {
        case GST_VIDEO_TRANSFER_SMPTE2084: format.transfer = .pq
        case GST_VIDEO_TRANSFER_ARIB_STD_B67: format.transfer = .hlg
        default: break
        }
        // R'G'B' has no other meaning.
        if info.finfo.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_RGB.rawValue != 0 { return format }
        format.range = info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255 ? .full : .limited
        switch info.colorimetry.matrix {
        case GST_VIDEO_COLOR_MATRIX_BT601: format.matrix = .bt601
        case GST_VIDEO_COLOR_MATRIX_BT2020: format.matrix = .bt2020
        default: format.matrix = .bt709
        }
        let isCosited = { (flag: GstVideoChromaSite) in info.chroma_site.rawValue & flag.rawValue != 0 }
        switch (isCosited(GST_VIDEO_CHROMA_SITE_H_COSITED), isCosited(GST_VIDEO_CHROMA_SITE_V_COSITED)) {
        case (true, true): format.chromaLocation = .topLeft
        case (true, false): format.chromaLocation = .left
        case (false, true): format.chromaLocation = .top
        case (false, false):
            format.chromaLocation = isCosited(GST_VIDEO_CHROMA_SITE_NONE) ? .center : .left
        }
        return format
    }

    /// The planes of a mapped frame.
    static func picture(_ frame: UnsafePointer<GstVideoFrame>) throws(FrameError) -> FramePicture {
        var planes: [FramePicture.Plane] = []
        for index in 0..<flip_gst_plane_count(frame) {
            guard let start = flip_gst_plane(frame, index) else {
                throw FrameError(.invalidArgument, "a picture has no memory that can be read")
            }
            planes.append(FramePicture.Plane(start, stride: Int(flip_gst_stride(frame, index))))
        }
        return FramePicture(planes)
    }
}
