import FlipBase
import FlipGeometry
import FlipMedia
import FlipRaster

/// The output's frames in order: the clips' own, and those of transitions, which are drawn from two clips. At most two
/// clips are open at a time.
final class VideoTrack {
    /// The plan; replaced by the complete one once a live clip has ended.
    private(set) var plan: RenderPlan
    private let pool: FramePool
    /// Draws frames, or their fields in the order in which they are shown.
    private let renderers: [TransitionRenderer]
    /// How the frames are turned, in which transitions are drawn.
    private let turn: FrameTurn
    private let clocks: StageClocks
    /// How the film's beginning and end are drawn.
    private let fading: StyledLook
    /// The number of threads for decoding each clip.
    private let threads: Int
    private var streams: [Int: ClipStream] = [:]
    /// Draws captions; nil until the first frame.
    private var painter: CaptionPainter?
    /// Draws what stands still above the joined picture; nil until the first frame.
    private var above: OverlayPainter?
    /// Draws what turns with the page of each open clip.
    private var pages: [Int: OverlayPainter] = [:]
    /// The damage found in the clips that have been closed.
    private(set) var damage: ClipDamage

    /// How many frames before a clip's end the next one is opened: opening takes as long as encoding several of them.
    private static let notice = 12

    /// - Parameter threads: the number of threads for decoding and drawing; nil for that of the plan.
    init(_ plan: RenderPlan, _ clocks: StageClocks, threads: Int? = nil) throws(MediaError) {
        (self.plan, self.clocks) = (plan, clocks)
        let threads = threads ?? plan.threads
        // These encoders take many times as long as the decoder, so half the threads do for decoding; each of them
        // holds frames in memory.
        let waits = plan.copying == nil && plan.video.codec.map(Encoders.isForViewing) ?? false
        self.threads = waits ? max(1, threads / 2) : threads
        damage = ClipDamage(plan)
        var look = Dip().defaults
        look.through = plan.fades.color
        do throws(OptionError) {
            fading = try StyledLook(style: Dip(), look: look)
        } catch {
            throw MediaError(.internalFault, error.description)
        }
        let frames = plan.frames
        turn = frames.form.transform.axes
        pool = try FramePool(
            width: frames.width, height: frames.height, pixelFormat: frames.pixelFormat, color: frames.color)
        let format = PictureFormat(frames)
        renderers = frames.form.pictures.map { field in
            var part = format
            part.field = field
            return TransitionRenderer(
                format: part, width: frames.width, height: frames.height / (field == nil ? 1 : 2),
                background: plan.background, threads: threads)
        }
    }

    /// A piece of the output.
    enum Piece {
        /// A frame of the output, or `count` identical ones.
        case frame(VideoFrame, count: Int)
        /// Frames `frames` of clip `index`, whose packets are copied.
        case copy(index: Int, frames: Range<Int>)
        /// The complete plan, which all later pieces follow.
        case plan(RenderPlan)
    }

    /// Calls `emit` with the frames of a live first clip, except those that its transition may need, and then with the
    /// complete plan. Returns the number of frames; 0 if the plan is complete already.
    func passOn(_ emit: (Piece) throws -> Void) throws -> Int {
        guard let unfinished = plan.unfinished else { return 0 }
        let held = UnfinishedPlan.held(plan)
        let stream = stream(0)
        var count = 0
        while let frame = try stream.next(before: held) {
            try fade(frame, at: count..<count + 1, emit)
            count += 1
        }
        plan = try unfinished.finished()
        damage.surprises[0] = unfinished.input.complaints(of: unfinished.sources[0].info)
        try emit(.plan(plan))
        return count
    }

    /// Calls `emit` with every piece of output frames `range`, which must not begin or end within a copied stretch.
    func forEachPiece(in range: Range<Int>, _ emit: (Piece) throws -> Void) throws {
        let hasOverlays = plan.overlays.contains { $0.layer == .above }
        if plan.fades.isEmpty, plan.burned == nil, !hasOverlays { return try forEachWholePiece(in: range, emit) }
        var next = range.lowerBound
        try forEachWholePiece(in: range) { piece in
            switch piece {
            case .frame(let frame, let count):
                for (covered, indices) in try covered(frame, at: next..<next + count) {
                    for (captioned, indices) in try captioned(covered, at: indices) {
                        try fade(captioned, at: indices, emit)
                    }
                }
                next += count
            case .copy(_, let frames):
                try emit(piece)
                next += frames.count
            case .plan: try emit(piece)
            }
        }
    }

