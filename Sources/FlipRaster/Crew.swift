import Dispatch
import Synchronization

/// The threads that draw a frame together: the caller's own, and others that wait for the next frame.
final class Crew: Sendable {
    private let workers: [Worker]
    /// The frame being drawn. Set before `start` is signalled, and read after that.
    private nonisolated(unsafe) var context: FrameContext?
    private let next = Atomic(0)
    /// Threads other than the caller's that have not finished the frame.
    private let working = Atomic(0)
    /// How often the caller looks whether the others are done before it sleeps: some 50 microseconds.
    private static let patience = 50_000
    private let isDismissed = Atomic(false)
    private let start = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)

    init(threads: Int) {
        workers = (0..<threads).map { _ in Worker() }
        for index in 1..<max(threads, 1) {
            // A queue of its own, because `concurrentPerform` often leaves all work to its caller while the codecs' threads
            // are busy. A block that waits costs no allocation a frame.
            let queue = DispatchQueue(label: "render \(index)", qos: .userInitiated)
            queue.async { self.work(self.workers[index]) }
        }
    }

    /// Ends the threads, which hold on to the crew until then.
    func dismiss() {
        isDismissed.store(true, ordering: .releasing)
        for _ in workers.dropFirst() { start.signal() }
    }

    /// Draws all jobs of the frame's plan.
    func draw(_ frame: FrameContext) {
        context = frame
        next.store(0, ordering: .releasing)
        working.store(workers.count - 1, ordering: .releasing)
        for _ in workers.dropFirst() { start.signal() }
        drawJobs(workers[0], frame)
        // The others are at their last jobs: going to sleep and being woken would take as long.
        var patience = Crew.patience
        while working.load(ordering: .acquiring) > 0 && patience > 0 { patience -= 1 }
        for _ in workers.dropFirst() { done.wait() }
        context = nil
    }

    private func work(_ worker: Worker) {
        while true {
            start.wait()
            if isDismissed.load(ordering: .acquiring) { return }
            if let context { drawJobs(worker, context) }
            working.subtract(1, ordering: .releasing)
            done.signal()
        }
    }

    private func drawJobs(_ worker: Worker, _ context: FrameContext) {
        while true {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            if index >= context.plan.jobs.count { return }
            worker.draw(context.plan.jobs[index], context)
        }
    }
}
