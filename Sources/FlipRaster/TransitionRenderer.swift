import Dispatch
import FlipGeometry
import Synchronization

/// Draws the frames of transitions between pictures of one format and size.
///
/// A renderer keeps its buffers from frame to frame and draws one frame at a time; use one renderer a thread.
package final class TransitionRenderer {
    package let format: PictureFormat
    package let width: Int
    package let height: Int
    private let background: EncodedColor
    private let workers: [Worker]
    /// One queue for each worker but the first, which works in the caller's thread. A serial queue has a thread when it
    /// needs one; `concurrentPerform` often leaves all work to its caller while the codecs' threads are busy.
    private let queues: [DispatchQueue]

    /// `width` and `height` are luma pixels, 1...16384; `background` shows where no panel is; frames are drawn by
    /// `threads` threads, with the same result for any number of them.
    package init(format: PictureFormat, width: Int, height: Int, background: Color, threads: Int) {
        precondition((1...16384).contains(width) && (1...16384).contains(height) && threads > 0)
        self.format = format
        self.width = width
        self.height = height
        self.background = EncodedColor(background, format: format)
        workers = (0..<threads).map { _ in Worker() }
        queues = (1..<threads).map { DispatchQueue(label: "render \($0)", qos: .userInitiated) }
    }

    /// Draws `look` at `progress` (0...1, after easing) into `target`, which must be none of the pictures' memory. The
    /// three views have the renderer's format and size. At progress 0 the result is exactly `outgoing`, at 1 `incoming`.
    package func render(
        _ look: StyledLook, progress: Double, from outgoing: PictureView, to incoming: PictureView,
        into target: PictureView
    ) {
        if progress <= 0 { return copy(outgoing, into: target) }
        if progress >= 1 { return copy(incoming, into: target) }
        let stage = Stage(width: Double(width), height: Double(height))
        let scene = Scene(style: look.style, look: look.look, stage: stage, progress: progress)
        let plan = FramePlan(scene, format: format, width: width, height: height)
        let context = FrameContext(
            plan: plan, format: format, outgoing: outgoing, incoming: incoming, target: target, background: background,
            shadow: EncodedColor(look.look.shadowColor, format: format))
        draw(Job.jobs(for: plan), context)
    }

    private func draw(_ jobs: [Job], _ context: FrameContext) {
        if workers.count == 1 {
            for job in jobs { workers[0].draw(job, context) }
            return
        }
        let next = JobCounter()
        let group = DispatchGroup()
        for (queue, worker) in zip(queues, workers.dropFirst()) {
            // Each worker belongs to one thread until the group is done.
            nonisolated(unsafe) let worker = worker
            queue.async(group: group) { next.forEach(jobs) { worker.draw($0, context) } }
        }
        next.forEach(jobs) { workers[0].draw($0, context) }
        group.wait()
    }

    private func copy(_ source: PictureView, into target: PictureView) {
        for plane in 0..<format.planeCount {
            let (from, to) = (source[plane], target[plane])
            for row in 0..<from.height {
                (to.base + row * to.stride).copyMemory(
                    from: from.base + row * from.stride, byteCount: from.width * format.bytesPerSample)
            }
        }
    }
}

/// Hands out jobs to threads, each job once.
private final class JobCounter: Sendable {
    private let next = Atomic(0)

    func forEach(_ jobs: [Job], _ draw: (Job) -> Void) {
        while true {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            if index >= jobs.count { return }
            draw(jobs[index])
        }
    }
}
