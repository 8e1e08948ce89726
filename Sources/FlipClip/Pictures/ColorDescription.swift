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
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
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
