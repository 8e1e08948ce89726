import CKernels
import Synchronization

/// The threads that draw a frame together: the caller's own, and helpers that sleep in between.
///
/// The caller never waits for a helper that hasn't begun. Helpers can join in work while it is open. Once the caller
/// finds no more parts to do, it closes the work and waits only for the helpers that joined in. So work is finished
/// however many crews there are and however few threads the system still runs; it only takes longer.
final class Crew: Sendable {
    /// The caller's buffers; each helper has its own.
    private let worker: Worker
    private let gate: Gate

    /// Creates a crew of `threads` threads including the caller's, or of fewer if the system grants no more.
    init(threads: Int, _ kernels: KernelTable) {
        worker = Worker(kernels)
        gate = Gate()
        for _ in 1..<max(threads, 1) {
            let helper = Worker(kernels)
            let started = HelperThread.start { [gate] in gate.help(helper) }
            if !started { break }
        }
    }

    /// Ends the helpers' threads, none of which may be drawing. Doesn't wait for them, because they don't exist in a
    /// forked child process.
    func dismiss() { gate.dismiss() }

    /// Does all parts of `work`.
    func perform(_ work: any SharedWork) {
        gate.open(work)
        gate.performParts(work, worker)
        gate.close()
    }

    /// Does one part of `work` in the caller's thread.
    func performAlone(_ part: Int, of work: any SharedWork) { work.perform(part, worker) }
}

/// Synchronizes the helpers, which wait for work, with the caller, which waits for helpers.
private final class Gate: @unchecked Sendable {
    private let lock = Lock()
    /// Signaled when work opens and when the crew is dismissed.
    private let opened = Condition()
    /// Signaled when the last helper leaves the work.
    private let left = Condition()

    // Guarded by `lock`.
    /// The work that helpers may join; nil if none is open.
    private var work: (any SharedWork)?
    /// The number of times that work was opened, by which a helper joins each at most once.
    private var rounds = 0
    private var isDismissed = false

    /// The number of helpers that have joined in the work. Only changed with the lock held.
    private let inside = Atomic(0)
    /// The index of the first part that no thread has taken.
    private let next = Atomic(0)

    /// How often the caller polls whether the helpers have left before it sleeps. The helpers are at their last parts,
    /// and sleeping and waking take about 5 to 50 microseconds. A pause takes 40 to 140 cycles (Zen 2, Skylake and
    /// later), so polling this often takes about 5 to 50 microseconds as well: the wait costs at most twice what the
    /// better choice would have.
    private static let maxPolls = 1000

    func open(_ work: any SharedWork) {
        lock.lock()
        self.work = work
        rounds += 1
        next.store(0, ordering: .relaxed)
        opened.signalAll()
        lock.unlock()
    }

    /// Closes the work to helpers, and waits for those that joined in.
    func close() {
        lock.lock()
        work = nil
        lock.unlock()
        var polls = Gate.maxPolls
        while inside.load(ordering: .acquiring) > 0 && polls > 0 {
            flip_pause()
            polls -= 1
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

    /// Does one part after another until none is left.
    func performParts(_ work: any SharedWork, _ worker: Worker) {
        while true {
            let part = next.wrappingAdd(1, ordering: .relaxed).oldValue
            if part >= work.count { return }
            work.perform(part, worker)
        }
    }

    /// Runs in a helper's thread: joins in all work until the crew is dismissed.
    func help(_ worker: Worker) {
        var seen = 0
        lock.lock()
        while !isDismissed {
            guard let work, rounds != seen else {
                opened.wait(lock)
                continue
            }
            seen = rounds
            inside.add(1, ordering: .relaxed)
            lock.unlock()
            performParts(work, worker)
            lock.lock()
            if inside.subtract(1, ordering: .releasing).newValue == 0 { left.signalAll() }
        }
        lock.unlock()
    }
}
