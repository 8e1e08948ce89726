import FlipGeometry

/// Draws frames without alpha: plans each one and has the crew draw it.
final class PlaneRenderer {
    private let format: PictureFormat
    private let plan: FramePlan
    private let crew: Crew

    init(format: PictureFormat, width: Int, height: Int, crew: Crew) {
        self.format = format
        self.crew = crew
        plan = FramePlan(format: format, width: width, height: height)
    }

    /// Draws `look` at `progress`, which is neither 0 nor 1; without the panels' shades if `showsShades` is false.
    func render(
        _ look: StyledLook, progress: Double, showsShades: Bool = true, from outgoing: PictureView,
        to incoming: PictureView, into target: PictureView, background: EncodedColor, shadow: EncodedColor
    ) {
        plan.plan(look, progress: progress, showsShades: showsShades)
        crew.draw(
            FrameContext(
                plan: plan, format: format, outgoing: outgoing, incoming: incoming, target: target,
                background: background, shadow: shadow))
    }

    /// Redraws the flat panels of the last frame, now from pictures of `format`, whose planes must have the same sizes.
    /// `alpha` is the index of the alpha plane, which is copied without shades.
    func redrawFlatPanels(
        format: PictureFormat, alpha: Int, from outgoing: PictureView, to incoming: PictureView,
        into target: PictureView, shadow: EncodedColor
    ) {
        let context = FrameContext(
            plan: plan, format: format, outgoing: outgoing, incoming: incoming, target: target, background: shadow,
            shadow: shadow)
        for job in plan.jobs {
            guard case .flat(let layer, let bounds) = job.kind else { continue }
            let layout = plan.layouts[job.layout]
            Worker.drawFlat(layer, bounds, layout, context)
            if layout.planes.lowerBound > 0 { continue }
            let panel = plan.spans.projection(ofLayer: layer).panel
            for row in bounds.rows {
                context.drawFlat(panel, plane: alpha, row: row, columns: bounds.columns, shade: 0)
            }
        }
    }
}
