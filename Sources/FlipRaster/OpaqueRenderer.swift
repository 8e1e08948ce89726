import FlipGeometry
import Synchronization

/// Draws frames in which nothing transparent is averaged: those of formats without alpha, and those of opaque pictures.
///
/// Flat sheets and cross-fades are drawn in the pictures' own memory. Other sheets are composed in planes: the parts
/// that are seen of interleaved pictures are split into planes, and the result of each job is merged while a cache still
/// holds it. So the layout makes no difference to any sample.
final class OpaqueRenderer: SharedWork {
    /// The plan of the current frame.
    let plan: FramePlan
    private let layout: PixelLayout
    private let whole: [Job.Bounds]
    private let crew: Crew
    /// How samples are rounded, unless the planned frame has a bent sheet.
    private let rounding: OpaqueRounding
    /// Whether pictures are the alpha of others.
    private let isAlpha: Bool

    /// For each layout of the plan, the planes in memory that its jobs write.
    private let memory: [[MemoryPlane]]
    /// The layout of the plan to which the interleaved plane belongs; nil if no samples are interleaved.
    private let interleavedLayout: Int?
    private let alpha: (plane: Int, turn: Int)?

    private let outgoing: UnpackedPicture
    private let incoming: UnpackedPicture
    private let target: UnpackedPicture
    private let unpacking: Unpacking

    /// What is drawn at the moment.
    private var frame: Frame?
    /// Whether a cross-fade met a transparent pixel.
    private let isTransparent = Atomic(false)

    private struct Frame {
        let from: PictureView
        let to: PictureView
        let into: PictureView
        let context: FrameContext
    }

    init(
        layout: PixelLayout, width: Int, height: Int, crew: Crew, plan: FramePlan? = nil, rounding: OpaqueRounding,
        isAlpha: Bool = false
    ) {
        (self.layout, self.crew, self.rounding, self.isAlpha) = (layout, crew, rounding, isAlpha)
        let plan = plan ?? FramePlan(format: layout.format, width: width, height: height)
        self.plan = plan
        memory = plan.layouts.indices.map { index in
            layout.memory.indices.map { MemoryPlane($0, of: layout) }
                .filter { plan.layouts[index].planes.contains($0.color ?? 0) }
        }
        interleavedLayout = memory.firstIndex { $0.contains(where: \.isInterleaved) }
        alpha = layout.alpha
        whole = layout.memory.indices.map {
            let size = layout.planeSize($0, width: width, height: height)
            return Job.Bounds(columns: 0..<size.width, rows: 0..<size.height)
        }
        let make = { UnpackedPicture(layout, width: width, height: height) }
        (outgoing, incoming, target) = (make(), make(), make())
        unpacking = Unpacking(layout)
    }

    /// Draws the planned frame. Returns false, without having finished it, if it needs alpha: because transparent
    /// pixels would be averaged, or a background that is not opaque.
    func render(
        from: PictureView, to: PictureView, into: PictureView, background: EncodedColor,
        isBackgroundOpaque: Bool = true, shadow: EncodedColor
    ) -> Bool {
        if plan.fade == nil {
            if alpha != nil && !isBackgroundOpaque && plan.showsBackground { return false }
            if !unpack(from, to) { return false }
        }
        draw(from, to, into, background, shadow)
        return !isTransparent.load(ordering: .relaxed)
    }

    /// Draws the planned frame's flat sheets, and what a fade leaves as it is, alone.
    func renderFlatPanels(from: PictureView, to: PictureView, into: PictureView, shadow: EncodedColor) {
        frame = frame(from, to, into, background: shadow, shadow)
        defer { frame = nil }
        for (index, job) in plan.jobs.enumerated() {
            switch job.kind {
            case .flat, .copy: crew.performAlone(index, of: self)
            case .columns, .mixedColumns, .rows, .bent, .crossFade, .ramp: break
            }
        }
    }

