import FlipBatch
import Foundation
import Testing

/// A pool of shell scripts, whose starts and ends are recorded.
@Suite struct JobPoolTests {
    /// Runs `scripts` and returns the events as text: "0 started", "0 line", "0 ended 3".
    private func run(
        _ scripts: [String], memory: [Int]? = nil, slots: Int, budget: Int,
        decide: (Int, Int32) -> JobPool.Decision = { _, _ in .next }
    ) throws -> [String] {
        let tasks = scripts.enumerated().map { index, script in
            JobPool.Task(id: index, arguments: ["-c", script], memory: memory?[index] ?? 1)
        }
        var events: [String] = []
        try JobPool(program: "/bin/sh", slots: slots, budget: budget).run(tasks) { id, event in
            switch event {
            case .started: events.append("\(id) started")
            case .line(let line): events.append("\(id) \(line)")
            case .postponed: events.append("\(id) postponed")
            case .tooLarge: events.append("\(id) too large")
            case .tooLong: events.append("\(id) too long")
            case .ended(let status):
                events.append("\(id) ended \(status)")
                return decide(id, status)
            }
            return .next
        }
        return events
    }

    @Test func endsAreTold() throws {
        let events = try run(["echo one >&2; printf two >&2", "exit 75", "kill -SEGV $$"], slots: 1, budget: .max)
        #expect(
            events == [
                "0 started", "0 one", "0 two", "0 ended 0", "1 started", "1 ended 75", "2 started", "2 ended 139",
            ])
    }

    /// The end of a task is told from that of its standard error, which it may close before or leave to another.
    @Test(.timeLimit(.minutes(60))) func silenceIsNoEnd() throws {
        let events = try run(
            ["echo one >&2; exec 2>&-; sleep 0.05; exit 4", "sleep 300 & echo $! >&2; exit 5"], slots: 1, budget: .max)
        try #require(events.count == 6)
        if let sleeper = Int32(events[4].dropFirst(2)) { kill(sleeper, SIGKILL) }
        #expect(events[..<4] == ["0 started", "0 one", "0 ended 4", "1 started"] && events[5] == "1 ended 5")
    }

    /// A line may be split, but nothing of it is lost.
    @Test func overlongLinesAreWhole() throws {
        let events = try run(["head -c 300000 /dev/zero | tr '\\0' x >&2"], slots: 1, budget: .max)
        #expect(events.first == "0 started" && events.last == "0 ended 0")
        let text = events.dropFirst().dropLast().map { $0.dropFirst(2) }.joined()
        #expect(text.count == 300_000 && text.allSatisfy { $0 == "x" })
    }

    /// The largest number of tasks that run at the same time.
    private func most(_ events: [String]) -> Int {
        var (now, most) = (0, 0)
        for event in events {
            now += event.hasSuffix("started") ? 1 : event.contains("ended") ? -1 : 0
            most = max(most, now)
        }
        return most
    }

    @Test func slotsAndMemoryBoundWhatRunsAtATime() throws {
        let gigabyte = 1 << 30
        let large = Array(repeating: 4 * gigabyte, count: 4)
        #expect(try most(run(meeting(3), slots: 3, budget: .max)) == 3)
        #expect(try most(run(meeting(2), memory: large, slots: 4, budget: 9 * gigabyte)) == 2)
        // A task that exceeds the budget runs alone.
        #expect(try most(run(meeting(1), memory: large, slots: 4, budget: gigabyte)) == 1)
    }

    /// Four scripts, each of which ends once `count` of them have started.
    private func meeting(_ count: Int) throws -> [String] {
        let folder = NSTemporaryDirectory() + "/flip-pool-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = "touch '\(folder)'/$$; while [ $(ls '\(folder)' | wc -l) -lt \(count) ]; do sleep 0.01; done"
        return Array(repeating: script, count: 4)
    }

    /// A task that runs longer than is allowed is asked to end, and killed if it doesn't listen; the others go on.
    @Test func theSlowAreStopped() throws {
        let slow = "trap '' TERM; while :; do sleep 0.05; done"
        let pool = JobPool(
            program: "/bin/sh", slots: 1, budget: .max, grace: .milliseconds(10), limit: .milliseconds(200))
        var events: [String] = []
        let tasks = [slow, "exit 0"].enumerated().map {
            JobPool.Task(id: $0.offset, arguments: ["-c", $0.element], memory: 1)
        }
        try pool.run(tasks) { id, event in
            switch event {
            case .tooLong: events.append("\(id) too long")
            case .ended(let status): events.append("\(id) ended \(status)")
            case .started, .line, .postponed, .tooLarge: break
            }
            return .next
        }
        #expect(events == ["0 too long", "1 ended 0"])
    }

    /// A task that ignores SIGTERM is killed.
    @Test func theDeafAreKilled() throws {
        let deaf = "trap '' TERM; echo ready >&2; while :; do sleep 0.05; done"
        let pool = JobPool(program: "/bin/sh", slots: 1, budget: .max, grace: .milliseconds(10))
        let cancellation = pool.cancellation
        var ends: [Int32] = []
        try pool.run([JobPool.Task(id: 0, arguments: ["-c", deaf], memory: 1)]) { _, event in
            switch event {
            case .line: cancellation.cancel()
            case .ended(let status): ends.append(status)
            case .started, .postponed, .tooLarge, .tooLong: break
            }
            return .next
        }
        #expect(ends == [128 + SIGKILL])
    }

    @Test func whatIsTriedAgainRunsAgainAndAStopEndsTheRest() throws {
        var tries = 0
        let again = try run(["exit 75"], slots: 2, budget: .max) { _, _ in
            tries += 1
            return tries < 3 ? .again(0.01) : .next
        }
        #expect(again == Array(repeating: ["0 started", "0 ended 75"], count: 3).flatMap(\.self))
        let stopped = try run(["exit 65", "exec sleep 60", "echo never"], slots: 2, budget: .max) { id, _ in
            id == 0 ? .stop : .next
        }
        #expect(stopped == ["0 started", "1 started", "0 ended 65", "1 ended 143"])
    }

    /// If two tasks together exceed the memory, the second is stopped and runs again later.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/statm"), "needs Linux's /proc"))
    func theYoungestGivesWayWhereMemoryRunsOut() throws {
        let folder = NSTemporaryDirectory() + "/flip-hog-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The first task ends when the second has been stopped; the second then runs to its end.
        let hog = """
            import os, signal, sys, time
            def stop(*_):
                open('\(folder)/stopped', 'w').close()
                os._exit(143)
            signal.signal(signal.SIGTERM, stop)
            x = bytearray(150 << 20)
            while not os.path.exists('\(folder)/stopped'): time.sleep(0.01)
            """
        try hog.write(toFile: folder + "/hog.py", atomically: true, encoding: .utf8)
        let script = "exec python3 '\(folder)/hog.py'"
        let events = try run([script, script], slots: 2, budget: 250 << 20)
        // The first task may end before the second, which takes some time to stop.
        #expect(
            events.prefix(2) == ["0 started", "1 started"]
                && Set(events.prefix(4).suffix(2)) == ["1 postponed", "0 ended 0"]
                && events.dropFirst(4) == ["1 started", "1 ended 0"], "\(events)")
        try FileManager.default.removeItem(atPath: folder + "/stopped")
        #expect(try run([script], slots: 1, budget: 100 << 20) == ["0 started", "0 too large"])
    }
}
