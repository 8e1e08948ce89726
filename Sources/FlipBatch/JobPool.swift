import FlipBase
import FlipFiles
import Foundation

/// Runs many processes of a program, several at a time, within a memory budget.
package final class JobPool {
    package struct Task: Sendable {
        /// Identifies the task in events.
        package var id: Int
        package var arguments: [String]
        /// The memory that the task is expected to need, in bytes.
        package var memory: Int
        /// The descriptor that becomes the task's standard output; nil discards it.
        package var output: Int32?

        package init(id: Int, arguments: [String], memory: Int, output: Int32? = nil) {
            (self.id, self.arguments, self.memory, self.output) = (id, arguments, memory, output)
        }
    }

    package enum Event: Sendable {
        case started
        /// A line of the task's standard error.
        case line(String)
        /// The task was stopped and will be started again, because the tasks together exceeded the memory budget. This
        /// does not count as an attempt.
        case postponed
        /// The task ended with this exit status, or 128 plus the signal's number if a signal ended it.
        case ended(Int32)
        /// The task was stopped because it alone exceeded the memory budget; the value is its memory in bytes.
        case tooLarge(Int)
        /// The task was stopped because it ran longer than is allowed.
        case tooLong
    }

    /// What to do after a task has ended.
    package enum Decision: Sendable {
        /// Continue with the other tasks.
        case next
        /// Start the task again after so many seconds.
        case again(Double)
        /// Stop the running tasks and start no more.
        case stop
    }

    private struct Waiting {
        var task: Task
        var due = ContinuousClock.now
    }

    private struct Running {
        var task: Task
        let child: ChildProcess
        let start = ContinuousClock.now
        var wasStopped = Stop.no
        /// When the task is killed, after it has been asked to end.
        var deadline: ContinuousClock.Instant?
        /// The peak memory of the task so far, in bytes; a process that has just ended has none.
        var seen = 0
    }
    private enum Stop { case no, postponed, tooLarge(Int), tooLong, killed }

    private let program: String
    private let slots: Int
    private let budget: Int
    package let cancellation = Cancellation()
    /// Lets the running tasks end, and starts no more.
    package let draining = Cancellation()
    private var waiting: [Waiting] = []
    private var running: [Running] = []
    private var lastLook = ContinuousClock.now

    /// How long a task may take to end after it is asked to.
    private let grace: Duration
    /// How long a task may run; nil for no limit.
    private let limit: Duration?

    /// - Parameters:
    ///   - slots: the number of tasks that run at a time, 1 or more.
    ///   - budget: the memory for all of them, in bytes; a task that is expected to need more runs alone.
    ///   - grace: how long a task may take to end after it is asked to, before it is killed.
    ///   - limit: how long a task may run; nil for no limit.
    package init(program: String, slots: Int, budget: Int, grace: Duration = .seconds(20), limit: Duration? = nil) {
        (self.limit, self.program, self.slots, self.budget) = (limit, program, slots, budget)
        self.grace = grace
    }

    /// Runs all tasks, in their order as far as memory allows. Calls `handle` with the task's ID for each event; its
    /// result is used only when the task has ended.
    package func run(_ tasks: [Task], _ handle: (Int, Event) -> Decision) throws(MediaError) {
        waiting = tasks.map { Waiting(task: $0) }
        var hasStopped = false
        while !running.isEmpty || (!waiting.isEmpty && !hasStopped) {
            if cancellation.isCancelled {
                hasStopped = true
                stopAll()
            }
            if hasStopped || draining.isCancelled { waiting = [] }
            try startNext(handle)
            pause()
            watchMemory()
            stopOverlong()
            killOverdue()
            for index in running.indices.reversed() {
                let entry = running[index]
                let hasEnded = entry.child.hasEnded()
                for line in entry.child.readLines(isLast: hasEnded) { _ = handle(entry.task.id, .line(line)) }
                guard hasEnded else { continue }
                running.remove(at: index)
                switch finish(entry, handle) {
                case .next: break
                case .again(let seconds):
                    waiting.append(Waiting(task: entry.task, due: .now + .milliseconds(Int(seconds * 1000))))
                case .stop:
                    hasStopped = true
                    stopAll()
                }
            }
        }
    }

    private func finish(_ entry: Running, _ handle: (Int, Event) -> Decision) -> Decision {
        let status = entry.child.status ?? 128
        switch entry.wasStopped {
        // A task with status 0 was completed before it could be stopped.
        case .postponed where status != 0:
            _ = handle(entry.task.id, .postponed)
            waiting.insert(Waiting(task: entry.task), at: 0)
            return .next
        case .tooLarge(let bytes) where status != 0: return handle(entry.task.id, .tooLarge(bytes))
        case .tooLong where status != 0: return handle(entry.task.id, .tooLong)
        case .no, .postponed, .tooLarge, .tooLong, .killed: return handle(entry.task.id, .ended(status))
        }
    }

    private func startNext(_ handle: (Int, Event) -> Decision) throws(MediaError) {
        while running.count < slots {
            let used = running.reduce(0) { $0 + max($1.task.memory, $1.seen) }
            let now = ContinuousClock.now
            // Small tasks may overtake a large one, which runs at the latest when they have ended.
            guard
                let index = waiting.firstIndex(where: {
                    $0.due <= now && (running.isEmpty || used + $0.task.memory <= budget)
                })
            else { return }
            let task = waiting.remove(at: index).task
            running.append(Running(task: task, child: try ChildProcess(program, task.arguments, output: task.output)))
            _ = handle(task.id, .started)
        }
    }

    /// Waits until a task ends or writes to standard error, but at most 100 ms.
    private func pause() {
        var descriptors = running.flatMap(\.child.awaited).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // The end of a task without a descriptor for it has to be looked for.
        let canAwaitEnds = descriptors.allSatisfy { $0.fd >= 0 }
        poll(&descriptors, nfds_t(descriptors.count), canAwaitEnds ? 100 : 10)
    }

    /// Stops the task that was started last if all tasks together exceed the memory budget.
    private func watchMemory() {
        guard lastLook.duration(to: .now) >= .milliseconds(200) else { return }
        lastLook = .now
        let used = running.map(\.child.memory)
        for index in running.indices { running[index].seen = max(running[index].seen, used[index]) }
        guard used.reduce(0, +) > budget, let last = running.indices.last else { return }
        switch running[last].wasStopped {
        case .postponed, .tooLarge, .tooLong, .killed: return
        case .no: break
        }
        stop(last)
        if running.count == 1 {
            running[last].wasStopped = .tooLarge(used[last])
        } else {
            running[last].wasStopped = .postponed
            running[last].task.memory = max(running[last].task.memory, used[last] + used[last] / 4)
        }
    }

    private func stopOverlong() {
        guard let limit else { return }
        for index in running.indices where running[index].start + limit < .now {
            guard case .no = running[index].wasStopped else { continue }
            running[index].wasStopped = .tooLong
            stop(index)
        }
    }

    private func stopAll() {
        for index in running.indices {
            if case .killed = running[index].wasStopped { continue }
            running[index].wasStopped = .killed
            stop(index)
        }
    }

    /// Asks a task to end, and sets the deadline for that.
    private func stop(_ index: Int) {
        running[index].child.send(SIGTERM)
        running[index].deadline = running[index].deadline ?? .now + grace
    }

    /// Kills tasks that were asked to end and have not done so by their deadline.
    private func killOverdue() {
        for entry in running {
            if let deadline = entry.deadline, deadline < .now { entry.child.send(SIGKILL) }
        }
    }
}