    /// Draws the plan's jobs, all of which are flat sheets.
    func drawFlat(from: PictureView, to: PictureView, into: PictureView, shadow: EncodedColor) {
        draw(from, to, into, shadow, shadow)
    }

    /// Whether nothing of `picture` is transparent.
    func isOpaque(_ picture: PictureView) -> Bool { alpha.map { layout.isOpaque(picture, whole[$0.plane]) } ?? true }

    /// The samples of a plane in memory that are drawn with the motion along `orientation`, as `plan.drawn` says.
    func drawnPart(ofPlane index: Int, _ orientation: Orientation) -> Job.Bounds {
        plan.turn(orientation)
        let layout = memory.firstIndex { $0.contains { $0.index == index } } ?? 0
        return plan.drawnPart(layout: layout)
    }

    private func draw(
        _ from: PictureView, _ to: PictureView, _ into: PictureView, _ background: EncodedColor, _ shadow: EncodedColor
    ) {
        isTransparent.store(false, ordering: .relaxed)
        frame = frame(from, to, into, background: background, shadow)
        crew.perform(self)
        frame = nil
    }

    private func frame(
        _ from: PictureView, _ to: PictureView, _ into: PictureView, background: EncodedColor, _ shadow: EncodedColor
    ) -> Frame {
        let white = EncodedColor(.white, format: layout.format)
        var paper = white
        // Paper is opaque, so for alpha it is white, too.
        if case .paper(let color, _) = plan.scene.bentSheet?.back, !isAlpha {
            paper = EncodedColor(color, format: layout.format)
        }
        return Frame(
            from: from, to: to, into: into,
            context: FrameContext(
                plan: plan, format: layout.format, outgoing: outgoing.view(of: from, withAlpha: false),
                incoming: incoming.view(of: to, withAlpha: false), target: target.view(of: into, withAlpha: false),
                background: background, shadow: shadow, paper: paper, white: white,
                rounding: plan.scene.bentSheet == nil ? rounding : .direct))
    }

    // MARK: Reading pictures

    /// Reads what is composed of the pictures. Returns false if any of it is transparent.
    private func unpack(_ from: PictureView, _ to: PictureView) -> Bool {
        if interleavedLayout == nil && alpha == nil { return true }
        unpacking.clear()
        for (picture, view, planes) in [(Picture.outgoing, from, outgoing), (.incoming, to, incoming)] {
            if let interleavedLayout, let part = plan.composedPart(of: picture, layout: interleavedLayout) {
                unpacking.addSplit(part, of: view, into: planes, withAlpha: false)
            }
            if let alpha, layout.memory[alpha.plane].count == 1, let part = plan.alphaPart(of: picture) {
                unpacking.addAlpha(part, of: view, planes)
            }
        }
        crew.perform(unpacking)
        return !unpacking.foundTransparency
    }

    /// The planes of the whole pictures, with alpha, and those of the frame, which `pack` merges.
    func unpackAll(
        _ from: PictureView, _ to: PictureView, _ into: PictureView
    ) -> (from: PictureView, to: PictureView, into: PictureView) {
        for picture in [outgoing, incoming, target] { picture.reserveAlpha() }
        if let plane = layout.interleaved {
            unpacking.clear()
            unpacking.addSplit(whole[plane], of: from, into: outgoing, withAlpha: true)
            unpacking.addSplit(whole[plane], of: to, into: incoming, withAlpha: true)
            crew.perform(unpacking)
        }
        return (
            outgoing.view(of: from, withAlpha: true), incoming.view(of: to, withAlpha: true),
            target.view(of: into, withAlpha: true)
        )
    }

    /// Merges the planes of the whole frame, with alpha.
    func packAll(_ into: PictureView) {
        if let plane = layout.interleaved { target.pack(whole[plane], into: into, withAlpha: true) }
    }

    // MARK: Jobs

