import FlipGeometry

/// Draws the frames of transitions between pictures with alpha.
///
/// Colors are premultiplied by alpha before they are averaged, so that transparent pixels contribute no color, and
/// divided by alpha afterwards. In between, samples have 16 bits: the premultiplied colors are drawn as planes without
/// alpha, shaded toward black, and alpha is drawn as a gray picture. If the shadow color isn't black, it is added in
/// proportion to what shades cover, which is what alpha loses when it is shaded itself. A surface hides what is behind
/// it even where it is transparent, so a transition begins and ends with exactly its pictures.
final class AlphaRenderer {
    private let format: PictureFormat
    private let shape: AlphaShape
    private let colors: PlaneRenderer
    private let covers: PlaneRenderer
    private let background: EncodedColor
    private let backgroundAlpha: EncodedColor

    private let outgoing: DeepPicture
    private let incoming: DeepPicture
    private let target: DeepPicture
    /// Alpha shaded toward transparent; only drawn if the shadow color isn't black.
    private let shaded: DeepPicture

    init(format: PictureFormat, width: Int, height: Int, background: Color, crew: Crew) {
        self.format = format
        let shape = AlphaShape(format: format, width: width, height: height)
        self.shape = shape
        colors = PlaneRenderer(format: shape.colors, width: width, height: height, crew: crew)
        covers = PlaneRenderer(format: shape.cover, width: width, height: height, crew: crew)
        self.background = EncodedColor(background, format: shape.colors)
            .premultiplied(by: background.alpha, format: shape.colors)
        backgroundAlpha = EncodedColor(.white, format: shape.cover)
            .premultiplied(by: background.alpha, format: shape.cover)
        outgoing = DeepPicture(shape)
        incoming = DeepPicture(shape)
        target = DeepPicture(shape)
        shaded = DeepPicture(shape)
    }

    /// Like `TransitionRenderer.render`, for a progress that is neither 0 nor 1.
    func render(
        _ look: StyledLook, progress: Double, from first: PictureView, to second: PictureView,
        into result: PictureView
    ) {
        outgoing.premultiply(first, depth: format.depth)
        incoming.premultiply(second, depth: format.depth)
        let black = EncodedColor(.black, format: shape.colors)
        colors.render(
            look, progress: progress, from: outgoing.colors, to: incoming.colors, into: target.colors,
            background: background, shadow: black)
        covers.render(
            look, progress: progress, showsShades: false, from: outgoing.cover, to: incoming.cover, into: target.cover,
            background: backgroundAlpha, shadow: EncodedColor(.white, format: shape.cover))
        let shadow = EncodedColor(look.look.shadowColor, format: shape.colors)
        if shadow != black {
            covers.render(
                look, progress: progress, from: outgoing.cover, to: incoming.cover, into: shaded.cover,
                background: backgroundAlpha, shadow: EncodedColor(.black, format: shape.cover))
        }
        target.divide(shaded: shadow == black ? nil : shaded, shadow: shadow, into: result, depth: format.depth)
        // Flat panels aren't averaged, so premultiplying and dividing only adds rounding errors to them: draw them
        // directly.
        colors.redrawFlatPanels(
            format: format, alpha: format.colorPlaneCount, from: first, to: second, into: result,
            shadow: EncodedColor(look.look.shadowColor, format: format))
    }
}
