import FlipGeometry

/// Draws the frames of transitions between pictures with alpha.
///
/// Colors are premultiplied by alpha before they are averaged, so that transparent pixels contribute no color, and
/// divided by alpha afterwards. In between, samples have 16 bits: the premultiplied colors are drawn as planes without
/// alpha, shaded toward black, and alpha is drawn as a gray picture. If the shadow color isn't black, it is added in
/// proportion to what shades cover, which is what alpha loses when it is shaded itself. Gloss covers what alpha covers,
/// too. A surface hides what is behind it even where it is transparent, so a transition begins and ends with exactly its
/// pictures.
final class AlphaRenderer {
    private let format: PictureFormat
    private let shape: AlphaShape
    private let colors: OpaqueRenderer
    private let covers: OpaqueRenderer

    private let outgoing: DeepPicture
    private let incoming: DeepPicture
    private let target: DeepPicture
    /// Alpha shaded toward transparent; only drawn if the shadow color isn't black.
    private let shaded: DeepPicture
    /// Alpha with gloss as opaque; made for the first frame with a bent sheet.
    private var glossed: DeepPicture?

    /// - Parameter plan: the plan of the frames' colors, which is made before each of them is drawn.
    init(format: PictureFormat, width: Int, height: Int, plan: FramePlan, crew: Crew) {
        self.format = format
        let shape = AlphaShape(format: format, width: width, height: height)
        self.shape = shape
        colors = OpaqueRenderer(
            layout: PixelLayout(planar: shape.colors), width: width, height: height, crew: crew, plan: plan,
            rounding: .direct)
        covers = OpaqueRenderer(
            layout: PixelLayout(planar: shape.cover), width: width, height: height, crew: crew, rounding: .direct,
            isAlpha: true)
        outgoing = DeepPicture(shape)
        incoming = DeepPicture(shape)
        target = DeepPicture(shape)
        shaded = DeepPicture(shape)
    }

    /// Draws the planned frame of planar pictures, at a progress that is neither 0 nor 1.
    func render(
        _ look: StyledLook, progress: Double, _ background: Color, from first: PictureView, to second: PictureView,
        into result: PictureView
    ) {
        outgoing.premultiply(first, depth: format.depth)
        incoming.premultiply(second, depth: format.depth)
        // Samples are shifted up to 16 bits, as those of encoded colors are, so 255 of 8 bits is 65280. Gloss alone is
        // mixed toward the 65535 that is white in a format of 16 bits.
        let black = EncodedColor(.black, format: format)
        _ = colors.render(
            from: outgoing.colors, to: incoming.colors, into: target.colors,
            background: EncodedColor(background, format: format)
                .premultiplied(by: background.alpha, format: format), shadow: black)
        (covers.plan.drawn, covers.plan.slide) = (colors.plan.drawn, colors.plan.slide)
        covers.plan.plan(look, progress: progress, light: .none)
        cover(into: target, background, shadow: .white)
        var added: [DeepPicture.Addition] = []
        var rest = target
        if colors.plan.scene.hasGloss {
            covers.plan.plan(look, progress: progress, light: .gloss)
            let glossed = glossed ?? DeepPicture(shape)
            self.glossed = glossed
            cover(into: glossed, background, shadow: .white)
            // Gloss is mixed as if what it falls on were opaque. What that is too much, alpha with gloss has too much.
            let white = EncodedColor(.white, format: shape.colors)
            added.append(DeepPicture.Addition(color: white, from: rest, to: glossed))
            rest = glossed
        }
        let shadow = EncodedColor(look.look.shadowColor, format: format)
        if shadow != black {
            covers.plan.plan(look, progress: progress)
            cover(into: shaded, background, shadow: .black)
            added.append(DeepPicture.Addition(color: shadow, from: rest, to: shaded))
        }
        target.divide(adding: added, into: result, depth: format.depth)
    }

    /// Draws alpha as planned, shaded toward `shadow`.
    private func cover(into picture: DeepPicture, _ background: Color, shadow: Color) {
        _ = covers.render(
            from: outgoing.cover, to: incoming.cover, into: picture.cover,
            background: EncodedColor(.white, format: shape.cover)
                .premultiplied(by: background.alpha, format: shape.cover),
            shadow: EncodedColor(shadow, format: shape.cover))
    }
}
