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

    /// For textures without light.
    static let black = LightColors(shadow: 0, paper: 0, white: 0)

    /// The sum of the colors by their parts of `light`.
    @inline(__always)
    func mixed(_ light: Light) -> Double {
        Double(shadow) * light.shadow + Double(paper) * light.paper + Double(white) * light.gloss
    }
}

/// How the light on a surface follows from the place. It belongs to one frame's plan, which keeps the bends.
struct Finish {
    private enum Kind {
        /// A style's shade, by the place on the texture.
        case shade
        /// What lies flat on the screen near a bent sheet, by the place on the screen: the sheet itself, or what is
        /// beneath it.
        case flat, beneath
        /// A side of a bent sheet, by the place on the sheet.
        case front, back
    }

    private let kind: Kind
    private let shade: Shade
    private let bend: Unmanaged<ArchedSheet>?
    /// The part of the picture that paper covers, 0...1.
    let paper: Double

    /// A style's shade alone.
    static func shade(_ shade: Shade) -> Finish { Finish(kind: .shade, shade: shade, bend: nil, paper: 0) }

    /// What lies flat on the screen near a bent sheet, with a shade of its own. If `isBeneath`, it isn't the sheet.
    static func flat(_ shade: Shade, _ bend: Unmanaged<ArchedSheet>, isBeneath: Bool) -> Finish {
        Finish(kind: isBeneath ? .beneath : .flat, shade: shade, bend: bend, paper: 0)
    }

    /// A side of a bent sheet. The paper of its back covers `paper` of the picture.
    static func bent(_ bend: Unmanaged<ArchedSheet>, isBack: Bool, paper: Double) -> Finish {
        Finish(kind: isBack ? .back : .front, shade: .none, bend: bend, paper: paper)
    }

    /// The style's shade, if there is no other light.
    var shadeAlone: Shade? { kind == .shade ? shade : nil }

    /// The shade if it is the same everywhere, and no other light.
    var uniformShade: Double? { kind == .shade ? shade.uniformValue : nil }

    /// The length along the motion, in luma pixels, within which the light may be taken for the one in the middle; nil
    /// if there is no limit.
    var grain: Double? { bend?._withUnsafeGuaranteedRef { $0.grain } }

    /// The light on the point of the texture `s`, which is seen at screen position `x`.
    func callAsFunction(texture s: Double, screen x: Double) -> Light {
        guard let bend else { return .shade(shade(s)) }
        return bend._withUnsafeGuaranteedRef { bend in
            if kind == .front || kind == .back {
                return bend.light(texture: s, screen: x, isBack: kind == .back, paper: paper)
            }
            var light = bend.lightOnFlat(x, isBeneath: kind == .beneath)
            light.shade(shade(s))
            return light
        }
    }
}
