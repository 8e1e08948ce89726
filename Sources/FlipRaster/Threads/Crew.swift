import CKernels
import Synchronization

/// The threads that draw a frame together: the caller's own, and helpers that sleep until the next frame.
///
/// The caller never waits for a helper that has not begun to draw: a helper enters a frame while it is open, and once the
/// caller finds no more jobs it closes the frame and waits only for those that are inside. So a frame is finished however many
/// crews there are and however few threads the system still grants; it only takes longer.
final class Crew: Sendable {
    /// The caller's buffers. Its helpers have their own.
    private let worker: Worker
    private let gate: Gate

    /// A crew of `threads` threads, the caller's included; of fewer where the system grants no more.
    init(threads: Int, level: KernelLevel) {
        worker = Worker(level)
        gate = Gate()
        for _ in 1..<max(threads, 1) {
            let helper = Worker(level)
            let started = HelperThread.start { [gate] in gate.help(helper) }
            if !started { break }
        }
    }

    /// Ends the helpers' threads, none of which is drawing. They are not waited for: in a child process that was forked they
    /// don't exist.
    func dismiss() { gate.dismiss() }

    /// Draws all jobs of the frame's plan.
    func draw(_ frame: FrameContext) {
        gate.open(frame)
        gate.drawJobs(frame, worker)
        gate.close()
    }
}

/// Where helpers wait for frames, and the caller for helpers.
private final class Gate: @unchecked Sendable {
    private let lock = Lock()
    /// Signalled when a frame opens, and at the end.
    private let opened = Condition()
    /// Signalled when the last helper leaves a frame.
    private let left = Condition()

    // Guarded by `lock`.
    /// The frame that helpers may enter.
    private var frame: FrameContext?
    /// Frames opened so far: a helper enters each of them once at most.
    private var frames = 0
    private var isDismissed = false

    /// Helpers inside the frame. Changed with the lock held.
    private let inside = Atomic(0)
    /// The first job that nobody has taken.
    private let next = Atomic(0)

    /// How often the caller looks whether the helpers have left before it sleeps. They are at their last jobs, and sleeping and
    /// being woken takes some 5 to 50 microseconds. A pause is 40 to 140 cycles (Zen 2, Skylake and later), so this is
    /// 5 to 50 microseconds as well: the wait costs at most twice what the better choice would have.
    private static let patience = 1000

    func open(_ context: FrameContext) {
        lock.lock()
        frame = context
        frames += 1
        next.store(0, ordering: .relaxed)
        opened.signalAll()
        lock.unlock()
    }

    /// Lets no more helpers in, and waits for those inside.
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

    /// Draws one job after the other until none is left.
    func drawJobs(_ context: FrameContext, _ worker: Worker) {
        while true {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            if index >= context.plan.jobs.count { return }
            worker.draw(context.plan.jobs[index], context)
        }
    }

    /// A helper's life.
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
