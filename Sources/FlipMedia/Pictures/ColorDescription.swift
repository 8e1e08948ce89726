import CLibav
import FlipBase

/// How a picture's samples represent color, in libav's names; nil stands for "unspecified".
package struct ColorDescription: Sendable, Hashable, Codable {
    /// The color primaries, such as "bt709" or "bt2020".
    package var primaries: String?
    /// The transfer characteristics, such as "bt709" or "smpte2084".
    package var transfer: String?
    /// The color matrix, such as "bt709", "smpte170m" or "gbr".
    package var matrix: String?
    /// True for full range (0...255 at 8 bits), false for limited range (16...235 at 8 bits).
    package var isFullRange: Bool?
    /// The chroma sample location, such as "left" or "topleft".
    package var chromaLocation: String?

    package init(
        primaries: String? = nil, transfer: String? = nil, matrix: String? = nil, isFullRange: Bool? = nil,
        chromaLocation: String? = nil
    ) {
        (self.primaries, self.transfer, self.matrix, self.isFullRange) = (primaries, transfer, matrix, isFullRange)
        self.chromaLocation = chromaLocation
    }
}

/// What is assumed where a property is unspecified.
extension ColorDescription {
    /// Whether samples of `format` use the full range: RGB always does, YUV and gray only when tagged.
    package func usesFullRange(_ format: PixelFormat) -> Bool { format.isRGB || isFullRange == true }

    /// Whether samples of `format` mean the same under `other`. An unspecified range counts as limited, except that RGB
    /// is always full range.
    package func agrees(with other: ColorDescription, for format: PixelFormat) -> Bool {
        var (own, theirs) = (self, other)
        own.isFullRange = usesFullRange(format)
        theirs.isFullRange = other.usesFullRange(format)
        return own == theirs
    }

    /// The matrix, or where it's unspecified the one that players assume for a picture of that size: BT.709 for HD,
    /// BT.601 below.
    package func assumedMatrix(width: Int, height: Int) -> String {
        matrix ?? (width >= 1280 || height > 576 ? "bt709" : "smpte170m")
    }

    /// Whether the transfer function is that of HDR: PQ or HLG.
    package var isHDR: Bool { transfer.map(Transfer.isHighDynamicRange) ?? false }

    /// The dynamic range in words, such as "HDR (PQ)".
    package var rangeName: String {
        switch light.transfer {
        case .pq: "HDR (PQ)"
        case .hlg: "HDR (HLG)"
        case .sdr: "SDR"
        }
    }

    /// What R'G'B' values mean. Where the primaries are unspecified, they are those of HD, or of BT.2020 in HDR.
    package var light: ColorLight {
        let transfer: ColorLight.Transfer =
            switch transfer {
            case "smpte2084": .pq
            case "arib-std-b67": .hlg
            default: .sdr
            }
        switch primaries {
        case "bt2020": return ColorLight(transfer, .bt2020)
        case "smpte432": return ColorLight(transfer, .displayP3)
        case nil where transfer != .sdr: return ColorLight(transfer, .bt2020)
        default: return ColorLight(transfer, .bt709)
        }
    }

    /// The description with BT.709 in place of any other primaries, as viewers of pictures expect. HDR keeps its own.
    package var inCommonGamut: ColorDescription {
        var color = self
        if primaries != nil, !isHDR { color.primaries = "bt709" }
        return color
    }

    /// The description of Y'CbCr video of `width` x `height` pixels that is made from R'G'B' or full-range pictures. It
    /// states the limited range, BT.709 primaries and transfer, and the matrix that players assume at this size anyway,
    /// or that of BT.2020 with its primaries. HDR stays HDR.
    /// - Parameter keepsGamut: whether primaries other than BT.709 are kept, too.
    package func asVideo(width: Int, height: Int, keepsGamut: Bool) -> ColorDescription {
        var color = self
        color.isFullRange = false
        if isHDR || keepsGamut {
            color.primaries = primaries ?? (isHDR ? "bt2020" : "bt709")
        } else {
            color.primaries = "bt709"
        }
        if !isHDR { color.transfer = "bt709" }
        color.matrix = nil
        color.matrix =
            color.primaries == "bt2020" ? "bt2020nc" : color.assumedMatrix(width: width, height: height)
        return color
    }
}

