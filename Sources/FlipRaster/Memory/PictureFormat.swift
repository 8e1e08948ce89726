import FlipBase

/// How a planar picture's samples are laid out and what they mean.
package struct PictureFormat: Sendable, Hashable {
    package typealias Components = ColorEncoder.Components
    package typealias Matrix = LumaWeights

    /// Where a subsampled chroma sample lies within the luma pixels it stands for (ITU-T H.264 figure E-1).
    package enum ChromaLocation: Sendable, Equatable {
        case left, center, topLeft, top, bottomLeft, bottom
    }

    package var components: Components
    /// Bits per sample, 8...16. Samples of more than 8 bits are stored as UInt16 in native byte order.
    package var depth: Int
    /// Luma pixels per chroma sample: horizontally 1, 2 or 4, vertically 1 or 2.
    package var chromaStepX: Int
    package var chromaStepY: Int
    package var chromaLocation: ChromaLocation
    /// Whether samples use the full range of their depth (0...255 in 8 bits) or the limited one (16...235, chroma
    /// 16...240).
    package var isFullRange: Bool
    /// The color matrix by which R'G'B' colors are converted to Y'CbCr.
    package var matrix: Matrix
    /// Whether an alpha plane of full size follows the color planes: 0 is transparent, all bits set is opaque. Colors
    /// aren't premultiplied.
    package var hasAlpha: Bool
    /// What R'G'B' values mean. Colors are given in sRGB.
    package var light = ColorLight.sdr
    /// The width of a luma pixel over its height. Lengths in scenes are heights of pixels.
    package var pixelAspect = 1.0
    /// The field that pictures are, of frames with twice as many lines; nil for whole frames.
    package var field: Field?

    /// Every other line of a frame: from the first one on, or from the second one on.
    package enum Field: Int, Sendable, CaseIterable {
        case top, bottom
    }

    /// The number of a frame's lines for each line of a picture.
    var lineStep: Int { field == nil ? 1 : 2 }

    /// Turns colors into samples of this format.
    package var colors: ColorEncoder {
        ColorEncoder(components, depth: depth, isFullRange: isFullRange, weights: matrix, light: light)
    }

    package init(
        components: Components, depth: Int = 8, chromaStepX: Int = 1, chromaStepY: Int = 1,
        chromaLocation: ChromaLocation = .left, isFullRange: Bool = false, matrix: Matrix = .bt709,
        hasAlpha: Bool = false
    ) {
        precondition((8...16).contains(depth))
        (self.components, self.depth, self.chromaStepX) = (components, depth, chromaStepX)
        (self.chromaStepY, self.chromaLocation, self.isFullRange) = (chromaStepY, chromaLocation, isFullRange)
        (self.matrix, self.hasAlpha) = (matrix, hasAlpha)
    }

    /// The number of planes without alpha.
    package var colorPlaneCount: Int { components == .gray ? 1 : 3 }
    package var planeCount: Int { colorPlaneCount + (hasAlpha ? 1 : 0) }
    package var bytesPerSample: Int { depth > 8 ? 2 : 1 }
    /// The largest sample value.
    package var peak: Int { 1 << depth - 1 }

    /// The format of the colors alone, with 16 bits per sample.
    var deepColors: PictureFormat {
        var colors = self
        (colors.hasAlpha, colors.depth) = (false, 16)
        return colors
    }

    /// Whether plane `index` holds chroma, subsampled or not.
    package func isChroma(plane index: Int) -> Bool { components == .yuv && (1...2).contains(index) }

    /// The size of plane `index` in samples, for a picture of `width` x `height` luma pixels.
    package func planeSize(_ index: Int, width: Int, height: Int) -> (width: Int, height: Int) {
        guard isChroma(plane: index) else { return (width, height) }
        return ((width + chromaStepX - 1) / chromaStepX, (height + chromaStepY - 1) / chromaStepY)
    }

    /// The sample value of black in plane `index`; in the alpha plane, the value for transparent.
    package func black(plane index: Int) -> Int {
        if index == colorPlaneCount { return 0 }
        if isChroma(plane: index) { return 128 << (depth - 8) }
        return isFullRange || components == .gbr ? 0 : 16 << (depth - 8)
    }

    /// The wide sample (`Wide`) of black in plane `index`.
    func wideBlack(plane index: Int) -> Int { black(plane: index) << (16 - depth) }
}
