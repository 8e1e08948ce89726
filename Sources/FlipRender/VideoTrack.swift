import FlipGeometry
import FlipMedia
import FlipRaster

/// The frames of the output in order: those of the clips, and those of the transitions drawn from two clips. At most
/// two clips are open at a time.
final class VideoTrack {
    private let plan: RenderPlan
    private let pool: FramePool
    private let renderer: TransitionRenderer
    private let clocks: StageClocks
    private var streams: [Int: ClipStream] = [:]
    /// A sentence for each clip that did not decode as its timestamps promised.
    private(set) var warnings: [String] = []
    /// For each clip.
    private(set) var concealedErrors: [Int]

    /// Frames before a clip's end at which the next one is opened: opening takes as long as encoding some of them.
    private static let notice = 12

    init(_ plan: RenderPlan, _ clocks: StageClocks) throws(MediaError) {
        self.plan = plan
        self.clocks = clocks
        concealedErrors = plan.clips.map { _ in 0 }
        let frames = plan.frames
        pool = try FramePool(
            width: frames.width, height: frames.height, pixelFormat: frames.pixelFormat, colour: frames.colour)
        renderer = TransitionRenderer(
            format: PictureFormat(frames.pixelFormat, frames.colour), width: frames.width, height: frames.height,
            background: plan.background, threads: plan.threads)
    }

    /// A piece of the output.
    enum Piece {
        case frame(VideoFrame)
        /// Frames of a clip whose packets are taken over.
        case copy(index: Int, frames: Range<Int>)
    }

    /// Calls `emit` with every piece of the output.
    func forEachPiece(_ emit: (Piece) throws -> Void) throws {
        for segment in plan.timeline.segments {
            switch segment {
            case .clip(let index, let frames):
                let stream = stream(index, from: frames.lowerBound)
                for frame in frames {
                    // It is there when its transition begins, and no clip but these two is open.
                    if frame + VideoTrack.notice >= frames.upperBound, index + 1 < plan.clips.count, plan.copying == nil
                    {
                        _ = self.stream(index + 1)
                    }
                    try emit(.frame(try stream.next()))
                }
                if frames.upperBound == plan.timeline.clips[index].frames && !isHeld(index) { close(index) }
            case .copy(let index, let frames):
                // What comes behind is read anew from there.
                close(index)
                try emit(.copy(index: index, frames: frames))
            case .transition(let join, let count):
                try drawTransition(join, count, emit)
            }
        }
        for index in streams.keys.sorted() { close(index) }
    }

    /// Whether a transition after clip `index` shows its last frame on and on.
    private func isHeld(_ index: Int) -> Bool {
        let joins = plan.timeline.joins
        return index < joins.count && joins[index].overlap == .freeze && joins[index].frames > 0
    }

    private func drawTransition(_ join: Int, _ count: Int, _ emit: (Piece) throws -> Void) throws {
        guard let look = plan.transitions[join].look else { preconditionFailure("a cut has no frames") }
        let length = plan.timeline.clips[join].frames
        let outgoing = stream(join, from: isHeld(join) ? length - 1 : length - count)
        let incoming = stream(join + 1)
        for index in 0..<count {
            let progress = look.look.easing(Double(index + 1) / Double(count + 1))
            let from: VideoFrame
            let to: VideoFrame
            switch plan.timeline.joins[join].overlap {
            case .play:
                from = try outgoing.next()
                to = try incoming.next()
            case .freeze:
                from = try outgoing.current ?? outgoing.next()
                to = try incoming.peek()
            }
            try emit(.frame(try draw(look, progress, from, to)))
        }
        close(join)
    }

    /// The frame of a transition; at its very ends the clip's own frame, as it is.
    func draw(
        _ look: StyledLook, _ progress: Double, _ from: VideoFrame, _ to: VideoFrame
    ) throws -> VideoFrame {
        if progress <= 0 { return from }
        if progress >= 1 { return to }
        let target = try pool.make()
        clocks.rendering.measure {
            renderer.render(look, progress: progress, from: from.view, to: to.view, into: target.view)
        }
        clocks.rendering.countOne()
        return target
    }

    /// The frames of clip `index`: where they are not being read, from frame `first` on.
    func stream(_ index: Int, from first: Int = 0) -> ClipStream {
        if let stream = streams[index] { return stream }
        let stream = ClipStream(
            plan.clips[index], frames: first..<plan.timeline.clips[index].frames, threads: plan.threads,
            isStrict: plan.isStrict, clocks: clocks.reading(index))
        streams[index] = stream
        return stream
    }

    private func close(_ index: Int) {
        guard let stream = streams.removeValue(forKey: index) else { return }
        let path = plan.clips[index].info.path
        concealedErrors[index] += stream.concealedErrors
        if stream.hasChanged { warnings.append("\(path): the file was changed while it was read") }
        if stream.concealedErrors > 0 {
            warnings.append("\(path): \(stream.concealedErrors) decoding errors were concealed")
        }
    }
}

extension VideoFrame {
    /// The frame's planes, lent to the rasterizer.
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
    /// What the rasterizer has to know of a pixel format and its colour description.
    init(_ pixelFormat: PixelFormat, _ colour: ColorDescription) {
        let components: Components =
            switch pixelFormat.components {
            case .gray: .gray
            case .gbr: .gbr
            case .yuv, .other: .yuv
            }
        let locations: [String: ChromaLocation] = [
            "left": .left, "center": .center, "topleft": .topLeft, "top": .top, "bottomleft": .bottomLeft,
            "bottom": .bottom,
        ]
        let matrix: Matrix =
            switch colour.matrix {
            case "bt470bg", "smpte170m", "fcc": .bt601
            case "bt2020nc", "bt2020c": .bt2020
            default: .bt709
            }
        self.init(
            components: components, depth: pixelFormat.depth, chromaStepX: pixelFormat.chromaStepX,
            chromaStepY: pixelFormat.chromaStepY,
            chromaLocation: colour.chromaLocation.flatMap { locations[$0] } ?? .left,
            isFullRange: colour.isFullRange ?? false, matrix: matrix, hasAlpha: pixelFormat.hasAlpha)
    }
}
