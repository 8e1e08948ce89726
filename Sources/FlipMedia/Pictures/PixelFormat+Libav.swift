import CLibav
import FlipClip

/// What libav knows of pixel formats.
extension PixelFormat {
    /// Creates the format that libav calls `name`; returns nil if libav knows none of that name, or if it stands for
    /// hardware surfaces.
    package init?(name: String) {
        self.init(av_get_pix_fmt(name))
    }

    init?(_ raw: AVPixelFormat) {
        let plain = Self.plainTwin(of: raw)
        guard let descriptor = av_pix_fmt_desc_get(plain)?.pointee, let name = descriptor.name,
            descriptor.nb_components > 0, !Self.has(descriptor, AV_PIX_FMT_FLAG_HWACCEL)
        else { return nil }
        let depth = Int(descriptor.comp.0.depth)
        let isPaletted = Self.has(descriptor, AV_PIX_FMT_FLAG_PAL)
        let components = Self.components(of: descriptor, name: String(cString: name))
        self.init(
            name: String(cString: name), components: components, depth: depth,
            chromaStepX: 1 << Int(descriptor.log2_chroma_w), chromaStepY: 1 << Int(descriptor.log2_chroma_h),
            hasAlpha: Self.has(descriptor, AV_PIX_FMT_FLAG_ALPHA) || isPaletted,
            isRGB: Self.has(descriptor, AV_PIX_FMT_FLAG_RGB) || isPaletted,
            isPlanarNative: components != .other && (8...16).contains(depth)
                && Int(av_pix_fmt_count_planes(plain)) == Int(descriptor.nb_components)
                && (depth == 8 || Self.has(descriptor, AV_PIX_FMT_FLAG_BE) == (1.bigEndian == 1))
                && !Self.has(descriptor, AV_PIX_FMT_FLAG_BITSTREAM) && !Self.has(descriptor, AV_PIX_FMT_FLAG_FLOAT)
                && descriptor.comp.0.shift == 0 && descriptor.comp.0.step == (depth + 7) / 8,
            isPaletted: isPaletted)
    }

    /// libav's constant for the format.
    var raw: AVPixelFormat { av_get_pix_fmt(name) }

    /// This format if it is planar, native and without alpha; else such a format that loses nothing but alpha, or this
    /// format if there is none.
    package var nearestPlanar: PixelFormat {
        if isPlanarNative, !hasAlpha { return self }
        return Self.first(of: planarNames) ?? self
    }

    /// The planar native format with alpha that loses nothing of this one; nil if there is none.
    package var withAlpha: PixelFormat? {
        if isPlanarNative, hasAlpha { return self }
        return Self.first(of: planarNamesWithAlpha)
    }

    private static func first(of names: [String]) -> PixelFormat? {
        names.lazy.compactMap { PixelFormat(name: $0) }.first { $0.isPlanarNative }
    }

    /// Returns the plain format for a full-range variant (yuv420p for yuvj420p), and any other format as it is.
    static func plainTwin(of raw: AVPixelFormat) -> AVPixelFormat {
        switch raw {
        case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
        case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
        case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
        case AV_PIX_FMT_YUVJ440P: AV_PIX_FMT_YUV440P
        case AV_PIX_FMT_YUVJ411P: AV_PIX_FMT_YUV411P
        default: raw
        }
    }

    private static func components(of descriptor: AVPixFmtDescriptor, name: String) -> Components {
        if has(descriptor, AV_PIX_FMT_FLAG_PAL) || has(descriptor, AV_PIX_FMT_FLAG_BAYER) || name.hasPrefix("xyz") {
            return .other
        }
        if has(descriptor, AV_PIX_FMT_FLAG_RGB) {
            return has(descriptor, AV_PIX_FMT_FLAG_PLANAR) ? .gbr : .other
        }
        return descriptor.nb_components <= 2 ? .gray : .yuv
    }

    private static func has(_ descriptor: AVPixFmtDescriptor, _ flag: Int32) -> Bool {
        descriptor.flags & UInt64(flag) != 0
    }
}
