/// The weights of red and blue in luma (ITU-T H.273, table 4: Kr and Kb).
package struct LumaWeights: Sendable, Hashable {
    package var red: Double
    package var blue: Double

    package init(red: Double, blue: Double) { (self.red, self.blue) = (red, blue) }

    package static let bt601 = LumaWeights(red: 0.299, blue: 0.114)
    package static let bt709 = LumaWeights(red: 0.2126, blue: 0.0722)
    package static let bt2020 = LumaWeights(red: 0.2627, blue: 0.0593)
    package static let fcc = LumaWeights(red: 0.30, blue: 0.11)
    package static let smpte240m = LumaWeights(red: 0.212, blue: 0.087)
}

/// Turns colors into samples. All colors that are drawn rather than decoded pass through here, so that one color has the
/// same samples wherever it is drawn: bars, backgrounds, paper, shadows, fades, text, and what is behind transparent
/// pictures.
package struct ColorEncoder: Sendable, Hashable {
    /// What the planes hold, in plane order.
    package enum Components: Sendable, Hashable {
        /// Y', then Cb and Cr.
        case yuv
        /// Y' alone.
        case gray
        /// G', B', R': the plane order of planar RGB.
        case gbr
    }

    package var components: Components
    /// Bits per sample, 8...16.
    package var depth: Int
    /// Whether Y'CbCr and gray use the full range of their depth; R'G'B' always does.
    package var isFullRange: Bool
    package var weights: LumaWeights
    package var light: ColorLight

    package init(_ components: Components, depth: Int, isFullRange: Bool, weights: LumaWeights, light: ColorLight) {
        (self.components, self.depth, self.isFullRange, self.weights) = (components, depth, isFullRange, weights)
        self.light = light
    }

    /// The samples of an sRGB color whose R'G'B' values, each 0...1, are given; one for each component, in plane order.
    /// They are shifted up to 16 bits, which keeps fractions. Gray has its luma in all three places.
    package func wide(red: Double, green: Double, blue: Double) -> (UInt16, UInt16, UInt16) {
        let (red, green, blue) = light.encoded(red: red, green: green, blue: blue)
        if components == .gbr { return (full(green), full(blue), full(red)) }
        let luma = weights.red * red + weights.blue * blue + (1 - weights.red - weights.blue) * green
        if components == .gray { return (self.luma(luma), self.luma(luma), self.luma(luma)) }
        return (
            self.luma(luma), chroma((blue - luma) / (2 * (1 - weights.blue))),
            chroma((red - luma) / (2 * (1 - weights.red)))
        )
    }

    /// The same, rounded to the depth; only as many samples as there are components.
    package func samples(red: Double, green: Double, blue: Double) -> [UInt16] {
        let wide = wide(red: red, green: green, blue: blue)
        let all = [narrow(wide.0), narrow(wide.1), narrow(wide.2)]
        return components == .gray ? [all[0]] : all
    }

    /// Rounds a sample of 16 bits to the depth.
    package func narrow(_ wide: UInt16) -> UInt16 {
        let shift = 16 - depth
        return UInt16(min((Int(wide) + (1 << shift) / 2) >> shift, 1 << depth - 1))
    }

    /// Encodes `value`, 0...1, in full range.
    private func full(_ value: Double) -> UInt16 { wide(value * Double(1 << depth - 1)) }

    /// Encodes luma, 0...1 (ITU-T H.273, equations 20 and 26).
    private func luma(_ value: Double) -> UInt16 {
        isFullRange ? full(value) : wide((16 + 219 * value) * Double(1 << (depth - 8)))
    }

    /// Encodes a color difference, -0.5...0.5 (ITU-T H.273, equations 21 and 27).
    private func chroma(_ value: Double) -> UInt16 {
        let scale = isFullRange ? Double(1 << depth - 1) : 224 * Double(1 << (depth - 8))
        return wide(scale * value + Double(1 << (depth - 1)))
    }

    private func wide(_ value: Double) -> UInt16 {
        let unit = Double(1 << (16 - depth))
        return UInt16(min(max((value * unit).rounded(), 0), Double(1 << depth - 1) * unit))
    }
}
