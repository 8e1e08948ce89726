import CLibav

/// A pixel format: how samples are laid out in memory. libav's full-range variants, such as `yuvj420p`, are represented
/// by the plain format together with `ColorDescription.isFullRange`.
package struct PixelFormat: Sendable, Hashable {
    package enum Components: String, Sendable, Codable {
        case yuv, gray, gbr, other
    }

    /// libav's name, such as "yuv420p10le".
    package let name: String
    package let components: Components
    /// The bit depth of the first component, 1...32.
    package let depth: Int
    /// The width of a chroma sample in pixels: 1, 2 or 4; 1 without chroma.
    package let chromaStepX: Int
    /// The height of a chroma sample in pixels: 1, 2 or 4; 1 without chroma.
    package let chromaStepY: Int
    package let hasAlpha: Bool
    /// Whether the components are red, green and blue (planar or packed), or indexes into a palette of them.
    package let isRGB: Bool
    /// Whether the format is YUV, gray or GBR with each component in a plane of its own, alpha in the last one, 8...16
    /// bits and native byte order.
    package let isPlanarNative: Bool
    /// Whether samples are indexes into a palette.
    package let isPaletted: Bool

    package init(
        name: String, components: Components, depth: Int, chromaStepX: Int, chromaStepY: Int, hasAlpha: Bool,
        isRGB: Bool, isPlanarNative: Bool, isPaletted: Bool
    ) {
        (self.name, self.components, self.depth, self.chromaStepX) = (name, components, depth, chromaStepX)
        (self.chromaStepY, self.hasAlpha, self.isRGB) = (chromaStepY, hasAlpha, isRGB)
        (self.isPlanarNative, self.isPaletted) = (isPlanarNative, isPaletted)
    }

    /// R'G'B' in interleaved bytes.
    package static let rgb24 = PixelFormat(
        name: "rgb24", components: .other, depth: 8, chromaStepX: 1, chromaStepY: 1, hasAlpha: false, isRGB: true,
        isPlanarNative: false, isPaletted: false)

    /// Planar Y'CbCr of 8 bits with a quarter of the chroma samples.
    package static let planar420 = PixelFormat(
        name: "yuv420p", components: .yuv, depth: 8, chromaStepX: 2, chromaStepY: 2, hasAlpha: false, isRGB: false,
        isPlanarNative: true, isPaletted: false)

    /// Planar R'G'B' in native byte order, with 8 or 16 bits per component.
    package static func planarRGB(depth: Int, hasAlpha: Bool = false) -> PixelFormat {
        PixelFormat(
            name: planarName(hasAlpha ? "gbrap" : "gbrp", depth), components: .gbr, depth: depth, chromaStepX: 1,
            chromaStepY: 1, hasAlpha: hasAlpha, isRGB: true, isPlanarNative: true, isPaletted: false)
    }

    /// The bytes per sample of a planar native format.
    package var bytesPerSample: Int { depth > 8 ? 2 : 1 }

    /// The number of planes of a planar native format: 1 for gray, else 3, plus one for alpha.
    package var planeCount: Int { (components == .gray ? 1 : 3) + (hasAlpha ? 1 : 0) }

    /// The width and height, in samples, of plane `index` of a picture of `width` x `height` pixels.
    package func planeSize(_ index: Int, width: Int, height: Int) -> (width: Int, height: Int) {
        guard components == .yuv, index == 1 || index == 2 else { return (width, height) }
        return ((width + chromaStepX - 1) / chromaStepX, (height + chromaStepY - 1) / chromaStepY)
    }

    /// The names of the planar native formats that lose nothing but alpha, the one of the lowest depth first. Some of
    /// them may not exist.
    package var planarNames: [String] {
        planarNames(isRGB ? "gbrp" : components == .gray ? "gray" : "yuv" + chromaName)
    }

    /// The same for those with alpha, which lose nothing.
    package var planarNamesWithAlpha: [String] {
        planarNames(isRGB ? "gbrap" : components == .gray ? "yuva444p" : "yuva" + chromaName)
    }

    /// The names of a family of formats, such as "gbrp", with this depth or a higher one. Not every family has 9, 12
    /// and 14 bits.
    private func planarNames(_ family: String) -> [String] {
        [8, 9, 10, 12, 14, 16].filter { $0 >= depth }.map { Self.planarName(family, $0) }
    }

    private static func planarName(_ family: String, _ depth: Int) -> String {
        family + (depth == 8 ? "" : "\(depth)" + (1.bigEndian == 1 ? "be" : "le"))
    }

    /// The part of planar Y'CbCr formats' names that stands for this format's chroma subsampling, such as "420p".
    private var chromaName: String {
        switch (chromaStepX, chromaStepY) {
        case (1, 1): "444p"
        case (2, 1): "422p"
        case (4, 1): "411p"
        case (1, 2): "440p"
        default: "420p"
        }
    }
}

extension PixelFormat: CustomStringConvertible {
    package var description: String { name }
}

extension PixelFormat: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try name.encode(to: encoder)
    }
}

/// What libav knows of pixel formats.
extension PixelFormat {
    /// Creates the format that libav calls `name`; returns nil if libav knows none of that name, or if it stands for
    /// hardware surfaces.
    package init?(name: String) { self.init(av_get_pix_fmt(name)) }

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

    /// The size in bytes of an uncompressed frame without padding.
    package func byteCount(width: Int, height: Int) -> Int {
        Int(av_image_get_buffer_size(raw, Int32(clamping: width), Int32(clamping: height), 1))
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
        if has(descriptor, AV_PIX_FMT_FLAG_RGB) { return has(descriptor, AV_PIX_FMT_FLAG_PLANAR) ? .gbr : .other }
        return descriptor.nb_components <= 2 ? .gray : .yuv
    }

    private static func has(_ descriptor: AVPixFmtDescriptor, _ flag: Int32) -> Bool {
        descriptor.flags & UInt64(flag) != 0
    }
}

extension Frame {
    /// Gives the frame the plain format in the place of a full-range variant, and states that its samples have the full range.
    func usePlainFormat() {
        let plain = PixelFormat.plainTwin(of: AVPixelFormat(pointer.pointee.format))
        if plain.rawValue == pointer.pointee.format { return }
        pointer.pointee.format = plain.rawValue
        pointer.pointee.color_range = AVCOL_RANGE_JPEG
    }
}