extension ColorDescription {
    init(of frame: AVFrame) {
        self.init()
        primaries = Self.specified(frame.color_primaries.rawValue, AVCOL_PRI_UNSPECIFIED.rawValue) {
            av_color_primaries_name(frame.color_primaries)
        }
        transfer = Self.specified(frame.color_trc.rawValue, AVCOL_TRC_UNSPECIFIED.rawValue) {
            av_color_transfer_name(frame.color_trc)
        }
        matrix = Self.specified(frame.colorspace.rawValue, AVCOL_SPC_UNSPECIFIED.rawValue) {
            av_color_space_name(frame.colorspace)
        }
        chromaLocation = Self.specified(frame.chroma_location.rawValue, AVCHROMA_LOC_UNSPECIFIED.rawValue) {
            av_chroma_location_name(frame.chroma_location)
        }
        // The yuvj formats imply full range.
        let isTwin = PixelFormat.plainTwin(of: AVPixelFormat(frame.format)).rawValue != frame.format
        switch frame.color_range {
        case AVCOL_RANGE_JPEG: isFullRange = true
        case AVCOL_RANGE_MPEG: isFullRange = false
        default: isFullRange = isTwin ? true : nil
        }
        // A picture with a profile that has no name in video is converted to sRGB (`ProfileConverter`).
        if primaries == nil, let profile = ColorProfile(of: frame),
            let format = PixelFormat(AVPixelFormat(frame.format)),
            let named = profile.primaries ?? (profile.change(of: format) == nil ? nil : "bt709")
        {
            primaries = named
            transfer = transfer ?? "iec61966-2-1"
        }
    }

    private static func specified<Value: Equatable>(
        _ value: Value, _ unspecified: Value, name: () -> UnsafePointer<CChar>?
    ) -> String? {
        guard value != unspecified, let name = name() else { return nil }
        let text = String(cString: name)
        return text == "reserved" || text == "unknown" ? nil : text
    }
}

/// The properties as libav's enumeration values.
extension ColorDescription {
    var rawPrimaries: AVColorPrimaries { Self.number(primaries, av_color_primaries_from_name, AVCOL_PRI_UNSPECIFIED) }
    var rawTransfer: AVColorTransferCharacteristic {
        Self.number(transfer, av_color_transfer_from_name, AVCOL_TRC_UNSPECIFIED)
    }
    var rawMatrix: AVColorSpace { Self.number(matrix, av_color_space_from_name, AVCOL_SPC_UNSPECIFIED) }
    var rawChromaLocation: AVChromaLocation {
        Self.number(chromaLocation, av_chroma_location_from_name, AVCHROMA_LOC_UNSPECIFIED)
    }
    var rawRange: AVColorRange {
        switch isFullRange {
        case true?: AVCOL_RANGE_JPEG
        case false?: AVCOL_RANGE_MPEG
        case nil: AVCOL_RANGE_UNSPECIFIED
        }
    }

    private static func number<Value: RawRepresentable<UInt32>>(
        _ name: String?, _ look: (UnsafePointer<CChar>) -> Int32, _ unspecified: Value
    ) -> Value {
        guard let name else { return unspecified }
        let number = look(name)
        return number < 0 ? unspecified : Value(rawValue: UInt32(number)) ?? unspecified
    }

    /// Sets the color properties of a frame.
    func tag(_ frame: UnsafeMutablePointer<AVFrame>) {
        frame.pointee.color_primaries = rawPrimaries
        frame.pointee.color_trc = rawTransfer
        frame.pointee.colorspace = rawMatrix
        frame.pointee.color_range = rawRange
        frame.pointee.chroma_location = rawChromaLocation
    }
}