    /// A frame with what stands above the joined picture in output frames `indices`; several where that changes.
    private func covered(_ frame: VideoFrame, at indices: Range<Int>) throws -> [(VideoFrame, Range<Int>)] {
        if above == nil { above = try OverlayPainter(plan, clip: nil, threads: threads) }
        guard let above else { return [(frame, indices)] }
        return try above.paint(frame, at: indices, clocks.rendering)
    }

    /// A frame of clip `index` with what turns with its page in output frames `indices`; several where that changes.
    private func page(_ frame: VideoFrame, of index: Int, at indices: Range<Int>) throws -> [(VideoFrame, Range<Int>)] {
        guard plan.overlays.contains(where: { $0.layer == .page }) else { return [(frame, indices)] }
        if pages[index] == nil { pages[index] = try OverlayPainter(plan, clip: index, threads: threads) }
        return try pages[index]?.paint(frame, at: indices, clocks.rendering) ?? [(frame, indices)]
    }

    /// A frame with the captions of output frames `indices` drawn over it; several where the captions change.
    private func captioned(_ frame: VideoFrame, at indices: Range<Int>) throws -> [(VideoFrame, Range<Int>)] {
        guard let burned = plan.burned else { return [(frame, indices)] }
        if painter == nil { painter = try CaptionPainter(burned, plan, threads: threads) }
        return try clocks.rendering.measure { try painter?.paint(frame, at: indices) ?? [] }
    }

    /// Calls `emit` with a frame as it is shown in output frames `indices`, where the film may fade in or out.
    private func fade(_ frame: VideoFrame, at indices: Range<Int>, _ emit: (Piece) throws -> Void) throws {
        for part in plan.fades.parts(of: indices) {
            // In the second half of a dip, the second picture rises from the color.
            let progress = 0.5 + plan.fades.weight(ofFrame: part.lowerBound) / 2
            try emit(.frame(try draw(fading, progress, frame, frame), count: part.count))
        }
    }

    /// Calls `emit` with the pieces of a film that fades neither in nor out.
    private func forEachWholePiece(in range: Range<Int>, _ emit: (Piece) throws -> Void) throws {
        let segments = plan.timeline.placedSegments.filter { $0.frames.overlaps(range) }
        for (number, (segment, place)) in segments.enumerated() {
            if plan.copying != nil { openNext(segments[number...]) }
            let part = place.clamped(to: range)
            let steps = part.lowerBound - place.lowerBound..<part.upperBound - place.lowerBound
            switch segment {
            case .clip(let index, let frames):
                let isLast = part.upperBound == range.upperBound
                var next = part.lowerBound
                try forEachFrame(
                    of: index, steps.lowerBound + frames.lowerBound..<steps.upperBound + frames.lowerBound,
                    opensNext: !isLast
                ) { frame, count in
                    for (drawn, indices) in try page(frame, of: index, at: next..<next + count) {
                        try emit(.frame(drawn, count: indices.count))
                    }
                    next += count
                }
                if frames.upperBound == plan.timeline.clips[index].frames && !isHeld(index) { close(index) }
            case .copy(let index, let frames):
                precondition(steps.count == frames.count, "packets are taken over as a whole")
                // Frames after the stretch are read by a new stream that begins there.
                close(index)
                try emit(.copy(index: index, frames: frames))
            case .transition(let join, let count):
                try drawTransition(join, count, steps, start: place.lowerBound, emit)
            }
        }
        closeAll()
        damage.add(above?.concealedErrors ?? [:])
        above = nil
    }

    /// Opens the clip that is decoded after the first of `segments`, if that is decoded, so that the frames from a keyframe up to
    /// the first one that is shown are decoded meanwhile.
    private func openNext(_ segments: ArraySlice<(segment: Timeline.Segment, frames: Range<Int>)>) {
        guard case .clip(let current, _)? = segments.first?.segment else { return }
        let copied = segments.dropFirst().prefix { $0.segment.isCopied }
        guard case .clip(let index, let frames)? = segments.dropFirst(1 + copied.count).first?.segment else { return }
        // Where a clip is read further on, or after a part of it that is copied, a new stream begins there.
        guard index != current, copied.allSatisfy({ $0.segment.copied(of: index) == 0 }) else { return }
        _ = stream(index, from: frames.lowerBound)
    }

