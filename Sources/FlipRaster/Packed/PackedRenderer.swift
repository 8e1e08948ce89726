import FlipGeometry

/// Draws the frames of transitions between packed pictures (`PackedView`) of one size.
///
/// Flat panels are copied or shaded as they are. Turned panels are drawn in planes: the parts of the pictures that are
/// seen in them are split into planes, and the result of each job is packed while a cache still holds it. So the result
/// equals that of `TransitionRenderer`, sample by sample. A renderer draws in its caller's thread and keeps its buffers
/// from frame to frame; use one per thread.
package final class PackedRenderer {
    package let width: Int
    package let height: Int
    /// The color, including alpha, that shows where there is no panel.
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
    /// Created for the first frame that averages transparent pixels.
    private var transparent: TransparentRenderer?

    /// Creates a renderer for pictures of `width` x `height` pixels, 1...16384 each.
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

    /// Draws `look` at `progress` (0...1, after easing) into `result`, which must not share memory with the pictures.
    /// All three views must have the renderer's size. At progress 0 the result is exactly `first`, at 1 `second`.
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

    /// Draws the planned frame. Returns false if transparent pixels would have to be averaged, which needs
    /// `transparent`.
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

    /// The part of a picture that jobs other than flat ones read; nil if there is none.
    private func seen(_ picture: Picture) -> Job.Bounds? {
        guard let part = plan.drawnPart(of: picture) else { return nil }
        return plan.orientation == .horizontal
            ? Job.Bounds(columns: part, rows: 0..<height) : Job.Bounds(columns: 0..<width, rows: part)
    }
}

/// Draws packed pictures by way of planes with alpha.
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
