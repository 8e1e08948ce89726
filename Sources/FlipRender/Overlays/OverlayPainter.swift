import FlipBase
import FlipFiles
import FlipMedia
import FlipRaster
import FlipSamples

/// Draws the overlays of one layer over frames that are asked for in order: over the joined picture, or over the frames
/// of one clip.
final class OverlayPainter {
    private let overlays: [PlacedOverlay]
    private let plan: RenderPlan
    /// The clip whose frames are drawn over; nil for the joined picture.
    private let clip: Int?
    private let threads: Int
    private let pool: FramePool
    private let blender: OverlayBlender
    /// Copies samples into frames.
    private let copier: Background
    private var films: [Int: OpenFilm] = [:]
    /// The frame that was drawn last, from which one, and what is over it.
    private var latest: (source: VideoFrame, marks: [Mark], drawn: VideoFrame)?

    /// What is seen of an overlay: which frame of a film, or which text.
    private struct Mark: Equatable {
        let overlay: Int
        let variant: Int
    }

    private struct OpenFilm {
        let stream: ClipStream
        /// The number of its frame that was read last.
        var index: Int
        var frame: VideoFrame
    }

    /// Nil if there are no overlays of the layer.
    /// - Parameters:
    ///   - clip: the clip whose frames are drawn over; nil for the joined picture.
    ///   - threads: the number of threads for decoding each film.
    init?(_ plan: RenderPlan, clip: Int?, threads: Int) throws(MediaError) {
        let layer = clip == nil ? OverlaySpec.Layer.above : .page
        overlays = plan.overlays.filter { $0.layer == layer }
        guard !overlays.isEmpty else { return nil }
        (self.plan, self.clip, self.threads) = (plan, clip, threads)
        let frames = plan.frames
        blender = OverlayBlender(PictureFormat(frames))
        copier = Background(frames)
        pool = try FramePool(
            width: frames.width, height: frames.height, pixelFormat: frames.pixelFormat, color: frames.color)
    }

    /// The frame with what is over it in output frames `indices`; several where that changes. A frame with nothing over
    /// it is returned as it is.
    /// - Parameter clock: is charged with the time.
    func paint(_ frame: VideoFrame, at indices: Range<Int>, _ clock: StageClock) throws -> [(VideoFrame, Range<Int>)] {
        var parts: [(VideoFrame, Range<Int>)] = []
        var start = indices.lowerBound
        while start < indices.upperBound {
            let end = min(nextChange(after: start), indices.upperBound)
            let drawn = try clock.measure { try draw(over: frame, at: start) }
            parts.append((drawn, start..<end))
            start = end
        }
        return parts
    }

    /// The first output frame after `frame` that may have something else over it.
    private func nextChange(after frame: Int) -> Int {
        var next = Int.max
        for overlay in overlays {
            if overlay.frames.contains(frame) {
                switch overlay.content {
                case .film: return frame + 1
                case .picture: break
                case .text(let art):
                    // The next clip's text takes the place of this one's where that clip is first seen.
                    if clip == nil, art.texts.count > 1, let start = plan.start(ofClipAfter: frame) {
                        next = min(next, start)
                    }
                }
                next = min(next, overlay.frames.upperBound)
            } else if overlay.frames.lowerBound > frame {
                next = min(next, overlay.frames.lowerBound)
            }
        }
        return next
    }

    private func draw(over frame: VideoFrame, at index: Int) throws -> VideoFrame {
        let marks = overlays.indices.compactMap { mark(of: $0, at: index) }
        guard !marks.isEmpty else { return frame }
        if let latest, latest.source === frame, latest.marks == marks { return latest.drawn }
        let target = try pool.make()
        copier.place(frame.memory, at: (0, 0), in: target.memory)
        for mark in marks { try draw(mark, into: target) }
        latest = (frame, marks, target)
        return target
    }

    /// What is seen of overlay `overlay` in output frame `index`; nil for nothing.
    private func mark(of overlay: Int, at index: Int) -> Mark? {
        let placed = overlays[overlay]
        guard placed.frames.contains(index) else { return nil }
        switch placed.content {
        case .picture: return Mark(overlay: overlay, variant: 0)
        case .film: return Mark(overlay: overlay, variant: index - placed.frames.lowerBound)
        case .text(let art): return Mark(overlay: overlay, variant: art.textOfClip[clip ?? plan.clip(shownAt: index)])
        }
    }

    private func draw(_ mark: Mark, into target: VideoFrame) throws {
        let placed = overlays[mark.overlay]
        switch placed.content {
        case .picture(let still): blender.draw(try still.picture(threads: threads), over: target.memory)
        case .text(let art):
            if let picture = try art.picture(mark.variant) { blender.draw(picture, over: target.memory) }
        case .film(let film):
            let frame = try frame(mark.variant, of: film, mark.overlay)
            let opacity = placed.spec.opacity
            guard let origin = film.formatWithAlpha else {
                return blender.draw(
                    frame.memory, at: (film.box.x, film.box.y), opacity: UInt16((opacity * 65535).rounded()),
                    over: target.memory)
            }
            let raster = OverlayRaster(
                frame, of: origin, at: (film.box.x, film.box.y), size: (film.box.width, film.box.height),
                for: plan.frames.pixelFormat, opacity: opacity)
            blender.draw(
                OverlayPicture(raster, PictureFormat(plan.frames), frame: (plan.frames.width, plan.frames.height)),
                over: target.memory)
        }
    }

    /// Frame `index` of a film, which is no earlier than the one asked for before.
    private func frame(_ index: Int, of film: OverlayFilm, _ overlay: Int) throws -> VideoFrame {
        var open: OpenFilm
        if let known = films[overlay], known.index <= index {
            open = known
        } else {
            let stream = ClipStream(
                film.clip, frames: index..<film.count, of: film.count, threads: threads, isStrict: plan.isStrict,
                clocks: ReadingClocks())
            open = OpenFilm(stream: stream, index: index, frame: try stream.next())
        }
        while open.index < index {
            open.frame = try open.stream.next()
            open.index += 1
        }
        films[overlay] = open
        return open.frame
    }

    /// The decoding errors that were concealed in films, by the films' names.
    var concealedErrors: [String: Int] {
        films.reduce(into: [:]) { errors, film in
            errors[overlays[film.key].name, default: 0] += film.value.stream.concealedErrors
        }
    }
}

extension RenderPlan {
    /// The clip that began last in output frame `frame` or before.
    fileprivate func clip(shownAt frame: Int) -> Int { timeline.clips.lastIndex { $0.start <= frame } ?? 0 }

    /// The output frame at which the next clip begins; nil after the last one.
    fileprivate func start(ofClipAfter frame: Int) -> Int? { timeline.clips.first { $0.start > frame }?.start }
}