    /// Calls `emit` with frames `frames` of clip `index`, which belong to no transition.
    private func forEachFrame(
        of index: Int, _ frames: Range<Int>, opensNext: Bool, _ emit: (_ frame: VideoFrame, _ count: Int) throws -> Void
    ) throws {
        let stream = stream(index, from: frames.lowerBound)
        let opensNext = opensNext && index + 1 < plan.clips.count && plan.copying == nil
        if plan.clips[index].isUnmoved {
            // The next clip can be opened while this still is being encoded.
            let frame = try stream.next()
            if opensNext { _ = self.stream(index + 1) }
            return try emit(frame, frames.count)
        }
        for frame in frames {
            // The next clip is then ready when its transition begins, and no clip but these two is open.
            if opensNext, frame + VideoTrack.notice >= frames.upperBound { _ = self.stream(index + 1) }
            try emit(try stream.next(), 1)
        }
    }

    /// Whether a transition after clip `index` holds the clip's last frame (`freeze`).
    private func isHeld(_ index: Int) -> Bool {
        let joins = plan.timeline.joins
        return index < joins.count && joins[index].overlap.isFrozen && joins[index].frames > 0
    }

    /// Calls `emit` with frames `steps` of the transition after clip `join`, which has `count` frames.
    /// - Parameter start: the output frame at which the transition begins.
    private func drawTransition(
        _ join: Int, _ count: Int, _ steps: Range<Int>, start: Int, _ emit: (Piece) throws -> Void
    ) throws {
        guard let look = plan.transitions[join].look else { preconditionFailure("a cut has no frames") }
        let length = plan.timeline.clips[join].frames
        let outgoing = stream(join, from: isHeld(join) ? length - 1 : length - count + steps.lowerBound)
        let incoming = stream(join + 1, from: isHeld(join) ? 0 : steps.lowerBound)
        for index in steps {
            var from: VideoFrame
            var to: VideoFrame
            switch plan.timeline.joins[join].overlap {
            case .play, .handles:
                from = try outgoing.next()
                to = try incoming.next()
            case .freeze:
                from = try outgoing.current ?? outgoing.next()
                to = try incoming.peek()
            }
            let frame = start + index..<start + index + 1
            from = try page(from, of: join, at: frame)[0].0
            to = try page(to, of: join + 1, at: frame)[0].0
            try emit(.frame(try draw(look, plan.transitions[join], index, of: count, from, to), count: 1))
        }
        close(join)
    }

    /// Frame `index` of the `count` frames of a transition, whose pictures are the frame itself, or its fields, which follow
    /// one another evenly.
    private func draw(
        _ look: StyledLook, _ spec: TransitionSpec, _ index: Int, of count: Int, _ from: VideoFrame, _ to: VideoFrame
    ) throws -> VideoFrame {
        let pictures = renderers.count
        let times = (0..<pictures).map { TransitionTime.ofFrame(index * pictures + $0, in: count * pictures) }
        return try draw(look, spec, at: times, of: count * pictures, from, to)
    }

    /// The frame of a transition whose pictures are at `times`, as one of a transition of `count` pictures. If each shows a
    /// moment at which the progress is 0 or 1, it is the clip's own frame, unchanged.
    func draw(
        _ look: StyledLook, _ spec: TransitionSpec, at times: [Double], of count: Int, _ from: VideoFrame,
        _ to: VideoFrame
    ) throws -> VideoFrame {
        if look.look.shutter == 0 { return try draw(look, times.map { spec.progress(at: $0) }, from, to) }
        let spacing = TransitionTime.spacing(of: count)
        return try draw(look, from, to) { look, picture, from, to, target in
            renderers[picture].render(
                look, at: times[picture], spacing: spacing, progress: { spec.progress(at: $0) }, from: from, to: to,
                into: target)
        }
    }

    /// The frame of a transition at time `time`, 0...1, as one of a transition of `count` frames.
    func draw(
        _ look: StyledLook, _ spec: TransitionSpec, at time: Double, of count: Int, _ from: VideoFrame, _ to: VideoFrame
    ) throws -> VideoFrame {
        try draw(look, spec, at: renderers.map { _ in time }, of: count * renderers.count, from, to)
    }

