import FlipMedia
import Foundation
import Synchronization

/// Runs many programs, some at a time, within a budget of memory.
package final class JobPool {
    package struct Task: Sendable {
        /// Names it in events.
        package var id: Int
        package var arguments: [String]
        /// Bytes it is expected to need.
        package var memory: Int

        package init(id: Int, arguments: [String], memory: Int) {
            self.id = id
            self.arguments = arguments
            self.memory = memory
        }
    }

    package enum Event: Sendable {
        case started
        /// A line of the task's standard error.
        case line(String)
        /// It will be started again, since it and others needed more memory than there is; that counts as no try.
        case postponed
        /// Ended with a status, 128 and a signal's number for a crash.
        case ended(Int32)
        /// Stopped, since it alone needed more than the budget: bytes.
        case tooLarge(Int)
    }

    /// What follows an end.
    package enum Decision: Sendable {
        case next
        /// Start it again in so many seconds.
        case again(Double)
        /// Start nothing more.
        case stop
    }

    private struct Waiting {
        var task: Task
        var due = ContinuousClock.now
    }

    private struct Running {
        var task: Task
        let child: ChildProcess
        var wasStopped = Stop.no
        /// When it is killed, having been asked to end.
        var deadline: ContinuousClock.Instant?
        /// The most bytes it had so far: what has just ended has none.
        var seen = 0
    }
    private enum Stop { case no, postponed, tooLarge(Int), killed }

    private let program: String
    private let slots: Int
    private let budget: Int
    package let cancellation = Cancellation()
    private var waiting: [Waiting] = []
    private var running: [Running] = []
    private var lastLook = ContinuousClock.now

    /// How long a task may take to end when it is asked to.
    private let grace: Duration

    /// - Parameters:
    ///   - slots: tasks at a time, 1 or more.
    ///   - budget: bytes for all of them; a task that is expected to need more runs alone.
    ///   - grace: how long a task may take to end when it is asked to, before it is killed.
    package init(program: String, slots: Int, budget: Int, grace: Duration = .seconds(20)) {
        self.program = program
        self.slots = slots
        self.budget = budget
        self.grace = grace
    }

    /// Runs all tasks, in their order as far as memory allows. Calls `handle` for each event, whose answer counts at an end.
    package func run(_ tasks: [Task], _ handle: (Int, Event) -> Decision) throws(MediaError) {
        waiting = tasks.map { Waiting(task: $0) }
        var hasStopped = false
        while !running.isEmpty || (!waiting.isEmpty && !hasStopped) {
            if cancellation.isCancelled {
                hasStopped = true
                stopAll()
            }
            if hasStopped { waiting = [] }
            try startNext(handle)
            pause()
            watchMemory()
            killTheDeaf()
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
        // It may have come to its end before it was asked to.
        case .postponed where status != 0:
            _ = handle(entry.task.id, .postponed)
            waiting.insert(Waiting(task: entry.task), at: 0)
            return .next
        case .tooLarge(let bytes) where status != 0: return handle(entry.task.id, .tooLarge(bytes))
        case .no, .postponed, .tooLarge, .killed: return handle(entry.task.id, .ended(status))
        }
    }

    private func startNext(_ handle: (Int, Event) -> Decision) throws(MediaError) {
        while running.count < slots {
            let used = running.reduce(0) { $0 + max($1.task.memory, $1.seen) }
            let now = ContinuousClock.now
            // Small tasks may go before a large one, which runs when they are through at the latest.
            guard
                let index = waiting.firstIndex(where: {
                    $0.due <= now && (running.isEmpty || used + $0.task.memory <= budget)
                })
            else { return }
            let task = waiting.remove(at: index).task
            running.append(Running(task: task, child: try ChildProcess(program, task.arguments)))
            _ = handle(task.id, .started)
        }
    }

    /// Until somebody has something to say, but not for long.
    private func pause() {
        var descriptors = running.map { pollfd(fd: $0.child.messages, events: Int16(POLLIN), revents: 0) }
        poll(&descriptors, nfds_t(descriptors.count), 100)
        // One that has closed its standard error is always ready.
        if descriptors.contains(where: { $0.revents & Int16(POLLHUP) != 0 }) { usleep(5000) }
    }

    /// Stops the youngest task where all together have more memory than there is.
    private func watchMemory() {
        guard lastLook.duration(to: .now) >= .milliseconds(200) else { return }
        lastLook = .now
        let used = running.map(\.child.memory)
        for index in running.indices { running[index].seen = max(running[index].seen, used[index]) }
        guard used.reduce(0, +) > budget, let last = running.indices.last else { return }
        switch running[last].wasStopped {
        case .postponed, .tooLarge, .killed: return
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

    private func stopAll() {
        for index in running.indices {
            if case .killed = running[index].wasStopped { continue }
            running[index].wasStopped = .killed
            stop(index)
        }
    }

    /// Asks a task to end.
    private func stop(_ index: Int) {
        running[index].child.send(SIGTERM)
        running[index].deadline = running[index].deadline ?? .now + grace
    }

    /// Kills tasks that were asked to end and don't.
    private func killTheDeaf() {
        for entry in running {
            if let deadline = entry.deadline, deadline < .now { entry.child.send(SIGKILL) }
        }
    }
}

/// Asks a pool's tasks to end, and lets it start none; from any thread.
package final class Cancellation: Sendable {
    private let value = Atomic(false)

    package func cancel() { value.store(true, ordering: .relaxed) }
    package var isCancelled: Bool { value.load(ordering: .relaxed) }
}
