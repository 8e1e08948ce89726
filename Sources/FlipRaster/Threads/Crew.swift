import CKernels
import Synchronization

/// The threads that draw a frame together: the caller's own, and helpers that sleep between frames.
///
/// The caller never waits for a helper that hasn't begun to draw. Helpers can enter a frame while it is open. Once the
/// caller finds no more jobs, it closes the frame and waits only for the helpers inside. So a frame is finished however
/// many crews there are and however few threads the system still runs; it only takes longer.
final class Crew: Sendable {
    /// The caller's buffers; each helper has its own.
    private let worker: Worker
    private let gate: Gate

    /// Creates a crew of `threads` threads including the caller's, or of fewer if the system grants no more.
    init(threads: Int, level: KernelLevel) {
        worker = Worker(level)
        gate = Gate()
        for _ in 1..<max(threads, 1) {
            let helper = Worker(level)
            let started = HelperThread.start { [gate] in gate.help(helper) }
            if !started { break }
        }
    }

    /// Ends the helpers' threads, none of which may be drawing. Doesn't wait for them, because they don't exist in a
    /// forked child process.
    func dismiss() { gate.dismiss() }

    /// Draws all jobs of the frame's plan.
    func draw(_ frame: FrameContext) {
        gate.open(frame)
        gate.drawJobs(frame, worker)
        gate.close()
    }
}

/// Synchronizes the helpers, which wait for frames, with the caller, which waits for helpers.
private final class Gate: @unchecked Sendable {
    private let lock = Lock()
    /// Signaled when a frame opens and when the crew is dismissed.
    private let opened = Condition()
    /// Signaled when the last helper leaves a frame.
    private let left = Condition()

    // Guarded by `lock`.
    /// The frame that helpers may enter; nil if none is open.
    private var frame: FrameContext?
    /// The number of frames opened so far, by which a helper enters each of them at most once.
    private var frames = 0
    private var isDismissed = false

    /// The number of helpers inside the frame. Only changed with the lock held.
    private let inside = Atomic(0)
    /// The index of the first job that no thread has taken.
    private let next = Atomic(0)

    /// How often the caller polls whether the helpers have left before it sleeps. The helpers are at their last jobs,
    /// and sleeping and waking take about 5 to 50 microseconds. A pause takes 40 to 140 cycles (Zen 2, Skylake and
    /// later), so polling this often takes about 5 to 50 microseconds as well: the wait costs at most twice what the
    /// better choice would have.
    private static let patience = 1000

    func open(_ context: FrameContext) {
        lock.lock()
        frame = context
        frames += 1
        next.store(0, ordering: .relaxed)
        opened.signalAll()
        lock.unlock()
    }

    /// Closes the frame to helpers, and waits for those inside.
    func close() {
        lock.lock()
        frame = nil
        lock.unlock()
        var patience = Gate.patience
        while inside.load(ordering: .acquiring) > 0 && patience > 0 {
            flip_pause()
            patience -= 1
        }
        lock.lock()
        while inside.load(ordering: .relaxed) > 0 { left.wait(lock) }
        lock.unlock()
    }

    func dismiss() {
        lock.lock()
        isDismissed = true
        opened.signalAll()
        lock.unlock()
    }

    /// Draws one job after another until none is left.
    func drawJobs(_ context: FrameContext, _ worker: Worker) {
        while true {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            if index >= context.plan.jobs.count { return }
            worker.draw(context.plan.jobs[index], context)
        }
    }

    /// Runs in a helper's thread: draws jobs of each frame until the crew is dismissed.
    func help(_ worker: Worker) {
        var seen = 0
        lock.lock()
        while !isDismissed {
            guard let frame, frames != seen else {
                opened.wait(lock)
                continue
            }
            seen = frames
            inside.add(1, ordering: .relaxed)
            lock.unlock()
            drawJobs(frame, worker)
            lock.lock()
            if inside.subtract(1, ordering: .releasing).newValue == 0 { left.signalAll() }
        }
        lock.unlock()
    }
}