    /// The frame of a transition at `progress`; at 0 and 1 it is the clip's own frame, unchanged.
    func draw(_ look: StyledLook, _ progress: Double, _ from: VideoFrame, _ to: VideoFrame) throws -> VideoFrame {
        try draw(look, renderers.map { _ in progress }, from, to)
    }

    /// - Parameter progress: that of each picture of the frame.
    private func draw(
        _ look: StyledLook, _ progress: [Double], _ from: VideoFrame, _ to: VideoFrame
    ) throws -> VideoFrame {
        if progress.allSatisfy({ $0 <= 0 }) { return from }
        if progress.allSatisfy({ $0 >= 1 }) { return to }
        return try draw(look, from, to) { look, picture, from, to, target in
            renderers[picture].render(look, progress: progress[picture], from: from, to: to, into: target)
        }
    }

    /// A new frame, each picture of which `render` draws.
    private func draw(
        _ look: StyledLook, _ from: VideoFrame, _ to: VideoFrame,
        _ render: (StyledLook, _ picture: Int, _ from: PictureView, _ to: PictureView, _ target: PictureView) -> Void
    ) throws -> VideoFrame {
        let target = try pool.make()
        clocks.rendering.measure {
            for (picture, renderer) in renderers.enumerated() {
                renderer.background = plan.background(of: look)
                let view = { (frame: VideoFrame) in renderer.format.field.map { frame.view.field($0) } ?? frame.view }
                render(look.turned(turn), picture, view(from), view(to), view(target))
            }
        }
        clocks.rendering.countOne()
        return target
    }

    /// The stream that reads clip `index`; if none is open, a new one that begins at frame `first`.
    func stream(_ index: Int, from first: Int = 0) -> ClipStream {
        if let stream = streams[index] { return stream }
        let all = plan.timeline.clips[index].frames
        let stream = ClipStream(
            plan.clips[index], frames: first..<(plan.timeline.copiedFrame(of: index, after: first) ?? all), of: all,
            threads: threads, isStrict: plan.isStrict, clocks: clocks.reading(index))
        streams[index] = stream
        return stream
    }

    /// Closes all clips; frames that were read stay valid.
    func closeAll() {
        for index in Set(streams.keys).union(pages.keys).sorted() { close(index) }
    }

    private func close(_ index: Int) {
        damage.add(pages.removeValue(forKey: index)?.concealedErrors ?? [:])
        guard let stream = streams.removeValue(forKey: index) else { return }
        damage.concealedErrors[index] += stream.concealedErrors
        if stream.hasChanged { damage.changed.insert(index) }
        if stream.isCutOff { damage.cutOff.insert(index) }
    }
}

extension VideoFrame {
    /// A view of the frame's planes for the rasterizer, valid as long as the frame.
    var view: PictureView {
        func lent(_ index: Int) -> PlaneView? { planeCount > index ? planeView(index) : nil }
        return PictureView(planeView(0), lent(1), lent(2), lent(3))
    }

    private func planeView(_ index: Int) -> PlaneView {
        let (base, stride) = plane(index)
        let size = planeSize(index)
        return PlaneView(base: base, stride: stride, width: size.width, height: size.height)
    }
}

extension PictureFormat {
    /// What the rasterizer needs to know of the frames of `conform`.
    init(_ conform: VideoConform) {
        let (pixelFormat, colors) = (conform.pixelFormat, conform.colors)
        let locations: [String: ChromaLocation] = [
            "left": .left, "center": .center, "topleft": .topLeft, "top": .top, "bottomleft": .bottomLeft,
            "bottom": .bottom,
        ]
        self.init(
            components: colors.components, depth: colors.depth, chromaStepX: pixelFormat.chromaStepX,
            chromaStepY: pixelFormat.chromaStepY,
            chromaLocation: conform.color.chromaLocation.flatMap { locations[$0] } ?? .left,
            isFullRange: colors.isFullRange, matrix: colors.weights, hasAlpha: pixelFormat.hasAlpha)
        light = colors.light
        pixelAspect = conform.form.sampleAspectRatio.doubleValue
    }
}

extension CodedForm {
    /// The fields of a frame in the order in which they are shown, or nil alone for the whole of a progressive frame.
    fileprivate var pictures: [PictureFormat.Field?] {
        switch fieldOrder {
        case nil: [nil]
        case .top: [.top, .bottom]
        case .bottom: [.bottom, .top]
        }
    }
}
