import FlipGeometry

/// A color in the components of a format, as wide samples (`Wide`).
struct EncodedColor: Equatable {
    private var components: (UInt16, UInt16, UInt16)

    init(_ color: Color, format: PictureFormat) {
        components = (0, 0, 0)
        switch format.components {
        case .gbr:
            components = (
                EncodedColor.wide(full: color.green, format), EncodedColor.wide(full: color.blue, format),
                EncodedColor.wide(full: color.red, format)
            )
        case .yuv, .gray:
            let matrix = format.matrix
            let luma =
                matrix.red * color.red + matrix.blue * color.blue + (1 - matrix.red - matrix.blue) * color.green
            components = (
                EncodedColor.wide(luma: luma, format),
                EncodedColor.wide(chroma: (color.blue - luma) / (2 * (1 - matrix.blue)), format),
                EncodedColor.wide(chroma: (color.red - luma) / (2 * (1 - matrix.red)), format)
            )
        }
    }

    /// The color of a surface in full light: in HDR, white is diffuse white.
    init(surface color: Color, format: PictureFormat) {
        let white = format.diffuseWhite
        let lit = Color(red: color.red * white, green: color.green * white, blue: color.blue * white)
        self.init(lit, format: format)
    }

    /// The color premultiplied by `alpha`: its distance from black is scaled by `alpha`.
    func premultiplied(by alpha: Double, format: PictureFormat) -> EncodedColor {
        let black = EncodedColor(.black, format: format)
        func mixed(_ value: UInt16, _ black: UInt16) -> UInt16 {
            UInt16((Double(black) + (Double(value) - Double(black)) * alpha).rounded())
        }
        var result = self
        result.components = (
            mixed(components.0, black.components.0), mixed(components.1, black.components.1),
            mixed(components.2, black.components.2)
        )
        return result
    }

    /// The component in plane `index`.
    subscript(plane index: Int) -> UInt16 {
        index == 0 ? components.0 : index == 1 ? components.1 : components.2
    }

    static func == (left: EncodedColor, right: EncodedColor) -> Bool { left.components == right.components }

    /// Encodes `value`, 0...1, in full range.
    private static func wide(full value: Double, _ format: PictureFormat) -> UInt16 {
        wide(value * Double((1 << format.depth) - 1), format)
    }

    /// Encodes luma, 0...1 (ITU-T H.273, equations 20 and 26).
    private static func wide(luma: Double, _ format: PictureFormat) -> UInt16 {
        if format.isFullRange { return wide(full: luma, format) }
        return wide((16 + 219 * luma) * Double(1 << (format.depth - 8)), format)
    }

    /// Encodes a color difference, -0.5...0.5 (ITU-T H.273, equations 21 and 27).
    private static func wide(chroma: Double, _ format: PictureFormat) -> UInt16 {
        let scale = format.isFullRange ? Double((1 << format.depth) - 1) : 224 * Double(1 << (format.depth - 8))
        return wide(scale * chroma + Double(1 << (format.depth - 1)), format)
    }

    /// Converts a sample value to its wide form, which keeps the fraction.
    private static func wide(_ value: Double, _ format: PictureFormat) -> UInt16 {
        let most = Double(((1 << format.depth) - 1) << Wide.shift(depth: format.depth))
        return UInt16(min(max((value * Double(1 << Wide.shift(depth: format.depth))).rounded(), 0), most))
    }
}
