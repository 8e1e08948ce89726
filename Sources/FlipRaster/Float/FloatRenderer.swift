import FlipBase
import FlipGeometry

/// Draws the frames of transitions between pictures of floats in memory, of one size.
///
/// What is drawn is what `TransitionRenderer` draws: the same plan, and the same means over the same footprints. But samples
/// are never rounded to integers nor limited, so values beyond 0...1 stay what they are. Pixels are composed with their
/// colors multiplied by alpha.
package final class FloatRenderer: SharedWork {
    package let width: Int
    package let height: Int
    /// The color that shows where there is no sheet. Pictures without alpha take it as if it were opaque.
    package var background = Color.black
    private let plan: FramePlan
    private let crew: Crew
    private var frame: FloatFrame?

    /// Creates a renderer for frames of `width` x `height` pixels, both in `TransitionRenderer.sides`. `threads` threads
    /// draw each frame; the result is the same for any number of them.
    package init(width: Int, height: Int, threads: Int) {
        precondition(TransitionRenderer.sides.contains(width) && TransitionRenderer.sides.contains(height))
        guard threads > 0, let kernels = KernelLevel.best.kernels else { preconditionFailure("\(threads) threads") }
        self.width = width
        self.height = height
        plan = FramePlan(
            format: PictureFormat(components: .gray, isFullRange: true), width: width, height: height)
        crew = Crew(threads: threads, kernels)
    }

    deinit { crew.dismiss() }

    /// Draws `look` at `progress` (0...1, after easing) into `target`, which must not share memory with the pictures. At
    /// progress 0 the result is `outgoing`, at 1 `incoming`.
    package func render(
        _ look: StyledLook, progress: Double, from outgoing: FloatPicture, to incoming: FloatPicture,
        into target: FloatPicture
    ) {
        if progress <= 0 || progress >= 1 {
            let whole = Job.Bounds(columns: 0..<width, rows: 0..<height)
            return FloatRows.copy(whole, progress <= 0 ? outgoing : incoming, into: target, Scratch())
        }
        plan.plan(look, progress: progress)
        let opaque = Color(red: background.red, green: background.green, blue: background.blue)
        var paper = Color.white
        if case .paper(let color, _) = plan.scene.bentSheet?.back { paper = color }
        frame = FloatFrame(
            plan: plan, from: outgoing, to: incoming, into: target,
            colors: FloatColors(
                background: target.channels == 3 ? opaque : background, shadow: look.look.shadowColor, paper: paper))
        crew.perform(self)
        frame = nil
    }

    var count: Int { plan.jobs.count }

    func perform(_ part: Int, _ worker: Worker) {
        guard let frame else { return }
        let job = plan.jobs[part]
        let scratch = worker.floats.scratch
        switch job.kind {
        case .flat(let layer, let bounds):
            let sheet = plan.spans.projection(ofLayer: layer)
            FloatRows.drawFlat(
                sheet, bounds, along: plan.layouts[job.layout].along, frame.source(sheet.picture), frame, scratch)
        case .copy(let picture, let bounds):
            guard let fade = plan.fade else { return }
            FloatRows.draw(picture == .outgoing ? fade.from : fade.to, bounds, frame, scratch)
        case .crossFade(let rows, let part):
            guard let fade = plan.fade else { return }
            let bounds = Job.Bounds(columns: 0..<width, rows: rows)
            FloatRows.mix(fade, bounds, plan.orientation, frame, worker.floats) { _ in part }
        case .ramp(let ramp, let bounds):
            guard let fade = plan.fade else { return }
            let along = plan.layouts[job.layout].along
            FloatRows.mix(fade, bounds, plan.orientation, frame, worker.floats) { index in
                let (lower, upper) = along.footprint(index)
                return ramp.mean(lower, upper)
            }
        case .columns, .mixedColumns, .rows: worker.floats.composer.compose(job, frame)
        case .bent(let rows):
            if let bent = plan.bent { worker.floats.draw(rows, bent, bent.layouts[job.layout], frame) }
        }
    }
}

/// The buffers for floats of one thread.
final class FloatWorker {
    let composer: FloatComposer
    /// Rows of pixels: what is read of two pictures, and what is made of them.
    let scratch = Scratch<FloatPixel>()
    let other = Scratch<FloatPixel>()
    let line = Scratch<FloatPixel>()
    let weights = Scratch<Float>()

    private let buffers = BentRowBuffers()
    private var canvas: FloatBentCanvas?
    private var row: BentRow?

    init(_ kernels: KernelTable) { composer = FloatComposer(kernels) }

    /// Draws rows of a frame with a bent sheet.
    func draw(_ rows: Range<Int>, _ plan: BentPlan, _ layout: BentLayout, _ frame: FloatFrame) {
        let canvas = self.canvas ?? FloatBentCanvas(buffers, layout, frame)
        self.canvas = canvas
        canvas.prepare(layout, frame)
        let row = self.row ?? BentRow(plan, layout, canvas, buffers)
        self.row = row
        row.prepare(plan, layout)
        for number in rows { row.draw(number) }
    }
}
