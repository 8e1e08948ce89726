import CGStreamer

/// The choice of the format to which both inputs are converted.
struct OutputFormat {
    /// What of a picture a format keeps.
    private struct Qualities {
        var hasAlpha: Bool
        var hasColor: Bool
        /// Whether colors are R'G'B' and not Y'CbCr; nil for pictures of both kinds.
        var isRGB: Bool?
        /// The binary logarithms of columns and rows for each sample of chroma.
        var steps: (x: UInt32, y: UInt32)
        var depth: UInt32

        init(_ format: GstVideoFormat) {
            let info = gst_video_format_get_info(format).pointee
            hasAlpha = info.flags.rawValue & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0
            hasColor = info.flags.rawValue & GST_VIDEO_FORMAT_FLAG_GRAY.rawValue == 0
            isRGB = info.flags.rawValue & GST_VIDEO_FORMAT_FLAG_RGB.rawValue != 0
            steps = hasColor ? (info.w_sub.1, info.h_sub.1) : (8, 8)
            depth = info.depth.0
        }

        /// The least that keeps both.
        func joined(_ other: Qualities) -> Qualities {
            var result = self
            result.hasAlpha = hasAlpha || other.hasAlpha
            result.hasColor = hasColor || other.hasColor
            result.isRGB = isRGB == other.isRGB ? isRGB : nil
            result.steps = (min(steps.x, other.steps.x), min(steps.y, other.steps.y))
            result.depth = max(depth, other.depth)
            return result
        }

        /// How bad it is to convert a picture of these qualities to `other`: first what is lost, in the order of how much
        /// that hurts, then what is added for nothing.
        func cost(of other: Qualities) -> [UInt32] {
            let (x, y) = (other.steps.x, other.steps.y)
            return [
                hasColor && !other.hasColor ? 1 : 0, hasAlpha && !other.hasAlpha ? 1 : 0,
                (x > steps.x ? x - steps.x : 0) + (y > steps.y ? y - steps.y : 0),
                depth > other.depth ? depth - other.depth : 0,
                // Converted with another matrix, colors are rounded once more.
                isRGB != nil && isRGB != other.isRGB ? 1 : 0, other.depth > depth ? other.depth - depth : 0,
                !hasAlpha && other.hasAlpha ? 1 : 0, (steps.x > x ? steps.x - x : 0) + (steps.y > y ? steps.y - y : 0),
            ]
        }
    }

    /// What the format's samples mean, if an input has said that.
    let info: GstVideoInfo

    /// The format, among those that `caps` allow, that keeps most of pictures with these `inputs`; their own are preferred.
    /// Nil if there are no inputs, or if no format is allowed.
    init?(_ inputs: [GstVideoInfo], allowedBy caps: UnsafeMutablePointer<GstCaps>) {
        let formats = inputs.map { info in withUnsafePointer(to: info) { flip_gst_format($0) } }
        guard let first = formats.first else { return nil }
        let needed = formats.dropFirst().reduce(Qualities(first)) { $0.joined(Qualities($1)) }
        let allowed = (formats + SampleFormat.all).filter { Self.caps(caps, allow: $0) }
        let costs = allowed.map { needed.cost(of: Qualities($0)) }
        guard let best = costs.indices.min(by: { costs[$0].lexicographicallyPrecedes(costs[$1]) }) else { return nil }
        if let own = formats.firstIndex(of: allowed[best]) {
            info = inputs[own]
        } else {
            var made = GstVideoInfo()
            gst_video_info_set_format(&made, allowed[best], guint(inputs[0].width), guint(inputs[0].height))
            // The samples of related formats mean the same.
            let isYUV = { (info: GstVideoInfo) in
                info.finfo.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_YUV.rawValue != 0
            }
            if isYUV(made), let related = inputs.first(where: isYUV) {
                (made.colorimetry, made.chroma_site) = (related.colorimetry, related.chroma_site)
            }
            info = made
        }
    }

    private static func caps(_ caps: UnsafeMutablePointer<GstCaps>, allow format: GstVideoFormat) -> Bool {
        guard let name = gst_video_format_to_string(format) else { return false }
        let own = gst_caps_from_string("video/x-raw, format = (string) \(String(cString: name))")
        defer { gst_caps_unref(own) }
        return gst_caps_can_intersect(own, caps) != 0
    }
}
