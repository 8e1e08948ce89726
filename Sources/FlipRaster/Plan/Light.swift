import FlipGeometry

/// What light and shadows mix over a texture:
///
///     value = texture keep + shadow color shadow + paper color paper + white gloss
///
/// The four parts add up to 1.
struct Light: Equatable {
    var keep = 1.0
    var shadow = 0.0
    var paper = 0.0
    var gloss = 0.0

    /// Nothing but `a` (0...1) of the shadow color.
    static func shade(_ a: Double) -> Light { Light(keep: 1 - a, shadow: a) }

    /// Adds `part` of other light's parts.
    mutating func add(_ light: Light, part: Double) {
        keep += part * light.keep
        shadow += part * light.shadow
        paper += part * light.paper
        gloss += part * light.gloss
    }

    /// Mixes `a` (0...1) of the shadow color over what is seen.
    mutating func shade(_ a: Double) {
        (keep, paper, gloss) = (keep * (1 - a), paper * (1 - a), gloss * (1 - a))
        shadow = shadow * (1 - a) + a
    }

    /// Mixes `part` (0...1) of white over what is seen.
    mutating func shine(_ part: Double) {
        (keep, paper, shadow) = (keep * (1 - part), paper * (1 - part), shadow * (1 - part))
        gloss = gloss * (1 - part) + part
    }
}

/// The colors that light mixes over textures in one plane, as wide samples.
struct LightColors {
    let shadow: UInt16
    let paper: UInt16
    let white: UInt16

    /// The sum of the colors by their parts of `light`.
    @inline(__always)
    func mixed(_ light: Light) -> Double {
        Double(shadow) * light.shadow + Double(paper) * light.paper + Double(white) * light.gloss
    }
}

/// How the light on a surface follows from the place. It belongs to one frame's plan, which keeps the bends.
enum Finish {
    /// A style's shade, by the place on the texture.
    case shade(Shade)
    /// What lies flat on the screen near a bent sheet, by the place on the screen, over a shade of its own. If
    /// `isBeneath`, it isn't the sheet itself.
    case flat(Shade, Unmanaged<StraightBend>, isBeneath: Bool)
    /// A side of a bent sheet, by the place on the sheet. The paper of its back covers `paper` of the picture.
    case bent(Unmanaged<StraightBend>, isBack: Bool, paper: Double)

    /// The shade if it is the same everywhere, and no other light.
    var uniformShade: Double? {
        if case .shade(let shade) = self { return shade.uniformValue }
        return nil
    }

    /// The length along the motion, in luma pixels, within which the light may be taken for the one in the middle; nil
    /// if there is no limit.
    var grain: Double? {
        switch self {
        case .shade: nil
        case .flat(_, let bend, _), .bent(let bend, _, _): bend._withUnsafeGuaranteedRef { $0.grain }
        }
    }

    /// The light on the point of the texture `s`, which is seen at screen position `x`.
    func callAsFunction(texture s: Double, screen x: Double) -> Light {
        switch self {
        case .shade(let shade): return .shade(shade(s))
        case .flat(let shade, let bend, let isBeneath):
            var light = bend._withUnsafeGuaranteedRef { $0.lightOnFlat(x, isBeneath: isBeneath) }
            light.shade(shade(s))
            return light
        case .bent(let bend, let isBack, let paper):
            return bend._withUnsafeGuaranteedRef { $0.light(texture: s, screen: x, isBack: isBack, paper: paper) }
        }
    }
}