    var count: Int { plan.jobs.count }

    func perform(_ part: Int, _ worker: Worker) {
        guard let frame else { return }
        let job = plan.jobs[part]
        switch job.kind {
        case .flat(let layer, let bounds): drawFlat(layer, bounds, job, frame, worker)
        case .crossFade(let rows, let part): mix(rows, part, job, frame, worker)
        case .ramp(let ramp, let bounds): mix(ramp, bounds, job, frame, worker)
        case .copy(let picture, let bounds):
            let source = picture == .outgoing ? frame.from : frame.to
            for plane in memory[job.layout] {
                worker.memoryRows.copy(bounds, of: plane, source[plane.index], into: frame.into[plane.index])
            }
        case .columns, .mixedColumns, .rows, .bent:
            worker.compose(job, frame.context)
            finish(job, frame)
        }
    }

    private func drawFlat(_ layer: Int, _ bounds: Job.Bounds, _ job: Job, _ frame: Frame, _ worker: Worker) {
        let sheet = plan.spans.projection(ofLayer: layer)
        let source = sheet.picture == .outgoing ? frame.from : frame.to
        let along = plan.layouts[job.layout].along
        for plane in memory[job.layout] {
            worker.memoryRows.drawFlat(
                sheet, bounds, of: plane, source[plane.index], into: frame.into[plane.index], along: along,
                shadow: frame.context.shadow)
        }
    }

    private func mix(_ rows: Range<Int>, _ part: Double, _ job: Job, _ frame: Frame, _ worker: Worker) {
        if isTransparent.load(ordering: .relaxed) { return }
        if let alpha, job.layout == 0 {
            let lines = Job.Bounds(columns: whole[alpha.plane].columns, rows: rows)
            guard layout.isOpaque(frame.from, lines), layout.isOpaque(frame.to, lines) else {
                return isTransparent.store(true, ordering: .relaxed)
            }
        }
        let mix = CrossFade(part: part, depth: layout.format.depth)
        for plane in memory[job.layout] {
            worker.memoryRows.mix(
                mix, frame.from[plane.index], frame.to[plane.index], into: frame.into[plane.index], rows: rows,
                of: plane, rounding)
        }
    }

    private func mix(_ ramp: Fade.Ramp, _ bounds: Job.Bounds, _ job: Job, _ frame: Frame, _ worker: Worker) {
        if isTransparent.load(ordering: .relaxed) { return }
        if alpha != nil {
            let pixels = plan.lumaPart(bounds, layout: job.layout)
            guard layout.isOpaque(frame.from, pixels), layout.isOpaque(frame.to, pixels) else {
                return isTransparent.store(true, ordering: .relaxed)
            }
        }
        let along = plan.layouts[job.layout].along
        for plane in memory[job.layout] {
            worker.memoryRows.mix(
                ramp, plan.orientation, along, frame.from[plane.index], frame.to[plane.index],
                into: frame.into[plane.index], bounds, of: plane, rounding)
        }
    }

    /// Merges what a job has composed, and makes it opaque.
    private func finish(_ job: Job, _ frame: Frame) {
        let isInterleaved = job.layout == interleavedLayout
        let alphaPlane = alpha.flatMap { job.layout == 0 && layout.memory[$0.plane].count == 1 ? $0.plane : nil }
        guard isInterleaved || alphaPlane != nil, let bounds = plan.bounds(of: job) else { return }
        if isInterleaved { target.pack(bounds, into: frame.into, withAlpha: false) }
        guard let alphaPlane else { return }
        let (plane, format) = (frame.into[alphaPlane], layout.format)
        for row in bounds.rows {
            let start = row * plane.stride + bounds.columns.lowerBound * format.bytesPerSample
            Interleaving.set(
                plane.base + start, every: 1, count: bounds.columns.count, to: nil, or: format.peak,
                bytesPerSample: format.bytesPerSample)
        }
    }
}
