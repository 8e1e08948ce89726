import FlipGeometry

/// The colors of a frame that floating-point numbers make up.
struct FloatColors {
    /// What shows where there is no sheet.
    let background: FloatPixel
    /// The colors of shadows, of a bent sheet's paper and of gloss, opaque.
    let shadow: FloatPixel
    let paper: FloatPixel
    let white = FloatPixel(repeating: 1)

    init(background: Color, shadow: Color, paper: Color) {
        self.background = FloatColors.pixel(background)
        self.shadow = FloatColors.pixel(shadow)
        self.paper = FloatColors.pixel(paper)
    }

    /// A color as a pixel.
    static func pixel(_ color: Color) -> FloatPixel {
        let parts = SIMD4(color.red * color.alpha, color.green * color.alpha, color.blue * color.alpha, color.alpha)
        return FloatPixel(parts)
    }
}

/// What light makes of a pixel of a texture:
///
///     pixel weight + pixel's alpha tint + constant
///
/// Paper covers transparent places, too. Shadows and gloss then cover what is seen in proportion to its alpha.
struct FloatLight {
    var weight: FloatPixel
    /// Its alpha is 0.
    var tint: FloatPixel
    var constant: FloatPixel

    /// `part` of a pixel in `light`, on a side of a sheet whose paper covers `paper` of it.
    init(_ light: Light, paper: Double, part: Double, _ colors: FloatColors) {
        let seen = Float(part * (1 - paper))
        weight = FloatPixel(repeating: Float(part * light.keep))
        weight.w = seen
        constant = colors.paper * Float(part * light.paper)
        constant.w = Float(part * paper)
        if light.shadow == 0 && light.gloss == 0 {
            tint = .zero
            return
        }
        var mixed = colors.shadow * Float(light.shadow) + colors.white * Float(light.gloss)
        mixed.w = 0
        tint = mixed * seen
        if paper > 0 { constant += mixed * Float(part * paper) }
    }

    /// Whether the pixel's alpha matters to its color.
    var isTinted: Bool { tint != .zero }

    /// What is seen of `pixel`.
    @inline(__always)
    func callAsFunction(_ pixel: FloatPixel) -> FloatPixel {
        pixel * weight + tint * pixel.w + constant
    }
}
