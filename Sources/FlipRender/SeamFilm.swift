import FlipBase
import FlipMedia
import FlipFiles
import FlipGeometry
import Foundation

/// Renders a join as a short film to play: the transition with what comes directly before and after it.
package enum SeamFilm {
    /// How much is shown before and after the transition, in seconds.
    private static let margin = Rational(1)
    /// The largest film, in bytes.
    private static let maximumSize = 64 << 20

    /// The file of the film, an mp4 of H.264 and AAC. Nothing is written to a disk.
    /// - Parameters:
    ///   - spec: the transition.
    ///   - width: the width in pixels at most.
    package static func render(_ plans: SeamPlans, join: Int, _ spec: TransitionSpec, width: Int) throws -> Data {
        var composition = plans.composition.around(join, spec, plans.full, margin: margin)
        let frames = plans.full.video
        let wide = min(width, frames.width) / 2 * 2
        var output = composition.output
        output.format = "mp4"
        output.size = (max(2, wide), max(2, (wide * frames.height / frames.width + 1) / 2 * 2))
        output.videoCodec = "libx264"
        output.preset = "veryfast"
        output.crf = 20
        output.pixelFormat = PixelFormat(name: "yuv420p")
        composition.output = output
        return try collect { path in
            composition.output.path = path
            let plan = try Planner.plan(composition)
            _ = try Pipeline(plan).run { _ in }
        }
    }

    /// What `write` writes to the path that it is given, which is a pipe.
    private static func collect(_ write: (String) throws -> Void) throws -> Data {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw MediaError(.io, "cannot make a pipe: \(MediaError.systemReason)") }
        let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let collected = Mutex(Data())
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            while let part = try? reader.read(upToCount: 1 << 16), !part.isEmpty {
                let isFull = collected.withLock { data in
                    data.append(part)
                    return data.count > maximumSize
                }
                if isFull {
                    try? reader.close()
                    return
                }
            }
        }
        do {
            try write("/dev/fd/\(ends[1])")
            close(ends[1])
        } catch {
            close(ends[1])
            group.wait()
            throw error
        }
        group.wait()
        return collected.withLock { $0 }
    }
}

extension Composition {
    /// The clips before and after join `join`, as far as they are seen in the transition and `margin` seconds from it.
    fileprivate func around(_ join: Int, _ spec: TransitionSpec, _ plan: RenderPlan, margin: Rational) -> Composition {
        let rate = plan.video.frameRate
        let count = spec.duration.frames(at: rate) + max(1, (margin * rate).rounded())
        var shown = spec
        // What is used of the clips contains the handles already.
        if plan.timeline.joins[join].overlap == .handles { shown.overlap = .play }
        var copy = Composition(
            inputs: [
                part(join, ofFrames: count, atEnd: true, plan), part(join + 1, ofFrames: count, atEnd: false, plan),
            ],
            reading: reading, transitions: [shown], output: OutputSettings(path: "-"))
        copy.output.fit = output.fit
        copy.output.background = output.background
        copy.output.frameRate = rate
        copy.output.hasAudio = output.hasAudio
        copy.output.audioCurve = output.audioCurve
        copy.output.threads = output.threads
        return copy
    }

    /// The last or first `count` frames of what is used of input `index`.
    private func part(_ index: Int, ofFrames count: Int, atEnd: Bool, _ plan: RenderPlan) -> ClipSpec {
        var spec = plan.inputs[index]
        spec.cut = nil
        let rate = plan.video.frameRate
        let frames = plan.timeline.clips[index].frames
        let kept = min(count, frames)
        let clip = plan.clips[index]
        if case .gap = clip.input.source { return .blank(frames: kept) }
        if var timing = spec.timing {
            if atEnd { timing.start = timing.start + Rational(frames - kept) / rate * timing.speed }
            timing.frames = kept
            spec.timing = timing
        } else if clip.input.isStill {
            spec.part = .all
            spec.stillDuration = Rational(kept) / rate
            let steps = Double(max(frames - 1, 1))
            let first = atEnd ? frames - kept : 0
            for index in spec.films.indices { spec.films[index].start -= first }
            spec.motion = clip.motion?.between(Double(first) / steps, Double(first + kept - 1) / steps)
        } else {
            let span = clip.use.span
            let length = min(Rational(kept) / rate, span.duration)
            spec.part =
                atEnd
                ? ClipPart(start: span.end - length, end: span.end)
                : ClipPart(start: span.start, end: span.start + length)
        }
        return spec
    }
}
