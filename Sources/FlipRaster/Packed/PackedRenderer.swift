import FlipGeometry

/// Draws the frames of transitions between pictures of pixels (`PackedView`) of one size.
///
/// What lies flat is copied or shaded as it is. What is turned is drawn in planes: the parts of the pictures that are
/// seen there are taken apart, and each job's result is put together while a cache still holds it. So the result is
/// `TransitionRenderer`'s, sample by sample. A renderer draws in its caller's thread and keeps its buffers from frame to frame;
/// use one a thread.
package final class PackedRenderer {
    package let width: Int
    package let height: Int
    /// What shows where no panel is, as transparent as it is.
    package var background: Color {
        didSet { if background != oldValue { transparent = nil } }
    }
    private let format = PictureFormat(components: .gbr, isFullRange: true)
    private let plan: FramePlan
    private let worker = Worker(.best)
    private let shade = PixelShade()
    private let outgoing: SplitPicture
    private let incoming: SplitPicture
    private let target: SplitPicture
    /// Made for the first picture that needs it.
    private var transparent: TransparentRenderer?

    /// `width` and `height` are pixels, 1...16384.
    package init(width: Int, height: Int, background: Color) {
        precondition((1...16384).contains(width) && (1...16384).contains(height))
        self.width = width
        self.height = height
        self.background = background
        plan = FramePlan(format: format, width: width, height: height)
        outgoing = SplitPicture(width: width, height: height)
        incoming = SplitPicture(width: width, height: height)
        target = SplitPicture(width: width, height: height)
    }

    /// Draws `look` at `progress` (0...1, after easing) into `result`, which must be none of the pictures' memory. The
    /// three views have the renderer's size. At progress 0 the result is exactly `first`, at 1 `second`.
    package func render(
        _ look: StyledLook, progress: Double, from first: PackedView, to second: PackedView, into result: PackedView
    ) {
        let whole = Job.Bounds(columns: 0..<width, rows: 0..<height)
        if progress <= 0 { return copy(first, whole, into: result) }
        if progress >= 1 { return copy(second, whole, into: result) }
        plan.plan(look, progress: progress)
        if draw(look, from: first, to: second, into: result) { return }
        let renderer = transparent ?? TransparentRenderer(width: width, height: height, background: background)
        transparent = renderer
        renderer.render(look, progress: progress, from: first, to: second, into: result)
    }

    private func copy(_ source: PackedView, _ part: Job.Bounds, into target: PackedView) {
        for row in part.rows {
            target.pixel(part.columns.lowerBound, row).copyMemory(
                from: source.pixel(part.columns.lowerBound, row), byteCount: part.columns.count * PackedView.pixelBytes)
        }
    }

    // MARK: Opaque pictures

    /// Draws the frame that is planned; false where something transparent is averaged, which this can't do.
    private func draw(
        _ look: StyledLook, from first: PackedView, to second: PackedView, into result: PackedView
    ) -> Bool {
        if case .crossFade = plan.jobs.first?.kind { return mix(first, second, into: result) }
        if background.alpha < 1, plan.spans.spans.contains(where: \.showsBackground) { return false }
        if let part = seen(.outgoing), !outgoing.split(first, part) { return false }
        if let part = seen(.incoming), !incoming.split(second, part) { return false }
        let shadow = EncodedColor(look.look.shadowColor, format: format)
        let context = FrameContext(
            plan: plan, format: format, outgoing: outgoing.view, incoming: incoming.view, target: target.view,
            background: EncodedColor(background, format: format), shadow: shadow)
        for job in plan.jobs {
            if case .flat(let layer, let part) = job.kind {
                let panel = plan.spans.projection(ofLayer: layer).panel
                drawFlat(panel, panel.picture == .outgoing ? first : second, part, shadow, into: result)
            } else if let part = plan.bounds(of: job) {
                worker.draw(job, context)
                target.join(part, into: result)
            }
        }
        return true
    }

    private func drawFlat(
        _ panel: Panel, _ source: PackedView, _ part: Job.Bounds, _ shadow: EncodedColor, into result: PackedView
    ) {
        let along = plan.layouts[0].along
        for row in part.rows {
            let line = Job.Bounds(columns: part.columns, rows: row..<(row + 1))
            let a = panel.shade.uniformValue ?? panel.shade(along.middle(row))
            if a == 0 {
                copy(source, line, into: result)
            } else {
                shade.plan(a, shadow: shadow)
                let first = part.columns.lowerBound
                shade.draw(source.pixel(first, row), into: result.pixel(first, row), count: part.columns.count)
            }
        }
    }

    private func mix(_ first: PackedView, _ second: PackedView, into result: PackedView) -> Bool {
        for job in plan.jobs {
            guard case .crossFade(let rows, let part) = job.kind else { continue }
            let mix = CrossFade(part: part, depth: 8)
            for row in rows {
                let (from, to) = (first.pixel(0, row), second.pixel(0, row))
                guard PackedRows.areOpaque(from, count: width), PackedRows.areOpaque(to, count: width) else {
                    return false
                }
                mix.draw(from, to, into: result.pixel(0, row), count: width * PackedView.pixelBytes)
            }
        }
        return true
    }

    /// The part of a picture that is not only seen flat; nil where there is none.
    private func seen(_ picture: Picture) -> Job.Bounds? {
        guard let part = plan.drawnPart(of: picture) else { return nil }
        return plan.orientation == .horizontal
            ? Job.Bounds(columns: part, rows: 0..<height) : Job.Bounds(columns: 0..<width, rows: part)
    }
}

/// Draws pictures of pixels by way of planes with alpha.
private final class TransparentRenderer {
    private let renderer: TransitionRenderer
    private let outgoing: SplitPicture
    private let incoming: SplitPicture
    private let target: SplitPicture
    private let whole: Job.Bounds

    init(width: Int, height: Int, background: Color) {
        let format = PictureFormat(components: .gbr, isFullRange: true, hasAlpha: true)
        renderer = TransitionRenderer(format: format, width: width, height: height, background: background, threads: 1)
        outgoing = SplitPicture(width: width, height: height, hasAlpha: true)
        incoming = SplitPicture(width: width, height: height, hasAlpha: true)
        target = SplitPicture(width: width, height: height, hasAlpha: true)
        whole = Job.Bounds(columns: 0..<width, rows: 0..<height)
    }

    func render(
        _ look: StyledLook, progress: Double, from first: PackedView, to second: PackedView, into result: PackedView
    ) {
        outgoing.split(first, whole)
        incoming.split(second, whole)
        renderer.render(look, progress: progress, from: outgoing.view, to: incoming.view, into: target.view)
        target.join(whole, into: result)
    }
}
